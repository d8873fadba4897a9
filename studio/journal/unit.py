"""What is handed to the writer at once, and what it hands back.

A unit is committed as a whole or not at all: what happened, the money it moved, the keys of the cards it sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from studio.journal.follow import Follows
from studio.journal.lease import Lease
from studio.money import Answer, Offer, Transfer


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the journal to be. `body` is canonical JSON, always an object, without line breaks."""

    kind: str
    at_ms: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Ceiling:
    """`need` looks at what all bettors of this operator hold, by currency, before the unit moves anything; it may
    refuse. It is called on the writer's thread: it must be quick and touch nothing.
    """

    operator: str
    need: Callable[[Mapping[str, int]], None]


Balances = Callable[[str, str], int | None]
"""What an account holds of a currency, in minor units, with all that came before; None where it never held any."""

More = tuple[Iterable[Entry], Iterable[Transfer]]


@dataclass(frozen=True, slots=True)
class Unit:
    """What is committed together.

    `keys` are sealed ids and their keys; they are on disk before the transaction is. `entries_for_bets` is called
    with the accepted offers, where there are any or a stake was taken in vain, on the writer's thread and inside its
    transaction: it must be quick and touch nothing. So must `with_balances`, which says what else is told and moved by
    what accounts hold at that very instant. Both may be called again, where a unit beside this one did not fit or the
    database gave a transaction up: what they said before is forgotten, so they gather nothing.
    A `reserve` is never among `transfers`: an accepted offer makes it. `may_owe`: bettors' accounts that this unit may
    take below zero, as their operator's policy allows. `at_ms`: when money moved that no entry tells of.
    `ceiling`: what an operator's bettors may hold together; asked once it is known that nothing is moved twice.
    """

    entries: tuple[Entry, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    keys: tuple[tuple[str, bytes], ...] = ()
    offers: tuple[Offer, ...] = ()
    entries_for_bets: Callable[[Sequence[Offer]], Iterable[Entry]] | None = None
    with_balances: Callable[[Balances], More] | None = None
    may_owe: frozenset[str] = frozenset()
    at_ms: int = 0
    ceiling: Ceiling | None = None
    lease: Lease | None = None
    """The hold of the table whose unit this is; it is kept only while no other host has taken the table."""
    follows: Follows | None = None
    """The row behind which alone it is kept, of a book that several processes write."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The committed rows of the journal, first to last; `last_seq < first_seq` when there was none to write."""

    first_seq: int
    last_seq: int
    answers: tuple[Answer, ...] = ()
