"""What a host has been asked, by the question's id: each is done once, and what came of it can be asked again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Final

from dealer_ui.wire.message import Told

REMEMBERED: Final = 10_000
"""So many of the newest questions are known again."""
_WAIT_S: Final = 1.0


class Memory:
    """Thread-safe."""

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Future[Told]] = OrderedDict()

    def once(self, id: str, act: Callable[[], Told]) -> Told:
        """Do it, unless it was done or called off already; whoever asks again waits for the same answer."""
        doing: Future[Told] = Future()
        with self._lock:
            known = self._known.setdefault(id, doing)
            self._forget()
        if known is not doing:
            return _answer(known)
        try:
            told = act()
        except BaseException:
            doing.set_result(Told("lost"))
            raise
        doing.set_result(told)
        return told

    def fate(self, id: str) -> Told:
        """What came of it, waiting for a moment where it is being done. One that never came is called off."""
        with self._lock:
            known = self._known.get(id)
            if known is None:
                called_off: Future[Told] = Future()
                called_off.set_result(Told("never"))
                self._known[id] = called_off
                self._forget()
                return Told("never")
        return _answer(known)

    def _forget(self) -> None:
        while len(self._known) > self._most:
            self._known.popitem(last=False)


def _answer(known: Future[Told]) -> Told:
    try:
        return known.result(_WAIT_S)
    except FutureTimeoutError:
        return Told("late")
