"""Where a table is to be dealt: a host that is drained, a table that is sent to another; who ordered it, and why.

    ordered ──► the round that is dealt ends, no other starts ──► the other host has the table ──► arrived

A host is drained until it is taken back into use. A table is sent once: where it has arrived, the order is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from studio.errors import BadInputError, RefusedError
from studio.people import Actor, need_fresh_pin, need_reason, need_right
from studio.pit import pit_event as e

RIGHT: Final = "move_table"


@dataclass(frozen=True, slots=True)
class RunningHost:
    """A table host as it was heard last: the tables it `runs`, and those it `may` run."""

    name: str
    runs: tuple[str, ...]
    may: tuple[str, ...]
    there: bool


@dataclass(frozen=True, slots=True)
class Drain:
    """A host on which no new round starts, where another host may have the table."""

    host: str
    by: str
    by_name: str
    reason_code: str
    words: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class SentTable:
    """A table on its way to a host."""

    table: str
    to: str
    by: str
    by_name: str
    reason_code: str
    words: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Moves:
    """What was ordered and is not over: drains by host, sendings by table."""

    drained: Mapping[str, Drain] = field(default_factory=dict)
    sent: Mapping[str, SentTable] = field(default_factory=dict)

    def goal(self, table: str, host: str, hosts: Sequence[RunningHost]) -> str:
        """To which host the table, run by `host`, goes once its round is over; empty where it stays.

        Of a drained host it is the one that has the fewest tables; where none may run it the table deals on.
        """
        if (sending := self.sent.get(table)) is not None:
            there = any(one.name == sending.to and one.there and table in one.may for one in hosts)
            return sending.to if there and sending.to != host else ""
        if host not in self.drained:
            return ""
        found = [one for one in hosts if one.there and table in one.may and one.name not in {host, *self.drained}]
        return min(found, key=lambda one: (len(one.runs), one.name)).name if found else ""


Moved = e.HostDrained | e.HostReturned | e.TableSent | e.TableKept | e.TableArrived


def evolve_moves(moves: Moves, event: Moved) -> Moves:
    """The orders after the event; `BadInputError` when it cannot have happened."""
    match event:
        case e.HostDrained(host=host):
            if host in moves.drained:
                raise BadInputError(f"The host {host} was drained twice.")
            drain = Drain(host, event.by, event.by_name, event.reason_code, event.words, event.at_ms)
            return replace(moves, drained={**moves.drained, host: drain})
        case e.HostReturned(host=host):
            if host not in moves.drained:
                raise BadInputError(f"The host {host} was taken back and had not been drained.")
            return replace(moves, drained={name: one for name, one in moves.drained.items() if name != host})
        case e.TableSent(table=table, to=to):
            sending = SentTable(table, to, event.by, event.by_name, event.reason_code, event.words, event.at_ms)
            return replace(moves, sent={**moves.sent, table: sending})
        case e.TableKept(table=table):
            return _over(moves, table)
        case e.TableArrived(table=table, host=host):
            if table in moves.sent and moves.sent[table].to != host:
                raise BadInputError(f"The table {table} has arrived at {host} and was sent elsewhere.")
            return _over(moves, table)


def _over(moves: Moves, table: str) -> Moves:
    if table not in moves.sent:
        raise BadInputError(f"The table {table} was not sent anywhere.")
    return replace(moves, sent={name: one for name, one in moves.sent.items() if name != table})


# --- what people order ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """Somebody's order: why, and when."""

    actor: Actor
    reason_code: str
    words: str
    at_ms: int

    def need_clear(self) -> None:
        """`RefusedError` unless this person may move tables, has just typed his PIN, and says why."""
        need_right(self.actor, RIGHT)
        need_fresh_pin(self.actor, self.at_ms)
        need_reason(self.reason_code, self.words)


def drain_host(moves: Moves, order: MoveOrder, host: str, hosts: Sequence[RunningHost]) -> e.HostDrained:
    """Have every table of the host go to others, each when its round is over."""
    order.need_clear()
    named = next((one for one in hosts if one.name == host), None)
    if named is None:
        raise RefusedError("no_such_host", f"There is no table host {host}; look at the list of machines.", host=host)
    if host in moves.drained:
        sentence = f"The host {host} is drained already, by {moves.drained[host].by_name}."
        raise RefusedError("drained_already", sentence, host=host, name=moves.drained[host].by_name)
    after = Moves({**moves.drained, host: Drain(host, "", "", "", "", 0)}, moves.sent)
    if not named.there:
        sentence = f"The host {host} is gone: its tables are taken over by themselves, there is nothing to drain."
        raise RefusedError("host_gone", sentence, host=host)
    if named.runs and not any(after.goal(table, host, hosts) for table in named.runs):
        sentence = f"No other host that is running may have a table of {host}: start one, or see where devices are."
        raise RefusedError("no_other_host", sentence, host=host)
    return e.HostDrained(
        host=host, tables=named.runs, by=order.actor.id, by_name=order.actor.name, reason_code=order.reason_code,
        words=order.words.strip(), at_ms=order.at_ms,
    )  # fmt: skip


def return_host(moves: Moves, order: MoveOrder, host: str, hosts: Sequence[RunningHost]) -> e.HostReturned:
    """Take a drained host back into use: what it still runs stays, and tables may be sent to it."""
    need_right(order.actor, RIGHT)
    if host not in moves.drained:
        raise RefusedError("not_drained", f"The host {host} is not drained.", host=host)
    runs = next((one.runs for one in hosts if one.name == host), ())
    return e.HostReturned(
        host=host, tables=runs, by=order.actor.id, by_name=order.actor.name, at_ms=order.at_ms
    )  # fmt: skip


def send_table(moves: Moves, order: MoveOrder, table: str, to: str, hosts: Sequence[RunningHost]) -> e.TableSent:
    """Have a table go to that host when its round is over."""
    order.need_clear()
    named = next((one for one in hosts if one.name == to), None)
    if named is None:
        raise RefusedError("no_such_host", f"There is no table host {to}; look at the list of machines.", host=to)
    at = next((one for one in hosts if one.there and table in one.runs), None)
    if at is None:
        sentence = "No host runs this table now: whoever may run it takes it over by itself."
        raise RefusedError("nobody_has_it", sentence)
    if at.name == to:
        raise RefusedError("there_already", f"The host {to} runs this table already.", host=to)
    if not named.there:
        raise RefusedError("target_gone", f"The host {to} is gone: start it first, or choose another.", host=to)
    if to in moves.drained:
        raise RefusedError("target_drained", f"The host {to} is drained: take it back into use first.", host=to)
    if table not in named.may:
        sentence = (
            f"The host {to} cannot run this table: its devices are on a cable of another machine, or not known there."
        )
        raise RefusedError("cannot_run_there", sentence, host=to)
    return e.TableSent(
        table=table, to=to, by=order.actor.id, by_name=order.actor.name, reason_code=order.reason_code,
        words=order.words.strip(), at_ms=order.at_ms,
    )  # fmt: skip


def keep_table(moves: Moves, order: MoveOrder, table: str) -> e.TableKept:
    """Take back that a table was sent; one that has gone already is sent back as it came."""
    need_right(order.actor, RIGHT)
    if table not in moves.sent:
        raise RefusedError("not_sent", "This table is not on its way to another host; it may have arrived already.")
    return e.TableKept(table=table, by=order.actor.id, by_name=order.actor.name, at_ms=order.at_ms)
