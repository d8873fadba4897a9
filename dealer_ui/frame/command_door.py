"""The one route by which a console asks something of a table.

    POST /table/<table>/command    → 200 {"seq": …}  ·  409 {"refused": sentence}  ·  403 where the role may not

A browser without scripts sends the same form and is led back to the page it came from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from flask import Blueprint, abort, make_response, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from dealer_ui.access.auth import local_path, needs, signed_in
from dealer_ui.access.sessions import Viewer
from dealer_ui.access.typed_pin import retry_later, who_acts
from dealer_ui.frame.command_form import Fields, read_command, read_fields
from dealer_ui.frame.console import Console
from dealer_ui.frame.fault import field_at_fault
from dealer_ui.frame.second_person import second_person
from studio.errors import RefusedError
from studio.people import Actor
from studio.tables.command import TypeCount

ACTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "open_table": ("open_table",),
    "allow_pay_table": ("allow_pay_table",),
    "close_table": ("close_table",),
    "pause_table": ("pause_table",),
    "resume_table": ("pause_table",),
    "change_dealer": ("change_dealer",),
    "dismiss_seat": ("dismiss_seat",),
    "take_table": ("take_table",),
    "decline_relief": ("change_dealer",),
    "plan_rotation": ("plan_rotation",),
    "load_shoe": ("load_shoe",),
    "verify_deck": ("verify_deck",),
    "withdraw_shoe": ("change_shoe",),
    "approve_device": ("approve_device",),
    "start_count": ("verify_deck",),
    "end_count": ("load_shoe",),
    "type_count": ("verify_deck",),
    "start_round": ("start_round",),
    "open_betting": ("open_bets",),
    "close_betting": ("close_bets",),
    "declare_result": ("declare_result",),
    "confirm_felt_clear": ("confirm_felt",),
    "shuffle_stub": ("load_shoe",),
    "freeze_table": ("freeze",),
    "call_pit": ("call_pit",),
    "answer_call": ("answer_call",),
    "release_table": ("release",),
    "report_incident": ("report_incident",),
    "rule_incident": ("rule_dealer", "rule_pit"),
    "approve_ruling": ("approve_two_people",),
    "decline_ruling": ("approve_two_people",),
    "override_card": ("ask_two_people", "override_card"),
    "void_round": ("void_round",),
    "decide_compensation": ("compensate",),
}
"""Who may ask: one of these rights is needed at the door; the table looks closer."""


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
            name = fields.get("command", "")
            if name in ACTIONS and not any(map(signed_in().may, ACTIONS[name])):
                return _refused(console, RefusedError("not_allowed", "You may not do this. Call the pit."), 403)
            if name in ("open_table", "change_dealer"):
                fields = _with_name(console, fields)
            if name == "plan_rotation":
                fields = _with_times(console, fields)
            command = read_command(fields, _actor(console, signed_in(), fields), table)
            if isinstance(command, TypeCount):
                command = replace(command, beside=second_person(console, fields))
            seq = console.house.command(table, command)
        except RefusedError as error:
            return _refused(console, error, 409, field_at_fault(error, fields))
        if _is_script():
            return make_response({"seq": seq})
        return redirect(local_path(fields.get("back")), 303)

    return found


def _with_name(console: Console, fields: Fields) -> Fields:
    """The dealer's name, as the staff register has it."""
    named = fields.copy()
    named["dealer_name"] = console.house.staff.actor(fields.get("dealer", "")).name
    return named


def _with_times(console: Console, fields: Fields) -> Fields:
    """The turns of a plan, told in minutes from now (`in_min`, one a dealer), as the times they come to."""
    timed, now = fields.copy(), console.house.now_ms()
    timed.poplist("seen")  # a plan holds whatever card was dealt meanwhile
    minutes = fields.getlist("in_min")
    if not all(re.fullmatch(r"[0-9]{0,4}", one) for one in minutes):
        raise RefusedError("not_a_number", "Write a whole number as minutes.")
    timed.setlist("at_ms", [str(now + 60_000 * int(one or 0)) for one in minutes])
    return timed


def _actor(console: Console, viewer: Viewer, fields: Fields) -> Actor:
    """Who asks; with a PIN typed, the PIN is checked and speaks for this one act."""
    return who_acts(console.house, fields.get("pin", ""))


def _refused(console: Console, error: RefusedError, status: int, field: str = "") -> Response:
    sentence = console.language().refusal(error)
    if _is_script():
        return retry_later(make_response({"refused": sentence, "key": error.key, "field": field}, status), error)
    return retry_later(console.plain("error.html", status, sentence=sentence), error)


def _is_script() -> bool:
    return request.is_json or "HX-Request" in request.headers or request.accept_mimetypes.best == "application/json"
