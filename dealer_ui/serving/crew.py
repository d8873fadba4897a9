"""The threads that answer requests: so many for each lane, and no lane waits behind another.

Within a lane the holders take turns, one request each: who asks a thousand times waits behind himself.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Final, Protocol

import structlog

from dealer_ui.serving.usher import Lane, LanePlace

END_S: Final = 2.0
LEAST: Final = 2
PUBLIC_LEAST: Final = 6
"""Four PINs may be compared or wait for it at once; the page of the sign-in comes all the same."""
_LOG = structlog.get_logger("dealer_ui.serving.crew")


class Task(Protocol):
    """A request that is served, or dropped."""

    def service(self) -> None: ...

    def cancel(self) -> None: ...


def shares(threads: int) -> Mapping[Lane, int]:
    """
    >>> shares(48)
    {'staff': 12, 'operators': 24, 'bettors': 6, 'public': 6}
    """
    eighth = threads // 8
    return {
        "staff": max(LEAST, 2 * eighth), "operators": max(LEAST, 4 * eighth), "bettors": max(LEAST, eighth),
        "public": max(PUBLIC_LEAST, eighth),
    }  # fmt: skip


class Turns:
    """What waits in one lane, by holder; thread-safe."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Task]] = OrderedDict()
        self._changed = threading.Condition()
        self._over = False

    def put(self, holder: str, task: Task) -> None:
        with self._changed:
            self._waiting.setdefault(holder, deque()).append(task)
            self._changed.notify()

    def take(self) -> Task | None:
        """The first task of the holder whose turn it is; blocks. None when it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._over)
            if self._over:
                return None
            holder, tasks = self._waiting.popitem(last=False)
            task = tasks.popleft()
            if tasks:
                self._waiting[holder] = tasks  # behind all others
            return task

    def end(self) -> list[Task]:
        """Nothing is taken any more; gives what waited."""
        with self._changed:
            self._over = True
            left = [task for tasks in self._waiting.values() for task in tasks]
            self._waiting.clear()
            self._changed.notify_all()
        return left


class Crew:
    """The threads of every lane. At its end it first calls `closing`, so that whatever holds a thread lets it go."""

    def __init__(self, threads: int, closing: Callable[[], None] = lambda: None) -> None:
        self._closing = closing
        self._turns: dict[Lane, Turns] = {lane: Turns() for lane in shares(threads)}
        self._threads = [
            threading.Thread(target=self._work, args=(self._turns[lane],), name=f"web {lane} {number}", daemon=True)
            for lane, count in shares(threads).items()
            for number in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def put(self, place: LanePlace, task: Task) -> None:
        self._turns[place.lane].put(place.holder, task)

    def shutdown(self, timeout_s: float = END_S) -> None:
        """Drop what waits, and wait for what is under way."""
        self._closing()
        for task in [task for turns in self._turns.values() for task in turns.end()]:
            task.cancel()
        until_s = time.monotonic() + timeout_s
        for thread in self._threads:
            thread.join(max(0.0, until_s - time.monotonic()))

    def _work(self, turns: Turns) -> None:
        while (task := turns.take()) is not None:
            try:
                task.service()
            except Exception as error:
                _LOG.error("a request failed", exc_info=error)
                task.cancel()  # nobody else will answer it, or look at its connection
