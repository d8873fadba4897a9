"""What can have happened to the seats of a poker table. Amounts are minor units."""

from __future__ import annotations

import msgspec


class RoomEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class SeatTaken(RoomEvent, frozen=True, kw_only=True, tag=True):
    """`client_id` is the operator's own for the buy-in of `stack_minor`. `waits`: for the big blind to come round."""

    seat: str
    operator: str
    bettor: str
    stack_minor: int
    client_id: str
    waits: bool = False


class ChipsBought(RoomEvent, frozen=True, kw_only=True, tag=True):
    seat: str
    amount_minor: int
    client_id: str


class LeaveAsked(RoomEvent, frozen=True, kw_only=True, tag=True):
    """Who sits there is paid out when the hand is over; his turns are over at once until then.

    Here and below `client_id` is the operator's own for the request; empty where nobody's bettor asked.
    """

    seat: str
    client_id: str = ""


class SeatLeft(RoomEvent, frozen=True, kw_only=True, tag=True):
    """The seat is free; `stack_minor` went back to its bettor, who asked for it or missed that many hands in a row."""

    seat: str
    stack_minor: int
    client_id: str = ""
    missed: int = 0


class SeatAway(RoomEvent, frozen=True, kw_only=True, tag=True):
    """No cards for this seat until it is back. `why`: asked, or idle."""

    seat: str
    why: str = "asked"
    client_id: str = ""


class SeatBack(RoomEvent, frozen=True, kw_only=True, tag=True):
    """`posts`: pays a big blind instead of waiting for it."""

    seat: str
    posts: bool = False
    client_id: str = ""


class TimeBankOpened(RoomEvent, frozen=True, kw_only=True, tag=True):
    """The time of a turn is over and the seat's own bank runs, until then at most."""

    seat: str
    closes_at_ms: int


class HandSeen(RoomEvent, frozen=True, kw_only=True, tag=True):
    """The bettor of this seat looks at his cards for the first time in this hand; no other seat sees them."""

    seat: str


AnyRoomEvent = SeatTaken | ChipsBought | LeaveAsked | SeatLeft | SeatAway | SeatBack | TimeBankOpened | HandSeen
