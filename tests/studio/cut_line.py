"""A line to a database that can be cut at a chosen instant: a proxy on a socket of its own.

It reads enough of PostgreSQL's protocol to know when a COMMIT goes by: the server gets it, and what it answers does not
come back.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path


class _Call:
    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self.near, self.far = near, far
        self.cut = threading.Event()

    def end(self) -> None:
        for one in (self.near, self.far):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


class CutLine:
    """Passes every byte on, until `cut_at_commit` is set: then the next COMMIT is done and its answer is lost.

    With `swallow` the COMMIT itself is lost, too.
    """

    def __init__(self, folder: Path, target: Path) -> None:
        self.path = folder / ".s.PGSQL.5432"
        self._target = str(target / ".s.PGSQL.5432")
        self.cut_at_commit = self.swallow = False
        self.cuts = 0
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(self.path))
        self._door.listen()
        threading.Thread(target=self._answer, daemon=True).start()

    def close(self) -> None:
        self._door.close()

    def _answer(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.socket(socket.AF_UNIX)
                try:
                    far.connect(self._target)
                except OSError:
                    near.close()
                    continue
                call = _Call(near, far)
                threading.Thread(target=self._ask, args=(call,), daemon=True).start()
                threading.Thread(target=self._tell, args=(call,), daemon=True).start()

    def _ask(self, call: _Call) -> None:
        with contextlib.suppress(OSError):
            while data := call.near.recv(1 << 16):
                if self.cut_at_commit and b"COMMIT\0" in data:
                    self.cut_at_commit = False
                    self.cuts += 1
                    call.cut.set()
                    if self.swallow:
                        break
                call.far.sendall(data)  # what follows a COMMIT, too: the server answers at the end of a pipeline
        call.end()

    def _tell(self, call: _Call) -> None:
        with contextlib.suppress(OSError):
            while data := call.far.recv(1 << 16):
                if call.cut.is_set():
                    break
                call.near.sendall(data)
        call.end()
