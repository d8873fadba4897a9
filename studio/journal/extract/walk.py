"""Reads journal and ledger side by side: each event with the money that was committed with it.

A journal row names the ledger's last row at its commit, so the rows of the ledger since the row before it are the
money of its unit; where a unit told several events, they stand with the first.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from studio.journal.booking import read_origin
from studio.journal.engine import Cursor, Database
from studio.journal.place import UNREADABLE, Snapshot
from studio.journal.reader import Posting
from studio.money import Offer, Transfer

_JOURNAL: Final = "SELECT seq, at, kind, body, ledger_seq FROM journal WHERE {} ORDER BY seq"
_LEDGER: Final = """
SELECT ledger.seq, at, ledger.round, ledger.bet, kind, debit, credit, amount, ledger.currency, revision,
    id, operator, client_id, bettor, "table", bet.round, bet.bet, stake, bet.currency, bet.free
FROM ledger LEFT JOIN bet ON bet.seq = ledger.seq AND ledger.kind = 'reserve' WHERE {} ORDER BY ledger.seq
"""
_TRANSFER: Final = slice(2, 10)
_ROUNDS: Final = "SELECT count(*) FROM journal WHERE kind = 'RoundStarted'"


class WalkStep(msgspec.Struct, frozen=True):
    """One journal row and the transfers committed with its unit."""

    seq: int
    at_ms: int
    kind: str
    body: bytes
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is stored: rounds begun, rows of the journal, rows of the ledger."""

    rounds: int
    events: int
    entries: int
    last: int
    """The number of the last row of the journal."""


def walk(seen: Snapshot) -> Iterator[WalkStep]:
    """Every step of one snapshot, in order; a studio may be at work on the file."""
    return heapq.merge(*(steps(seen.connection, book) for book in seen.books), key=lambda step: step.seq)


def corrected_rounds(seen: Snapshot) -> frozenset[str]:
    """The rounds that somebody wanted corrected after their settlement, whether it was agreed to or not."""
    return _rounds_of(seen, "CorrectionAsked")


def rounds_unsealed(seen: Snapshot) -> frozenset[str]:
    """The rounds of which somebody wanted a sealed card opened, whether it was agreed to or not."""
    return _rounds_of(seen, "UnsealingAsked")


def _rounds_of(seen: Snapshot, kind: str) -> frozenset[str]:
    rows = seen.connection.execute("SELECT DISTINCT round FROM journal WHERE kind = ?", (kind,)).fetchall()
    return frozenset(row[0] for row in rows)


def steps(connection: Database, book: str = "1 = 1") -> Iterator[WalkStep]:
    """Every step of a book that this connection sees; nobody writes over it meanwhile."""
    ledger = _Postings(connection.execute(_LEDGER.format(book)))
    got = read_origin(connection, "ledger", book).seq
    for seq, at_ms, kind, body, ledger_seq in connection.execute(_JOURNAL.format(book)):
        postings = ledger.upto(ledger_seq, ledger_seq - got) if ledger_seq > got else ()
        got = ledger_seq
        yield WalkStep(seq, at_ms, kind, body.encode(), postings)


class _Postings:
    """The ledger's rows in order, taken up to a number; some numbers may be missing."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._left: deque[Posting] = deque()

    def upto(self, seq: int, most: int) -> tuple[Posting, ...]:
        """Those up to this one, so many at most."""
        self._left.extend(_posting(row) for row in self._cursor.fetchmany(max(most - len(self._left), 0)))
        taken = []
        while self._left and self._left[0].seq <= seq:
            taken.append(self._left.popleft())
        return tuple(taken)


def measure(seen: Snapshot) -> Extent:
    """How much there is to walk; a count the damaged file cannot give is 0."""
    rows = "count(*)" if seen.gaps else "max(seq)"
    return Extent(
        _count(seen.connection, _ROUNDS),
        _count(seen.connection, f"SELECT {rows} FROM journal"),  # noqa: S608 - words of our own
        _count(seen.connection, f"SELECT {rows} FROM ledger"),  # noqa: S608
        _count(seen.connection, "SELECT max(seq) FROM journal"),
    )


def _posting(row: tuple[Any, ...]) -> Posting:
    offered = row[_TRANSFER.stop :]
    return Posting(row[0], row[1], Transfer(*row[_TRANSFER]), Offer(*offered) if offered[0] is not None else None)


def _count(connection: Database, sql: str) -> int:
    try:
        [found] = connection.execute(sql).fetchone()
    except UNREADABLE:
        return 0
    return found if isinstance(found, int) else 0
