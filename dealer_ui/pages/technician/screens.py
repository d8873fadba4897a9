"""The live screens of single devices, drawn from their ladder, their counts and the table's view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from flask import abort

from dealer_ui.floor.house import device_roles
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.pages.technician.device import ROLES, look, pulse, spoken
from dealer_ui.pages.technician.felt import drawn, marks_over
from dealer_ui.past.timeline import RowNarrator, TimelineLine, line_of
from studio.journal.extract.latest import latest_of_few

SERVICES_SHOWN: Final = 6
_LOOK_BACK: Final = 200
"""So many acts at the table's devices are looked through for those at one of them."""


def draw(role: str, asked: Asked) -> tuple[int, Mapping[str, Any]]:
    house, view = asked.house, asked.house.view(asked.table)
    found = look(house, asked.table, role)
    if found is None:
        abort(404)
    line, camera = house.bench.line(found.id), house.bench.camera(found.id)
    return view.seq, {
        "look": spoken(found, asked.language),
        "view": view,
        "line": line,
        "camera": camera,
        "closed": view.now.status == "closed",
        "marks": marks_over(camera.outlines, view) if camera else (),
        "corners": drawn(camera.corners) if camera else "",
        "services": _services(asked, found.id),
    }


def _services(asked: Asked, device: str) -> list[TimelineLine]:
    """What people did at the device lately, orders to it among them, newest first."""
    teller = RowNarrator(asked.language, roles=device_roles(asked.house, asked.table))
    rows = latest_of_few(asked.house.reader(), asked.table, ("DeviceServiced", "DeviceOrdered"), limit=_LOOK_BACK)
    mine = [row for row in rows if f'"device":"{device}"'.encode() in bytes(row.body)]
    return [line_of(row, teller) for row in mine[:SERVICES_SHOWN]]


def _pulse(role: str, asked: Asked) -> object:
    found = look(asked.house, asked.table, role)
    if found is None:
        return ()
    line = asked.house.bench.line(found.id)
    recorded = (line.tape.running, line.tape.bytes) if line else ()
    return pulse((found,)), recorded


def _screen(role: str) -> Screen:
    draws: Callable[[Asked], tuple[int, Mapping[str, Any]]] = partial(draw, role)
    return Screen(
        f"technician-{role}", ("view_technician",), draws, pulse=partial(_pulse, role), folder="technician_device"
    )


SCREENS: Final[Mapping[str, Screen]] = {role: _screen(role) for role in ROLES}
"""One for each role a device may have at its table."""
