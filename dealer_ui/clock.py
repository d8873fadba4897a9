"""The only place where the program reads a clock: wall time once, from then on the steady one."""

from __future__ import annotations

import time


class SteadyClock:
    """UTC milliseconds that never go back or jump while the program runs, whatever is done to the machine's clock.

    `floor_ms`: the newest time already on record; a machine whose clock was set back starts from there.
    """

    def __init__(self, floor_ms: int = 0) -> None:
        self._start_ms = max(time.time_ns() // 1_000_000, floor_ms)
        self._start_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        return self._start_ms + (time.monotonic_ns() - self._start_ns) // 1_000_000
