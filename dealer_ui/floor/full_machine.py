"""The machines that have too much to do: told once each, and not by every camera that is looked at late."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dealer_ui.floor.process_look import ProcessLook
from studio.views.shape import TableView


@dataclass(frozen=True, slots=True)
class FullMachine:
    """`host`: its name, of a studio on several machines. Of the `tables` it runs, `late` are looked at late, by up to
    `s` seconds.
    """

    host: str
    tables: int
    late: int
    s: int


def full_machines(views: Sequence[TableView], processes: Iterable[ProcessLook]) -> tuple[FullMachine, ...]:
    """Each machine of which at least one table is looked at late, the latest first."""
    home = {table: one.name for one in processes for table in one.runs}
    hosts = dict.fromkeys(home.get(view.table, "") for view in views)
    found = [_full(host, [view for view in views if home.get(view.table, "") == host]) for host in hosts]
    return tuple(sorted((one for one in found if one.late), key=lambda one: (-one.s, one.host)))


def _full(host: str, views: Sequence[TableView]) -> FullMachine:
    late = [one.devices.camera_late for one in views if one.devices.camera_late is not None]
    return FullMachine(host, len(views), len(late), max((int(str(one.values["s"])) for one in late), default=0))
