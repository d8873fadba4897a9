"""Puts a simulated device on a pseudo-terminal, where any program finds it like a cable."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import tty
from pathlib import Path
from typing import Final

from devices.wire import Wire
from studio.errors import BadInputError

CHUNK_BYTES: Final = 4096


class PtyPort:
    """The host's end of a wire, laid on a pseudo-terminal in raw mode. Pumped by its caller, one thread.

    Nobody at the other end: what the machine sends is lost, as on a real line. The wire unplugged: the
    terminal is hung up; plugged in again, it comes back, perhaps under another path, for whoever opens a terminal
    meanwhile takes the number. `link` is a name that stays: there while the wire is plugged in, as udev's are.
    """

    def __init__(self, wire: Wire, link: Path | None = None) -> None:
        self._wire = wire
        self._link = link
        self._pause = threading.Event()
        self._master = -1
        self.path = ""
        if link is not None and (link.exists() or link.is_symlink()) and not _leads_to_terminal(link):
            raise BadInputError(
                "Something lies there already, and it is no terminal's name: choose another.", where=str(link)
            )
        try:
            self._open()
        except OSError as error:
            self.close()
            raise BadInputError(
                f"No terminal can be had under this name: {error.strerror}.", where=str(link or "")
            ) from error

    @property
    def connected(self) -> bool:
        """A program holds the terminal open."""
        return self._master >= 0 and not self._polled(0) & select.POLLHUP

    def pump(self, wait_s: float) -> None:
        """Carry bytes both ways; waits up to `wait_s` for some from the host."""
        if not self._follow_plug() or not self.connected:
            self._wire.host_read(CHUNK_BYTES, 0)
            self._pause.wait(wait_s)
            return
        self._to_host()
        if self._polled(wait_s) & select.POLLIN:
            with contextlib.suppress(OSError):  # the host hung up in between; the next pump sees it
                self._wire.host_write(os.read(self._master, CHUNK_BYTES))

    def close(self) -> None:
        if self._master >= 0:
            if self._link is not None:
                self._link.unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1

    def _open(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(slave)
        if self._link is not None:
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(self.path)
            self.path = str(self._link)
        # Held open here, the terminal would never tell that nobody listens.
        os.close(slave)

    def _follow_plug(self) -> bool:
        if not self._wire.plugged:
            self.close()
        elif self._master < 0:
            self._open()
        return self._wire.plugged

    def _polled(self, wait_s: float) -> int:
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        return sum(event for _, event in poll.poll(wait_s * 1000))

    def _to_host(self) -> None:
        while data := self._wire.host_read(CHUNK_BYTES, 0):
            # A full terminal takes no more; the rest is lost, as in the buffer of a real port.
            with contextlib.suppress(OSError):
                os.write(self._master, data)


def _leads_to_terminal(link: Path) -> bool:
    """A name an earlier simulator left behind."""
    return link.is_symlink() and str(link.readlink()).startswith("/dev/pts/")
