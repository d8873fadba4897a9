"""What all bettors of an operator hold together: summed up once, then kept with every unit.

It stands beside the writer, on its thread, and is never asked to count the purses again: an operator may have as many
bettors as he likes, and what he deposits takes no longer for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Final

SUM_OF_PURSES: Final = "SELECT currency, SUM(amount) FROM balance WHERE account >= ? AND account < ? GROUP BY currency"
_PURSE: Final = "bettor:"


class Purses:
    """By operator and currency, in minor units; chips at a table of the poker room are purses too."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, int]] = {}

    def of(self, connection: sqlite3.Connection, operator: str) -> Mapping[str, int]:
        """With all that the units before have moved, and nothing of the one that is being written."""
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
