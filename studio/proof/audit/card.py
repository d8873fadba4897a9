"""Opens recorded cards with their published keys, and holds them against what devices reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.cards import Card, SealedCard
from studio.errors import BadInputError, SealedError
from studio.ports import AnyObservation
from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact, CardBurned, CardDealt, CardRemoved, Chose, Laid, Revealed, corrected
from studio.tables.state.round import OUT_OF_PLAY, by_place


@dataclass(frozen=True, slots=True)
class Seals:
    """How many sealed cards devices reported: committed to one face, and of before there were commitments."""

    committed: int = 0
    uncommitted: int = 0

    def __add__(self, other: Seals) -> Seals:
        return Seals(self.committed + other.committed, self.uncommitted + other.uncommitted)


NO_SEALS: Final = Seals()


class CardAudit:
    """The sealed cards devices reported at one table, since the shoe before the one that deals."""

    def __init__(self) -> None:
        self._reported: dict[str, SealedCard] = {}
        self._before: dict[str, SealedCard] = {}
        self._stood: set[str] = set()
        self._stood_before: set[str] = set()
        self.seals = NO_SEALS

    def note(self, seen: AnyObservation, seq: int) -> None:
        """A card a device sealed. Once a table's cards are committed, one that is not is no older row."""
        card = getattr(seen, "card", None)
        if isinstance(card, SealedCard):
            if self.seals.committed and not card.is_committed:
                wrong(seq, f"The sealed card {card.id} is not committed to a face, and cards before it were.")
            if (known := self._known(card.id)) is not None and known.written() != card.written():
                wrong(seq, f"The sealed card {card.id} was reported before, as another one.")
            self.seals += Seals(int(card.is_committed), int(not card.is_committed))
            self._reported[card.id] = card

    def new_shoe(self) -> None:
        """No fact reaches further back than one shoe."""
        self._before, self._reported = self._reported, {}
        self._stood_before, self._stood = self._stood, set()

    def check_fact(self, fact: AnyFact, before: Sequence[AnyFact], seq: int) -> None:
        """What a fact says of its card is what the device sealed; `before` are the facts it follows."""
        match fact:
            case CardBurned(card=card):
                self._stand(card, seq)
            case CardDealt(card=card, face=face, key=key):
                self._stand(card, seq)
                check_key(card, key, face, seq)
            case CardRemoved(id=id):
                self._stood.discard(id)
                self._stood_before.discard(id)
            case Revealed():
                check_reveal(fact, before, seq)
            case Laid():
                check_laid(fact, before, seq)

    def check_card(self, card: SealedCard, seq: int) -> None:
        """The card is, cipher for cipher, one a device reported; a burn card nobody read has no cipher at all."""
        reported = self._known(card.id)
        if reported is None:
            if card.ciphertext:
                wrong(seq, f"No device reported the sealed card {card.id}.")
        elif reported.written() != card.written():
            wrong(seq, f"The sealed card {card.id} is not the one the device reported.")

    def _stand(self, card: SealedCard, seq: int) -> None:
        """A card comes onto the felt once; again only where it was taken out of the deal before, as for a burn."""
        self.check_card(card, seq)
        if card.id in self._stood or card.id in self._stood_before:
            wrong(seq, f"The sealed card {card.id} was dealt twice.")
        self._stood.add(card.id)

    def _known(self, id: str) -> SealedCard | None:
        return self._reported.get(id) or self._before.get(id)


def check_key(card: SealedCard, key: bytes | None, face: Card | None, seq: int) -> None:
    """A face goes on record with the key that opens the sealed card to it, and with nothing else."""
    if (key is None) != (face is None):
        wrong(seq, f"The sealed card {card.id} has a face without its key, or a key without its face.")
    if key is None:
        return
    if _opened(card, key, seq) is not face:
        wrong(seq, f"The published key opens the sealed card {card.id} to another face than the one recorded.")


def _opened(card: SealedCard, key: bytes, seq: int) -> Card:
    try:
        return card.with_key(key).card()
    except (SealedError, BadInputError, ValueError):
        wrong(seq, f"The published key does not open the sealed card {card.id}.")


def check_reveal(revealed: Revealed, facts: Sequence[AnyFact], seq: int) -> None:
    """Every published key of a reveal opens its down card to the face told, unless people had entered another."""
    dealt = (fact for fact in corrected(facts) if isinstance(fact, CardDealt) and fact.box == revealed.box)
    down = sorted(dealt, key=lambda fact: fact.place)
    if not len(down) == len(revealed.faces) == len(revealed.keys):
        wrong(seq, f"The reveal of {revealed.box} does not name every card of the box.")
    for fact, key, face in zip(down, revealed.keys, revealed.faces, strict=True):
        if fact.face is None:
            check_key(fact.card, key, face, seq)
        else:
            check_entered(fact, key, face, revealed.box, seq)


def check_entered(fact: CardDealt, key: bytes, face: Card, box: str, seq: int) -> None:
    """People had ruled what this down card is: that is told, whatever its key opens; it opens the card, though."""
    if fact.face is not face:
        wrong(seq, f"The reveal of {box} tells another face than the one people had entered.")
    _opened(fact.card, key, seq)


def cards_that_count(facts: Sequence[AnyFact]) -> tuple[CardDealt | CardBurned, ...]:
    """All cards of a finished deal except those of hands that were given up; a card lying open comes with its face."""
    out = {fact.box for fact in facts if isinstance(fact, Chose) and fact.option in OUT_OF_PLAY}
    return tuple(fact for (zone, _), fact in by_place(facts).items() if zone not in out)


def laid_in(fact: AnyFact, facts: Sequence[AnyFact]) -> set[str]:
    """The ids of the cards that are laid by this fact, the last of `facts`: a second eye owes its word anew."""
    if not isinstance(fact, Laid):
        return set()
    cards = by_place(facts)
    return {cards[zone, place].card.id for _, zone, place in fact.to}


def check_laid(laid: Laid, facts: Sequence[AnyFact], seq: int) -> None:
    """Check that every published key opens the card dealt to its place, and gives the face told or the one people
    ruled.
    """
    down: dict[int, CardDealt] = {}
    for fact in corrected(facts):
        match fact:
            case CardDealt(box=box, place=place) if box == laid.box:
                down[place] = fact
            case Laid(box=box) if box == laid.box:
                down.clear()
    if not len(laid.to) == len(laid.faces) == len(laid.keys) or not {place for place, _, _ in laid.to} <= set(down):
        wrong(seq, f"What was laid of {laid.box} does not name a card dealt to it.")
    for (place, _, _), key, face in zip(laid.to, laid.keys, laid.faces, strict=True):
        if (fact := down[place]).face is None:
            check_key(fact.card, key, face, seq)
        else:
            check_entered(fact, key, face, laid.box, seq)
