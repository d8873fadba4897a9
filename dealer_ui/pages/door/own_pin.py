"""Somebody chooses his own PIN; whoever signed in with a weak one is led here, and may go on.

GET, POST /pin   the PIN he has, and twice the new one; `next`: where he goes afterwards, or without it
"""

from __future__ import annotations

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import local_path, needs, signed_in
from dealer_ui.access.typed_pin import retry_later, who_acts
from dealer_ui.frame.console import Console
from studio.errors import RefusedError
from studio.people import change_pin, need_fresh_pin
from studio.people.choosing_pin import choose_pin
from studio.people.staffing import person_of


def routes(console: Console) -> Blueprint:
    found = Blueprint("own_pin", __name__)

    @found.get("/pin")
    @needs()
    def ask() -> Response:
        return _page(console, local_path(request.args.get("next")))

    @found.post("/pin")
    @needs()
    def choose() -> Response:
        target = local_path(request.form.get("next"))
        try:
            _choose(console)
        except RefusedError as error:
            return retry_later(_page(console, target, console.language().refusal(error)), error)
        return redirect(target, 303)

    return found


def _choose(console: Console) -> None:
    desk, fields = console.house.staff, request.form
    actor = who_acts(console.house, fields)
    need_fresh_pin(actor, console.house.now_ms())
    if fields.get("new_pin", "") != fields.get("new_pin_again", ""):
        raise RefusedError("pins_differ", "The two new PINs are not the same. Type them again.")
    person = person_of(desk.register, actor.id)
    pin = choose_pin(fields.get("new_pin", ""), badge=person.badge, roles=person.roles)
    desk.change(lambda register, now: change_pin(register, actor.id, pin, by=actor, now_ms=now, hasher=desk.hasher))


def _page(console: Console, target: str, refused: str = "") -> Response:
    asked = console.sessions.asks_new_pin(signed_in().id)
    return console.plain("own_pin.html", 409 if refused else 200, next=target, refused=refused, asked=asked)
