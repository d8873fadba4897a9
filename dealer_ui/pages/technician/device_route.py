"""The pages of single devices, the live talk of a line, and the picture a technician may see.

GET /technician/<table>/<role>              the device's page
GET /technician/<table>/<role>/talk         its line, live
GET /technician/<table>/<role>/capture      its recording; closed table
GET /technician/<table>/camera.jpg          the newest picture, sealed cards painted over; 404 without a live one
GET /technician/<table>/camera/calibrate    calibrating by four corners
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, make_response, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, token_in
from dealer_ui.floor.device_port import Camera, Line
from dealer_ui.floor.house import House
from dealer_ui.floor.secrecy import hidden_zones
from dealer_ui.frame.console import Console
from dealer_ui.frame.stream_door import no_seat
from dealer_ui.pages.technician.device import DeviceLook, look
from dealer_ui.pages.technician.screens import SCREENS
from dealer_ui.pages.technician.talk import Talk
from studio.errors import RefusedError

OLD_MS: Final = 3_000
"""A picture older than that is no live picture, and is not shown as one."""


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
        seen = camera_of(house, table).picture(hidden_zones(house.view(table)))
        if seen is None or house.now_ms() - seen[1] > OLD_MS:
            abort(404)
        return make_response(seen[0], 200, {"Content-Type": "image/jpeg"})

    @found.get("/technician/<table>/camera/calibrate")
    @needs("manage_devices")
    def calibrate(table: str) -> Response:
        camera = camera_of(house, table)
        return console.plain(
            "technician_device/calibrate.html", view=house.view(table), corners=camera.corners,
            look=device_of(house, table, "camera"),
        )  # fmt: skip

    return found
