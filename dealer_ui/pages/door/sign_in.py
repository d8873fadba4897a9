"""The routes by which people come and go: sign in, sign out, and home by role."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, make_response, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import drop_cookie, local_path, needs, signed_in, station
from dealer_ui.access.sessions import Viewer
from dealer_ui.access.typed_pin import retry_later
from dealer_ui.desk.halfway import CodeNeededError, OwnPinNeededError
from dealer_ui.frame.console import Console, dealer_room, enter_as, led_on, told_away
from dealer_ui.pages.door.factor_page import factor_page
from dealer_ui.words.language import LANGUAGES
from studio.errors import RefusedError
from studio.people.signing_in import choose_language


def routes(console: Console) -> Blueprint:
    found = Blueprint("sign_in", __name__)

    @found.get("/sign-in")
    def ask() -> Response:
        target, chosen = local_path(request.args.get("next")), chosen_language(request.args.get("language"))
        return console.plain("sign_in.html", next=target, badge="", refused="", chosen=chosen)

    @found.post("/sign-in")
    def enter() -> Response:
        badge = request.form.get("badge", "").strip()
        target, chosen = local_path(request.form.get("next")), chosen_language(request.form.get("language"))
        try:
            pin, at = request.form.get("pin", ""), station()
            desk = console.house.staff
            actor = desk.sign_in(badge, pin, console.house.now_ms(), at, request.remote_addr or "")
            speak(console, actor.id, chosen)
        except CodeNeededError as error:
            return factor_page(console, error.token, target, chosen)
        except OwnPinNeededError as error:
            return first_pin_page(console, error.token, target, chosen)
        except RefusedError as error:
            told_away(console, error, badge)
            refused = console.language().refusal(error)
            page = console.plain("sign_in.html", 401, next=target, badge=badge, refused=refused, chosen=chosen)
            return retry_later(page, error)
        return enter_as(console, actor, at, led_on(console, actor, target))

    @found.post("/sign-out")
    @needs()
    def leave() -> Response:
        gone = signed_in()
        if request.form.get("everywhere"):
            _leave_everywhere(console, gone.id)
        console.house.staff.sign_out(gone.id, gone.station)
        console.sessions.close(gone.token)
        response = redirect("/sign-in", 303)
        return drop_cookie(response)

    @found.get("/whoami")
    @needs()
    def who() -> Response:
        """What a script asks when its stream breaks off: is anybody signed in still?"""
        return make_response({"name": signed_in().name, "roles": sorted(signed_in().roles)})

    @found.get("/")
    @needs()
    def home() -> Response:
        target = _home_of(console, signed_in())
        if target:
            return redirect(target, 303)
        return console.plain("choose_table.html", views=_views(console), room=dealer_room())

    return found


def _leave_everywhere(console: Console, id: str) -> None:
    """By the record, too: he may have come in by another process, which hears of it."""
    desk = console.house.staff
    desk.catch_up()
    known, person = console.sessions.of(id), desk.register.people.get(id)
    for at in {one.station for one in known} | (person.stations if person is not None else set()):
        desk.sign_out(id, at)
    for one in known:
        console.sessions.close(one.token)


def first_pin_page(
    console: Console, token: str, target: str, chosen: str, refused: str = "", status: int = 200
) -> Response:
    """Where who came with a one-time code chooses his own PIN."""
    return console.plain("door/first_pin.html", status, half=token, next=target, chosen=chosen, refused=refused)


def speak(console: Console, staff_id: str, chosen: str) -> None:
    """The language chosen at the door is this person's from now on."""
    if chosen:
        desk = console.house.staff
        desk.change(lambda register, now: choose_language(register, staff_id, chosen, now_ms=now))


def chosen_language(tag: str | None) -> str:
    """The language somebody chose on this page before he signed in: it becomes his own."""
    return tag if tag is not None and tag in LANGUAGES else ""


def _views(console: Console) -> list[object]:
    return [console.house.view(table) for table in console.house.tables]


def _home_of(console: Console, viewer: Viewer) -> str:
    """Where this person works; empty when a table has to be chosen first."""
    if viewer.may("rule_pit"):
        return "/pit"
    if viewer.may("take_table"):
        tables = console.house.tables
        own = [table for table in tables if console.house.view(table).seat.dealer == viewer.id]
        return f"/{dealer_room()}/{(own or tables)[0]}" if own or len(tables) == 1 else ""
    return next((path for right, path in _OWN_PAGE if viewer.may(right)), "/sign-in")


_OWN_PAGE: Final = (("manage_staff", "/staff"), ("manage_devices", "/technician"), ("view_audit", "/audit"))
"""The page of whoever works at no table and on no floor, by what he alone may do: admin, technician, auditor."""
