"""The read-only readers of the database: one a thread, let go together."""

from __future__ import annotations

import threading
from collections.abc import Callable

from studio.journal import Reader


class Readers:
    """Every thread's own reader, made by `make` when it first asks."""

    def __init__(self, make: Callable[[], Reader]) -> None:
        self._make = make
        self._own = threading.local()
        self._made: list[Reader] = []
        self._door = threading.Lock()

    def mine(self) -> Reader:
        """This thread's own read-only reader."""
        found: Reader | None = getattr(self._own, "reader", None)
        if found is None:
            found = self._own.reader = self._make()
            with self._door:
                self._made.append(found)
        return found

    def close(self) -> None:
        """Let go of the database; nobody reads any more."""
        with self._door:
            while self._made:
                self._made.pop().close()
