"""The machines that have too much to do: told once each, and not by every camera that is looked at late."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dealer_ui.floor.process_look import GONE, ProcessLook
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
    """Each machine of which at least one table is looked at late, the latest first.

    What a process that is gone ran is told of nobody: what is known of it is old, unless another runs it now.
    """
    known = sorted(processes, key=lambda one: one.state != GONE)  # who is there has the last word
    home = {table: "" if one.state == GONE else one.name for one in known for table in one.runs}
    views = [view for view in views if home.get(view.table) != ""]
    hosts = dict.fromkeys(home.get(view.table, "") for view in views)
    found = [_full(host, [view for view in views if home.get(view.table, "") == host]) for host in hosts]
    return tuple(sorted((one for one in found if one.late), key=lambda one: (-one.s, one.host)))


def _full(host: str, views: Sequence[TableView]) -> FullMachine:
    late = [one.devices.camera_late for one in views if one.devices.camera_late is not None]
    return FullMachine(host, len(views), len(late), max((int(str(one.values["s"])) for one in late), default=0))
