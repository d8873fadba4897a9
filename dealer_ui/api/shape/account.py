"""What the interface answers of purses, limits, records, complaints and bettors' pages, as types."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.bet import Bet
from dealer_ui.api.shape.field import (
    Amount,
    AtMs,
    Bettor,
    Card,
    ClientId,
    CurrencyCode,
    GameKey,
    NowMs,
    Outcome,
    RoundId,
    RoundStatus,
    TableKey,
    one_of,
)  # fmt: skip

# --- purses -----------------------------------------------------------------------------------------------


class Purse(TypedDict):
    """What a bettor has in the studio."""

    bettor: Bettor
    balance: Amount
    currency: CurrencyCode
    owed: Annotated[int, Field(examples=[0])]
    """What he owes since a correction: taken from his next deposit."""


class Moved(Purse):
    """A deposit or a withdrawal that was made, and what lies in the purse now."""

    client_id: ClientId
    status: Annotated[str, one_of("accepted", "duplicate")]


class CreditUsed(TypedDict):
    """What lies in all of your bettors' purses."""

    held: Amount
    """All together, in the studio's currency."""
    most: Amount
    purses: dict[str, int]
    """By currency."""


class BetsUsed(TypedDict):
    """Your bettors' bets in this round of the table."""

    placed: Annotated[int, Field(examples=[12])]
    most: Annotated[int | None, Field(examples=[200_000])]


class ExposureUsed(TypedDict):
    """What your bettors could win at most on this round, raises that they may still make included."""

    now: Amount
    most: Amount | None


class TableLimits(TypedDict):
    """What was agreed with you at one table, in its currency."""

    table: TableKey
    currency: CurrencyCode
    round: RoundId | None
    bets: BetsUsed
    exposure: ExposureUsed
    table_exposure_most: Amount | None
    """What the house may lose on one round of this table to everybody."""


class Limits(TypedDict):
    """What was agreed with you, and how much of it is used; null is no limit."""

    currency: CurrencyCode
    """The studio's own: that of the deposits and the credit."""
    deposit_most: Amount
    credit: CreditUsed
    tables: list[TableLimits]


# --- the game record ----------------------------------------------------------------------------------------


class RoundLine(TypedDict):
    """A round in short, as one bettor had it."""

    round: RoundId
    table: TableKey
    game: GameKey
    number: Annotated[int, Field(examples=[17])]
    """The number of the round at its table."""
    at_ms: AtMs
    """When the round came to what it is."""
    status: RoundStatus
    voided: bool
    void_row: Annotated[str | None, Field(examples=[None])]
    """The row of the procedures that voided it."""
    corrected: Annotated[int, Field(examples=[0])]
    """The corrections after its settlement."""
    first_result: Outcome | None
    """What was told first, of a round that was corrected."""
    currency: CurrencyCode
    stake: Amount
    free_stake: Amount
    """What of the stake was free bets; of these `returns` has the win alone."""
    returns: Amount
    fee: Annotated[int | None, Field(examples=[None])]
    """What a rakeback is counted from; null in a game that has no such fee."""
    result: Outcome | None
    """How each hand stands, or who won and with what; null before it is told and of a void round."""


class Record(TypedDict):
    """The rounds he bet on, newest first."""

    bettor: Bettor
    rounds: list[RoundLine]
    older: Annotated[int | None, Field(examples=[4711])]
    """Where the next page begins: ask with it as `before`. Null on the last page."""


class Decided(TypedDict):
    """A choice of his."""

    option: Annotated[str, Field(examples=["play"])]
    by_default: bool
    """He let the time pass, and the game chose for him."""


class RoundDetails(RoundLine):
    """A round in full, as one bettor had it."""

    bettor: Bettor
    outcome: Outcome | None
    cards: dict[str, list[Card]]
    """By box what lay face up; a face-down card not before it was turned."""
    decisions: list[Decided]
    bets: list[Bet]


class RakebackTold(TypedDict):
    """The fee of the rounds he first bet on in a span of time, its end left out."""

    bettor: Bettor
    from_ms: AtMs
    to_ms: AtMs
    rounds: Annotated[int, Field(examples=[214])]
    open_rounds: Annotated[int, Field(examples=[1])]
    """Not settled yet: they may still be added."""
    stake: Amount
    fee: Amount


# --- complaints and pages ---------------------------------------------------------------------------------------


class ComplaintAnswer(TypedDict):
    """What the pit answered."""

    outcome: Annotated[str, one_of("upheld", "declined", "corrected")]
    words: Annotated[str, Field(examples=["The window closed at the time it was told."])]
    at_ms: AtMs
    correction: Annotated[int | None, Field(examples=[None])]
    """The journal's number of what put the round right."""


class ComplaintTold(TypedDict):
    """A complaint as it is kept."""

    client_id: ClientId
    complaint: Annotated[str, Field(examples=["C-3"])]
    """The studio's id of it."""
    bettor: Bettor
    table: TableKey
    round: RoundId
    words: Annotated[str, Field(examples=["The window closed while the clock still showed two seconds."])]
    at_ms: AtMs
    status: Annotated[str, one_of("open", "answered")]
    answer: ComplaintAnswer | None


class ComplaintKept(ComplaintTold):
    """A complaint that is kept now, or was before."""

    duplicate: bool


class Complaints(TypedDict):
    """All of a bettor's, newest first."""

    bettor: Bettor
    complaints: list[ComplaintTold]


class PageOpened(TypedDict):
    """A page for one bettor at one table."""

    bettor: Bettor
    table: TableKey
    page: Annotated[str, Field(examples=["/play/8fJ2k…"])]
    """An address of the studio. Whoever has it looks on as that bettor."""
    plays: bool
    """Whether he bets and decides there."""
    expires_at_ms: AtMs
    now_ms: NowMs


class PagesClosed(TypedDict):
    """All pages of a bettor are ended."""

    bettor: Bettor
    closed: Annotated[int, Field(examples=[1])]
    """So many there were."""
