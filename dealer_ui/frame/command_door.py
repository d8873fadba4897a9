"""The one route by which a console asks something of a table.

    POST /table/<table>/command    → 200 {"seq": …}  ·  409 {"refused": sentence}  ·  403 where the role may not

A browser without scripts sends the same form and is led back to the page it came from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from flask import Blueprint, abort, g, make_response, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from dealer_ui.access.auth import local_path, needs, signed_in
from dealer_ui.access.typed_pin import confirmed, retry_later, who_acts
from dealer_ui.frame.command_form import COMMANDS, FIELD_CHARACTERS_MAX, Fields, read_command, read_fields
from dealer_ui.frame.console import Console
from studio.errors import RefusedError
from studio.people import Actor
from studio.tables.command import TypeCount
from studio.tables.declaration import FieldKind, said_in

_PIN: Final = frozenset(
    {
        "pin_needed",
        "wrong_pin",
        "pin_wrong_at_work",
        "pins_wrong_at_work",
        "sign_in_refused",
        "pin_malformed",
        "code_is_no_pin",
    }
)
_FIELDS: Final = {**dict.fromkeys(_PIN, "pin"), "words_needed": "words", "not_a_card": "card", "no_card": "at"}
_OF_THE_RULING: Final = frozenset({"arguments", "no_box"})


def routes(console: Console) -> Blueprint:
    found = Blueprint("order", __name__)

    @found.post("/table/<table>/command")
    @needs()
    def order(table: str) -> Response:
        if table not in console.house.tables:
            abort(404)
        fields: Fields = MultiDict()
        try:
            fields = read_fields(request.get_json(silent=True), request.form)
            made = COMMANDS.get(fields.get("command", ""))
            g.act = fields["command"] if made is not None else ""
            if made is not None and not any(map(signed_in().may, made.terms.door)):
                return refused(console, RefusedError("not_allowed", "You may not do this. Call the pit."), 403)
            for how in said_in(made).values() if made is not None else ():
                fields = _ADDED.get(how, _nothing)(console, fields)
            command = read_command(fields, who_acts(console.house, fields), table)
            if isinstance(command, TypeCount):
                command = replace(command, beside=second_person(console, fields))
            seq = console.house.command(table, command)
        except RefusedError as error:
            return refused(console, error, 409, field_at_fault(error, fields))
        return done(seq, fields)

    return found


def _with_name(console: Console, fields: Fields) -> Fields:
    """The dealer's name, as the staff register has it."""
    named = fields.copy()
    named["dealer_name"] = console.house.staff.actor(fields.get("dealer", "")).name
    return named


def _with_times(console: Console, fields: Fields) -> Fields:
    """The turns of a plan, told in minutes from now (`in_min`, one a dealer), as the times they come to."""
    timed, now = fields.copy(), console.house.now_ms()
    minutes = fields.getlist("in_min")
    if not all(re.fullmatch(r"[0-9]{0,4}", one) for one in minutes):
        raise RefusedError("not_a_number", "Write a whole number as minutes.")
    timed.setlist("at_ms", [str(now + 60_000 * int(one or 0)) for one in minutes])
    return timed


def _nothing(console: Console, fields: Fields) -> Fields:
    return fields


_ADDED: Final[Mapping[FieldKind, Callable[[Console, Fields], Fields]]] = {
    FieldKind.DEALER_NAME: _with_name,
    FieldKind.TURNS: _with_times,
}
"""What the house itself adds to a form."""


def done(seq: int, fields: Fields) -> Response:
    """A browser without scripts is led back to the page it came from."""
    return make_response({"seq": seq}) if _is_script() else redirect(local_path(fields.get("back")), 303)


def refused(console: Console, error: RefusedError, status: int, field: str = "") -> Response:
    """`field`: what of the form is at fault, where one field is."""
    g.not_allowed = error.key == "not_allowed"
    sentence = console.language().refusal(error)
    if _is_script():
        return retry_later(make_response({"refused": sentence, "key": error.key, "field": field}, status), error)
    return retry_later(console.plain("error.html", status, sentence=sentence), error)


def _is_script() -> bool:
    return request.is_json or "HX-Request" in request.headers or request.accept_mimetypes.best == "application/json"


def second_person(console: Console, fields: Fields) -> Actor | None:
    """Who stands by, the PIN just entered; None where nobody was named."""
    badge = fields.get("second_badge", "").strip()
    if not badge:
        return None
    person = console.house.staff.register.with_badge(badge)
    if person is None:
        raise RefusedError("second_unknown", "Nobody of the staff wears the second badge: read it again.")
    return confirmed(console.house, person.id, fields.get("second_pin", ""))


def field_at_fault(error: RefusedError, fields: Fields) -> str:
    """Its name; empty where no field of the form is wrong. `about`: the whole form was begun for what is over."""
    match error.key:
        case "moved_on" if error.words_key == "moved_on.about":
            return "about"
        case "reason_needed":
            return "words" if fields.get("reason_code", "").strip() else "reason_code"
        case "field_missing":
            return str(error.values["field"])
        case "too_long":
            return next((name for name, value in fields.items(multi=True) if len(value) > FIELD_CHARACTERS_MAX), "")
        case key if key in _OF_THE_RULING:
            return f"argument.{fields.get('ruling', '')}"
    name = _FIELDS.get(error.key, "")
    return name if name in fields or name == "pin" else "place" if name == "at" else ""
