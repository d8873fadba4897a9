"""What the simulated operator can do wrong, by name, and which of it he does now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from studio.errors import BadInputError

T = TypeVar("T")

FAULTS: Final = {
    "slow": "answers late",
    "silent": "neither acts nor answers",
    "silent_after": "acts, and does not answer",
    "late": "holds one request back while it acts on the others, and acts on it when the fault is over",
    "half": "acts, and answers half",
    "nonsense": "acts, and answers something that is no JSON",
    "error_first": "fails with HTTP 500 the first time a movement is asked for, without acting",
    "error_after": "acts, and answers HTTP 500",
    "twice": "acts twice on one request, as a proxy that tries again",
    "out_of_order": "acts, and answers what belongs to the request before",
    "down": "hangs up on everybody",
    "wrong_signature": "says that the studio's signature is wrong, whatever it is",
}


class Faults:
    """Which faults are on; any thread. `ended` is set when the operator closes: nobody waits any longer.

    When `switch` returns, what a fault that is over had held back has been done.
    """

    def __init__(self, slow_s: float = 2.9) -> None:
        self.slow_s = slow_s
        self.ended = threading.Event()
        self._on: frozenset[str] = frozenset()
        self._changed = threading.Condition()
        self._held_back = False

    @property
    def on(self) -> frozenset[str]:
        return self._on

    def switch(self, on: Iterable[str] = (), off: Iterable[str] = ()) -> frozenset[str]:
        on, off = set(on), set(off)
        if unknown := (on | off) - FAULTS.keys():
            raise BadInputError(f"There is no fault '{min(unknown)}': they are {', '.join(FAULTS)}.")
        with self._changed:
            self._on = (self._on - off) | on
            self._changed.notify_all()
            if "late" in off:
                self._changed.wait_for(lambda: not self._held_back)
            return self._on

    def hold_back(self, name: str, at_most_s: float, act: Callable[[], T]) -> T:
        """Do it when the fault is over; at once where another is held back already."""
        with self._changed:
            first, self._held_back = not self._held_back, True
        if not first:
            return act()
        try:
            self.wait_while(name, at_most_s)
            return act()
        finally:
            with self._changed:
                self._held_back = False
                self._changed.notify_all()

    def wait_while(self, name: str, at_most_s: float) -> None:
        """As long as the fault is on, but not for ever."""
        with self._changed:
            self._changed.wait_for(lambda: name not in self._on or self.ended.is_set(), at_most_s)

    def close(self) -> None:
        self.ended.set()
        with self._changed:
            self._changed.notify_all()
