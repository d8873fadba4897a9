"""What a technician does at a device of the table: services it, approves it, sends it an order.

Each is taken into the record and changes nothing else at the table.
"""

from __future__ import annotations

from typing import Final

from studio.errors import RefusedError
from studio.people import need_fresh_pin, need_right
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event.machine import DeviceApproved, DeviceOrdered, DeviceServiced
from studio.tables.state.identity import is_approved

SERVICES: Final = ("self_test", "calibration", "recording", "enrolment")
FINDINGS_MAX: Final = 40
FINDING_CHARACTERS_MAX: Final = 400


def service_device(draft: Draft, command: c.ServiceDevice) -> None:
    """Keep what was done and found; a camera is calibrated only while no round is open."""
    need_right(command.actor, "manage_devices")
    if command.device not in draft.state.config.devices:
        raise RefusedError("not_of_the_table", f"{command.device} does not stand at this table.")
    if command.service not in SERVICES:
        raise RefusedError("unknown_command", "This station asked for something the studio does not know.")
    findings = tuple(finding[:FINDING_CHARACTERS_MAX] for finding in command.findings[:FINDINGS_MAX])
    draft.emit(
        DeviceServiced(
            device=command.device, service=command.service, passed=command.passed, by=command.actor.id,
            by_name=command.actor.name, findings=findings,
        )
    )  # fmt: skip


def approve_device(draft: Draft, command: c.ApproveDevice) -> None:
    """Approve a device as it is known now, firmware and all: it is known again when it comes back after another one."""
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
    if command.shown and command.shown != known.mark:
        raise RefusedError(
            "another_device", f"Another device stands there now than you were shown: look at {known.name} first.",
            name=known.name,
        )  # fmt: skip
    if is_approved(presence, known):
        raise RefusedError("device_approved", "This device is approved already, with the firmware it has.")
    draft.emit(
        DeviceApproved(
            device=command.device, name=known.name, plug=known.plug, serial=known.serial, model=known.model,
            firmware=known.firmware, by=command.actor.id, by_name=command.actor.name, words=command.words.strip(),
        )
    )  # fmt: skip


def order_device(draft: Draft, command: c.OrderDevice) -> None:
    """Record who has which device do what, and why, before it is sent. What comes of it the device tells."""
    need_right(command.actor, "command_device")
    if command.device not in draft.state.config.devices:
        raise RefusedError("not_of_the_table", f"{command.device} does not stand at this table.")
    if not command.words.strip():
        raise RefusedError("words_needed", "Write a few words why: they are kept with your name.")
    draft.emit(
        DeviceOrdered(
            device=command.device, order=command.order, value=command.value, by=command.actor.id,
            by_name=command.actor.name, words=command.words.strip(),
        )
    )  # fmt: skip
