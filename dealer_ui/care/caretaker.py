"""The thread that looks after the studio: it sees to each duty in turn, and a duty that fails stops no other.

It holds no table's thread, nor a door at which a table waits; a witness that does not answer delays only other duties.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final

import structlog

from dealer_ui.care.checkpoint_desk import CheckpointDesk

_LOG = structlog.get_logger("dealer_ui.care")
BEAT_S: Final = 1.0

Duty = Callable[[], None]
"""Does what is due, and returns at once when nothing is."""


class Caretaker:
    def __init__(self, duties: Mapping[str, Duty], owed: Callable[[], Mapping[str, int]] = dict) -> None:
        """`owed`: how many checkpoints each witness has not taken."""
        self.owed = owed
        self._duties = dict(duties)
        self._failing: dict[str, str] = {}

    def add(self, name: str, duty: Duty) -> None:
        self._duties[name] = duty

    def work(self, stopping: threading.Event) -> None:
        """Until the studio stops; for a thread of its own."""
        while not stopping.is_set():
            self.step()
            stopping.wait(BEAT_S)

    def step(self) -> None:
        for name, duty in tuple(self._duties.items()):
            try:
                duty()
            except Exception as error:
                if self._failing.get(name) != str(error):
                    _LOG.error("a duty of the care failed", duty=name, why=str(error))
                self._failing[name] = str(error)
            else:
                self._failing.pop(name, None)


def checkpoint_duty(desk: CheckpointDesk, every_ms: int) -> Duty:
    """Sign when an hour (or what was configured) is over, the first time at the start; then tell the witnesses."""
    started = False

    def duty() -> None:
        nonlocal started
        if not started or desk.is_due(every_ms):
            desk.sign("hour" if started else "start")
            started = True
        desk.deliver()

    return duty
