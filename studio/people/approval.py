"""The only place for acts that take two people: one asks, another one with pit rights approves, both are kept."""

from __future__ import annotations

import msgspec

from studio.errors import RefusedError
from studio.people.actor import Actor, need_fresh_pin

REQUEST_VALID_MS = 60_000


class TwoPersonRequest(msgspec.Struct, frozen=True):
    """Somebody asks for one act, named so exactly that nothing else can be done under its approval."""

    id: str
    act: str
    asked_by: str
    at_ms: int


class TwoPeople(msgspec.Struct, frozen=True, kw_only=True):
    """An approved request: what was asked, by whom, and who the other person was. Good for that act, once."""

    request: str
    act: str
    asked_by: str
    approved_by: str
    at_ms: int


def check_first_person(asker: Actor, *, pit_bosses_on_floor: int, is_dealer_of_table: bool) -> None:
    """Refuse unless this person may ask: a pit boss, or the table's dealer when one pit boss alone is on the floor."""
    if asker.may("approve_two_people"):
        return
    if not asker.may("ask_two_people") or not is_dealer_of_table:
        raise RefusedError("not_allowed", f"{asker.name} may not ask for this. Call the pit.")
    if pit_bosses_on_floor > 1:
        raise RefusedError("pit_asks", "There is more than one pit boss on the floor: one of them asks for this.")


def check_second_person(request: TwoPersonRequest, approver: Actor, now_ms: int, *, act: str) -> TwoPeople:
    """Refuse unless `approver` may approve `act` under this request now; gives the record of both people."""
    if approver.id == request.asked_by:
        raise RefusedError("same_person", "Another person has to approve this; nobody approves his own request.")
    if not approver.may("approve_two_people"):
        raise RefusedError("not_allowed", f"{approver.name} cannot approve this. Call a pit boss.")
    if act != request.act:
        raise RefusedError("other_act", "The approval was asked for something else. Ask for it again.")
    if not 0 <= now_ms - request.at_ms < REQUEST_VALID_MS:
        raise RefusedError("request_expired", "The request is older than 60 seconds. Ask for it again.")
    need_fresh_pin(approver, now_ms)
    return TwoPeople(request=request.id, act=act, asked_by=request.asked_by, approved_by=approver.id, at_ms=now_ms)
