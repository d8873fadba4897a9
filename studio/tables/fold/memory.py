"""What a poker table keeps in mind of its bettors: the last thing each asked for, and left with."""

from __future__ import annotations

from typing import Final

from studio.tables.event import table as e
from studio.tables.state.room import ASKED_KEPT, RETURNS_KEPT, Left, Room, SeatRequest
from studio.value import replace

_ACTS: Final = {e.ChipsBought: "buy", e.LeaveAsked: "leave", e.SeatLeft: "leave", e.SeatAway: "away"}


def remember(room: Room, before: Room, event: e.AnyEvent, at_ms: int) -> Room:
    """The room after the event, with the request behind it; `before` is where who left still sat."""
    if (asked := _asked(before, event)) is not None:
        room = replace(room, asked=(*room.asked, asked)[-ASKED_KEPT:])
    if isinstance(event, e.SeatLeft) and (player := before.players.get(event.seat)) is not None:
        others = [one for one in room.left if (one.operator, one.bettor) != (player.operator, player.bettor)]
        left = Left(player.operator, player.bettor, event.stack_minor, at_ms)
        room = replace(room, left=(*others, left)[-RETURNS_KEPT:])
    return room


def _asked(before: Room, event: e.AnyEvent) -> SeatRequest | None:
    """The request that this event answers, as far as the act has use for it; None where nobody asked."""
    match event:
        case e.SeatTaken(operator=operator, bettor=bettor, client_id=id, seat=seat, stack_minor=amount):
            return SeatRequest("sit", operator, bettor, id, seat, amount)
        case e.ChipsBought() | e.LeaveAsked() | e.SeatLeft() | e.SeatAway():
            act = _ACTS[type(event)]
        case e.SeatBack(posts=posts):
            act = "post" if posts else "back"
        case _:
            return None
    player = before.players.get(event.seat)
    if player is None or not event.client_id:
        return None
    amount_minor = event.amount_minor if isinstance(event, e.ChipsBought) else 0
    return SeatRequest(act, player.operator, player.bettor, event.client_id, amount_minor=amount_minor)
