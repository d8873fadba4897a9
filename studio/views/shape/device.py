"""The shapes of a table's devices, of its decks, of the machine that shuffles them, and of counting them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.views.shape.words import Words


@dataclass(frozen=True, slots=True)
class DeckView:
    """A deck that was verified. `stage`: verified, blocked, in_play, used; `verdict` says why it is blocked."""

    id: str
    stage: str
    count: int
    verdict: str


@dataclass(frozen=True, slots=True)
class MachineView:
    """The shuffler and the deck in it. `says` is the one thing about it, `tone` how it stands: calm, busy, good, bad.

    `state` is empty until the machine has told it, since `since_ms`. Which cards are in the deck, and in which order,
    is known to nobody.
    """

    says: Words
    tone: str
    state: str
    since_ms: int
    deck: str = ""
    verdict: str = ""
    alarms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CountView:
    """A count of cards. `open` while it lasts; then `verdict`, and cards that are missing or there too often. Never an
    order, nor which cards were counted.
    """

    open: bool
    deck: str
    whole: bool
    drawn: int
    wanted: int
    unread: int = 0
    verdict: str = ""
    missing: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeStep:
    """One step of a shoe change. `state`: done, due or later."""

    says: Words
    state: str


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe and what fills it: the machine, the decks that are remembered, a count, a change of the shoe.

    `deck` is the deck in the shoe, empty while there is none; `machine` is None at a table without a shuffler.
    """

    deck: str = ""
    number: int = 0
    cards_left: int | None = None
    rounds_left: int | None = None
    machine: MachineView | None = None
    decks: tuple[DeckView, ...] = ()
    count: CountView | None = None
    """Cards that are being counted through the shoe, or how the last count ended."""
    change: tuple[ChangeStep, ...] = ()
    """The steps of the shoe change that is due, in order; empty when none is."""


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
    mark: str = ""
    """Of the device that is on record: its approval carries it."""


@dataclass(frozen=True, slots=True)
class DevicesView:
    """The devices of a table. `links`: by its part, whether each is connected; `each`: who each is."""

    links: Mapping[str, bool] = field(default_factory=dict)
    each: tuple[DeviceView, ...] = ()
    camera_blind: str = ""
    camera_late: Words | None = None
    """That the camera is behind, while it is."""
