"""The addresses of the shift: opened, handed over, acknowledged.

GET  /shift     the shift that is open, what is open on the floor, and the notes of the shifts before
POST /shift     `act` open close acknowledge   → 303, or the page with the refusal
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.frame.command_form import Fields, read_fields
from dealer_ui.frame.console import Console
from dealer_ui.pages.shift.matter import matters_of
from studio.errors import RefusedError
from studio.people import Actor
from studio.people.record import read_shift
from studio.people.shift_event import ShiftClosed

NOTES_SHOWN: Final = 8


def routes(console: Console) -> Blueprint:
    found = Blueprint("shift", __name__)

    @found.get("/shift")
    @needs("view_shift")
    def page() -> Response:
        return _page(console)

    @found.post("/shift")
    @needs("keep_shift")
    def act() -> Response:
        fields = read_fields(request.get_json(silent=True), request.form)
        try:
            _do(console, fields, who_acts(console.house, fields))
        except RefusedError as error:
            return _page(console, console.language().refusal(error), fields.get("words", ""))
        return redirect("/shift", 303)

    return found


def _do(console: Console, fields: Fields, by: Actor) -> None:
    house, shown = console.house, fields.get("shift", "")
    match fields.get("act", ""):
        case "open":
            house.shifts.open(by)
        case "close":
            house.shifts.close(by, fields.get("words", ""), matters_of(console.house), shown)
        case "acknowledge":
            itself = bool(house.staff.register.people[by.id].stations)
            house.shifts.acknowledge(by, house.staff.pit_bosses_on_floor() - itself, shown)
        case _:
            raise RefusedError("unknown_command", "This page asked for something unknown: load it again.")


def _page(console: Console, refused: str = "", words: str = "") -> Response:
    house = console.house
    return console.plain(
        "shift/page.html", 409 if refused else 200, shifts=house.shifts.shifts, matters=matters_of(console.house),
        notes=_notes(console), titles={table: house.view(table).title for table in house.tables}, refused=refused,
        words_kept=words,
    )  # fmt: skip


def _notes(console: Console) -> Sequence[ShiftClosed]:
    """The last hand-over notes, the newest first."""
    rows = list(console.house.reader().events(kinds=("ShiftClosed",)))
    told = [read_shift(row.body) for row in rows[-NOTES_SHOWN:]]
    return [one for one in reversed(told) if isinstance(one, ShiftClosed)]
