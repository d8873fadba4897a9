"""What the interface answers of seats of the poker room and of hands that were played there, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.bet import Answered
from dealer_ui.api.shape.field import Amount, AtMs, Bettor, Card, NowMs, Outcome, RoundId, RoundStatus, Seq, TableKey
from dealer_ui.api.shape.table import SeatKey

# --- seats --------------------------------------------------------------------------------------------------


class SeatTurn(TypedDict):
    """What a seat may do now."""

    options: Annotated[list[str], Field(examples=[["fold", "call", "raise"]])]
    default: Annotated[str, Field(examples=["fold"])]
    owed: Amount
    """What a call puts in."""
    front: Amount
    to: Annotated[list[int] | None, Field(examples=[[800, 9_700]])]
    """From and to what a bet or a raise may lie in front."""
    closes_at_ms: AtMs | None
    bank: bool
    """Its time bank runs."""


class PlacingTurn(SeatTurn, total=False):
    """What a seat may do now; the last three only in Open-Face Chinese."""

    cards: Annotated[int, Field(examples=[3])]
    """So many the street has."""
    give_up: Annotated[int, Field(examples=[1])]
    """So many of them go to the muck."""
    room: Annotated[dict[str, int], Field(examples=[{"top": 3, "middle": 5, "back": 5}])]
    """So many cards each row still takes."""


_ChipsIn = TypedDict(
    "_ChipsIn", {"in": Annotated[int, Field(description="What it put into this hand.", examples=[500])]}
)


class Seat(_ChipsIn):
    """What a seat may know of itself. Its `cards` are for this bettor alone."""

    seat: SeatKey
    round: RoundId | None
    stack: Amount
    dealt_in: bool
    away: bool
    waits: bool
    """For the big blind, or until it posts one."""
    posts: bool
    leaving: bool
    bank_ms: Annotated[int, Field(examples=[30_000])]
    """What is left of its time bank."""
    cards: Annotated[list[str], Field(examples=[["As", "Td"]])]
    hidden: Annotated[int, Field(examples=[0])]
    """So many cards are shown when it asks to look."""
    turn: PlacingTurn | None
    """Null while it may do nothing."""


class SeatTold(Seat):
    """What a seat may know of itself, and when."""

    seq: Seq
    now_ms: NowMs


class SeatAnswered(Answered):
    """What came of a request for a seat, and what the seat may know now."""

    own: Seat | None


# --- hands --------------------------------------------------------------------------------------------------


class HandLine(TypedDict):
    """A hand in short, as one player had it."""

    round: RoundId
    table: TableKey
    game: Annotated[str, Field(examples=["nlh"])]
    number: Annotated[int, Field(examples=[16])]
    at_ms: AtMs
    status: RoundStatus
    seat: SeatKey
    paid: Amount | None
    """Null until it is settled, and of a void one; so is `takes`."""
    takes: Amount | None


class Hands(TypedDict):
    """The hands he was dealt into, newest first."""

    bettor: Bettor
    hands: list[HandLine]
    older: Annotated[int | None, Field(examples=[None])]
    """Where the next page begins: ask with it as `before`. Null on the last page."""


class SeatInHand(TypedDict):
    """A seat of a hand that is over."""

    seat: SeatKey
    stack: Amount
    paid: Amount
    takes: Amount
    cards: list[Card] | None
    """His own, and those of seats that showed; of every other seat null for good."""


class HandAct(TypedDict, total=False):
    """What a seat did, or the board as it then lay."""

    board: list[Card] | None
    seat: SeatKey
    act: Annotated[str, Field(examples=["raise"])]
    to: Amount | None
    by_default: bool
    cards: list[Card] | None


class PotWon(TypedDict):
    """A pot, and who won what of it."""

    amount: Amount
    rake: Amount
    winners: Annotated[dict[str, int], Field(examples=[{"seat2": 1_700}])]


class HandTold(TypedDict):
    """A hand of the poker room with what this player may know of it."""

    button: SeatKey
    seats: list[SeatInHand]
    acts: list[HandAct]
    board: list[Card] | None
    pots: list[PotWon]
    rake: Amount


class OpenStreet(TypedDict):
    """What he was dealt on one street of Open-Face Chinese, and where he laid it."""

    cards: list[str]
    option: Annotated[str, Field(examples=["place"])]
    rows: Annotated[list[str], Field(examples=[["top", "muck", "bottom"]])]
    by_default: bool


class OpenFaceTold(TypedDict):
    """A hand of Open-Face Chinese with what this player may know of it."""

    streets: list[OpenStreet]
    outcome: Outcome


class HandDetails(HandLine):
    """A hand that is over, as one player may know it."""

    bettor: Bettor
    hand: HandTold | OpenFaceTold | None
    """Null where it is void."""
    phh: Annotated[str | None, Field(examples=['variant = "NT"\n'])]
    """The same in the PHH notation; it names your own bettors only. Null where it is void, and of Open-Face Chinese."""
