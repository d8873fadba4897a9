"""The command group `devices`: find one, watch one, record one, simulate one, read cards."""

from __future__ import annotations

import importlib
from typing import Final

import click

from devices.sim.cli import sim
from devices.technician.cli import list_ports, monitor, probe_line, record, replay

_LAZY: Final = {
    "read-cards": "devices.camera.cli:read_cards",
    "calibrate": "devices.technician.picture_cli:calibrate_camera",
    "enrol": "devices.technician.picture_cli:enrol",
}
"""Commands whose imports are heavy: loaded when they are called for."""


class _Group(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_LAZY})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _LAZY:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = _LAZY[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.group(name="devices", cls=_Group)
def group() -> None:
    """Find, watch, record, simulate and try out the devices of a closed table."""


for command in (list_ports, probe_line, monitor, record, replay, sim):
    group.add_command(command)
