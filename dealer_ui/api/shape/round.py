"""What the interface answers of rounds that came to an end, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.field import (
    Amount,
    AtMs,
    BetId,
    BetKey,
    Bettor,
    Card,
    ClientId,
    CurrencyCode,
    GameKey,
    InLanguages,
    NowMs,
    Outcome,
    RoundId,
    TableKey,
    one_of,
)  # fmt: skip


class RoundSum(TypedDict):
    """All that your bettors had in the round in one currency."""

    currency: CurrencyCode
    bets: Annotated[int, Field(examples=[2])]
    stake: Amount
    free_stake: Amount
    """What of the stake was free bets; of these `returns` has the win alone."""
    returns: Amount


class RoundBet(TypedDict):
    """A bet of the round, as it stood then."""

    client_id: ClientId
    bet_id: BetId
    bettor: Bettor
    bet: BetKey
    stake: Amount
    currency: CurrencyCode
    status: Annotated[str, one_of("posted", "voided")]
    returns: Amount
    free_bet: Annotated[str | None, Field(examples=[None])]
    """The grant of free bets whose stake this is."""


class VoidReason(TypedDict):
    """Why a round is void."""

    row: Annotated[str | None, Field(examples=["TK6"])]
    """The row of the procedures, where one voided it."""
    because: Annotated[str | None, Field(examples=["cards"])]
    """The class of the reason."""
    reason: InLanguages | None


class RoundCard(TypedDict):
    """A card of the round, and which eye read it."""

    box: Annotated[str, Field(examples=["player1"])]
    place: Annotated[int, Field(examples=[1])]
    state: Annotated[str, one_of("open", "sealed")]
    card: Card | None
    """Null of a card that was never turned."""
    read_by: Annotated[str | None, Field(examples=["shoe"])]
    confirmed_by: Annotated[str | None, Field(examples=["camera"])]


class EndedRound(TypedDict):
    """A round as it stood when it came to this end; a correction is one more end, with the next generation."""

    id: Annotated[str, Field(examples=["t1-0000017:1"])]
    """The round and its generation: the same end has the same id for ever."""
    cursor: Annotated[int, Field(examples=[4711])]
    round: RoundId
    generation: Annotated[int, Field(examples=[1])]
    table: TableKey
    game: GameKey
    rules_version: Annotated[int, Field(examples=[1])]
    number: Annotated[int, Field(examples=[17])]
    attempt: Annotated[int, Field(examples=[1])]
    began_at_ms: AtMs
    ended_at_ms: AtMs
    status: Annotated[str, one_of("settled", "voided")]
    void: VoidReason | None
    cards: list[RoundCard]
    outcome: Outcome | None
    seats: Annotated[dict[str, str] | None, Field(examples=[None])]
    """Of a hand of the poker room, where your bettors sat."""
    sums: list[RoundSum]
    bets: list[RoundBet]
    more_bets: Annotated[str | None, Field(examples=[None])]
    """The address of the bets that are not told here."""
    record: Annotated[str, Field(examples=["/api/v1/rounds/t1-0000017?generation=1"])]
    """The address at which this is read again."""


class RoundsFeed(TypedDict):
    """Rounds that came to an end, the oldest first."""

    rounds: list[EndedRound]
    next: Annotated[int, Field(examples=[4711])]
    """Ask on with it as `after`."""
    more: bool
    """There are more at once."""
    now_ms: NowMs


class RoundBets(TypedDict):
    """Bets of a round that has very many of them."""

    round: RoundId
    bets: list[RoundBet]
    next: Annotated[int | None, Field(examples=[None])]
    """Ask on with it as `after`; null on the last page."""
