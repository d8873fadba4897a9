"""The technician's page of all tables: every device's ladder, and what the devices said last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.floor.house import House, device_roles
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.pages.technician.device import looks, pulse, spoken
from dealer_ui.pages.technician.felt import sights_of
from dealer_ui.past.timeline import OBSERVATIONS, RowNarrator, TimelineLine, line_of
from studio.journal import Row
from studio.journal.extract.latest import latest

LOOK_BACK: Final = 1_000
"""How many rows of each table are looked through for its last observations."""
SHOWN: Final = 12
REASONS: Final = ("drill", "other")
"""Why a pay table is allowed that was not proved, as keys of the catalogue; the words say more."""
WORTH_TELLING: Final = tuple(sorted(OBSERVATIONS - {"LineBytes"}))
"""Bytes before anything was made of them tell a technician nothing here: `studio devices monitor` shows them."""


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    house = asked.house
    views = [house.view(table) for table in house.tables]
    said = _last_said(house)
    return max((view.seq for view in views), default=0), {
        "tables": [(view, _told(asked, view.table, said[view.table])) for view in views],
        "reasons": REASONS,
        "looks": {view.table: [spoken(one, asked.language) for one in looks(house, view.table)] for view in views},
        "sights": {view.table: sights_of(view) for view in views},
        "alarms": [
            f"device:{view.table}"
            for view in views
            if view.devices.camera_blind or not all(view.devices.links.values())
        ],
    }


def _told(asked: Asked, table: str, rows: Sequence[Row]) -> list[TimelineLine]:
    teller = RowNarrator(asked.language, roles=device_roles(asked.house, table))
    return [line_of(row, teller) for row in rows]


def _last_said(house: House) -> dict[str, list[Row]]:
    """The last observations of each table, newest first."""
    reader = house.reader()
    return {table: latest(reader, table, WORTH_TELLING, among=LOOK_BACK, limit=SHOWN) for table in house.tables}


def _pulse(asked: Asked) -> object:
    return tuple(pulse(looks(asked.house, table)) for table in asked.house.tables)


SCREEN: Final = Screen("technician", ("view_technician",), draw, of_table=False, pulse=_pulse)


def routes(console: Console) -> Blueprint:
    found = Blueprint("technician", __name__)

    @found.get("/technician")
    @needs("view_technician")
    def page() -> Response:
        return console.show(SCREEN)

    return found
