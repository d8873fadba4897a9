"""The shapes a screen is drawn from. Words are keys of the language catalogue, never sentences.

Everything here may be shown to the public unless the field says otherwise; a sealed card is `face=None`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.money import Rates
from studio.procedures.record import Records
from studio.spoken import Value
from studio.views.correction import CorrectionView
from studio.views.deck_shape import ChangeStep as ChangeStep
from studio.views.deck_shape import CountView as CountView
from studio.views.deck_shape import DeckView as DeckView
from studio.views.deck_shape import MachineView as MachineView
from studio.views.exposure import ExposureView as ExposureView
from studio.views.pot_shape import PotView as PotView
from studio.views.procedure_shape import FollowView as FollowView
from studio.views.procedure_shape import LayView as LayView
from studio.views.procedure_shape import ProcedureView as ProcedureView
from studio.views.procedure_shape import RowWords as RowWords
from studio.views.procedure_shape import StepView as StepView
from studio.views.room_shape import RoomView as RoomView
from studio.views.unsealing import SealedView
from studio.views.vouch import VouchView
from studio.views.words import Words as Words


@dataclass(frozen=True, slots=True)
class CardView:
    """One place on the felt.

    `state`: `empty` · `awaited` (the next card goes here) · `shoe` (read by the shoe, the camera owes its word;
    without a face while it waits for the held table to go on) · `confirmed` (both eyes) · `unsure` · `contradiction`
    · `unread` (the shoe could not read it) · `sealed` (face down, as it should be) · `sealed_owed` (face down, not yet
    seen by the camera).
    """

    place: int
    state: str
    face: str | None = None
    camera: str | None = None
    """What the camera says: `confirmed`, `unsure`, `down`, `none`, `hand`; never a face that is not due."""
    vouch: VouchView | None = None
    """People's word on it, where the two eyes did not settle it. Never for bettors."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """`title` is the catalogue key of the box; `ranks_as` the words of its hand once complete, `ranks_in` its class;
    `hand` what a whole row of Open-Face Chinese is.

    At Blackjack `points`, `soft` and `marks` say how the hand stands while it is played: see `views.blackjack`.
    """

    key: str
    title: str
    places: tuple[CardView, ...]
    ranks_as: str = ""
    won: str = ""
    ranks_in: str = ""
    points: int = 0
    soft: bool = False
    marks: tuple[str, ...] = ()
    hand: Words | None = None


@dataclass(frozen=True, slots=True)
class ButtonView:
    """A command the person may give now.

    `refused`: the sentence why it is off, None where it is on; with its words' key and what they are filled with.
    """

    command: str
    label: Words
    refused: str | None = None
    shortcut: str = ""
    refused_key: str = ""
    refused_values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HindranceView:
    """Why something cannot be done yet: the sentence, the key of its words, and the values that fill them in."""

    refused: str
    refused_key: str
    refused_values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BetsView:
    """`closes_at_ms` while the window is open. `by_bet`: bet key to (number, stake in minor units)."""

    open: bool
    closes_at_ms: int | None
    count: int
    stake_minor: int
    currency: str
    by_bet: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    deciding: tuple[str, ...] = ()
    """What every bettor may choose while a decision is open; at a turn, what the box may."""
    turn: str = ""
    """The box or row whose turn it is, while its window is open."""
    asked: int = 0
    decided: int = 0
    """Of so many bettors, or boxes, who are asked while a decision is open, so many have decided."""
    ready: int = 0
    bettors: int = 0
    """Of so many bettors who have bet so far, so many have said that they bet no more, where a game asks that."""
    opened: bool = False
    """Whether the bets of this round were ever open; they may be closed again."""


@dataclass(frozen=True, slots=True)
class IncidentView:
    """An open incident. `evidence`: picture digests."""

    id: str
    kind: str
    phase: str
    row: str
    text: str
    ruling: str
    options: tuple[str, ...]
    approval: str
    refund: str
    arguments: tuple[str, ...]
    reported_by: str
    opened_at_ms: int
    holds: bool
    box: str
    place: int
    device: str
    evidence: tuple[str, ...]
    circumstances: Mapping[str, str | int | bool]
    asked_ruling: str = ""
    asked_by: str = ""
    asked_by_name: str = ""
    asked_arguments: tuple[str, ...] = ()
    asked_reason: str = ""
    asked_words: str = ""
    asked_until_ms: int = 0
    asked_mark: str = ""
    ruled: str = ""
    due_box: str = ""
    due_place: int = 0
    """Where the card that lies at `box`, `place` belongs, of a card that lies in a wrong place."""
    words: RowWords = field(default_factory=lambda: RowWords())
    procedure: ProcedureView = field(default_factory=lambda: ProcedureView())
    readings: tuple[tuple[str, str, str], ...] = ()
    """Of a ruling that takes a reading of the card: the ruling, which eye read it, and the face. For the pit alone."""
    hindered: Mapping[str, HindranceView] = field(default_factory=dict)
    """Of its rulings, those that nobody can give yet, and why."""


@dataclass(frozen=True, slots=True)
class DeviceView:
    """Who a device of the table is. `known` and `answers` are words for people: what is on record, and what has shown
    itself since the link came up; they differ where `proved` is false and another stands there.
    """

    part: str
    id: str
    up: bool
    proved: bool
    known: str
    answers: str
    model: str = ""
    serial: str = ""
    firmware: str = ""
    plug: str = ""
    approval: str = "none"
    """`none`, `good`, or `changed` where what stands there is not as it was approved."""


@dataclass(frozen=True, slots=True)
class PayTableView:
    """What was proved of what the table pays. `trouble` says why it may not deal, as the key of a refusal, empty when
    it may; `allowed_by` the administrator who lets it all the same.
    """

    certificate: str = ""
    highest_bet: str = ""
    highest_percent: float | None = None
    over: tuple[str, ...] = ()
    trouble: str = ""
    allowed_by: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """The dealer's seat. `since_ms`: when the dealer took the table, 0 while nobody has it; `relief_name`: who asks to
    take it over in mid-round; `plan`: who is to come, as id, name and time; `stood_down`: who may not deal any more.
    """

    since_ms: int = 0
    relief: str = ""
    relief_name: str = ""
    relief_at_ms: int = 0
    plan: tuple[tuple[str, str, int], ...] = ()
    stood_down: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """A whole table as its consoles draw it. `act` is the dealer's next act; `primary` the one big button."""

    table: str
    title: str
    game: str
    game_title: str
    seq: int
    moves: int
    status: str
    phase: str
    held: bool
    frozen_by: str
    pit_called_by: str
    dealer: str
    dealer_name: str
    act: Words
    primary: ButtonView | None
    boxes: tuple[BoxView, ...]
    round: str
    round_number: int
    round_stage: str
    attempt: int
    outcome: Mapping[str, Any] | None
    bets: BetsView
    incidents: tuple[IncidentView, ...]
    deck_id: str
    shoe_number: int
    cards_left: int | None
    rounds_left: int | None
    links: Mapping[str, bool]
    camera_blind: str
    limits: Mapping[str, tuple[int, int]]
    needs: Mapping[str, str] = field(default_factory=dict)
    """Side bets, and the bet each stands only beside."""
    results: tuple[ResultView, ...] = ()
    past: PastView = field(default_factory=lambda: PastView())
    pot: PotView | None = None
    currencies: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """What bettors may bring beside `bets.currency`, with the limits as they are in it, by bet key. All sums of a round
    are in `bets.currency`, at these rates."""
    rates: Rates | None = None
    cases: tuple[CaseView, ...] = ()
    """Prizes lost with voided rounds, for the pit alone."""
    correction: CorrectionView | None = None
    """Of a settled round: asked for, or being paid. For the pit alone."""
    sealed: SealedView = field(default_factory=SealedView)
    pay_table: PayTableView = field(default_factory=PayTableView)
    devices: tuple[DeviceView, ...] = ()
    machine: MachineView | None = None
    """None at a table without a shuffler."""
    decks: tuple[DeckView, ...] = ()
    camera_late: Words | None = None
    """That the camera is behind, while it is."""
    own_rows: Records = ()
    """The studio's own rows of procedures at this table."""
    following: FollowView | None = None
    """What the incident ruled last still asks for."""
    messages: tuple[MessageView, ...] = ()
    count: CountView | None = None
    """Cards that are being counted through the shoe, or how the last count ended."""
    change: tuple[ChangeStep, ...] = ()
    """The steps of the shoe change that is due, in order; empty when none is."""
    rules: Mapping[str, str | int | bool] = field(default_factory=dict)
    window_s: float = 15.0
    changed_by: str = ""
    """Who of the pit changed game or limits, while they are not those of the configuration; `preset` names them."""
    preset: str = ""
    why: Words | None = None
    """What led to the act that is due, where a game says so: a choice, the end of a hand, the dealer's own rule."""
    seat: SeatView = field(default_factory=SeatView)
    """Who deals, for the dealer and the pit."""
    room: RoomView | None = None
    """The seats and their hand, where they play among themselves."""
    frozen_by_name: str = ""
    exposure: ExposureView | None = None
    """What the house could lose on this round, for the pit; each operator is told his own."""
    frozen_with: str = ""
    """The freeze of the whole floor that froze the table, where one did."""
    pit_called_by_name: str = ""
    decided: Mapping[str, str] = field(default_factory=dict)
    """The bets that were paid before the end of the round, and what a stake of 1 on each came back as."""
    revealed: bool = False
    """A hand was turned by a reveal, or the result lies open: to void the round now takes two people."""


@dataclass(frozen=True, slots=True)
class MessageView:
    """What the bettors are told. `says` is in every language, where it is a sentence of ours; `words` are the pit's.

    `because` is the class of the reason, a key of the catalogue; `id` is empty of what is told by itself.
    """

    says: Words | None
    because: str = ""
    words: str = ""
    id: str = ""
    at_ms: int = 0
    until: str = ""


@dataclass(frozen=True, slots=True)
class CaseView:
    """A prize lost with a voided round, not decided or not paid yet. For the pit alone.

    `claims`: account, stake, what it would have given, and the currency of both, of each bet concerned. `pays` is empty
    until it is decided.
    """

    round: str
    incident: str
    bet: str
    line: str
    opened_at_ms: int
    assessed: bool
    bettors: int
    prizes_minor: int
    pays: str
    claims: tuple[tuple[str, int, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ResultView:
    """One finished round for the display and the statistics; `outcome` as the game describes it.

    `corrected` after its settlement: then `before` is the outcome that was told first.
    """

    round: str
    number: int
    at_ms: int
    voided: bool
    outcome: Mapping[str, Any]
    corrected: bool = False
    before: Mapping[str, Any] = field(default_factory=dict)
    revision: int = 0
    """Of the correction done last."""


@dataclass(frozen=True, slots=True)
class PastView:
    """What reaches further back than the last results: who won, the oldest first, and how long each bet did not."""

    winners: tuple[str, ...] = ()
    missed: Mapping[str, int] = field(default_factory=dict)
