"""What a device may say to a table, and the narrow ports a device is driven through.

Observations are values: whatever the world does (noise, a lost link, two cards stuck) is one of them, never
an exception. They are journalled whatever they are. Faces travel as `SealedCard`. `at_ms` is UTC, in
milliseconds since 1970, given by whoever steps the device.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from studio.cards import Sealed, SealedCard


class Observation(msgspec.Struct, frozen=True, kw_only=True, tag_field="observation", tag=True):
    """What one device says, once."""

    device: str
    at_ms: int


# --- any line -----------------------------------------------------------------------------------------


NO_PLUG: Final = "?"
"""Nobody can tell what is plugged in there."""


class LinkUp(Observation, frozen=True, kw_only=True, tag=True):
    """`plug`: what the machine says is plugged in there, an adaptor's number or its socket; `NO_PLUG` where it cannot
    tell one thing from another, empty where the address says it.
    """

    url: str
    plug: str = ""


class LinkDown(Observation, frozen=True, kw_only=True, tag=True):
    """The link is lost; `reason` is a full sentence for the technician."""

    url: str
    reason: str


class LineBytes(Observation, frozen=True, kw_only=True, tag=True):
    """Bytes as they came, before anything was decoded; sealed, for a shoe frame is a card's face."""

    sealed: Sealed
    count: int


class LineIdled(Observation, frozen=True, kw_only=True, tag=True):
    """Over that time the line brought only frames that say nothing new, such as heartbeats: `count` bytes, which are
    not kept.
    """

    frames: int
    count: int
    from_ms: int
    to_ms: int


class UnreadableFrame(Observation, frozen=True, kw_only=True, tag=True):
    """Bytes that made no frame. `reason`: `bcc`, `no_etx`, `cut_short`, `noise`, `unknown`, `sequence`."""

    reason: str
    count: int


class CommandAnswered(Observation, frozen=True, kw_only=True, tag=True):
    """The device's answer to a host command. `code`: None on acceptance or time-out, else the NAK code."""

    command: str
    accepted: bool
    code: int | None = None
    reason: str = ""


# --- shoes --------------------------------------------------------------------------------------------


class ShoeStarted(Observation, frozen=True, kw_only=True, tag=True):
    """Start of communication: power on, or a reboot."""


class ShoeStandby(Observation, frozen=True, kw_only=True, tag=True):
    pass


class ShoeDrewCard(Observation, frozen=True, kw_only=True, tag=True):
    """A card left the shoe. `label` is what the shoe's own game says of it: evidence, not obeyed."""

    card: SealedCard
    label: str = ""
    outside_game: bool = False
    resent: bool = False


class ShoeCardUnread(Observation, frozen=True, kw_only=True, tag=True):
    """A card left the shoe and was not read."""

    label: str = ""
    outside_game: bool = False


class CutCardOut(Observation, frozen=True, kw_only=True, tag=True):
    pass


class ShoeErrorRaised(Observation, frozen=True, kw_only=True, tag=True):
    """`error` is a stable key: unread overdraw button reverse_exit reverse_midway card_code draw_timeout other."""

    code: int
    error: str
    error_mode: bool = False


class ShoeErrorCleared(Observation, frozen=True, kw_only=True, tag=True):
    code: int
    error: str


class ShoeLocked(Observation, frozen=True, kw_only=True, tag=True):
    locked: bool


class ShoeGameResult(Observation, frozen=True, kw_only=True, tag=True):
    """The byte by which a shoe that counts Baccarat calls a winner: evidence, which decides nothing."""

    value: int


class ShoePreset(Observation, frozen=True, kw_only=True, tag=True):
    address: str
    value: str


# --- shufflers ----------------------------------------------------------------------------------------


class ShufflerHello(Observation, frozen=True, kw_only=True, tag=True):
    model: str
    serial: str
    firmware: str
    deck_profile: str


class ShufflerState(Observation, frozen=True, kw_only=True, tag=True):
    """`state`: idle loading shuffling verifying ready error."""

    state: str


class DeckVerified(Observation, frozen=True, kw_only=True, tag=True):
    """`verdict`: ok short over duplicate foreign. The order of the cards is never told."""

    count: int
    deck_id: str
    verdict: str


class ShufflerAlarm(Observation, frozen=True, kw_only=True, tag=True):
    """`alarm`: jam cover misread reverse double_feed deck_count overdraw timeout power."""

    alarm: str
    raised: bool


# --- cameras: changes of a place on the felt, not frames -----------------------------------------------


class CardFace(enum.StrEnum):
    """How a card lies."""

    UP = "up"
    DOWN = "down"
    UNSURE = "unsure"
    """A card is there; which one, or which way, the camera will not say."""


class CameraSawCard(Observation, frozen=True, kw_only=True, tag=True):
    """A card came to rest in a place, or a resting card was read anew.

    `zone` and `place` name a slot of the felt (`player1`, 2); places count from 1. `card` is given exactly
    when `face` is UP. `confidence` is the calibrated probability of the weaker half. `evidence` is the
    SHA-256 of the stored crop, empty when none is kept; `model` that of the network that read it.

    `exchanged`: another card was read in this place before, and the place was never seen bare; `before` is the
    picture of that one. `handled`: something moved over the place before the card lay there, as a hand does.
    """

    zone: str
    place: int
    face: CardFace
    card: SealedCard | None = None
    confidence: float = 0.0
    evidence: str = ""
    model: str = ""
    exchanged: bool = False
    before: str = ""
    handled: bool = True


class CameraSawFlash(Observation, frozen=True, kw_only=True, tag=True):
    """The face of a card that lies, or came to lie, face down was seen for a moment; one readable frame is enough.

    `evidence` is a picture too coarse to name the card by.
    """

    zone: str
    place: int
    card: SealedCard | None = None
    confidence: float = 0.0
    evidence: str = ""
    model: str = ""


class CameraSawSwap(Observation, frozen=True, kw_only=True, tag=True):
    """Two cards changed places in one covered moment. What lies in each place now is told right after this."""

    zone: str
    place: int
    other_zone: str
    other_place: int
    evidence: str = ""
    other_evidence: str = ""
    model: str = ""


class CameraSawEmpty(Observation, frozen=True, kw_only=True, tag=True):
    """A place that held a card is bare felt now, and no card was seen to leave the view."""

    zone: str
    place: int


class CameraSawHand(Observation, frozen=True, kw_only=True, tag=True):
    """Something covers the place. `stays`: it was told before, and is still there; `evidence`: the card below."""

    zone: str
    place: int
    stays: bool = False
    evidence: str = ""


class CameraSawStray(Observation, frozen=True, kw_only=True, tag=True):
    """A card lies where no place is, for longer than one is laid down in passing.

    `x` and `y` are fractions of the felt's width and height.
    """

    x: float
    y: float
    face: CardFace
    card: SealedCard | None = None
    confidence: float = 0.0
    evidence: str = ""
    model: str = ""


class CameraStrayGone(Observation, frozen=True, kw_only=True, tag=True):
    x: float
    y: float


class CameraLostCard(Observation, frozen=True, kw_only=True, tag=True):
    """A card went over the edge of the view. `direction`: left right top bottom."""

    zone: str
    place: int
    direction: str
    identified: bool
    evidence: str = ""


class CameraBlind(Observation, frozen=True, kw_only=True, tag=True):
    """The picture cannot be trusted.

    `reason`: dark glare colourless unsharp frozen moved covered resized no_picture.
    """

    reason: str


class CameraSeesAgain(Observation, frozen=True, kw_only=True, tag=True):
    pass


class CameraFellBehind(Observation, frozen=True, kw_only=True, tag=True):
    """The machine has too much to do: pictures are judged so late, and of 100 so many are left out; no reading is."""

    behind_ms: int
    shed_percent: int


class CameraCaughtUp(Observation, frozen=True, kw_only=True, tag=True):
    pass


AnyObservation = (
    LinkUp | LinkDown | LineBytes | LineIdled | UnreadableFrame | CommandAnswered
    | ShoeStarted | ShoeStandby | ShoeDrewCard | ShoeCardUnread | CutCardOut | ShoeErrorRaised
    | ShoeErrorCleared | ShoeLocked | ShoeGameResult | ShoePreset
    | ShufflerHello | ShufflerState | DeckVerified | ShufflerAlarm
    | CameraSawCard | CameraSawEmpty | CameraSawHand | CameraSawStray | CameraStrayGone
    | CameraSawFlash | CameraSawSwap | CameraLostCard | CameraBlind | CameraSeesAgain
    | CameraFellBehind | CameraCaughtUp
)  # fmt: skip
"""Every observation there is; the closed union the journal decodes."""


@dataclass(frozen=True, slots=True)
class HostCommand:
    """What is asked of a device: `lock`, `unlock`, `confirm`, `cancel_error` with its code, …"""

    name: str
    value: int = 0

    def __str__(self) -> str:
        return f"{self.name} {self.value}" if self.value else self.name


class Device(Protocol):
    """A driven device: one thread, or a scheduler, steps it and nobody else touches it."""

    @property
    def id(self) -> str: ...

    def step(self, now_ms: int) -> Sequence[Observation]:
        """Do what is due (open, read, decode, reopen) and say what was observed; never raises for the world."""
        ...

    def close(self) -> None: ...


class Commanded(Protocol):
    """A device that takes commands, from any thread. Whether it has any to take, `check` says."""

    @property
    def id(self) -> str: ...

    def check(self, command: HostCommand) -> None:
        """`RefusedError` when the command would not be sent: unknown, not authorised, the link down."""
        ...

    def command(self, command: HostCommand) -> None:
        """Queue a command; its `CommandAnswered` comes out of a later step. `RefusedError` as `check`."""
        ...


class Evidence(Protocol):
    """Where pictures are kept by their digest; retention deletes pictures, never rows."""

    def keep(self, picture: bytes) -> str:
        """Store an encoded picture (JPEG or PNG) and give its SHA-256 in hex."""
        ...
