"""The only place where the whole floor is frozen by one tap, and released by one act when nothing else holds it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from dealer_ui.house import House
from studio.errors import RefusedError
from studio.people import Actor, need_fresh_pin, need_right
from studio.pit import pit_event as e
from studio.tables import command as c

AT_ONCE: Final = 32
"""So many tables are asked together: one that does not answer keeps no other waiting."""


def freeze_floor(house: House, actor: Actor, id: str = "") -> int:
    """Freeze every table that is not closed; each table keeps its own event, and the act is kept once more as one."""
    need_right(actor, "freeze_floor")
    tables = [table for table in house.tables if house.view(table).status != "closed"]
    if not tables:
        raise RefusedError("nothing_to_freeze", "Every table is closed: there is nothing to freeze.")
    desk = house.pit
    seq = desk.once(actor, id, lambda: (
        e.FloorFrozen(
            id=f"F-{desk.book.freezes + 1}", tables=tuple(tables), by=actor.id, by_name=actor.name, at_ms=desk.now_ms()
        ),
    ))  # fmt: skip
    stayed = _each(tables, lambda table: house.command(table, c.FreezeTable(actor=actor, id=_id(id, table))))
    if stayed:
        names = ", ".join(house.view(table).title for table in stayed)
        raise RefusedError("some_not_frozen", f"These tables did not answer, stop them by hand: {names}.")
    return max(seq, desk.seq)


def release_floor(house: House, actor: Actor, reason: tuple[str, str], id: str = "") -> int:
    """Release what the freeze of the floor froze, with `reason`: its key and words; all of it, or nothing."""
    need_right(actor, "release")
    need_fresh_pin(actor, house.now_ms())
    code, words = reason
    if not code or not words.strip():
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.")
    desk = house.pit
    freeze = desk.book.freeze
    if freeze is None:
        raise RefusedError("floor_not_frozen", "The floor is not frozen as a whole.")
    frozen = [table for table in freeze.tables if table in house.tables and house.view(table).frozen_by]
    if held := [house.view(table).title for table in frozen if _holds(house, table)]:
        sentence = f"Something else still holds {', '.join(held)}: rule on it first, or release the tables one by one."
        raise RefusedError("floor_held", sentence)
    release = c.ReleaseTable(actor=actor, reason_code=code, words=words)
    stayed = _each(frozen, lambda table: house.command(table, _with_id(release, _id(id, table))))
    if stayed:
        names = ", ".join(house.view(table).title for table in stayed)
        raise RefusedError("some_not_released", f"These tables did not answer, release them one by one: {names}.")
    return desk.once(actor, id, lambda: (
        e.FloorReleased(
            id=freeze.id, tables=tuple(frozen), by=actor.id, by_name=actor.name, reason_code=code, words=words.strip(),
            at_ms=desk.now_ms(),
        ),
    ))  # fmt: skip


def _holds(house: House, table: str) -> bool:
    return any(incident.holds for incident in house.view(table).incidents)


def _each(tables: Sequence[str], act: Callable[[str], object]) -> list[str]:
    """Do it at every table at once; gives the tables that refused."""

    def tried(table: str) -> bool:
        try:
            act(table)
        except RefusedError:
            return False
        return True

    if not tables:
        return []
    with ThreadPoolExecutor(min(AT_ONCE, len(tables))) as together:
        return [table for table, done in zip(tables, together.map(tried, tables), strict=True) if not done]


def _with_id(command: c.ReleaseTable, id: str) -> c.ReleaseTable:
    return c.ReleaseTable(actor=command.actor, id=id, reason_code=command.reason_code, words=command.words)


def _id(id: str, table: str) -> str:
    """One tap's id at one table."""
    return hashlib.sha256(f"{id}/{table}".encode()).hexdigest()[:32] if id else ""
