"""How a device becomes the table's own: by its proof, or on the word of a person who accepts it."""

from __future__ import annotations

from studio.errors import RefusedError
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.state.identity import Identity, accepted
from studio.tables.state.incident import Incident


def accept_device(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """A person takes the device that answers for the table's own from now on [EV11]."""
    presence = draft.state.devices.presences.get(incident.scene.device)
    taken = accepted(presence) if presence else None
    if taken is None:
        raise RefusedError("still_lost", f"{incident.scene.device} is not connected: plug it in, then accept it.")
    draft.emit(proved(incident.scene.device, taken, by))


def proved(device: str, identity: Identity, by: str = "") -> e.DeviceProved:
    return e.DeviceProved(
        device=device, name=identity.name, plug=identity.plug, serial=identity.serial, model=identity.model,
        firmware=identity.firmware, deck_profile=identity.deck_profile, by=by,
    )  # fmt: skip
