"""Takes a technician's work at a device into the record. It changes nothing at the table."""

from __future__ import annotations

from typing import Final

from studio.errors import RefusedError
from studio.people import need_right
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event.service import DeviceServiced

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
