"""The only place where balances change, and where a transfer that nothing covers is stopped.

A purse serves one unit: it reads each account once, gathers what the unit moves, and writes each account once.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from studio.errors import InvariantError
from studio.money import may_go_below_zero

_ADD = "UPDATE balance SET amount = amount + ? WHERE account = ? AND currency = ?"
_CLOSE = "DELETE FROM balance WHERE account = ? AND amount = 0"
_OPEN = "INSERT INTO balance (account, currency, amount) VALUES (?, ?, ?)"


class Held(NamedTuple):
    amount_minor: int
    currency: str


class Purse:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._read: dict[str, Held | None] = {}
        self._moved: defaultdict[tuple[str, str], int] = defaultdict(int)

    def held(self, account: str) -> Held | None:
        """What the account holds with what this unit moves; None for an account never used."""
        before = self._before(account)
        if before is None:
            return None
        return Held(before.amount_minor + self._moved.get((account, before.currency), 0), before.currency)

    def amount_minor(self, account: str) -> int | None:
        held = self.held(account)
        return held.amount_minor if held else None

    def move(self, debit: str, credit: str, amount_minor: int, currency: str) -> None:
        self._moved[debit, currency] -= amount_minor
        self._moved[credit, currency] += amount_minor

    def uncovered(self) -> str | None:
        """The first account that the unit would take below zero and that may not be."""
        for (account, _), change in self._moved.items():
            if change < 0 and not may_go_below_zero(account):
                before = self._before(account)
                if before is None or before.amount_minor + change < 0:
                    return account
        return None

    def write(self) -> None:
        """Bring the balances up to date; what a round leaves empty behind is closed."""
        changes = [(change, account, currency) for (account, currency), change in self._moved.items() if change]
        if not changes:
            return
        if self._connection.executemany(_ADD, changes).rowcount != len(changes):
            self._open_missing(changes)
        for change, account, _ in changes:
            if change < 0 and account.startswith(("escrow:", "prize:")):
                self._connection.execute(_CLOSE, (account,))

    def _open_missing(self, changes: Sequence[tuple[int, str, str]]) -> None:
        for change, account, currency in changes:
            before = self._now(account)
            if before is None:
                self._connection.execute(_OPEN, (account, currency, change))
            elif before.currency != currency:
                raise InvariantError(f"{account} is kept in {before.currency}: no {currency} can be moved there.")

    def _before(self, account: str) -> Held | None:
        if account not in self._read:
            self._read[account] = self._now(account)
        return self._read[account]

    def _now(self, account: str) -> Held | None:
        row = self._connection.execute("SELECT amount, currency FROM balance WHERE account = ?", (account,)).fetchone()
        return Held(*row) if row else None
