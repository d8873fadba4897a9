"""What a table knows of one round between two messages: its deal, what the eyes said of it, its stakes and its end."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from studio.money import Rates
from studio.rounds import (
    AnyFact,
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
from studio.rulebook.hand_terms import is_unseen
from studio.settlement import Progress
from studio.spoken import Slot
from studio.tables.state.felt import Seen, Vouch
from studio.tables.state.identity import Lateness as Lateness
from studio.tables.state.part import Parts
from studio.tables.state.pot import PotStanding
from studio.value import replace


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


class RoundDeal(msgspec.Struct, frozen=True):
    """The deal of a round that counts; a redeal begins the next attempt. `cards`: every card that counts, by its place,
    corrections applied.
    """

    standing: Standing
    attempt: int = 1
    facts: tuple[AnyFact, ...] = ()
    cards: Mapping[Slot, CardDealt | CardBurned] = msgspec.field(default_factory=dict)

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


class Eyes(msgspec.Struct, frozen=True):
    """What the two eyes and people have said of the cards on the felt. `confirmed` and `doubts` are ids of cards;
    `missed` are places owed a reading.

    `unread`: of those, the places whose card the shoe itself says it could not read; so many were `waived`. `ruled`:
    what lay in a place when a person ruled that it may lie so; the same look is no trouble a second time.
    """

    read_at_ms: Mapping[str, int] = msgspec.field(default_factory=dict)
    confirmed: frozenset[str] = frozenset()
    doubts: Mapping[str, str] = msgspec.field(default_factory=dict)
    missed: Mapping[Slot, int] = msgspec.field(default_factory=dict)
    unread: frozenset[Slot] = frozenset()
    waived: int = 0
    ruled: Mapping[Slot, Seen] = msgspec.field(default_factory=dict)
    accepted: Mapping[Slot, str] = msgspec.field(default_factory=dict)
    vouched: Mapping[str, Vouch] = msgspec.field(default_factory=dict)

    def forgiven(self, slot: Slot) -> Eyes:
        """No reading of this place is owed any more."""
        missed = {owed: since_ms for owed, since_ms in self.missed.items() if owed != slot}
        return replace(self, missed=missed, unread=self.unread - {slot})


class RoundWindow(msgspec.Struct, frozen=True):
    """The window that is open, until `closes_at_ms`. `ready`: the bettors who want no more time; `took`: the boxes that
    took what the open decision offers.

    `bets_in`: the window was over in the deal before this one, which is dealt again.
    """

    closes_at_ms: int | None = None
    ready: frozenset[tuple[str, str]] = frozenset()
    took: tuple[str, ...] = ()
    bets_in: bool = False


class RoundStakes(msgspec.Struct, frozen=True):
    """What is bet on a round, in sum; `prize_bets` of the bets feed the pot.

    `boxes`: those with a bet, in a game dealt to boxes. `decided`: decisions of this deal have staked more.
    `giving_back`: the boxes whose bets have to go back, and `DECIDED` for what was staked in a deal that is void.
    """

    bets: int = 0
    stake_minor: int = 0
    prize_bets: int = 0
    boxes: tuple[str, ...] = ()
    decided: bool = False
    giving_back: tuple[str, ...] = ()


class RoundVoid(msgspec.Struct, frozen=True):
    """The row by which a round is void, and what a stake of 1 comes back as on the bets that it pays all the same."""

    row: str = ""
    pays: Mapping[str, Fraction] = msgspec.field(default_factory=dict)


class Round(msgspec.Struct, frozen=True):
    """One round. `paid`: how far its settlement, or the giving back of a void one, has come."""

    id: str
    number: int
    rules: Mapping[str, Any]
    version: int
    dealer: str
    deal: RoundDeal
    stage: Stage = Stage.DEALING
    eyes: Eyes = msgspec.field(default_factory=Eyes)
    window: RoundWindow = msgspec.field(default_factory=RoundWindow)
    stakes: RoundStakes = msgspec.field(default_factory=RoundStakes)
    outcome: Mapping[str, Any] | None = None
    paid: Progress = msgspec.field(default_factory=Progress)
    void: RoundVoid = msgspec.field(default_factory=RoundVoid)
    parts: Parts = msgspec.field(default_factory=Parts)
    pot: PotStanding | None = None
    rates: Rates | None = None

    @property
    def over(self) -> bool:
        return self.stage in (Stage.SETTLED, Stage.VOIDED)

    @property
    def live(self) -> bool:
        """Cards still matter: nothing has been declared, settled or voided."""
        return self.stage is Stage.DEALING

    def with_facts(self, more: Sequence[AnyFact]) -> Round:
        """The round with the facts of a correction after its own; its deal stands and lies as it did."""
        return replace(self, deal=replace(self.deal, facts=(*self.deal.facts, *more)))

    def closing(self, at_ms: int | None) -> Round:
        """The round with its window open until then; None closes it."""
        return replace(self, window=replace(self.window, closes_at_ms=at_ms))

    def vouching(self, vouched: Mapping[str, Vouch]) -> Round:
        """The round with people's word for these cards, too."""
        return replace(self, eyes=replace(self.eyes, vouched={**self.eyes.vouched, **vouched}))


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


def is_turned(fact: CardDealt | CardBurned) -> bool:
    """Whether this card lies open by now; the key of one that was dealt face down is published with its turn."""
    return isinstance(fact, CardDealt) and fact.key is not None


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


def bets_closed(round: Round) -> bool:
    return any(isinstance(fact, WindowClosed) for fact in round.deal.facts)


def bets_are_in(round: Round) -> bool:
    """The window is over, in this deal or in the one before that is dealt again."""
    return bets_closed(round) or round.window.bets_in
