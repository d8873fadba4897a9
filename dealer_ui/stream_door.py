"""The only place for the routes of the streams: `/stream/<screen>` and `/stream/<screen>/<table>`.

`/beat` is for pages without one, of whoever hears alarms: {"now_ms", "urgent"}, as a stream's beat tells it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, make_response, request
from werkzeug.wrappers import Response

from dealer_ui.auth import BEAT, COOKIE, needs, viewer
from dealer_ui.console import Console
from dealer_ui.pit.row import urgent
from dealer_ui.screen import Screen
from dealer_ui.stream import Stream


def routes(console: Console, screens: Sequence[Screen]) -> Blueprint:
    found = Blueprint("stream", __name__)
    by_name = {screen.name: screen for screen in screens}

    @found.get(BEAT)
    @needs("hear_alarms")
    def beat() -> Response:
        house = console.house
        return make_response({"now_ms": house.now_ms(), "urgent": urgent(house, console.language())})

    @found.get("/stream/<name>")
    @found.get("/stream/<name>/<table>")
    def tell(name: str, table: str = "") -> Response:
        screen = by_name.get(name)
        if screen is None or screen.of_table != bool(table):
            abort(404)
        if not screen.open_to(viewer()):
            refused = console.language().say(f"page.error.{401 if viewer() is None else 403}")
            return make_response({"refused": refused}, 401 if viewer() is None else 403)
        asked = console.asked(table)
        if not console.seats.take():
            return make_response({"refused": asked.language.say("page.error.503")}, 503, {"Retry-After": "5"})
        token = request.cookies.get(COOKIE, "")

        def still() -> bool:
            return screen.open_to(console.sessions.find(token, active=False))

        def told() -> Sequence[Mapping[str, Any]]:
            hears = screen.actions and asked.viewer is not None and asked.viewer.may("hear_alarms")
            return urgent(asked.house, asked.language) if hears else ()  # a public screen tells of no alarm

        stream = Stream(console.artist, screen, asked, console.monotonic, console.closing, still, told)
        response = Response(iter(stream), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
        response.call_on_close(console.seats.leave)
        return response

    return found
