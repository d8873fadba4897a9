"""How long the tests wait for what is sure to come.

So long that a busy machine never decides a test: only a fault waits to the end. What holds already costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 100
PATIENCE_MS: Final = PATIENCE_S * 1_000
LOOK_S: Final = 0.01


def wait_until(holds: Callable[[], object], look_s: float = LOOK_S) -> None:
    """Look again and again until it holds; fails after `PATIENCE_S` at the least."""
    pause = threading.Event()
    for _ in range(int(PATIENCE_S / look_s)):
        if holds():
            return
        pause.wait(look_s)
    raise AssertionError("It never came to what the test waits for.")
