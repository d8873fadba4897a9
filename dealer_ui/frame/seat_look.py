"""A dealer's seat, as both consoles show it: how long he deals, his papers, who is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.floor.house import House
from dealer_ui.frame.screen import Asked
from dealer_ui.frame.staff_look import PaperLook, papers_of
from studio.people import LICENCE
from studio.views import TableView

_MINUTE_MS: Final = 60_000
_TOLD: Final = frozenset({"soon", "expired", "missing"})


@dataclass(frozen=True, slots=True)
class SeatLook:
    """`minutes` dealt without a break; `too_long`: more than the studio wants. `papers`: those that run out or have.

    `due`: the time of the next planned turn has come.
    """

    minutes: int
    too_long: bool
    papers: Sequence[PaperLook]
    due: bool


def seat_of(house: House, view: TableView) -> SeatLook:
    now = house.now_ms()
    spell = house.duty.of(view.seat.dealer)
    minutes = max(0, spell.dealt_ms(now)) // _MINUTE_MS
    person = house.staff.register.people.get(view.seat.dealer)
    wanted = (LICENCE, view.game.key)
    papers = [one for one in papers_of(person, now) if one.key in wanted and one.standing in _TOLD] if person else []
    due = bool(view.seat.plan) and view.seat.plan[0][2] <= now
    return SeatLook(minutes, minutes >= house.config.people.dealing_min, papers, due)


def on_break(house: House, staff_id: str) -> bool:
    person = house.staff.register.people.get(staff_id)
    return person is not None and bool(person.on_break_ms)


def pulse(asked: Asked) -> object:
    """What of a seat changes with the time alone."""
    seat = seat_of(asked.house, asked.house.view(asked.table))
    resting = asked.viewer is not None and on_break(asked.house, asked.viewer.id)
    return seat.minutes if seat.too_long else -1, seat.due, len(seat.papers), resting
