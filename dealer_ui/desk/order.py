"""The desk of orders to devices: a person's command is checked, kept with name and reason, then sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from studio.errors import RefusedError
from studio.people import Actor
from studio.ports import Commanded, HostCommand
from studio.tables.command import OrderDevice
from studio.tables.declaration import Command


class CarryOut(Protocol):
    """A table's way to carry a command out, durably, and then do something."""

    def __call__(self, table: str, command: Command, then: Callable[[], None]) -> int: ...


class OrderDesk:
    """The devices of all tables that may be sent commands. Callable from any thread."""

    def __init__(self, carry_out: CarryOut) -> None:
        self._carry_out = carry_out
        self._lines: dict[str, tuple[str, Commanded]] = {}

    def add(self, table: str, device: Commanded) -> None:
        """Take in a device of the table, before anything runs."""
        self._lines[device.id] = (table, device)

    def send(self, device: str, order: HostCommand, *, by: Actor, reason: str, id: str = "") -> int:
        """Send a device a command for a person: kept with name and reason, then sent; gives the newest seq.

        `RefusedError`: the person may not, the device takes no such command, or its link is down. What the device
        answers comes as an observation. Sent again under the same `id` it is the same act.
        """
        if device not in self._lines:
            raise RefusedError("no_such_device", f"No device of a table here is called '{device}'; look at the list.")
        table, line = self._lines[device]
        line.check(order)
        asked = OrderDevice(actor=by, id=id, device=device, order=order.name, value=order.value, words=reason)
        return self._carry_out(table, asked, then=lambda: line.command(order))
