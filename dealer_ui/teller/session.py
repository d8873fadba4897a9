"""The sessions operators gave with their bettors, by which their wallets know them."""

from __future__ import annotations

import threading


class Sessions:
    """The newest of each bettor; thread-safe. A token opens a bettor's money: it is in no row, log or repr."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[tuple[str, str], str] = {}

    def open(self, operator: str, bettor: str, session: str) -> None:
        with self._lock:
            self._of[operator, bettor] = session

    def of(self, operator: str, bettor: str) -> str:
        """Empty where he was never launched here."""
        return self._of.get((operator, bettor), "")
