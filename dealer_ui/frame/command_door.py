"""The one route by which a console asks something of a table.

    POST /table/<table>/command    → 200 {"seq": …}  ·  409 {"refused": sentence}  ·  403 where the role may not

A browser without scripts sends the same form and is led back to the page it came from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from flask import Blueprint, abort, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, signed_in
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.frame.command_form import COMMANDS, Fields, read_command, read_fields
from dealer_ui.frame.console import Console
from dealer_ui.frame.fault import field_at_fault
from dealer_ui.frame.reply import done, refused
from dealer_ui.frame.second_person import second_person
from studio.errors import RefusedError
from studio.tables.command import TypeCount
from studio.tables.declaration import Said, said_in


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


_ADDED: Final[Mapping[Said, Callable[[Console, Fields], Fields]]] = {
    Said.DEALER_NAME: _with_name,
    Said.TURNS: _with_times,
}
"""What the house itself adds to a form."""
