"""Makes those who tried too often wait, each time longer; kept in memory, by address or by badge.

A badge counts as it was typed, whether it exists or not, so the wait does not give away which badges exist.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError

KEYS_MAX: Final = 20_000
"""Beyond it the key that has not been tried for the longest is forgotten."""


class TooOftenError(RefusedError):
    """Refused for a while: `retry_after_s` says for how long. It is answered with 429."""

    def __init__(self, key: str, sentence: str, retry_after_s: int) -> None:
        super().__init__(key, sentence, seconds=retry_after_s)
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Law:
    """`free` wrong tries in a row cost nothing; then one waits `first_ms`, and with each further one twice as long."""

    free: int
    first_ms: int
    most_ms: int

    def wait_ms(self, wrong: int) -> int:
        """
        >>> [Law(2, 1_000, 5_000).wait_ms(wrong) for wrong in range(6)]
        [0, 0, 1000, 2000, 4000, 5000]
        """
        if wrong < self.free:
            return 0
        return min(self.first_ms << min(wrong - self.free, 20), self.most_ms)


class Throttle:
    """Wrong tries by key. Thread-safe; waits for nobody."""

    def __init__(self, law: Law, now_ms: Callable[[], int]) -> None:
        self._law = law
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._tries: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def wait_ms(self, key: str) -> int:
        """How long this key has to wait still; 0 where it may try."""
        with self._lock:
            wrong, last_ms = self._tries.get(key, (0, 0))
            return max(0, last_ms + self._law.wait_ms(wrong) - self._now_ms())

    def wrong(self, key: str) -> None:
        """One more wrong try. What was quiet for as long as the longest wait counts from the start again."""
        now_ms = self._now_ms()
        with self._lock:
            wrong, last_ms = self._tries.pop(key, (0, 0))
            if now_ms - last_ms > 2 * self._law.most_ms:
                wrong = 0
            self._tries[key] = (wrong + 1, now_ms)
            while len(self._tries) > KEYS_MAX:
                self._tries.popitem(last=False)

    def right(self, key: str) -> None:
        """Forget the wrong tries of this key: it has now been right."""
        with self._lock:
            self._tries.pop(key, None)
