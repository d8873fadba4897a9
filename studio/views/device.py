"""Who a table's devices are, as a screen shows it."""

from __future__ import annotations

from studio.tables.state.identity import Presence, is_approved
from studio.tables.state.table import TableState
from studio.views.shape import DeviceView


def view_devices(state: TableState) -> tuple[DeviceView, ...]:
    """Each device the table has, in the order shoe, shuffler, camera."""
    return tuple(_device(state, part, id) for part, id in parts(state).items() if id)


def parts(state: TableState) -> dict[str, str]:
    """The part each device plays at the table."""
    return {"shoe": state.config.shoe, "shuffler": state.config.shuffler, "camera": state.config.camera}


def part_of(state: TableState, device: str) -> str:
    """The part a device plays at this table; the id itself of one that has gone."""
    return next((part for part, id in parts(state).items() if id and id == device), device)


def _device(state: TableState, part: str, id: str) -> DeviceView:
    presence = state.devices.presences.get(id)
    known = presence.known if presence else None
    shown = presence.shown if presence else None
    return DeviceView(
        part=part,
        id=id,
        up=state.devices.links.get(id, False),
        proved=presence is not None and presence.proved,
        known=known.name if known else "",
        answers=shown.name if shown else "",
        model=known.model if known else "",
        serial=known.serial if known else "",
        firmware=known.firmware if known else "",
        plug=known.plug if known else "",
        approval=_approval(presence),
    )


def _approval(presence: Presence | None) -> str:
    if presence is None or not presence.approved:
        return "none"
    return "good" if presence.known and is_approved(presence, presence.known) else "changed"
