"""The pages of single devices, the live talk of a line, and the picture a technician may see.

GET /technician/<table>/<role>              the device's page
GET /technician/<table>/<role>/talk         its line, live
GET /technician/<table>/<role>/capture      its recording; closed table
GET /technician/<table>/camera.jpg          the newest picture, sealed cards painted over, and its age; 404 and why
GET /technician/<table>/camera/explained.jpg    the same, with each outline that was looked at and why it was refused
GET /technician/<table>/camera/calibrate    calibrating by four corners
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, make_response, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, token_in
from dealer_ui.floor.device_port import Camera, Line
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.frame.picture_rack import OLD_MS, shown_now
from dealer_ui.frame.stream import RETRY_MS, event
from dealer_ui.frame.stream_door import no_seat
from dealer_ui.live.telling import Rest, Telling
from dealer_ui.pages.technician.device import DeviceLook, look
from dealer_ui.pages.technician.screens import SCREENS
from studio.diagnosis import TalkLine, Unseen
from studio.errors import RefusedError

WAIT_S: Final = 0.25
BEAT_S: Final = 2.0
LINES_MAX: Final = 200
"""So many lines are sent at once; of more only the newest."""


def device_of(house: House, table: str, role: str) -> DeviceLook:
    """The device in that role, or no such page."""
    found = look(house, table, role) if table in house.tables and role in SCREENS else None
    if found is None:
        abort(404)
    return found


def line_of(house: House, table: str, role: str) -> Line:
    line = house.bench.line(device_of(house, table, role).id)
    if line is None:
        abort(404)
    return line


def camera_of(house: House, table: str) -> Camera:
    camera = house.bench.camera(device_of(house, table, "camera").id)
    if camera is None:
        abort(404)
    return camera


def routes(console: Console) -> Blueprint:
    found = Blueprint("technician_device", __name__)
    house = console.house

    @found.get("/technician/<table>/<role>")
    @needs("view_technician")
    def page(table: str, role: str) -> Response:
        line = house.bench.line(device_of(house, table, role).id)
        return console.show(SCREENS[role], table, role=role, orders=line.orders if line else ())

    @found.get("/technician/<table>/<role>/talk")
    @needs("view_technician")
    def talk(table: str, role: str) -> Response:
        line = line_of(house, table, role)
        token = token_in(request.cookies, secure=request.is_secure)

        def still() -> bool:
            return SCREENS[role].open_to(console.sessions.look(token))

        talk = Talk(line, console.monotonic, console.closing, still)
        return console.lanes.staff.open(talk.told(), token) or no_seat(console.language())

    @found.get("/technician/<table>/<role>/capture")
    @needs("manage_devices")
    def capture(table: str, role: str) -> Response:
        try:
            text = line_of(house, table, role).tape.capture()
        except RefusedError as error:
            return console.plain("error.html", 409, sentence=console.language().refusal(error))
        if not text:
            abort(404)
        name = f"{device_of(house, table, role).id}.capture"
        headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Disposition": f'attachment; filename="{name}"'}
        return make_response(text, 200, headers)

    @found.get("/technician/<table>/camera.jpg")
    @needs("view_technician")
    def picture(table: str) -> Response:
        if table not in house.tables:
            abort(404)
        return jpeg(shown_now(house, table))

    @found.get("/technician/<table>/camera/explained.jpg")
    @needs("manage_devices")
    def explained(table: str) -> Response:
        camera = camera_of(house, table)
        seen = shown if isinstance(shown := house.camera_jpeg(table), Unseen) else camera.explained()
        if isinstance(seen, Unseen) or (age_ms := max(0, house.now_ms() - seen[1])) > OLD_MS:
            abort(404)
        return jpeg((seen[0], age_ms))

    @found.get("/technician/<table>/camera/calibrate")
    @needs("manage_devices")
    def calibrate(table: str) -> Response:
        camera = camera_of(house, table)
        return console.plain(
            "technician_device/calibrate.html", view=house.view(table), corners=camera.corners,
            look=device_of(house, table, "camera"),
        )  # fmt: skip

    return found


def jpeg(seen: tuple[bytes, int] | Unseen) -> Response:
    """A picture with its age, or why there is none."""
    if isinstance(seen, Unseen):
        return make_response("", 404, {"X-Why": seen})
    return make_response(seen[0], 200, {"Content-Type": "image/jpeg", "X-Age-Ms": str(seen[1])})


@dataclass(frozen=True, slots=True)
class Talk:
    """One line told to one station until it goes away: bytes beside the frames and readings they became, as it happens.

        event: talk    {"lines": [{"n", "at", "in", "count", "hex", "frames", "readings", "masked"}]}
        event: beat    {}      every two seconds
        event: leave   {}      nobody is signed in any more

    It takes a seat among those of the staff.
    """

    line: Line
    monotonic: Callable[[], float]
    closing: threading.Event
    still: Callable[[], bool]

    def told(self) -> Telling:
        yield f"retry: {RETRY_MS}\n\n".encode()
        number, beat_at = 0, self.monotonic()
        while not self.closing.is_set():
            if self.monotonic() >= beat_at:
                if not self.still():
                    yield event("leave", None, {})
                    return
                yield event("beat", None, {})
                beat_at = self.monotonic() + BEAT_S
            if lines := self.line.since(number)[-LINES_MAX:]:
                number = lines[-1].number
                yield event("talk", None, {"lines": [plain(line) for line in lines]})
            yield Rest(WAIT_S)  # a talkative line is told a few times a second


def plain(line: TalkLine) -> dict[str, Any]:
    return {
        "n": line.number, "at": line.at_ms, "in": line.direction == "in", "count": line.count, "masked": line.masked,
        "hex": line.hex, "frames": line.frames, "readings": line.readings,
    }  # fmt: skip
