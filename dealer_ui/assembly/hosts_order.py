"""What the command line asks of hosts and the tables they run, through the door beside a running host's database."""

from __future__ import annotations

from typing import Final

from dealer_ui.assembly.operators_order import Answered, HostStanding, Order
from dealer_ui.desk.move import MoveDesk
from dealer_ui.floor.floor import Floor
from dealer_ui.floor.process_look import hosts_among
from studio.errors import RefusedError
from studio.people import Actor
from studio.pit.move import Moves, RunningHost

VERBS: Final = frozenset({"list_hosts", "drain_host", "return_host", "send_table", "keep_table"})
_OTHER: Final = "other"


def carry_out(floor: Floor, order: Order, by: str) -> Answered:
    """Do it, and say how the hosts stand then. Who is at the machine itself needs no PIN."""
    hosts = hosts_among(floor.processes())
    actor = Actor(by, by, frozenset({"pit_boss"})).with_pin(floor.now_ms())
    desk = MoveDesk(floor.pit, hosts, actor, _OTHER, order.reason)
    try:
        if order.verb != "list_hosts" and not floor.leaving.host:
            sentence = "Tables go from host to host where all keep one record: this studio has none in PostgreSQL."
            raise RefusedError("one_process", sentence)
        match order.verb:
            case "drain_host":
                desk.drain(order.host)
            case "return_host":
                desk.take_back(order.host)
            case "send_table":
                desk.send(order.table, order.host)
            case "keep_table":
                desk.keep(order.table)
    except RefusedError as error:
        return Answered(error.sentence)
    moves = floor.pit.book.moves
    return Answered(hosts=tuple(_standing(one, moves, hosts) for one in hosts))


def _standing(host: RunningHost, moves: Moves, hosts: tuple[RunningHost, ...]) -> HostStanding:
    drain = moves.drained.get(host.name)
    tables = tuple((table, moves.goal(table, host.name, hosts)) for table in host.runs)
    return HostStanding(host.name, host.there, drain.by_name if drain else "", tables)
