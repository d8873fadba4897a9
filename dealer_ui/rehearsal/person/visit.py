"""How a simulated crowd keeps coming: one act after another, through held tables and restarts of the studio."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Protocol

from dealer_ui.rehearsal.person.interface import Interface, InterfaceError

_BACKOFF_S_MAX: Final = 5.0


class Failing(Protocol):
    """Where acts without a usable answer are counted."""

    failures: int


class Visit:
    """`act` is done every `poll_s`, and after a failure less and less often. Stepped by one thread."""

    def __init__(self, interface: Interface, act: Callable[[], None], tally: Failing, poll_s: float) -> None:
        self._interface = interface
        self._act = act
        self._tally = tally
        self._poll_s = self._wait_s = poll_s

    def run(self, stop: threading.Event) -> None:
        """Act until told to stop; closes the crowd's connection."""
        try:
            while not stop.is_set():
                stop.wait(self.step())
        finally:
            self._interface.close()

    def step(self) -> float:
        """Act once, whatever state the studio is in; gives the seconds to wait until the next time."""
        try:
            self._act()
            self._wait_s = self._poll_s
        except InterfaceError:
            self._tally.failures += 1
            self._wait_s = min(_BACKOFF_S_MAX, 2 * self._wait_s)
        return self._wait_s
