"""What the interface answers to bets and decisions, and to whatever it refuses, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.field import (
    Amount,
    BetId,
    BetKey,
    Bettor,
    ClientId,
    CurrencyCode,
    RoundId,
    Sentence,
    TableKey,
    one_of,
)  # fmt: skip


class Wrong(TypedDict):
    """Why there is no other answer."""

    key: Annotated[str, Field(examples=["unknown_table"])]
    """Stable: for programs."""
    sentence: Sentence


class WrongTold(TypedDict):
    """Every answer that is none of 2xx."""

    error: Wrong


# --- bets -------------------------------------------------------------------------------------------------


class Answered(TypedDict):
    """What came of one bet, decision or request of a batch."""

    client_id: ClientId
    status: Annotated[str, one_of("accepted", "duplicate", "refused")]
    """`duplicate`: it was accepted before, and nothing moved again."""
    bet_id: BetId | None
    """Null where it was refused, or stakes nothing."""
    reason: Annotated[str | None, Field(examples=[None])]
    """A stable key of why it was refused."""
    sentence: Annotated[str | None, Field(examples=[None])]
    """The same for people."""


class Beside(TypedDict):
    """A bet that the house placed beside another, with the same stake."""

    client_id: Annotated[str, Field(examples=["n-1001/blind"])]
    bet_id: BetId
    bet: BetKey
    stake: Amount


class BetAnswered(Answered, total=False):
    """What came of one bet."""

    beside: list[Beside]
    """The bets that the house placed beside it; left out where it places none."""


class BetsAnswered(TypedDict):
    """One answer a bet, in the order sent."""

    round: RoundId | None
    """The round that newly accepted bets are in."""
    answers: list[BetAnswered]


class DecisionsAnswered(TypedDict):
    """One answer a decision, in the order sent."""

    round: RoundId | None
    answers: list[Answered]


class Bet(TypedDict):
    """Where a bet stands."""

    client_id: ClientId
    bet_id: BetId
    bettor: Bettor
    table: TableKey
    round: RoundId
    bet: BetKey
    stake: Amount
    currency: CurrencyCode
    status: Annotated[str, one_of("pending", "posted", "voided")]
    """`posted`: settled; `voided`: the stake came back."""
    returns: Amount | None
    """What the bettor got back, the stake included unless it was free; null while it is pending."""
    free_bet: Annotated[str | None, Field(examples=[None])]
    """The grant of free bets whose stake this is; null where the stake is the bettor's own."""


class BetsOfBettor(TypedDict):
    """His latest bets, newest first."""

    bettor: Bettor
    bets: list[Bet]


class ReadyTold(TypedDict):
    """Of those with a bet in this round, how many have said that they bet no more."""

    round: RoundId
    bettor: Bettor
    ready: Annotated[int, Field(examples=[1])]
    bettors: Annotated[int, Field(examples=[3])]
    closed: bool
    """All have, and the window is over."""
