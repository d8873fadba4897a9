"""Finds the cards of a round which nobody ever turned: burned, mucked, given up, taken out.

Whoever looks at this learns where each of them lay, and no face.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from studio.cards import SealedCard
from studio.rounds import AnyFact, CardBurned, CardDealt, Chose, Laid
from studio.spoken import Slot
from studio.tables.event import table as e
from studio.tables.state.round import OUT_OF_PLAY, by_place


class Fate(enum.StrEnum):
    """What became of a card that was never turned; `ASIDE`: it was drawn, and belonged to no place of the deal."""

    BURNED = "burned"
    DOWN = "down"
    MUCKED = "mucked"
    GIVEN_UP = "given_up"
    TAKEN_OUT = "taken_out"
    ASIDE = "aside"


@dataclass(frozen=True, slots=True)
class SealedPlace:
    """One sealed card by where it lay. `deal` counts the deals of a round that was dealt again."""

    card: SealedCard
    zone: str
    place: int
    deal: int
    fate: Fate

    @property
    def was_read(self) -> bool:
        """A device read it; else there is nothing to open."""
        return bool(self.card.ciphertext)


@dataclass(frozen=True, slots=True)
class SealedRound:
    """A round with its sealed cards; `opened` are those that two people have opened since, by id."""

    table: str
    id: str
    number: int
    over: bool
    cards: tuple[SealedPlace, ...]
    opened: Mapping[str, e.CardUnsealed] = field(default_factory=dict)

    def find(self, card: str) -> SealedPlace | None:
        return next((one for one in self.cards if one.card.id == card), None)


class SealedFold:
    """The sealed cards of one round, folded event by event."""

    def __init__(self, table: str) -> None:
        self._table = table
        self.round, self._number, self._over = "", 0, False
        self._deal = 1
        self._facts: list[AnyFact] = []
        self._found: dict[str, SealedPlace] = {}
        self._away: set[str] = set()
        self._public: set[str] = set()
        self._opened: dict[str, e.CardUnsealed] = {}

    def take(self, event: e.AnyEvent) -> None:
        match event:
            case e.RoundStarted(round=round, number=number):
                self.round, self._number = round, number
            case e.FactStood(fact=fact):
                self._stand(fact)
            case e.CardSetAside(card=card):
                self._found.setdefault(card.id, SealedPlace(card, "", 0, self._deal, Fate.ASIDE))
            case e.RedealOrdered():
                self._found = self._placed()
                self._facts, self._deal = [], self._deal + 1
            case e.RoundSettled() | e.RoundRefunded():
                self._over = True
            case e.CardUnsealed(card=card):
                self._opened[card.id] = event

    def made(self) -> SealedRound:
        left = (one for id, one in self._placed().items() if id not in self._public)
        cards = tuple(sorted(left, key=lambda one: (one.deal, not one.zone, one.zone, one.place)))
        return SealedRound(self._table, self.round, self._number, self._over, cards, dict(self._opened))

    def _stand(self, fact: AnyFact) -> None:
        match fact:
            case CardBurned(card=card, place=place):
                self._found[card.id] = SealedPlace(card, "burn", place, self._deal, Fate.BURNED)
            case CardDealt(card=card, box=box, place=place):
                self._found[card.id] = SealedPlace(card, box, place, self._deal, Fate.DOWN)
            case Laid(box=box, away=away):
                lying = by_place(self._facts)
                self._away |= {lying[box, place].card.id for place in away}
        self._facts.append(fact)
        lying = by_place(self._facts)
        self._public |= {one.card.id for one in lying.values() if isinstance(one, CardDealt) and one.key is not None}

    def _placed(self) -> dict[str, SealedPlace]:
        """Every card of the deals so far, by its id; those of the current deal lie where the corrections put them."""
        mucked = {fact.box for fact in self._facts if isinstance(fact, Chose) and fact.option in OUT_OF_PLAY}
        lying = {one.card.id: slot for slot, one in by_place(self._facts).items()}
        dealt = {fact.card.id for fact in self._facts if isinstance(fact, CardDealt | CardBurned)}
        return {
            id: _placed(one, lying.get(id), mucked, given_up=id in self._away) if id in dealt else one
            for id, one in self._found.items()
        }


def _placed(one: SealedPlace, slot: Slot | None, mucked: set[str], *, given_up: bool) -> SealedPlace:
    if given_up:
        return replace(one, fate=Fate.GIVEN_UP)
    if slot is None:
        return replace(one, fate=Fate.TAKEN_OUT)
    fate = Fate.BURNED if slot[0] == "burn" else Fate.MUCKED if slot[0] in mucked else Fate.DOWN
    return replace(one, zone=slot[0], place=slot[1], fate=fate)
