"""The one route by which a console does something for the whole floor, apart from any one table.

    POST /pit/act    → 200 {"seq": …}  ·  409 {"refused": sentence}  ·  403 where the role may not

`act` names what is done, `id` was made by the screen so that a double tap is one act.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from flask import Blueprint, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, signed_in
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.desk.alarm import acknowledge
from dealer_ui.desk.complaint import answer
from dealer_ui.desk.message import take_away, tell
from dealer_ui.desk.move import MoveDesk
from dealer_ui.floor.house import House
from dealer_ui.floor.process_look import hosts_among
from dealer_ui.floor.watch import standing_of
from dealer_ui.frame.command_door import done, refused
from dealer_ui.frame.command_form import Fields, id_of, read_fields
from dealer_ui.frame.console import Console
from dealer_ui.pages.pit.freeze import freeze_floor, release_floor
from dealer_ui.past.put_right import correction_of
from studio.errors import RefusedError
from studio.people import Actor
from studio.pit.message import MessageDraft
from studio.wallets.obligation import Case

ACTS: Final[Mapping[str, str]] = {
    "acknowledge_alarm": "acknowledge_alarm",
    "freeze_floor": "freeze_floor",
    "release_floor": "release",
    "tell_bettors": "tell_bettors",
    "end_message": "tell_bettors",
    "answer_complaint": "answer_complaint",
    "close_owed": "close_owed",
    "drain_host": "move_table",
    "return_host": "move_table",
    "send_table": "move_table",
    "keep_table": "move_table",
}
"""What may be done, and the right it takes."""

EVERY_TABLE: Final = "*"

_DRAWN: Final = ("pit_seq", "back")
"""What a form has of the screen it stood on; it is another one when the screen was drawn anew."""

Act = Callable[[House, Actor, Fields, str], int]


def routes(console: Console) -> Blueprint:
    found = Blueprint("pit_door", __name__)

    @found.post("/pit/act")
    @needs()
    def act() -> Response:
        try:
            fields = read_fields(request.get_json(silent=True), request.form)
            name = fields.get("act", "")
            if name not in _ACTS:
                sentence = "This station asked for something the studio does not know. Load it again."
                raise RefusedError("unknown_command", sentence)
            if not signed_in().may(ACTS[name]):
                return refused(console, RefusedError("not_allowed", "You may not do this. Call the pit."), 403)
            seq = _ACTS[name](console.house, who_acts(console.house, fields), fields, _id(fields))
        except RefusedError as error:
            return refused(console, error, 409)
        return done(seq, fields)

    return found


def _id(fields: Fields) -> str:
    """The id of an act: the one its screen made, for just what is said in it. A screen keeps the id of an act that was
    never answered, and something else may be chosen by then.
    """
    if not (own := fields.get("id", "")):
        return id_of(fields, signed_in().token)
    said = [(name, value) for name, value in fields.items(multi=True) if name not in _DRAWN]
    return id_of(Fields(said), own)


def _acknowledge(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return acknowledge(house.pit, actor, fields.get("alarm", ""), id, fields.get("shown", ""))


def _freeze(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return freeze_floor(house, actor, id)


def _release(house: House, actor: Actor, fields: Fields, id: str) -> int:
    reason = fields.get("reason_code", "").strip(), fields.get("words", "")
    return release_floor(house, actor, reason, id, fields.get("freeze", ""))


def _tell(house: House, actor: Actor, fields: Fields, id: str) -> int:
    """At one table, or at every one that is not closed."""
    standing, table = standing_of(house), fields.get("table", "")
    if table == EVERY_TABLE:
        standing = {key: one for key, one in standing.items() if house.view(key).now.status != "closed"}
    elif table in standing:
        standing = {table: standing[table]}
    else:
        raise RefusedError("no_table", "There is no such table; load the page again.")
    draft = MessageDraft("", fields.get("text", ""), fields.get("words", ""), fields.get("stays", "") == "yes")
    return tell(house.pit, actor, standing, draft, id)


def _take_away(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return take_away(house.pit, actor, fields.get("message", ""), id)


def _answer(house: House, actor: Actor, fields: Fields, id: str) -> int:
    complaint, outcome = fields.get("complaint", ""), fields.get("outcome", "")
    found = house.pit.book.complaints.get(complaint)
    correction = correction_of(house.reader(), found.round) if found and outcome == "corrected" else 0
    return answer(house.pit, actor, complaint, (outcome, fields.get("words", "")), correction, id)


def _close_owed(house: House, actor: Actor, fields: Fields, id: str) -> int:
    """Close a movement that is owed to an operator's wallet, by what people found had become of it: taken, given, or
    nothing.
    """
    teller = house.tellers.of(fields.get("operator", ""))
    if teller is None:
        raise RefusedError("no_wallet", "This operator has no wallet of his own: load the page again.")
    case = fields.get("case", "")
    if case not in tuple(Case):
        raise RefusedError("case_needed", "Choose what you found: taken, given, or nothing.")
    teller.close(fields.get("movement", ""), Case(case), actor, fields.get("words", ""))
    return house.pit.seq


def _moving(house: House, actor: Actor, fields: Fields, id: str) -> MoveDesk:
    reason, words = fields.get("reason_code", "").strip(), fields.get("words", "")
    return MoveDesk(house.pit, hosts_among(house.processes()), actor, reason, words, id)


def _drain(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return _moving(house, actor, fields, id).drain(fields.get("host", ""))


def _take_back(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return _moving(house, actor, fields, id).take_back(fields.get("host", ""))


def _send(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return _moving(house, actor, fields, id).send(fields.get("table", ""), fields.get("host", ""))


def _keep(house: House, actor: Actor, fields: Fields, id: str) -> int:
    return _moving(house, actor, fields, id).keep(fields.get("table", ""))


_ACTS: Final[Mapping[str, Act]] = {
    "acknowledge_alarm": _acknowledge,
    "freeze_floor": _freeze,
    "release_floor": _release,
    "tell_bettors": _tell,
    "end_message": _take_away,
    "answer_complaint": _answer,
    "close_owed": _close_owed,
    "drain_host": _drain,
    "return_host": _take_back,
    "send_table": _send,
    "keep_table": _keep,
}
