"""The page of the bettors' complaints: `/pit/complaints`. The oldest first, then the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.past.put_right import correction_of
from studio.journal.extract.played import (
    Played,
    played_in,
)
from studio.pit import Complaint

OPEN_SHOWN: Final = 40
ANSWERED_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class ComplaintShown:
    """A complaint with what the bettor had in the round, and what has put the round right since."""

    complaint: Complaint
    title: str
    played: Played | None
    correction: int
    late: bool


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    house = asked.house
    known = tuple(house.pit.book.complaints.values())
    waiting = [one for one in known if one.open]
    answered = sorted((one for one in known if not one.open), key=lambda one: -one.answered_ms)
    return max((house.pit.seq, *(house.view(table).seq for table in house.tables))), {
        "waiting": [_shown(house, one) for one in waiting[:OPEN_SHOWN]],
        "more": max(0, len(waiting) - OPEN_SHOWN),
        "answered": answered[:ANSWERED_SHOWN],
        "titles": {table: house.view(table).title for table in house.tables},
    }


def _shown(house: House, complaint: Complaint) -> ComplaintShown:
    reader = house.reader()
    title = house.view(complaint.table).title if complaint.table in house.tables else complaint.table
    played = played_in(reader, complaint.operator, complaint.bettor, complaint.round)
    correction = correction_of(reader, complaint.round)
    return ComplaintShown(complaint, title, played, correction, complaint.late(house.now_ms()))


SCREEN: Final = Screen("complaints", ("view_pit",), draw, of_table=False)


def routes(console: Console) -> Blueprint:
    found = Blueprint("complaints", __name__)

    @found.get("/pit/complaints")
    @needs("view_pit")
    def page() -> Response:
        return console.show(SCREEN)

    return found
