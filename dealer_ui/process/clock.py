"""The program's clock: wall time read once, and the steady clock from then on."""

from __future__ import annotations

import time
from collections.abc import Callable


class SteadyClock:
    """UTC milliseconds that never go back or jump while the program runs, whatever is done to the machine's clock.

    `floor_ms`: the newest time already on record; a machine whose clock was set back starts from there.
    """

    def __init__(
        self,
        floor_ms: int = 0,
        wall_ns: Callable[[], int] = time.time_ns,
        run_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        wall_ms = wall_ns() // 1_000_000
        self.behind_ms = max(0, floor_ms - wall_ms)
        """How far the machine's clock was behind the record at the start."""
        self._start_ms = max(wall_ms, floor_ms)
        self._run_ns = run_ns
        self._start_ns = run_ns()

    def now_ms(self) -> int:
        return self._start_ms + (self._run_ns() - self._start_ns) // 1_000_000
