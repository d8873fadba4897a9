"""The addresses by which dealers follow each other at a table, and go on their breaks.

GET, POST /dealer/<table>/relief   the next dealer's badge and PIN; he takes the table over, or asks to in mid-round
POST /break                        `act` begin end, `person`: himself, or whom a pit boss sends
"""

from __future__ import annotations

import secrets

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import local_path, needs, signed_in, station
from dealer_ui.access.typed_pin import confirmed, retry_later
from dealer_ui.frame.console import Console, dealer_room, enter_as, told_away
from studio.errors import RefusedError
from studio.people import Pin
from studio.people.rest import begin_break, end_break
from studio.people.staff import StaffRegister
from studio.people.staff_event import AnyStaffEvent
from studio.people.staffing import person_of
from studio.tables.command import TakeTable


def routes(console: Console) -> Blueprint:
    found = Blueprint("relief", __name__)

    @found.get("/dealer/<table>/relief")
    def ask(table: str) -> Response:
        return _page(console, table)

    @found.post("/dealer/<table>/relief")
    def take(table: str) -> Response:
        """The table first, then the station: whoever may not deal here leaves the one before him signed in."""
        house, badge = console.asked(table).house, request.form.get("badge", "").strip()
        try:
            person = house.staff.register.with_badge(badge)
            typed = request.form.get("pin", "")
            actor = confirmed(house, person.id if person else "", typed, badge)
            house.staff.second.refuse_at_work(actor.id)
            if house.view(table).seat.dealer != actor.id:
                house.command(table, TakeTable(actor=actor, id=secrets.token_hex(8)))
            at = station()
            house.staff.take_station(actor.id, at, Pin(typed))
        except RefusedError as error:
            told_away(console, error, badge)
            return retry_later(_page(console, table, badge, console.language().refusal(error)), error)
        return enter_as(console, actor, at, f"/{dealer_room()}/{table}")

    @found.post("/break")
    @needs("keep_break")
    def rest() -> Response:
        house, id = console.house, request.form.get("person", "") or signed_in().id
        begins = request.form.get("act", "") == "begin"

        def change(register: StaffRegister, now: int) -> AnyStaffEvent:
            person, by = person_of(register, id), register.actor(signed_in().id)
            if begins:
                return begin_break(person, house.duty.of(id).table, by=by, now_ms=now)
            return end_break(person, by=by, now_ms=now)

        try:
            house.staff.change(change)
        except RefusedError as error:
            return console.plain("error.html", 409, sentence=console.language().refusal(error))
        return redirect(local_path(request.form.get("back")), 303)

    return found


def _page(console: Console, table: str, badge: str = "", refused: str = "") -> Response:
    if table not in console.house.tables:
        abort(404)
    view = console.house.view(table)
    mid_round = bool(view.round.id) and view.round.stage not in ("settled", "voided")
    return console.plain(
        "dealer/relief.html", 409 if refused else 200, view=view, badge=badge, refused=refused, mid_round=mid_round,
        room=dealer_room(),
    )  # fmt: skip
