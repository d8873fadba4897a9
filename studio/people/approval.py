"""Who the two people of an act may be: one asks, another one with pit rights approves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from studio.errors import RefusedError
from studio.people.actor import Actor, need_fresh_pin, need_right

REQUEST_VALID_MS: Final = 60_000
"""A request waits so long for its second person; an approval is good for that one act."""


def check_first_person(asker: Actor, *, pit_bosses_on_floor: int, is_dealer_of_table: bool) -> None:
    """Refuse unless this person may ask: a pit boss, or the table's dealer when one pit boss alone is on the floor."""
    if asker.may("approve_two_people"):
        return
    if not asker.may("ask_two_people") or not is_dealer_of_table:
        raise RefusedError("not_allowed", f"{asker.name} may not ask for this. Call the pit.")
    if pit_bosses_on_floor > 1:
        raise RefusedError("pit_asks", "There is more than one pit boss on the floor: one of them asks for this.")


def check_second_person(asked_by: str, approver: Actor, now_ms: int, *, rights: Iterable[str]) -> None:
    """Refuse unless this is another person, PIN just entered, who may approve and do the act, for its `rights`."""
    if approver.id == asked_by:
        raise RefusedError("same_person", "You asked for this yourself; another person must approve it.")
    for right in ("approve_two_people", *rights):
        need_right(approver, right)
    need_fresh_pin(approver, now_ms)
