"""The routes of the live screens: `/stream/<screen>[/<table>]`, and one view of the same at `/view/<screen>[/<table>]`.

A page that gets no stream asks for `/view/…?mark=` again and again: it is let in and refused exactly as its stream is.
`/beat` is for pages that do not live: {"now_ms"}, and for whoever hears alarms {"urgent"}, as a stream's beat tells it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, make_response, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import BEAT, STREAM, VIEW, needs, signed_in, token_in, viewer
from dealer_ui.frame.alarm_row import urgent
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Screen
from dealer_ui.frame.stream import Stream
from dealer_ui.process.address import neighbours
from dealer_ui.words.language import Language


def no_seat(language: Language) -> Response:
    return make_response({"refused": language.say("page.error.503")}, 503, {"Retry-After": "5"})


def routes(console: Console, screens: Sequence[Screen]) -> Blueprint:
    found = Blueprint("stream", __name__)
    by_name = {screen.name: screen for screen in screens}

    @found.get(BEAT)
    @needs()
    def beat() -> Response:
        house, who = console.house, signed_in()
        told = urgent(house, console.language(), who.id) if who.may("hear_alarms") else ()
        return make_response({"now_ms": house.now_ms(), "urgent": told})

    @found.get(f"{STREAM}<name>")
    @found.get(f"{STREAM}<name>/<table>")
    def tell(name: str, table: str = "") -> Response:
        screen = _screen(name, table)
        if (refused := _refused(screen)) is not None:
            return refused
        stream = _stream(screen, table)
        public, lanes = not screen.actions, console.lanes
        holder = neighbours(request.remote_addr or "") if public else signed_in().token
        answer = (lanes.public if public else lanes.staff).open(stream.told(), holder)
        return answer or no_seat(stream.asked.language)

    @found.get(f"{VIEW}<name>")
    @found.get(f"{VIEW}<name>/<table>")
    def show(name: str, table: str = "") -> Response:
        screen = _screen(name, table)
        if (refused := _refused(screen)) is not None:
            return refused
        return make_response(dict(_stream(screen, table).once(request.args.get("mark", ""))))

    def _screen(name: str, table: str) -> Screen:
        screen = by_name.get(name)
        if screen is None or screen.of_table != bool(table):
            abort(404)
        return screen

    def _refused(screen: Screen) -> Response | None:
        if screen.open_to(viewer()):
            return None
        status = 401 if viewer() is None else 403
        return make_response({"refused": console.language().say(f"page.error.{status}")}, status)

    def _stream(screen: Screen, table: str) -> Stream:
        asked = console.asked(table)
        token = token_in(request.cookies, secure=request.is_secure)

        def still() -> bool:
            return screen.open_to(console.sessions.look(token))

        def told() -> Sequence[Mapping[str, Any]]:
            who = asked.viewer if screen.actions else None  # a public screen tells of no alarm
            return urgent(asked.house, asked.language, who.id) if who and who.may("hear_alarms") else ()

        return Stream(console.artist, screen, asked, console.monotonic, console.closing, still, told)

    return found
