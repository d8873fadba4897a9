"""One reader of a stream: his socket, what he is told, and what his system has not taken yet."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.live.telling import Rest, Telling

SLOW_S: Final = 20.0
"""Who takes nothing for so long is let go."""
SEND_BYTES: Final = 64 * 1024
"""What the system keeps for a reader who is slow; what it does not take is not drawn."""


@dataclass(slots=True, eq=False)
class StreamReader:
    """`unsent`: what his system has not taken, since `stuck_s`. `due_s`: when he is looked at at the latest."""

    socket: socket.socket
    telling: Telling
    leave: Callable[[], None]
    unsent: memoryview = field(default_factory=lambda: memoryview(b""))
    rest: Rest = field(default_factory=lambda: Rest(0.0))
    due_s: float = 0.0
    stuck_s: float = 0.0
    begun: bool = False
    over: bool = False

    def prepare(self) -> None:
        """Set the socket up so that little is kept for the browser and one that vanished is noticed; `OSError` where it
        is gone already.
        """
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        if self.socket.family != socket.AF_UNIX:  # else the browser's own connection is the TLS front's
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SLOW_S * 1000))
        self.stuck_s = time.monotonic()

    def ask(self, newest: int) -> bytes | Rest:
        """What the telling says next: bytes to send, or a rest. `newest` is how far the table is; `StopIteration` at
        the end.
        """
        said = self.telling.send(newest) if self.begun else next(self.telling)
        self.begun = True
        return said

    def say(self, said: bytes) -> None:
        """To be sent at the next `flush`; only when all before it has been."""
        self.unsent, self.stuck_s = memoryview(said), time.monotonic()

    def flush(self) -> None:
        """Send what his system takes now; `OSError` when he is gone."""
        try:
            sent = self.socket.send(self.unsent)
        except BlockingIOError:
            return
        self.stuck_s = time.monotonic()
        self.unsent = self.unsent[sent:]

    @property
    def still_there(self) -> bool:
        """Whether the browser is still connected. What it sends is read and thrown away."""
        try:
            return bool(self.socket.recv(4_096))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def let_go(self) -> None:
        self.over = True
        self.unsent = memoryview(b"")
        with contextlib.suppress(Exception):
            self.telling.close()
        with contextlib.suppress(OSError):
            self.socket.close()
        self.leave()
