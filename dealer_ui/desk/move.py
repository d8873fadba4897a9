"""Orders to move tables between hosts, as the desk of the pit takes them, and the end of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dealer_ui.desk.pit import PitDesk
from studio.people import Actor
from studio.pit import RunningHost
from studio.pit import pit_event as e
from studio.pit.move import MoveOrder, drain_host, keep_table, return_host, send_table


@dataclass(frozen=True, slots=True)
class MoveDesk:
    """What `actor` orders, over the hosts as they are now. Each act gives its place in the journal; sent again under
    the same id it is the same act.
    """

    desk: PitDesk
    hosts: Sequence[RunningHost]
    actor: Actor
    reason_code: str = ""
    words: str = ""
    id: str = ""

    @property
    def _order(self) -> MoveOrder:
        return MoveOrder(self.actor, self.reason_code, self.words, self.desk.now_ms())

    def drain(self, host: str) -> int:
        desk = self.desk
        return desk.once(self.actor, self.id, lambda: (drain_host(desk.book.moves, self._order, host, self.hosts),))

    def take_back(self, host: str) -> int:
        desk = self.desk
        return desk.once(self.actor, self.id, lambda: (return_host(desk.book.moves, self._order, host, self.hosts),))

    def send(self, table: str, to: str) -> int:
        desk = self.desk
        return desk.once(
            self.actor, self.id, lambda: (send_table(desk.book.moves, self._order, table, to, self.hosts),)
        )

    def keep(self, table: str) -> int:
        desk = self.desk
        return desk.once(self.actor, self.id, lambda: (keep_table(desk.book.moves, self._order, table),))


def arrive(desk: PitDesk, table: str, host: str) -> None:
    """Put on record that this host has the table which was sent to it; nothing where that is known."""

    def act() -> tuple[e.TableArrived, ...]:
        sending = desk.book.moves.sent.get(table)
        if sending is None or sending.to != host:
            return ()
        return (e.TableArrived(table=table, host=host, at_ms=desk.now_ms()),)

    desk.once(Actor("system", "system", frozenset()), "", act)
