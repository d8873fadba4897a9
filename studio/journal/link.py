"""How a row of the journal or the ledger is bound to the row before it.

A row's hash is the SHA-256 of the previous row's hash and of everything the row says, joined by line breaks; no
value may hold a line break itself, so no two rows read alike. A journal row also binds the ledger as it stood when
the row was committed, and the ledger row of a reserve also binds its bet.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from studio.errors import InvariantError
from studio.money import Offer, Transfer

_BREAKS_JOURNAL: Final = 5
_BREAKS_TRANSFER: Final = 9
_BREAKS_RESERVE: Final = 14


class Head(NamedTuple):
    """The last row of a chain."""

    seq: int
    hash: str


GENESIS: Final = Head(0, "0" * 64)


class Heads(NamedTuple):
    """Where both chains end, and the time of the last journal row.

    Where several hosts write, each has numbers of its own to give: those above `floor`, up to `ceiling`.
    """

    journal: Head
    ledger: Head
    at_ms: int
    floor: int = 0
    ceiling: int = 2**62

    def next(self, chain: Head, count: int) -> int:
        """The number of the next of so many rows; `NumbersSpentError` where there are not as many left."""
        first = max(chain.seq, self.floor) + 1
        if first + count - 1 > self.ceiling:
            raise NumbersSpentError(f"There are no {count} numbers left for rows.")
        return first


class NumbersSpentError(Exception):
    """A unit has more rows than there are numbers left: others are to be drawn, and the unit begun again."""


def journal_text(seq: int, at_ms: int, ledger: Head, kind: str, body: str) -> str:
    text = f"{seq}\n{at_ms}\n{ledger.seq}\n{ledger.hash}\n{kind}\n{body}"
    return _without_breaks(text, _BREAKS_JOURNAL)


def transfer_text(seq: int, at_ms: int, row: Transfer) -> str:
    return _without_breaks(_moved(seq, at_ms, row), _BREAKS_TRANSFER)


def reserve_text(seq: int, at_ms: int, reserve: Transfer, offer: Offer) -> str:
    text = (
        f"{_moved(seq, at_ms, reserve)}"
        f"\n{offer.operator}\n{offer.client_id}\n{offer.bettor}\n{offer.table}\n{offer.bet}"
    )
    return _without_breaks(text, _BREAKS_RESERVE)


def _moved(seq: int, at_ms: int, row: Transfer) -> str:
    return (
        f"{seq}\n{at_ms}\n{row.round}\n{row.bet}\n{row.kind}\n{row.debit}\n{row.credit}"
        f"\n{row.amount_minor}\n{row.currency}\n{row.revision}"
    )


def link(previous: str, text: str) -> str:
    """
    >>> link(GENESIS.hash, "1")[:8]
    'bb3f5376'
    """
    return sha256(f"{previous}\n{text}".encode()).hexdigest()


def _without_breaks(text: str, expected: int) -> str:
    if text.count("\n") != expected:
        raise InvariantError(
            "A value for the journal or the ledger holds a line break; it is refused before it comes here."
        )
    return text
