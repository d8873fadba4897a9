"""The shapes of decks, of the machine that shuffles them, and of counting them."""

from __future__ import annotations

from dataclasses import dataclass

from studio.views.words import Words


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
