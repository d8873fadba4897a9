"""The pit follows the tables: alarms come and end and are told to everybody, messages end."""

from __future__ import annotations

import threading
from typing import Final

from dealer_ui.desk.alarm import AlarmKeeper
from dealer_ui.desk.message import Standing, end_what_is_over
from dealer_ui.floor.cause import causes_of
from dealer_ui.floor.house import House
from studio.people import may

STEP_S: Final = 0.2
"""Not more often than that."""
LOOK_S: Final = 1.0
"""Also while nothing moves: time itself makes an alarm louder."""


class PitWatch:
    """Follows the whole floor and keeps the alarms up to date. One thread steps it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._keeper = AlarmKeeper(house.pit)

    def step(self) -> None:
        """Take in how the floor stands now."""
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
            self.step()
            stop.wait(STEP_S)
            seq = self._house.wait(None, seq, LOOK_S)


def standing_of(house: House) -> Standing:
    """Each table: whether it is stopped, and its round."""
    views = (house.view(table) for table in house.tables)
    return {view.table: (view.held or view.status != "open", view.round) for view in views}
