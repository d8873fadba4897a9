"""The register of devices: what stands where, approved by whom, and the life of each.

GET /devices                    every device of every table
GET /devices/<table>/<role>     one device: what it is, and what happened to it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.floor.house import House, device_roles
from dealer_ui.frame.console import Console
from dealer_ui.past.timeline import RowNarrator, TimelineLine, line_of
from studio.tables.event.record import read_body
from studio.tables.event.table import DeviceProved

LIFE_KINDS: Final = (
    "DeviceProved", "DeviceApproved", "DeviceServiced", "DeviceOrdered", "DeviceLost", "DeviceBack",
)  # fmt: skip
SHOWN: Final = 80


def routes(console: Console) -> Blueprint:
    found = Blueprint("device_register", __name__)

    @found.get("/devices")
    @needs("view_devices")
    def page() -> Response:
        house = console.house
        return console.plain(
            "devices/page.html",
            tables=[house.view(table) for table in house.tables],
            drivers=_drivers(house),
            violations=console.violations.counted[:SHOWN],
        )

    @found.get("/devices/<table>/<role>")
    @needs("view_devices")
    def one(table: str, role: str) -> Response:
        if table not in console.house.tables:
            abort(404)
        view = console.house.view(table)
        device = next((device for device in view.devices.each if device.part == role), None)
        if device is None:
            abort(404)
        life = _life(console, (table, device.id), device.serial)
        return console.plain(
            "devices/device.html", view=view, device=device, life=life, drivers=_drivers(console.house)
        )

    return found


def _drivers(house: House) -> dict[str, str]:
    return {device.id: device.driver for device in house.config.devices}


def _life(console: Console, place: tuple[str, str], serial: str) -> Sequence[TimelineLine]:
    """The newest events of this place, and of the device with this serial at places where it stood before; newest
    first.
    """
    stands: dict[tuple[str, str], str] = {}
    mine: list[TimelineLine] = []
    for row in console.house.reader().events(kinds=LIFE_KINDS):
        body = read_body(row.body)
        at = (body.table, str(getattr(body.event, "device", "")))
        if isinstance(body.event, DeviceProved):
            stands[at] = body.event.serial
        if at == place or (serial and stands.get(at) == serial):
            line = line_of(row, _teller(console, at[0]))
            mine.append(line if at == place else replace(line, sentence=f"{_title(console, at[0])}: {line.sentence}"))
    return mine[-SHOWN:][::-1]


def _teller(console: Console, table: str) -> RowNarrator:
    known = table in console.house.tables
    return RowNarrator(console.language(), roles=device_roles(console.house, table) if known else {})


def _title(console: Console, table: str) -> str:
    return console.house.view(table).title if table in console.house.tables else table
