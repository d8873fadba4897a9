"""What a table knows of itself between two messages: a frozen value, folded from events.

Bets are not here: they live in a `Book` beside the state (see `book.py`); the state carries their sums.
"""

from __future__ import annotations

import enum

import msgspec

from studio.games import find_game
from studio.rounds import (
    Awaiting,
    Finished,
)
from studio.rulebook.game import FullShoe, Game
from studio.rulebook.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Shuffle, Turn
from studio.tables.config import TableConfig
from studio.tables.state.aftermath import Aftermath, Case
from studio.tables.state.felt import Felt
from studio.tables.state.identity import Devices
from studio.tables.state.identity import Lateness as Lateness
from studio.tables.state.incident import Incident, Incidents
from studio.tables.state.pit import Pit, Seat
from studio.tables.state.room import Room
from studio.tables.state.rotation import Decks, DeckStage
from studio.tables.state.round import Round, Stage
from studio.tables.state.shoe import BACK_IN_SHOE, Deck, Loose


class Status(enum.StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    PAUSED = "paused"


class Moves(msgspec.Struct, frozen=True):
    """`count` of the events a person acts upon; a command that saw an older count is stale, one of the deal only where
    `dealt`, the count when the deal moved last, is newer.
    """

    count: int = 0
    dealt: int = 0


class TableState(msgspec.Struct, frozen=True):
    """`deck`: the one in the shoe; `decks`: wherever they are. `rounds`: how many there were, `round` the last of them.
    `loose`: cards out of the shoe that are no facts. `room`: who sits at a table of the poker room.
    """

    config: TableConfig
    status: Status = Status.CLOSED
    seat: Seat = msgspec.field(default_factory=Seat)
    deck: Deck | None = None
    decks: Decks = msgspec.field(default_factory=Decks)
    rounds: int = 0
    round: Round | None = None
    loose: tuple[Loose, ...] = ()
    felt: Felt = msgspec.field(default_factory=Felt)
    incidents: Incidents = msgspec.field(default_factory=Incidents)
    devices: Devices = msgspec.field(default_factory=Devices)
    pit: Pit = msgspec.field(default_factory=Pit)
    room: Room = msgspec.field(default_factory=Room)
    aftermath: Aftermath = msgspec.field(default_factory=Aftermath)
    moves: Moves = msgspec.field(default_factory=Moves)

    @property
    def game(self) -> Game:
        return find_game(self.config.game)

    @property
    def shoe(self) -> FullShoe:
        """What this table's shoe holds when it is full."""
        return self.game.shoe.under(self.config.rules)

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
    def pushed_back(self) -> Loose | None:
        """The card that lies in the shoe again, and comes out first."""
        return next((one for one in self.loose if one.to == BACK_IN_SHOE), None)

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
    match round.deal.standing:
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
    if round is None or not round.live or not isinstance(round.deal.standing, Awaiting):
        return None
    return round.deal.standing
