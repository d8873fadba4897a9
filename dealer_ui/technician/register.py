"""The only place for the register of devices: what stands where, approved by whom, and the life of each.

GET /devices                    every device of every table
GET /devices/<table>/<role>     one device: what it is, and what happened to it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from dealer_ui.audit.timeline import Line, Teller, line_of
from dealer_ui.auth import needs
from dealer_ui.console import Console
from dealer_ui.house import House, device_roles

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
            "devices/page.html", tables=[house.view(table) for table in house.tables], drivers=_drivers(house)
        )

    @found.get("/devices/<table>/<role>")
    @needs("view_devices")
    def one(table: str, role: str) -> Response:
        if table not in console.house.tables:
            abort(404)
        view = console.house.view(table)
        device = next((device for device in view.devices if device.part == role), None)
        if device is None:
            abort(404)
        life = _life(console, table, device.id)
        return console.plain(
            "devices/device.html", view=view, device=device, life=life, drivers=_drivers(console.house)
        )

    return found


def _drivers(house: House) -> dict[str, str]:
    return {device.id: device.driver for device in house.config.devices}


def _life(console: Console, table: str, device: str) -> Sequence[Line]:
    """What happened to a device at this table, the newest first."""
    teller = Teller(console.language(), roles=device_roles(console.house, table))
    mark = f'"device":"{device}"'.encode()
    rows = console.house.reader().events(table=table, kinds=LIFE_KINDS)
    mine = [row for row in rows if mark in bytes(row.body)]
    return [line_of(row, teller) for row in mine[-SHOWN:][::-1]]
