"""Takes a person's command to a device into the record, before it is sent."""

from __future__ import annotations

from studio.errors import RefusedError
from studio.people import need_right
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event.order import DeviceOrdered


def order_device(draft: Draft, command: c.OrderDevice) -> None:
    """Who has which device do what, and why. It changes nothing at the table: what comes of it the device tells."""
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
