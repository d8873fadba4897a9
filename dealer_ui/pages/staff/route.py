"""The addresses of the staff register, and what is done there.

    GET  /staff             everybody: roles, papers, where signed in; for pit, auditor and administrator
    GET  /staff/<id>        one person
    GET  /staff/<id>/code   the one-time code just given to him, for three minutes and whoever gave it
    POST /staff             `act` add roles badge code paper withdraw retire bar lift end let_in reset   → 303, or page

Every act takes the PIN of whoever does it; ending a sign-in and letting a locked badge in again are one tap. Nobody
chooses another's PIN: who is added and who forgot his gets a one-time code, which a page shows once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final
from urllib.parse import quote

from flask import Blueprint, abort, g, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import cookie_name, needs, signed_in
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.desk.shown_code import SHOWN_MS
from dealer_ui.desk.staff import Change
from dealer_ui.frame.command_door import second_person
from dealer_ui.frame.command_form import Fields, read_fields
from dealer_ui.frame.console import Console
from dealer_ui.frame.staff_look import everybody, look_at
from studio.errors import RefusedError
from studio.games import GAMES
from studio.people import (
    Actor,
    NewPaper,
    NewStaff,
    Pin,
    Role,
    add_staff,
    change_badge,
    change_roles,
    fresh_code,
    give_code,
    lift_lock_out,
    need_fresh_pin,
    retire_staff,
)
from studio.people.papering import all_sign_ins, bar_staff, end_sign_ins, issue_paper, lift_bar, withdraw_paper
from studio.people.second_factor import reset_factor
from studio.people.staff import StaffRegister
from studio.people.staff_event import AnyStaffEvent

SECRET: Final = frozenset({"pin", "second_pin", "csrf"})
"""Fields that are never written back into a page."""

_CODE_COOKIE: Final = "studio_code"

ONE_TAP: Final = frozenset({"end", "let_in"})
GAME_KEYS: Final = tuple(game.key for game in GAMES)
Act = Callable[[Console, Fields, Actor], Change]


def routes(console: Console) -> Blueprint:
    found = Blueprint("staff", __name__)

    @found.get("/staff")
    @needs("view_staff")
    def page() -> Response:
        return _list(console)

    @found.get("/staff/<id>")
    @needs("view_staff")
    def one(id: str) -> Response:
        return _one(console, id)

    @found.get("/staff/<id>/code")
    @needs("manage_staff")
    def code(id: str) -> Response:
        return _shown(console, id)

    @found.post("/staff")
    @needs("manage_staff", "end_sign_in", "lift_lock_out")
    def act() -> Response:
        fields = read_fields(request.get_json(silent=True), request.form)
        whom = _text(fields, "person") or _text(fields, "id")
        gives, code = _GIVES_CODE.get(fields.get("act", "")), fresh_code(secrets.randbelow)
        try:
            work = partial(gives, code) if gives is not None else _ACTS.get(fields.get("act", ""))
            if work is None:
                raise RefusedError("unknown_command", "This page asked for something unknown: load it again.")
            made = console.house.staff.change(work(console, fields, _actor(console, fields)))
        except RefusedError as error:
            kept = {name: value for name, value in fields.items() if name not in SECRET}
            sentence, g.not_allowed = console.language().refusal(error), error.key == "not_allowed"
            if fields.get("person", "") in console.house.staff.register.people:
                return _one(console, fields["person"], sentence, kept)
            return _list(console, sentence, kept)
        return redirect(f"/staff/{quote(whom, safe='')}", 303) if gives is None else _told(console, made[0].id, code)

    return found


def _list(console: Console, refused: str = "", kept: Mapping[str, str] | None = None) -> Response:
    return console.plain(
        "staff/page.html", 409 if refused else 200, people=everybody(console), roles=[str(role) for role in Role],
        refused=refused, kept=kept or {},
    )  # fmt: skip


def _one(console: Console, id: str, refused: str = "", kept: Mapping[str, str] | None = None) -> Response:
    person = console.house.staff.register.people.get(id)
    if person is None:
        abort(404)
    return console.plain(
        "staff/person.html", 409 if refused else 200, look=look_at(console, person), refused=refused, kept=kept or {},
        roles=[str(role) for role in Role],
    )  # fmt: skip


def _told(console: Console, whom: str, code: Pin) -> Response:
    """On to the page that shows somebody's code, this once, to whoever hands it to him."""
    response, secure = redirect(f"/staff/{quote(whom, safe='')}/code", 303), request.is_secure
    token = console.house.staff.second.show_code(code, whom, signed_in().id)
    name = cookie_name(_CODE_COOKIE, secure=secure)
    response.set_cookie(name, token, max_age=SHOWN_MS // 1000, httponly=True, samesite="Lax", secure=secure)
    return response


def _shown(console: Console, id: str) -> Response:
    """His code, where it was given from this browser just now; else a page that says it is shown no more."""
    person = console.house.staff.register.people.get(id)
    if person is None:
        abort(404)
    token = request.cookies.get(cookie_name(_CODE_COOKIE, secure=request.is_secure), "")
    digits = console.house.staff.second.shown_code(token, id, signed_in().id)
    code = f"{digits[:4]} {digits[4:]}" if digits else ""
    return console.plain("staff/code.html", person=person, code=code)


def _actor(console: Console, fields: Fields) -> Actor:
    """Whoever sent the form; refused where the act needs a PIN, as all but those of one tap do, and none was
    entered.
    """
    actor = who_acts(console.house, fields)
    if fields.get("act") not in ONE_TAP:
        need_fresh_pin(actor, console.house.now_ms())
    return actor


def _text(fields: Fields, name: str) -> str:
    return fields.get(name, "").strip()


def _add(code: Pin, console: Console, fields: Fields, by: Actor) -> Change:
    roles = tuple(fields.getlist("role"))
    new = NewStaff(_text(fields, "id"), _text(fields, "badge"), _text(fields, "name"), roles, code, code=True)
    hasher = console.house.staff.hasher
    return lambda register, now: add_staff(register, new, by=by, now_ms=now, hasher=hasher)


def _roles(console: Console, fields: Fields, by: Actor) -> Change:
    id, roles, had = _text(fields, "person"), fields.getlist("role"), fields.getlist("had")
    return lambda register, now: change_roles(register, id, roles, by=by, now_ms=now, had=had)


def _badge(console: Console, fields: Fields, by: Actor) -> Change:
    id, badge = _text(fields, "person"), _text(fields, "badge")

    def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
        changed = change_badge(register, id, badge, by=by, now_ms=now)
        return changed, *_elsewhere(register, id, by, now)

    return change


def _code(code: Pin, console: Console, fields: Fields, by: Actor) -> Change:
    id, hasher = _text(fields, "person"), console.house.staff.hasher

    def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
        given = give_code(register, id, code, by=by, now_ms=now, hasher=hasher)
        return given, *_elsewhere(register, id, by, now)

    return change


def _elsewhere(register: StaffRegister, id: str, by: Actor, now: int) -> tuple[AnyStaffEvent, ...]:
    """Whoever gets a new badge or a code from another signs in anew with it."""
    return () if by.id == id else all_sign_ins(register.people[id], "changed", now_ms=now, by=by.id)


def _paper(console: Console, fields: Fields, by: Actor) -> Change:
    new = NewPaper(_text(fields, "paper"), _text(fields, "number"), _text(fields, "from"), _text(fields, "until"))
    id = _text(fields, "person")
    return lambda register, now: issue_paper(register, id, new, by=by, now_ms=now, games=GAME_KEYS)


def _withdraw(console: Console, fields: Fields, by: Actor) -> Change:
    id, paper, reason = _text(fields, "person"), _text(fields, "paper"), _text(fields, "words")
    return lambda register, now: withdraw_paper(register, id, paper, reason=reason, by=by, now_ms=now)


def _retire(console: Console, fields: Fields, by: Actor) -> Change:
    return lambda register, now: retire_staff(register, _text(fields, "person"), by=by, now_ms=now)


def _bar(console: Console, fields: Fields, by: Actor) -> Change:
    id, reason = _text(fields, "person"), _text(fields, "words")
    return lambda register, now: bar_staff(register, id, reason=reason, by=by, now_ms=now)


def _lift(console: Console, fields: Fields, by: Actor) -> Change:
    id, reason = _text(fields, "person"), _text(fields, "words")
    return lambda register, now: lift_bar(register, id, reason=reason, by=by, now_ms=now)


def _end(console: Console, fields: Fields, by: Actor) -> Change:
    id, station = _text(fields, "person"), _text(fields, "station")
    return lambda register, now: end_sign_ins(register, id, by=by, now_ms=now, station=station)


def _let_in(console: Console, fields: Fields, by: Actor) -> Change:
    return lambda register, now: lift_lock_out(register, _text(fields, "person"), by=by, now_ms=now)


def _reset(console: Console, fields: Fields, by: Actor) -> Change:
    id, reason, beside = _text(fields, "person"), _text(fields, "words"), second_person(console, fields)
    return lambda register, now: reset_factor(register, id, by=by, beside=beside, reason=reason, now_ms=now)


_GIVES_CODE: Final[Mapping[str, Callable[[Pin, Console, Fields, Actor], Change]]] = {"add": _add, "code": _code}
"""Acts that give somebody a one-time code."""

_ACTS: Final[Mapping[str, Act]] = {
    "roles": _roles,
    "badge": _badge,
    "paper": _paper,
    "withdraw": _withdraw,
    "retire": _retire,
    "bar": _bar,
    "lift": _lift,
    "end": _end,
    "let_in": _let_in,
    "reset": _reset,
}
