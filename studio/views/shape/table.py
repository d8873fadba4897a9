"""A whole table as its screens draw it: how it stands now, its round, its dealer's seat, and every other part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.views.shape.bets import BetsView, GameView
from studio.views.shape.device import DevicesView, ShoeView
from studio.views.shape.felt import BoxView
from studio.views.shape.incident import AftermathView, IncidentsView
from studio.views.shape.past import PastView
from studio.views.shape.room import RoomView
from studio.views.shape.words import ButtonView, MessageView, Words


@dataclass(frozen=True, slots=True)
class SeatView:
    """The dealer's seat, for the dealer and the pit. `since_ms`: when the dealer took the table, 0 while nobody has it;
    `relief_name`: who asks to take it over in mid-round; `plan`: who is to come, as id, name and time; `plan_mark`:
    what a new plan takes the place of; `stood_down`: who may not deal any more.
    """

    dealer: str = ""
    dealer_name: str = ""
    since_ms: int = 0
    relief: str = ""
    relief_name: str = ""
    relief_at_ms: int = 0
    plan: tuple[tuple[str, str, int], ...] = ()
    plan_mark: str = ""
    stood_down: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class RoundView:
    """The round, or the one that is over and still lies there; `id` is empty where there is none."""

    id: str = ""
    number: int = 0
    stage: str = ""
    attempt: int = 0
    outcome: Mapping[str, Any] | None = None
    decided: Mapping[str, str] = field(default_factory=dict)
    """The bets that were paid before the end of the round, and what a stake of 1 on each came back as."""
    revealed: bool = False
    """A hand was turned by a reveal, or the result lies open: to void the round now takes two people."""


@dataclass(frozen=True, slots=True)
class NowView:
    """How a table stands, and what it tells people: the dealer his next act, the bettors why it stopped.

    `act` is the dealer's next act, `primary` the one big button.
    """

    status: str
    phase: str
    held: bool
    act: Words
    primary: ButtonView | None = None
    why: Words | None = None
    """What led to the act that is due, where a game says so: a choice, the end of a hand, the dealer's own rule."""
    messages: tuple[MessageView, ...] = ()
    frozen_by: str = ""
    frozen_by_name: str = ""
    frozen_with: str = ""
    """The freeze of the whole floor that froze the table, where one did."""
    pit_called_by: str = ""
    pit_called_by_name: str = ""
    goes_to: str = ""
    """The host to which the table goes when its round is over."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A whole table as its screens draw it. `seq` is the number of the journal it was drawn at; `moves` counts what
    happened at the table, and a form carries it back.
    """

    table: str
    title: str
    seq: int
    moves: int
    game: GameView
    now: NowView
    boxes: tuple[BoxView, ...]
    bets: BetsView
    seat: SeatView = field(default_factory=SeatView)
    round: RoundView = field(default_factory=RoundView)
    room: RoomView | None = None
    """The seats and their hand, where they play among themselves."""
    shoe: ShoeView = field(default_factory=ShoeView)
    devices: DevicesView = field(default_factory=DevicesView)
    incidents: IncidentsView = field(default_factory=IncidentsView)
    aftermath: AftermathView = field(default_factory=AftermathView)
    past: PastView = field(default_factory=PastView)
