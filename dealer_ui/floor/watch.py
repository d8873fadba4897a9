"""The pit follows the tables: alarms come and end and are told to everybody, messages end."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Final

import structlog

from dealer_ui.desk.alarm import AlarmKeeper
from dealer_ui.desk.book import MovedError
from dealer_ui.desk.message import Standing, end_what_is_over
from dealer_ui.floor.cause import causes_of
from dealer_ui.floor.house import House
from studio.errors import RefusedError
from studio.people import may

_LOG = structlog.get_logger("dealer_ui.floor.watch")
STEP_S: Final = 0.2
"""Not more often than that."""
LOOK_S: Final = 1.0
"""Also while nothing moves: time itself makes an alarm louder."""


class PitWatch:
    """Follows the whole floor and keeps the alarms up to date. One thread steps it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._keeper = AlarmKeeper(house.pit)
        self._waits = False
        """The disk takes nothing: what is due is tried again at each look, and was told once."""

    def step(self) -> None:
        """Take in how the floor stands now."""
        with suppress(MovedError):  # somebody else of the pit was quicker: the next step sees what he did
            self._step()

    def _step(self) -> None:
        self._house.pit.catch_up()
        self._keeper.keep_up(causes_of(self._house), self.listeners())
        end_what_is_over(self._house.pit, standing_of(self._house))

    def listeners(self) -> tuple[str, ...]:
        """The ids of everybody signed in who hears alarms."""
        people = self._house.staff.register.people.values()
        return tuple(one.id for one in people if one.stations and may(one.roles, "hear_alarms"))

    def run(self, stop: threading.Event) -> None:
        """Follow the floor until `stop` is set; runs on a thread of its own."""
        seq = 0
        while not stop.is_set():
            self._step_or_wait()
            stop.wait(STEP_S)
            seq = self._house.wait(None, seq, LOOK_S)

    def _step_or_wait(self) -> None:
        try:
            self.step()
        except RefusedError as error:
            if error.key not in ("disk", "no_answer_yet"):
                raise
            if not self._waits:
                _LOG.error("alarms wait for the disk", why=str(error))
            self._waits = True
        else:
            self._waits = False


def standing_of(house: House) -> Standing:
    """Each table: whether it is stopped, and its round."""
    views = (house.view(table) for table in house.tables)
    return {view.table: (view.now.held or view.now.status != "open", view.round.id) for view in views}
