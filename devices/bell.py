"""What any thread rings for the one that waits at a line."""

from __future__ import annotations

import contextlib
import os
import select
import threading
from typing import Final, Protocol

_COMES: Final = select.POLLIN | select.POLLPRI


class HasNumber(Protocol):
    def fileno(self) -> int: ...


class Bell:
    """A ring is kept until a wait has ended by it: rung before the wait begins, it ends it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)

    def ring(self) -> None:
        """From any thread, also once it is closed."""
        with self._lock:
            if self._number >= 0:
                os.eventfd_write(self._number, 1)

    def wait_beside(self, line: HasNumber, most_s: float) -> None:
        """Until the line has something, or is gone, or the bell rings, or so long.

        Raises nothing: what is wrong with the line, its next read says. The thread that waits is the one that closes.
        """
        poll = select.poll()
        with contextlib.suppress(OSError, ValueError, TypeError):
            poll.register(line, _COMES)
            poll.register(self._number, select.POLLIN)
            if any(number == self._number for number, _ in poll.poll(most_s * 1000)):
                os.eventfd_read(self._number)

    def close(self) -> None:
        with self._lock:
            if self._number >= 0:
                os.close(self._number)
            self._number = -1
