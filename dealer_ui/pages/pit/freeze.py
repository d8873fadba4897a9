"""Freezes the whole floor by one tap, and releases it by one act."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from dealer_ui.floor.house import House
from studio.errors import RefusedError
from studio.people import Actor, need_fresh_pin, need_reason, need_right
from studio.pit import pit_event as e
from studio.pit.book import FloorFreeze
from studio.tables import command as c

AT_ONCE: Final = 32
"""So many tables are asked together: one that does not answer keeps no other waiting."""


def freeze_floor(house: House, actor: Actor, id: str = "") -> int:
    """Freeze every table that is not closed; each table keeps its own event, and the act is kept once more as one."""
    need_right(actor, "freeze_floor")
    desk = house.pit
    seq = desk.once(actor, id, lambda: (_frozen(house, actor),))
    freeze = desk.book.freeze
    if freeze is None:
        return seq  # the same tap again, after the release

    def one(table: str) -> int:
        return house.command(table, c.FreezeTable(actor=actor, id=_id(id, table), floor=freeze.id))

    if stayed := _each(freeze.tables, one):
        raise RefusedError(
            "some_not_frozen", f"These tables did not answer, stop them by hand: {_titles(house, stayed)}."
        )
    return max(seq, desk.seq)


def _frozen(house: House, actor: Actor) -> e.FloorFrozen:
    """The event that freezes every open table that is not frozen yet. `RefusedError` when there is no such table."""
    views = [view for view in map(house.view, house.tables) if view.now.status != "closed"]
    if not views:
        raise RefusedError("nothing_to_freeze", "Every table is closed: there is nothing to freeze.")
    tables = tuple(view.table for view in views if not view.now.frozen_by)
    if not tables:
        raise RefusedError("frozen_already", "Every open table is frozen already: nothing is dealt anywhere.")
    desk = house.pit
    return e.FloorFrozen(
        id=f"F-{desk.book.freezes + 1}", tables=tables, by=actor.id, by_name=actor.name, at_ms=desk.now_ms()
    )


def release_floor(house: House, actor: Actor, reason: tuple[str, str], id: str = "", shown: str = "") -> int:
    """Release the tables that the freeze of the floor froze, for a `reason`: its key and words.

    A table that an incident holds too stays held until that incident is ruled on. A table that was frozen on its own
    stays frozen. `shown`: the freeze that whoever asks was shown; one that came after it was for a reason he may not
    know.
    """
    need_right(actor, "release")
    need_fresh_pin(actor, house.now_ms())
    code, words = reason
    need_reason(code, words)
    desk = house.pit
    freeze, frozen = desk.book.freeze, _frozen_with_the_floor(house)
    if freeze is None or not frozen:
        raise _not_frozen()
    _need_the_same(freeze, shown or freeze.id)

    def one(table: str) -> int:
        release = c.ReleaseTable(actor=actor, id=_id(id, table), reason_code=code, words=words, floor=freeze.id)
        return house.command(table, release)

    held = {table: house.view(table).now for table in _each(frozen, one)}
    if stayed := [table for table, now in held.items() if now.frozen_with]:
        raise RefusedError(
            "some_not_released", f"These tables did not answer, release them one by one: {_titles(house, stayed)}."
        )
    over = tuple(table for table in frozen if table not in held or not held[table].frozen_by)

    def released() -> tuple[e.FloorReleased, ...]:
        _need_the_same(desk.book.freeze, freeze.id)  # another pit boss may have done it at the same moment
        return (
            e.FloorReleased(
                id=freeze.id, tables=over, by=actor.id, by_name=actor.name, reason_code=code, words=words.strip(),
                at_ms=desk.now_ms(),
            ),
        )  # fmt: skip

    return desk.once(actor, id, released)


def _need_the_same(freeze: FloorFreeze | None, shown: str) -> None:
    """Refuse unless the freeze of that id is the one that stands."""
    if freeze is None:
        raise _not_frozen()
    if freeze.id != shown:
        raise RefusedError(
            "frozen_anew", f"{freeze.by_name} has frozen the floor anew since you looked: ask why, then release it.",
            name=freeze.by_name,
        )  # fmt: skip


def _not_frozen() -> RefusedError:
    return RefusedError("floor_not_frozen", "The floor is not frozen as a whole.")


def _frozen_with_the_floor(house: House) -> list[str]:
    return [table for table in house.tables if house.view(table).now.frozen_with]


def _titles(house: House, tables: Sequence[str]) -> str:
    return ", ".join(house.view(table).title for table in tables)


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


def _id(id: str, table: str) -> str:
    """One tap's id at one table."""
    return hashlib.sha256(f"{id}/{table}".encode()).hexdigest()[:32] if id else ""
