"""Whose turn it is when more cameras want to look than the machine has cores."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count


class Turns:
    """Lets `at_once` cameras look at the same time; any thread may ask.

    Of those that wait, the one that has not looked for the longest is next: none is passed over twice by another.
    """

    def __init__(self, at_once: int) -> None:
        self._door = threading.Lock()
        self._free = at_once
        self._asked = count()
        self._queue: list[tuple[float, int, threading.Event]] = []

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @contextmanager
    def turn(self, looked_s: float) -> Iterator[None]:
        """Wait for a turn and hold it; `looked_s` is when this camera last looked."""
        self._take(looked_s)
        try:
            yield
        finally:
            self._pass_on()

    def _take(self, looked_s: float) -> None:
        mine = threading.Event()
        with self._door:
            if self._free:
                self._free -= 1
                return
            heapq.heappush(self._queue, (looked_s, next(self._asked), mine))
        mine.wait()

    def _pass_on(self) -> None:
        """Hand the turn to whoever waits; nobody else can take it meanwhile."""
        with self._door:
            if self._queue:
                heapq.heappop(self._queue)[2].set()
            else:
                self._free += 1
