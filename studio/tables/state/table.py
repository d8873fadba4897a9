"""What a table knows of itself between two messages: a frozen value, folded from events.

Bets are not here: they live in a `Book` beside the state (see `book.py`); the state carries their sums.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import msgspec

from studio.cards import Card, SealedCard
from studio.games import find_game
from studio.games.hand_terms import is_unseen
from studio.games.rulebook import Game
from studio.games.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Shuffle, Turn
from studio.money import Rates
from studio.rounds import (
    AnyFact,
    Awaiting,
    CardBurned,
    CardDealt,
    Chose,
    Finished,
    Laid,
    PlainFact,
    Revealed,
    Standing,
    WindowClosed,
    corrected,
)
from studio.spoken import Slot
from studio.tables.config import TableConfig
from studio.tables.state.aftermath import Aftermath
from studio.tables.state.case import Case
from studio.tables.state.device import Devices
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.incident import Incident, Incidents
from studio.tables.state.lateness import Lateness as Lateness
from studio.tables.state.part import Parts
from studio.tables.state.pit import Pit
from studio.tables.state.pot import PotStanding
from studio.tables.state.room import Room
from studio.tables.state.rotation import Decks, DeckStage
from studio.tables.state.seat import Seat
from studio.tables.state.vouch import Vouch


class Status(enum.StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    PAUSED = "paused"


class Stage(enum.StrEnum):
    """How far the money of a round is; while the cards are open it is DEALING."""

    DEALING = "dealing"
    SETTLING = "settling"
    SETTLED = "settled"
    VOIDING = "voiding"
    VOIDED = "voided"


DECIDED: Final = "decided"
"""Among what has to go back: the stakes of decisions made in a deal that does not count."""

OUT_OF_PLAY: Final = ("fold", "muck", "foul", "dead")
"""The choices by which a hand is given up, cards and all."""


@dataclass(frozen=True, slots=True)
class Loose:
    """A card out of the shoe that is no fact. `to` is empty until a ruling disposes of it."""

    sealed: SealedCard
    why: str
    at_ms: int
    to: str = ""
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Deck:
    """The deck in the shoe. `sealed` are its cards out and unopened; `faces` counts those the public has seen."""

    id: str
    shoe_number: int
    drawn: int = 0
    rounds: int = 0
    faces: Mapping[Card, int] = field(default_factory=dict)
    sealed: tuple[SealedCard, ...] = ()
    change_due: bool = False


@dataclass(frozen=True)  # no slots: see `studio.value`
class Round:
    """One round. `cards`: every card that counts, by its place, corrections applied; `confirmed` and `doubts` are ids
    of cards on the felt; `missed` are places owed a reading.

    `unread`: of those, the places whose card the shoe itself says it could not read; so many were `waived`. `ruled`:
    what lay in a place when a person ruled that it may lie so; the same look is no trouble a second time. `bets_in`:
    the window was over in the deal before this one, which is dealt again. `boxes`: those with a bet, in a game dealt
    to boxes; `took`: of these the ones that took what the open decision offers. `decided_stakes`: decisions of this
    deal have staked more; `giving_back`: the boxes whose bets have to go back, and `DECIDED` for what was staked in a
    deal that is void.
    """

    id: str
    number: int
    rules: Mapping[str, Any]
    version: int
    dealer: str
    standing: Standing
    stage: Stage = Stage.DEALING
    attempt: int = 1
    facts: tuple[AnyFact, ...] = ()
    cards: Mapping[Slot, CardDealt | CardBurned] = field(default_factory=dict)
    read_at_ms: Mapping[str, int] = field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    doubts: Mapping[str, str] = field(default_factory=dict)
    missed: Mapping[Slot, int] = field(default_factory=dict)
    unread: frozenset[Slot] = frozenset()
    waived: int = 0
    ruled: Mapping[Slot, Seen] = field(default_factory=dict)
    accepted: Mapping[Slot, str] = field(default_factory=dict)
    vouched: Mapping[str, Vouch] = field(default_factory=dict)
    closes_at_ms: int | None = None
    bets_in: bool = False
    boxes: tuple[str, ...] = ()
    ready: frozenset[tuple[str, str]] = frozenset()
    took: tuple[str, ...] = ()
    decided_stakes: bool = False
    giving_back: tuple[str, ...] = ()
    outcome: Mapping[str, Any] | None = None
    bets: int = 0
    stake_minor: int = 0
    paid: int = 0
    paid_stake_minor: int = 0
    returns_minor: int = 0
    digest: str = ""
    void_row: str = ""
    void_pays: Mapping[str, Fraction] = field(default_factory=dict)
    parts: Parts = field(default_factory=Parts)
    pot: PotStanding | None = None
    prize_bets: int = 0
    rates: Rates | None = None

    @property
    def plain(self) -> tuple[PlainFact, ...]:
        return corrected(self.facts)

    @property
    def mucked(self) -> frozenset[str]:
        """The zones out of play: hands given up, and where nobody had to show, the whole felt of that hand."""
        if isinstance(self.standing, Finished) and is_unseen(self.standing.outcome):
            return frozenset(zone for zone, _ in self.cards)
        return self.folded

    @property
    def folded(self) -> frozenset[str]:
        """The seats that gave their hand up."""
        return frozenset(fact.box for fact in self.facts if isinstance(fact, Chose) and fact.option in OUT_OF_PLAY)

    @property
    def over(self) -> bool:
        return self.stage in (Stage.SETTLED, Stage.VOIDED)

    @property
    def live(self) -> bool:
        """Cards still matter: nothing has been declared, settled or voided."""
        return self.stage is Stage.DEALING


def by_place(facts: Sequence[AnyFact]) -> dict[Slot, CardDealt | CardBurned]:
    """Every card that counts, by its place, corrections applied."""
    found: dict[Slot, CardDealt | CardBurned] = {}
    for fact in corrected(facts):
        match fact:
            case CardDealt(box=box, place=place):
                found[box, place] = fact
            case CardBurned(place=place):
                found["burn", place] = fact
            case Revealed():
                _open(found, fact)
            case Laid():
                _lay(found, fact)
    return found


def _lay(found: dict[Slot, CardDealt | CardBurned], laid: Laid) -> None:
    """The cards that were laid are open ones in their new places, and the box is bare."""
    for (place, zone, there), face, key in zip(laid.to, laid.faces, laid.keys, strict=True):
        dealt = found.pop((laid.box, place))
        assert isinstance(dealt, CardDealt)
        found[zone, there] = msgspec.structs.replace(dealt, box=zone, place=there, face=face, key=key)
    for place in laid.away:
        del found[laid.box, place]


def _open(found: dict[Slot, CardDealt | CardBurned], revealed: Revealed) -> None:
    """The down cards of a revealed box are open cards from now on."""
    places = sorted(slot for slot in found if slot[0] == revealed.box)
    for slot, face, key in zip(places, revealed.faces, revealed.keys, strict=True):
        dealt = found[slot]
        assert isinstance(dealt, CardDealt)
        found[slot] = msgspec.structs.replace(dealt, face=face, key=key)


@dataclass(frozen=True, slots=True)
class Moves:
    """`count` of the events a person acts upon; a command that saw an older count is stale, one of the deal only where
    `dealt`, the count when the deal moved last, is newer.
    """

    count: int = 0
    dealt: int = 0


@dataclass(frozen=True)  # no slots: see `studio.value`
class TableState:
    """`deck`: the one in the shoe; `decks`: wherever they are. `rounds`: how many there were, `round` the last of them.
    `loose`: cards out of the shoe that are no facts. `room`: who sits at a table of the poker room.
    """

    config: TableConfig
    status: Status = Status.CLOSED
    seat: Seat = field(default_factory=Seat)
    deck: Deck | None = None
    decks: Decks = field(default_factory=Decks)
    rounds: int = 0
    round: Round | None = None
    loose: tuple[Loose, ...] = ()
    felt: Felt = field(default_factory=Felt)
    incidents: Incidents = field(default_factory=Incidents)
    devices: Devices = field(default_factory=Devices)
    pit: Pit = field(default_factory=Pit)
    room: Room = field(default_factory=Room)
    aftermath: Aftermath = field(default_factory=Aftermath)
    moves: Moves = field(default_factory=Moves)

    @property
    def game(self) -> Game:
        return find_game(self.config.game)

    @property
    def approved(self) -> tuple[str, ...]:
        """The decks that may be loaded, the one verified last at the end."""
        return tuple(deck.id for deck in self.decks.records if deck.stage is DeckStage.VERIFIED)

    @property
    def held(self) -> bool:
        return bool(self.pit.freeze.by) or any(incident.holds for incident in self.incidents.open)

    def incident(self, id: str) -> Incident | None:
        return next((incident for incident in self.incidents.open if incident.id == id), None)

    def case(self, id: str) -> Case | None:
        return next((case for case in self.aftermath.cases if case.id == id), None)

    def open_incident(self, *kinds: str) -> Incident | None:
        return next((incident for incident in self.incidents.open if incident.kind in kinds), None)

    @property
    def undisposed(self) -> tuple[Loose, ...]:
        return tuple(loose for loose in self.loose if not loose.to)


def phase_of(state: TableState) -> str:
    """The phase as PROCEDURES names it: shuffling burning betting dealing deciding revealing result settled."""
    round = state.round
    if round is None or round.stage is Stage.VOIDED:
        return "shuffling"
    if not round.live:
        return "settled" if round.stage is Stage.SETTLED else "result"
    match round.standing:
        case Finished():
            return "result"
        case Awaiting(step=step):
            return _PHASES[type(step)]
    return "dealing"


_PHASES = {
    Burn: "burning",
    OpenBets: "betting",
    Deal: "dealing",
    Decide: "deciding",
    Turn: "deciding",
    Reveal: "revealing",
    Lay: "revealing",
    Shuffle: "shuffling",
}


def awaited(state: TableState) -> Awaiting | None:
    """The step a live round waits for, if any."""
    round = state.round
    if round is None or not round.live or not isinstance(round.standing, Awaiting):
        return None
    return round.standing


def bets_closed(round: Round) -> bool:
    return any(isinstance(fact, WindowClosed) for fact in round.facts)


def bets_are_in(round: Round) -> bool:
    """The window is over, in this deal or in the one before that is dealt again."""
    return bets_closed(round) or round.bets_in
