"""Changes balances, and stops a transfer that nothing covers.

A purse serves one unit: it reads each account once, gathers what the unit moves, and writes each account once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import msgspec

from studio.errors import InvariantError
from studio.journal.engine import Database
from studio.money import is_of_one_currency, may_go_below_zero

SUM_OF_PURSES: Final = "SELECT currency, SUM(amount) FROM balance WHERE account >= ? AND account < ? GROUP BY currency"
_PURSE: Final = "bettor:"
ASKED_MOST: Final = 500
"""A statement names so many ids at most."""
_NOBODY_WAITS: Final = ("house:", "operator:", "receivable:")


ADD: Final = """
UPDATE balance SET amount = amount + ?1, may_owe = may_owe AND amount + ?1 < 0 WHERE account = ?2 AND currency = ?3
"""
CLOSE: Final = "DELETE FROM balance WHERE account = ? AND currency = ? AND amount = 0"
HELD: Final = "SELECT amount FROM balance WHERE account = ? AND currency = ?"
HELD_BELOW: Final = "SELECT amount FROM balance WHERE (account, currency) = (?, ?)"
"""Of an account of `_NOBODY_WAITS`: nothing is refused by it, so nobody has to wait for whoever else moves it."""
HERE: Final = "SELECT 1 FROM balance WHERE account = ? AND currency = ?"
KEPT: Final = "SELECT account, currency, amount FROM balance WHERE account IN"
LET_OWE: Final = "UPDATE balance SET may_owe = 1 WHERE account = ? AND currency = ?"
OPEN: Final = "INSERT INTO balance (account, currency, amount, may_owe) VALUES (?, ?, ?, ?)"


class Held(msgspec.Struct, frozen=True, gc=False):
    amount_minor: int
    currency: str


T = TypeVar("T")


def at_a_time(asked: Sequence[T]) -> Iterator[Sequence[T]]:
    """So many as one statement asks for."""
    return (asked[start : start + ASKED_MOST] for start in range(0, len(asked), ASKED_MOST))


def marks(asked: Sequence[object]) -> str:
    """
    >>> marks(("a", "b"))
    '?, ?'
    """
    return ", ".join("?" * len(asked))


class Purse:
    """`may_owe`: the accounts this unit may take below zero though they are bettors'."""

    def __init__(self, connection: Database, may_owe: frozenset[str] = frozenset()) -> None:
        self._connection = connection
        self._may_owe = may_owe
        self._kept: dict[str, str | None] = {}
        self._read: dict[tuple[str, str], int | None] = {}
        self._moved: defaultdict[tuple[str, str], int] = defaultdict(int)
        self._begun: dict[str, str] = {}

    def held(self, account: str) -> Held | None:
        """What an account of one currency, as every bettor's, holds with what this unit moves; None if never used."""
        if account not in self._kept:
            self.look((account,))
        currency = self._kept[account]
        if currency is None:
            return None
        return Held((self._before(account, currency) or 0) + self._moved.get((account, currency), 0), currency)

    def look(self, accounts: Collection[str]) -> None:
        """Read what these accounts of one currency hold, all at once; one that was never used is known for that."""
        for asked in at_a_time([account for account in accounts if account not in self._kept]):
            self._kept.update(dict.fromkeys(asked))
            for account, currency, amount in self._connection.execute(f"{KEPT} ({marks(asked)})", asked):
                self._kept[account] = currency
                self._read.setdefault((account, currency), int(amount))

    def amount_minor(self, account: str, currency: str) -> int | None:
        """What the account holds of this currency with what this unit moves; None if it never held any."""
        before = self._before(account, currency)
        return None if before is None else before + self._moved.get((account, currency), 0)

    def move(self, debit: str, credit: str, amount_minor: int, currency: str) -> None:
        self._moved[debit, currency] -= amount_minor
        self._moved[credit, currency] += amount_minor

    def begin(self, account: str, currency: str) -> None:
        """Have the account kept in this currency from now on, with nothing in it, where it was never used."""
        if self.held(account) is None:
            self._kept[account] = self._begun[account] = currency

    @property
    def changes(self) -> Iterator[tuple[str, str, int]]:
        """What this unit moves: each account with its currency."""
        return ((account, currency, change) for (account, currency), change in self._moved.items() if change)

    def uncovered(self) -> str | None:
        """The first account that the unit would take below zero and that may not be."""
        for (account, currency), change in self._moved.items():
            if change >= 0 or may_go_below_zero(account) or account in self._may_owe:
                continue
            if (self._before(account, currency) or 0) + change < 0:
                return account
        return None

    def write(self) -> None:
        """Bring the balances up to date; what a round leaves empty behind is closed."""
        for account, currency in self._begun.items():
            self._connection.execute(OPEN, (account, currency, 0, 0))
            self._read[account, currency] = 0
        changes = [(change, account, currency) for account, currency, change in self.changes]
        if not changes:
            return
        self._read_all(changes)
        for change, account, currency in changes:
            if account in self._may_owe and (self._before(account, currency) or 0) + change < 0:
                self._connection.execute(LET_OWE, (account, currency))
        there, missing = list[tuple[int, str, str]](), list[tuple[int, str, str]]()
        for one in changes:
            (there if self._is_there(*one[1:]) else missing).append(one)
        self._open(missing)
        if there and self._connection.executemany(ADD, there).rowcount != len(there):
            self._open_missing(there)
        for change, account, currency in changes:
            if change < 0 and account.startswith(("escrow:", "prize:")):
                self._connection.execute(CLOSE, (account, currency))

    def _read_all(self, changes: Sequence[tuple[int, str, str]]) -> None:
        """Lock what other hosts move too, so that whether it is there stays as it was read."""
        unread = [
            account
            for _, account, currency in changes
            if (account, currency) not in self._read and not account.startswith(_NOBODY_WAITS)
        ]
        for asked in at_a_time(list(dict.fromkeys(unread))):
            for account, currency, amount in self._connection.execute(f"{KEPT} ({marks(asked)})", asked):
                self._read.setdefault((account, currency), int(amount))
                self._kept.setdefault(account, currency)

    def _is_there(self, account: str, currency: str) -> bool:
        """Whether the balance is there; of one that nobody waits for, and that no other host moves, it is found out."""
        return account.startswith(_NOBODY_WAITS) or self._read.get((account, currency)) is not None

    def _open(self, changes: Sequence[tuple[int, str, str]]) -> None:
        """Where another host has opened one meanwhile, what it moved and what is moved here are both in it."""
        for change, account, currency in changes:
            held = self.held(account) if is_of_one_currency(account) else None
            if held is not None and held.currency != currency:
                raise InvariantError(f"{account} is kept in {held.currency}: no {currency} can be moved there.")
            self._connection.execute(OPEN, (account, currency, change, int(change < 0 and account in self._may_owe)))
            self._kept[account] = currency

    def _open_missing(self, changes: Sequence[tuple[int, str, str]]) -> None:
        """Of those that no other host moves."""
        self._open([one for one in changes if not self._connection.execute(HERE, one[1:]).fetchone()])

    def _before(self, account: str, currency: str) -> int | None:
        key = (account, currency)
        if key not in self._read:
            self._read[key] = self._now(account, currency)
        return self._read[key]

    def _now(self, account: str, currency: str) -> int | None:
        held = HELD_BELOW if account.startswith(_NOBODY_WAITS) else HELD
        row = self._connection.execute(held, (account, currency)).fetchone()
        return int(row[0]) if row else None


class Purses:
    """What all bettors of an operator hold together: summed up once, then kept with every unit.

    By operator and currency, in minor units; chips at a table of the poker room are purses too. It stands beside the
    writer, on its thread, and is never asked to count the purses again: an operator may have as many bettors as he
    likes, and what he deposits takes no longer for it.
    """

    def __init__(self) -> None:
        self._held: dict[str, dict[str, int]] = {}

    def of(self, connection: Database, operator: str) -> Mapping[str, int]:
        """What the operator's bettors hold, by currency, after all earlier units and before the one that is being
        written.
        """
        if operator not in self._held:
            self._held[operator] = dict(connection.execute(SUM_OF_PURSES, prefix_of_purses(operator)))
        return self._held[operator]

    def moved(self, changes: Iterable[tuple[str, str, int]]) -> None:
        """A unit that is kept has changed these accounts; each with its currency."""
        if not self._held:
            return
        for account, currency, change in changes:
            if account.startswith(_PURSE):
                held = self._held.get(account[len(_PURSE) : account.index(":", len(_PURSE))])
                if held is not None:
                    held[currency] = held.get(currency, 0) + change

    def forget(self) -> None:
        """What was moved is not kept after all."""
        self._held.clear()


def prefix_of_purses(operator: str) -> tuple[str, str]:
    """Between these two lie the names of all his purses."""
    return f"{_PURSE}{operator}:", f"{_PURSE}{operator};"
