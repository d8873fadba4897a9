"""A technician or a pit boss, having looked at a device, approves it for its part at a table."""

from __future__ import annotations

from studio.errors import RefusedError
from studio.people import need_fresh_pin, need_right
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event.approval import DeviceApproved
from studio.tables.state.identity import is_approved


def approve_device(draft: Draft, command: c.ApproveDevice) -> None:
    """It is kept as it stands on record. Once approved it is known again when it comes back after another."""
    need_right(command.actor, "approve_device")
    need_fresh_pin(command.actor, draft.at_ms)
    if command.device not in draft.state.config.devices:
        raise RefusedError("not_of_the_table", f"{command.device} does not stand at this table.")
    if not command.words.strip():
        raise RefusedError("approval_words", "Write what you looked at: it is kept with the approval.")
    presence = draft.state.devices.presences.get(command.device)
    if presence is None or presence.known is None or not presence.proved:
        raise RefusedError(
            "device_not_known", "This device has not shown who it is: connect it, rule on its doubt, then approve it."
        )
    known = presence.known
    if is_approved(presence, known):
        raise RefusedError("device_approved", "This device is approved already, with the firmware it has.")
    draft.emit(
        DeviceApproved(
            device=command.device, name=known.name, plug=known.plug, serial=known.serial, model=known.model,
            firmware=known.firmware, by=command.actor.id, by_name=command.actor.name, words=command.words.strip(),
        )
    )  # fmt: skip
