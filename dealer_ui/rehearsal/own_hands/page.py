"""The page of a person's hands at the demo: `/hands/<table>`, and what they do there.

    GET  /hands/<table>         the page: the dealer's console, and the dock under it
    GET  /hands/<table>/dock    → 200 {"tag", "html"}  ·  204 while `?tag=` is still what it was
    POST /hands/<table>/act     → 200 {"tag", "html"}  ·  409 {"refused": sentence}

Only the demo registers it. The console stands in a frame, so its answers are made frameable by our own pages here;
everywhere else nobody may frame anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.access.auth import CONTENT_POLICY, needs, signed_in
from dealer_ui.frame.console import Console
from dealer_ui.rehearsal.hand.deal_order import due_slot
from dealer_ui.rehearsal.own_hands.act import do
from dealer_ui.rehearsal.own_hands.breakage import Breakage
from dealer_ui.rehearsal.own_hands.felt_sketch import sketch
from dealer_ui.rehearsal.own_hands.hands import Hands
from dealer_ui.rehearsal.own_hands.mistake import MISTAKES, NEVER
from dealer_ui.rehearsal.own_hands.reach import DEALS
from dealer_ui.rehearsal.practice.practised import Practised
from dealer_ui.rehearsal.practice.recipe import Practice, made_by, practices_of, row_for
from studio.errors import RefusedError
from studio.procedures import Approval, ProcedureRow
from studio.views import TableView

HANDS_POLICY: Final = CONTENT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'")
ROLES: Final = frozenset({"dealer", "technician"})
"""Whose hands may touch the table."""

_TWIN: Final = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}
"""Two names of one machine: a browser keeps a sign-in for each, so dealer and pit boss can both be in it."""

_CLEARS: Final = frozenset({"act.clear_felt", "act.collect_cards"})


@dataclass(slots=True)
class Invitation:
    """The simulated bettors of the demo: they come once, when somebody asks for them."""

    call: Callable[[], None] | None = None

    def send(self) -> None:
        call, self.call = self.call, None
        if call is not None:
            call()


@dataclass(frozen=True, slots=True)
class Station:
    """One table's hands, and what can be broken there. `auto`: the simulated dealer deals."""

    hands: Hands
    breakage: Breakage
    auto: bool = False
    invitation: Invitation = field(default_factory=Invitation)
    practised: Practised = field(default_factory=Practised)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A recipe as the page tells it: the row it ends in, and whether such an incident was seen here."""

    practice: Practice
    row: ProcedureRow
    seen: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the demo's staff who may be signed in as."""

    name: str
    badge: str
    pin: str
    role: str


def hint_for(hands: Hands, view: TableView) -> str:
    """What the person with these hands should do now: a key of `hands.hint.<key>`."""
    owed = hands.owed
    due = owed.place() is not None or owed.being_read()
    other = "turn" if owed.turning() else "lay" if owed.laying() else "stub" if owed.shuffling() else ""
    return hint(view, lies=bool(hands.rig.felt.view().cards), due=due, other=other)


def hint(view: TableView, *, lies: bool, due: bool, other: str = "") -> str:
    """`other` is what the hands owe beside a card from the shoe: to `turn`, to `lay` or to shuffle the `stub`."""
    key = view.now.act.key
    if view.now.held and (not all(view.devices.links.values()) or view.devices.camera_blind):
        return "mend"
    if key == "act.closed":
        return "closed"
    if key.startswith("act.carry_out.") or key in ("act.square_cards", "act.square_burn"):
        return "put_right"
    if view.now.held:
        mine = any(one.holds and not one.ruled and one.row.approval == Approval.DEALER for one in view.incidents.open)
        return "answer" if mine and not view.now.frozen_by else "pit"
    if key in _CLEARS and lies:
        return "clear"
    if key in DEALS and due:
        return "deal"
    if other:
        return other
    return "button" if view.now.primary is not None and view.now.primary.refused is None else "wait"


def routes(console: Console, stations: Mapping[str, Station], people: Sequence[Person]) -> Blueprint:
    found = Blueprint("hands", __name__)
    console.tour.extend(stations)

    def at(table: str) -> Station:
        if not ROLES & signed_in().roles:
            abort(403)
        if table not in stations:
            abort(404)
        return stations[table]

    def drawn(table: str) -> dict[str, str]:
        html = console.artist.draw(
            "hands/dock.html", console.language(), signed_in(), **_values(console, table, stations[table], people)
        )
        return {"tag": hashlib.sha256(html.encode()).hexdigest()[:16], "html": html}

    @found.get("/hands/<table>")
    @needs()
    def page(table: str) -> AnyResponse:
        values = _values(console, table, at(table), people)
        framed = signed_in().may("view_dealer")
        return console.plain("hands/page.html", framed=framed, other_tables=console.other_tables(table), **values)

    @found.get("/hands/<table>/dock")
    @needs()
    def dock(table: str) -> AnyResponse:
        at(table)
        now = drawn(table)
        return make_response("", 204) if request.args.get("tag") == now["tag"] else make_response(now)

    @found.post("/hands/<table>/act")
    @needs()
    def act(table: str) -> AnyResponse:
        station, script = at(table), request.accept_mimetypes.best == "application/json"
        try:
            if request.form.get("act") == "invite":
                station.invitation.send()
            elif request.form.get("act") == "follow":
                station.practised.follow(request.form.get("what", ""))
            else:
                do(station.hands, station.breakage, request.form, auto=station.auto)
        except RefusedError as error:
            sentence = console.language().refusal(error)
            if script:
                return make_response({"refused": sentence}, 409)
            return console.plain("error.html", 409, sentence=sentence)
        return make_response(drawn(table)) if script else redirect(f"/hands/{table}", 303)

    @found.after_app_request
    def let_in_frame(response: Response) -> Response:
        if request.path.startswith(("/hands/", "/dealer/")):
            response.headers["Content-Security-Policy"] = HANDS_POLICY
            response.headers["X-Frame-Options"] = "SAMEORIGIN"
        return response

    return found


def _values(console: Console, table: str, station: Station, people: Sequence[Person]) -> dict[str, Any]:
    hands, view = station.hands, console.house.view(table)
    owed, due = hands.owed, hands.owed.place()
    shoe = hands.rig.shoe
    return {
        "view": view,
        "auto": station.auto,
        "felt": sketch(hands.rig.felt, None if station.auto else due),
        "due": due or (due_slot(view) if owed.being_read() else None),
        "turn": owed.turning(),
        "lay": owed.laying(),
        "stub": owed.shuffling(),
        "can_invite": station.invitation.call is not None,
        "hint": "auto" if station.auto else hint_for(hands, view),
        "busy": hands.busy,
        "fallen": hands.reach.fallen,
        "shoe_left": shoe.cards_left,
        "breaks": station.breakage.breaks,
        "makes": {one.key: made_by(one.key, view.game.key) for one in station.breakage.breaks},
        "lessons": _lessons(console, table, station),
        "followed": station.practised.followed(view.game.key),
        "broken": station.breakage.on,
        "not_now": _mistakes(station),
        "pit": next((one for one in people if one.role == "pit_boss"), None),
        "pit_address": _pit_address(table),
    }


def _lessons(console: Console, table: str, station: Station) -> tuple[Lesson, ...]:
    """What can be practised at this table, in the order of the procedures."""
    station.practised.look(console.house.reader(), table)
    game, practised = station.hands.rig.config.game, station.practised
    return tuple(Lesson(one, row_for(one, game), practised.has(one)) for one in practices_of(game))


def _mistakes(station: Station) -> dict[str, str]:
    """Every mistake of this game with the key of why it cannot be made now; empty where it can."""
    view = station.hands.view()
    why = {mistake.key: mistake.when(station.hands, view) for mistake in MISTAKES}
    return {key: said for key, said in why.items() if said != NEVER}


def _pit_address(table: str) -> str:
    """The pit's page under the machine's other name; empty where it has only one."""
    parts = urlsplit(request.host_url)
    twin = _TWIN.get(parts.hostname or "")
    if twin is None:
        return ""
    return f"{parts.scheme}://{twin}{f':{parts.port}' if parts.port else ''}/pit/{table}"
