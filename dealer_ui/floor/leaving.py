"""Tables of this host that are to go to another one: no round starts at them any more, and their screens say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.pit import PitDesk
from dealer_ui.floor.process_look import ProcessLook, hosts_among
from studio.errors import RefusedError
from studio.tables.command import StartRound
from studio.tables.declaration import Command
from studio.views import TableView, Words

LEAVING: Final = "act.leaving"
_STARTS: Final = "act.start_round"


@dataclass(frozen=True, slots=True, eq=False)
class Leaving:
    """`host` is this one; empty where no table goes from host to host."""

    host: str
    pit: PitDesk
    processes: Callable[[], tuple[ProcessLook, ...]]

    def goes_to(self, table: str) -> str:
        """Where a table of this host goes when its round is over; empty where it stays."""
        moves = self.pit.book.moves
        if not self.host or not (moves.sent or moves.drained):
            return ""
        return moves.goal(table, self.host, hosts_among(self.processes()))

    def need_staying(self, table: str, command: Command) -> None:
        """`RefusedError` for a round that would start at a table which goes."""
        if isinstance(command, StartRound) and (to := self.goes_to(table)):
            sentence = f"This table goes to the host {to} now, and no round starts here any more: go on there."
            raise RefusedError("table_leaves", sentence, host=to)

    def told(self, view: TableView) -> TableView:
        """The table with where it goes; between two rounds there is nothing to press."""
        if not (to := self.goes_to(view.table)):
            return view
        now = replace(view.now, goes_to=to)
        if now.act.key == _STARTS:
            now = replace(now, act=Words(LEAVING, {"host": to}), primary=None, why=None)
        return replace(view, now=now)


def leaving_of(config: StudioConfig, pit: PitDesk, processes: Callable[[], tuple[ProcessLook, ...]]) -> Leaving:
    """Tables go from host to host where all keep one record."""
    cluster = config.cluster
    return Leaving(cluster.host if cluster is not None and cluster.postgres else "", pit, processes)
