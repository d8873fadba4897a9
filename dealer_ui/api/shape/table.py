"""What the interface answers of tables, as types; `seat` has seats and hands, `bet` and `account` the rest."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from dealer_ui.api.shape.field import (
    Amount,
    AtMs,
    BetKey,
    Card,
    CurrencyCode,
    GameKey,
    InLanguages,
    NowMs,
    Outcome,
    RoundId,
    Seq,
    TableKey,
    one_of,
)  # fmt: skip
from dealer_ui.api.shape.road import RoadsShown

SeatKey = Annotated[str, Field(description="The key of the seat.", examples=["seat3"])]
BoxKey = Annotated[str, Field(description="The key of the box.", examples=["player1"])]

CardState = Annotated[
    str,
    one_of("empty", "awaited", "shoe", "confirmed", "unsure", "contradiction", "unread", "sealed", "sealed_owed"),
]


# --- a table ------------------------------------------------------------------------------------------------


class Window(TypedDict):
    """The time in which bets are taken."""

    open: bool
    """A bet that comes now is looked at. A held table takes none, though its window may still run."""
    closes_at_ms: AtMs | None


class ReadyCount(TypedDict):
    """Of so many bettors who have bet so far, so many have said that they bet no more."""

    ready: Annotated[int, Field(examples=[1])]
    bettors: Annotated[int, Field(examples=[3])]


class DecisionOpen(TypedDict):
    """What may be chosen now, by every bettor or by the one of a box."""

    options: Annotated[list[str], Field(examples=[["play", "fold"]])]
    box: Annotated[str | None, Field(examples=[None])]
    """The box, row of a split box or seat whose turn it is; null where every bettor decides for himself."""
    closes_at_ms: AtMs | None


class TableLine(TypedDict):
    """A table in short."""

    table: TableKey
    title: Annotated[str, Field(examples=["Table 1"])]
    game: GameKey
    currency: CurrencyCode
    status: Annotated[str, Field(examples=["open"])]
    phase: Annotated[str, Field(examples=["betting"])]
    held: bool
    """Nothing may happen at it until people have ruled."""
    window: Window
    ready: ReadyCount | None
    """Null where nobody is asked for it now."""
    decision: DecisionOpen | None
    """Null while nothing may be chosen."""


class Tables(TypedDict):
    """All tables, in short."""

    tables: list[TableLine]
    now_ms: NowMs


class RoundNow(TypedDict):
    """The round that is played, or was played last."""

    id: RoundId
    number: Annotated[int, Field(examples=[17])]
    stage: Annotated[str, Field(examples=["dealing"])]
    attempt: Annotated[int, Field(examples=[1])]
    """The second where the cards were dealt anew; the bets stand."""


class CardPlace(TypedDict):
    """One place on the felt."""

    place: Annotated[int, Field(examples=[1])]
    state: CardState
    card: Card | None
    """Only of a card that lies open."""


class Box(TypedDict):
    """A box and its cards."""

    key: BoxKey
    won: Annotated[str, Field(examples=[""])]
    cards: list[CardPlace]


class BetDecided(TypedDict):
    """A bet that was settled before the end of the round."""

    bet: BetKey
    returns: Annotated[str, Field(examples=["2"])]
    """What a stake of 1 came back as."""


class BetOffered(TypedDict):
    """A bet of the game, and its limits for one bettor in one round."""

    bet: BetKey
    least: Amount | None
    most: Amount | None
    needs: Annotated[str | None, Field(examples=[None])]
    """The bet it stands only beside."""
    placed_by: Literal["bettor", "decision", "house"]


class BetLimits(TypedDict):
    """The limits of a bet."""

    bet: BetKey
    least: Amount
    most: Amount


class OtherCurrency(TypedDict):
    """A currency that bettors may bring beside the table's own, with the limits as they are in it."""

    currency: CurrencyCode
    bets: list[BetLimits]


class RatesOfDay(TypedDict):
    """What one unit of each currency was worth in one and the same currency."""

    date: Annotated[str, Field(examples=["2026-01-31"])]
    worth: Annotated[dict[str, str], Field(examples=[{"EUR": "1", "JPY": "0.0061"}])]


class Pot(TypedDict):
    """What lies in the pot that a bet of this table feeds."""

    pot: Annotated[str, Field(examples=["main"])]
    currency: CurrencyCode
    amount: Amount


class SeatShown(TypedDict):
    """A seat as everybody at the table sees it."""

    seat: SeatKey
    taken: bool
    stack: Amount
    front: Amount
    """What lies before it in this betting round."""
    marks: Annotated[list[str], Field(examples=[["button"]])]


class TablePot(TypedDict):
    """One pot of the hand, the main one first."""

    amount: Amount
    seats: list[SeatKey]
    """Those that can win it."""
    rake: Amount


class Rake(TypedDict):
    """What the house takes."""

    percent: Annotated[str, Field(examples=["5"])]
    """Of each pot."""
    cap: Amount
    """A hand's most."""


class Room(TypedDict):
    """The seats of a poker table, and their hand. Who sits where is not in it."""

    stakes: Annotated[dict[str, int], Field(examples=[{"small_blind": 100, "big_blind": 200}])]
    rake: Rake
    street: Annotated[str, Field(examples=["flop"])]
    in_play: Amount
    """All chips of the hand that are in no stack."""
    seats: list[SeatShown]
    pots: list[TablePot]


class LastHandShown(TypedDict):
    """One of the last ten hands of KKClash; the newest is number 10."""

    number: Annotated[int, Field(examples=[10])]
    winner: Annotated[str, Field(examples=["king"])]
    name: Annotated[str, Field(examples=["King high"])]
    ranks_in: Annotated[str, Field(examples=["high_card"])]
    king_mark: bool


class CircleShown(TypedDict):
    """A won round on the big road."""

    column: Annotated[int, Field(examples=[0])]
    row: Annotated[int, Field(examples=[0])]
    winner: Annotated[str, Field(examples=["king"])]
    draws: Annotated[int, Field(examples=[2])]
    """Those that followed it."""


class BigRoadShown(TypedDict):
    """The big road of the last 240 rounds."""

    rows: Annotated[int, Field(examples=[6])]
    draws_first: Annotated[int, Field(examples=[0])]
    circles: list[CircleShown]


class Past(TypedDict):
    """What the screens of KKClash draw of past rounds."""

    last_hands: list[LastHandShown]
    big_road: BigRoadShown
    missed: Annotated[dict[str, int], Field(examples=[{"pocket_kings": 41}])]
    """How many rounds running a bet was not won, from ten on."""


class Message(TypedDict):
    """What the bettors are told: show it."""

    id: Annotated[str | None, Field(examples=["m-1"])]
    """Null of what is told by itself."""
    key: Annotated[str | None, Field(examples=["told.paused_bets"])]
    text: InLanguages | None
    because: Annotated[str | None, Field(examples=["device"])]
    """The class of the reason."""
    reason: InLanguages | None
    words: Annotated[str | None, Field(examples=[None])]
    """The pit's own: plain text."""


class TableState(TableLine):
    """A table as the public sees it."""

    round: RoundNow | None
    boxes: list[Box]
    outcome: Outcome | None
    """Once the result is declared."""
    decided: list[BetDecided]
    bets: list[BetOffered]
    currencies: list[OtherCurrency]
    rates: RatesOfDay | None
    pot: Pot | None
    room: Room | None
    """Of a poker table."""
    past: Past | None
    """Of a KKClash table."""
    roads: RoadsShown | None
    """Of a table where two sides play out a round."""
    messages: list[Message]


class Stamp(TypedDict):
    """What is told when nothing else was for a while."""

    seq: Seq
    now_ms: NowMs


class TableTold(TableState):
    """A table as the public sees it, and when."""

    seq: Seq
    now_ms: NowMs


class Result(TypedDict):
    """A finished round."""

    round: RoundId
    number: Annotated[int, Field(examples=[17])]
    at_ms: AtMs
    voided: bool
    outcome: Outcome | None
    corrected: bool
    before: Outcome | None
    """The outcome that was told first, of a round that was corrected."""


class Results(TypedDict):
    """The last results at hand, newest first."""

    table: TableKey
    results: list[Result]
