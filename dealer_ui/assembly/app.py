"""The consoles put together into one web application.

`create_app(floor)` gives the Flask application; whoever serves it calls `app.extensions["console"].close()` when the
server goes down. `blueprints` come from others in `dealer_ui` (the operators' interface) and answer for themselves.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from flask import Blueprint, Flask, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from dealer_ui.access.auth import API_PREFIX, guard_app
from dealer_ui.access.sessions import Sessions
from dealer_ui.access.turned_away import TurnedAway
from dealer_ui.access.typed_pin import retry_later
from dealer_ui.floor.house import House
from dealer_ui.frame import command_door, refused_access, stream_door, violation_door
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Artist, Screen
from dealer_ui.live.lane import StreamLanes
from dealer_ui.live.seats import Capacity
from dealer_ui.pages.audit import route as audit
from dealer_ui.pages.audit import search_route as record
from dealer_ui.pages.dealer import relief
from dealer_ui.pages.dealer import route as dealer
from dealer_ui.pages.decks import route as decks
from dealer_ui.pages.display import route as display
from dealer_ui.pages.door import own_notices, own_pin, second_factor, sign_in
from dealer_ui.pages.operators import route as operators
from dealer_ui.pages.pit import complaint_page, game_route, pot_page, wallet_page
from dealer_ui.pages.pit import correction_route as correction
from dealer_ui.pages.pit import door as pit_door
from dealer_ui.pages.pit import route as pit
from dealer_ui.pages.pit import sealed_route as sealed
from dealer_ui.pages.procedure import route as procedure
from dealer_ui.pages.report import route as report
from dealer_ui.pages.shift import route as shift
from dealer_ui.pages.staff import route as staff
from dealer_ui.pages.technician import act_route, device_route, register
from dealer_ui.pages.technician import route as technician
from dealer_ui.pages.technician.screens import SCREENS as DEVICE_SCREENS
from dealer_ui.serving.usher import Usher
from dealer_ui.words.language import ENGLISH, Languages
from dealer_ui.words.local_time import LocalTime
from studio.errors import BadInputError, RefusedError, StorageError
from studio.tables.state.round import Stage

SCREENS: Final[tuple[Screen, ...]] = (
    dealer.SCREEN, pit.FLOOR, pit.TABLE, complaint_page.SCREEN, wallet_page.SCREEN, correction.SCREEN, sealed.SCREEN,
    display.SCREEN, technician.SCREEN, *DEVICE_SCREENS.values(),
)  # fmt: skip
"""Every live screen there is."""

ROOM: Final = Capacity()
BODY_BYTES_MAX: Final = 2 * 1024 * 1024

_OVER: Final = ("", str(Stage.SETTLED), str(Stage.VOIDED))


def create_app(
    floor: House,
    *,
    title: str = "Live Dealer Studio",
    language: str = ENGLISH,
    room: Capacity = ROOM,
    monotonic: Callable[[], float] = time.monotonic,
    blueprints: Sequence[Blueprint] = (),
) -> Flask:
    """The consoles over this floor. `room`: how many streams there may be in each lane."""
    app = Flask("dealer_ui", static_folder="static")
    app.json = _Json(app)
    app.config["MAX_CONTENT_LENGTH"] = BODY_BYTES_MAX
    sessions = _sessions_on(floor)
    closing = threading.Event()
    lanes = StreamLanes.over(floor, closing, room)
    console = Console(
        floor,
        title,
        Languages(language),
        sessions,
        lanes,
        monotonic,
        closing,
        TurnedAway(floor.now_ms),
        Artist(LocalTime(floor.config.studio.zone)),
    )
    app.extensions["console"] = console
    app.extensions["usher"] = Usher(lambda token: sessions.look(token) is not None)
    guard_app(app, console.sessions)
    refused_access.watch(app, console)
    for blueprint in (
        sign_in.routes(console),
        second_factor.routes(console),
        own_pin.routes(console),
        own_notices.routes(console),
        command_door.routes(console),
        violation_door.routes(console),
        stream_door.routes(console, SCREENS),
        dealer.routes(console),
        pit.routes(console),
        correction.routes(console),
        sealed.routes(console),
        pit_door.routes(console),
        complaint_page.routes(console),
        wallet_page.routes(console),
        display.routes(console),
        technician.routes(console),
        device_route.routes(console),
        act_route.routes(console),
        register.routes(console),
        audit.routes(console),
        report.routes(console),
        record.routes(console),
        procedure.routes(console),
        decks.routes(console),
        game_route.routes(console),
        operators.routes(console),
        pot_page.routes(console),
        staff.routes(console),
        relief.routes(console),
        shift.routes(console),
        *blueprints,
    ):
        app.register_blueprint(blueprint)
    _answer_errors(app, console)
    return app


class _Json(DefaultJSONProvider):
    """What is nested more deeply than can be read is no JSON either."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        try:
            return super().loads(s, **kwargs)
        except RecursionError:
            raise ValueError("nested too deeply") from None


def _fresh_token() -> str:
    return secrets.token_urlsafe(32)


def _answer_errors(app: Flask, console: Console) -> None:
    """A wrong address or a refused look gets a plain page of ours; scripts get the same sentence as JSON."""

    @app.errorhandler(HTTPException)
    def say_why(error: HTTPException) -> Response | HTTPException:
        if request.path.startswith(API_PREFIX):
            return error
        code = error.code or 500
        return tell(console.language().say(f"page.error.{code if code in (403, 404, 405, 413) else 'other'}"), code)

    @app.errorhandler(RefusedError)
    def refuse(error: RefusedError) -> Response:
        """What no page of ours sends and no route expects: the house's own sentence all the same."""
        return retry_later(tell(console.language().refusal(error), 409), error)

    @app.errorhandler(BadInputError)
    def not_here(error: BadInputError) -> Response:
        """An address that names what is not there, a table for one."""
        return tell(console.language().say("page.error.404"), 404)

    @app.errorhandler(StorageError)
    def not_kept(error: StorageError) -> Response:
        """The disk takes nothing, or the database is away; whoever looks again later sees the page."""
        return tell(console.language().say("page.error.record"), 503)

    def tell(sentence: str, code: int) -> Response:
        if request.is_json or request.accept_mimetypes.best == "application/json":
            return app.make_response(({"refused": sentence}, code))
        return console.plain("error.html", code, sentence=sentence)


def _sessions_on(floor: House) -> Sessions:
    """Who is signed in there, kept in step with what the register says."""
    sessions = Sessions(
        _fresh_token, floor.now_ms, told_over=floor.staff.sign_in_ended, deals=partial(_deals, floor),
        notices=partial(_notices, floor),
    )  # fmt: skip
    sessions.stations = partial(_stations, floor)
    floor.staff.listeners.append(sessions.hear)
    floor.staff.sweep = sessions.sweep
    return sessions


def _notices(floor: House, id: str) -> int:
    """How much happened to this person's sign-in that he has not seen."""
    person = floor.staff.register.people.get(id)
    return person.notices.loud if person is not None else 0


def _stations(floor: House, id: str) -> int:
    """At how many stations this person is signed in, whichever process he came in by."""
    person = floor.staff.register.people.get(id)
    return len(person.stations) if person is not None else 0


def _deals(floor: House, id: str) -> bool:
    """Whether this person deals a round that is not over."""
    views = (floor.view(table) for table in floor.tables)
    return any(view.seat.dealer == id and view.round.id and view.round.stage not in _OVER for view in views)
