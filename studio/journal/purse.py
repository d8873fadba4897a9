"""Changes balances, and stops a transfer that nothing covers.

A purse serves one unit: it reads each account once, gathers what the unit moves, and writes each account once.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studio.errors import InvariantError
from studio.money import is_of_one_currency, may_go_below_zero

_ADD = """
UPDATE balance SET amount = amount + ?1, may_owe = may_owe AND amount + ?1 < 0 WHERE account = ?2 AND currency = ?3
"""
_CLOSE = "DELETE FROM balance WHERE account = ? AND currency = ? AND amount = 0"
_HELD = "SELECT amount FROM balance WHERE account = ? AND currency = ?"
_KEPT_IN = "SELECT currency FROM balance WHERE account = ?"
_LET_OWE = "UPDATE balance SET may_owe = 1 WHERE account = ? AND currency = ?"
_OPEN = "INSERT INTO balance (account, currency, amount, may_owe) VALUES (?, ?, ?, ?)"


class Held(NamedTuple):
    amount_minor: int
    currency: str


class Purse:
    """`may_owe`: the accounts this unit may take below zero though they are bettors'."""

    def __init__(self, connection: sqlite3.Connection, may_owe: frozenset[str] = frozenset()) -> None:
        self._connection = connection
        self._may_owe = may_owe
        self._kept: dict[str, str] = {}
        self._read: dict[tuple[str, str], int | None] = {}
        self._moved: defaultdict[tuple[str, str], int] = defaultdict(int)

    def held(self, account: str) -> Held | None:
        """What an account of one currency, as every bettor's, holds with what this unit moves; None if never used."""
        currency = self._kept.get(account)
        if currency is None:
            row = self._connection.execute(_KEPT_IN, (account,)).fetchone()
            if row is None:
                return None
            currency = self._kept[account] = row[0]
        return Held((self._before(account, currency) or 0) + self._moved.get((account, currency), 0), currency)

    def amount_minor(self, account: str, currency: str) -> int | None:
        """What the account holds of this currency with what this unit moves; None if it never held any."""
        before = self._before(account, currency)
        return None if before is None else before + self._moved.get((account, currency), 0)

    def move(self, debit: str, credit: str, amount_minor: int, currency: str) -> None:
        self._moved[debit, currency] -= amount_minor
        self._moved[credit, currency] += amount_minor

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
        changes = [(change, account, currency) for account, currency, change in self.changes]
        if not changes:
            return
        for change, account, currency in changes:
            if account in self._may_owe and (self._before(account, currency) or 0) + change < 0:
                self._connection.execute(_LET_OWE, (account, currency))
        if self._connection.executemany(_ADD, changes).rowcount != len(changes):
            self._open_missing(changes)
        for change, account, currency in changes:
            if change < 0 and account.startswith(("escrow:", "prize:")):
                self._connection.execute(_CLOSE, (account, currency))

    def _open_missing(self, changes: Sequence[tuple[int, str, str]]) -> None:
        for change, account, currency in changes:
            if self._now(account, currency) is not None:
                continue
            held = self.held(account) if is_of_one_currency(account) else None
            if held is not None:
                raise InvariantError(f"{account} is kept in {held.currency}: no {currency} can be moved there.")
            owes = change < 0 and account in self._may_owe
            self._connection.execute(_OPEN, (account, currency, change, int(owes)))

    def _before(self, account: str, currency: str) -> int | None:
        key = (account, currency)
        if key not in self._read:
            self._read[key] = self._now(account, currency)
        return self._read[key]

    def _now(self, account: str, currency: str) -> int | None:
        row = self._connection.execute(_HELD, (account, currency)).fetchone()
        return int(row[0]) if row else None
