"""Breaks: who may begin and end one, and how long somebody has dealt without one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from studio.errors import RefusedError
from studio.people.actor import Actor
from studio.people.paper_event import BreakBegun, BreakEnded
from studio.people.staff import Staff

BREAK_MS_MIN: Final = 15 * 60_000
"""So long away from every table is a break, recorded or not."""


@dataclass(frozen=True, slots=True)
class Spell:
    """How somebody deals. `since_ms`: dealing without a break since then; `left_ms`: when he left his last table."""

    table: str = ""
    at_table_ms: int = 0
    since_ms: int = 0
    left_ms: int = 0

    def begun(self, table: str, at_ms: int) -> Spell:
        """He takes a table; the time goes on where he was not away long enough."""
        rested = not self.since_ms or (not self.table and at_ms - self.left_ms >= BREAK_MS_MIN)
        return Spell(table, at_ms, at_ms if rested else self.since_ms)

    def ended(self, at_ms: int) -> Spell:
        return replace(self, table="", at_table_ms=0, left_ms=at_ms)

    def rested(self, at_ms: int) -> Spell:
        """A recorded break is over: whoever is at a table counts anew, whoever is not counts from his next."""
        return replace(self, since_ms=at_ms if self.table else 0)

    def dealt_ms(self, now_ms: int) -> int:
        """How long he has dealt without a break, 0 away from the tables."""
        return now_ms - self.since_ms if self.table and self.since_ms else 0


def begin_break(person: Staff, at_table: str, *, by: Actor, now_ms: int) -> BreakBegun:
    """He goes on his break: by himself, or told by a pit boss; not from a table that waits for him."""
    _own_or_pit(person, by)
    if person.on_break_ms:
        raise RefusedError("on_break_already", f"{person.name} is on a break already.")
    if at_table:
        raise RefusedError("break_at_table", f"{person.name} deals at a table: let somebody take it over first.")
    return BreakBegun(at_ms=now_ms, id=person.id, by=by.id)


def end_break(person: Staff, *, by: Actor, now_ms: int) -> BreakEnded:
    _own_or_pit(person, by)
    if not person.on_break_ms:
        raise RefusedError("not_on_break", f"{person.name} is not on a break.")
    return BreakEnded(at_ms=now_ms, id=person.id, by=by.id)


def _own_or_pit(person: Staff, by: Actor) -> None:
    if not by.may("keep_break") or (by.id != person.id and not by.may("plan_rotation")):
        raise RefusedError("not_your_break", "Only the dealer himself or a pit boss may do this.")
