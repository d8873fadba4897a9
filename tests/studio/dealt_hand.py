"""A hand of the poker room as a table would journal it: every step answered from a shuffled deck, choices at random."""

from __future__ import annotations

import random
from collections.abc import Callable

from studio.cards import DECK, Card, SealedCard, Sealer
from studio.games.nlh import VARIANT as NLH
from studio.games.plo import VARIANT as PLO
from studio.games.short_deck import VARIANT as SHORT_DECK
from studio.ports import CardFace
from studio.rounds import AnyFact, CardBurned, CardDealt, Chose, Revealed
from studio.rulebook.betting_game import Variant
from studio.rulebook.betting_hand import betting_hand
from studio.rulebook.hand_terms import HandOutcome, HandTerms
from studio.rulebook.script import Burn, Deal, Reveal, Step, Turn

VARIANTS = {"nlh": NLH, "short_deck": SHORT_DECK, "plo": PLO}
BOARD = "board"

Chooser = Callable[["DealtHand", Turn], tuple[str, int]]


def deck_of(key: str) -> list[Card]:
    return [card for card in DECK if key != "short_deck" or card.rank not in "2345"]


def random_terms(key: str, rng: random.Random) -> HandTerms:
    count = rng.randint(2, 6)
    seats = tuple(f"seat{number}" for number in rng.sample(range(1, 10), count))
    stacks = tuple(rng.randint(8, 400) for _ in seats)
    if key == "short_deck":
        blinds = (4, 0) if count == 2 else (0,) * (count - 1) + (4,)
        return HandTerms(seats, stacks, (2,) * count, blinds, 4)
    later = tuple(rng.choice((0, 0, -2)) for _ in seats[2:])  # who comes in without waiting posts a big blind
    return HandTerms(seats, stacks, (rng.choice((0, 1)),) * count, (1, 2, *later), 2)


class DealtHand:
    """`facts` are those of the hand, `hole` the cards as they lie face down, `outcome` what the script made of it."""

    def __init__(self, variant: Variant, terms: HandTerms, rng: random.Random, choose: Chooser | None = None) -> None:
        self.variant, self.terms, self.rng = variant, terms, rng
        self.facts: list[AnyFact] = []
        self.hole: dict[str, list[Card]] = {seat: [] for seat in terms.seats}
        self.sealed: dict[str, list[SealedCard]] = {seat: [] for seat in terms.seats}
        self.burned: list[Card] = []
        self.board: list[Card] = []
        deck = deck_of(variant.key)
        rng.shuffle(deck)
        self._deck, self._choose = iter(deck), choose or _anything
        self._sealer = Sealer(rng.randbytes)
        self.outcome = self._played()

    def _played(self) -> HandOutcome:
        script = betting_hand(self.variant, self.terms)
        try:
            step = next(script)
            while True:
                step = script.send(self._answer(step))
        except StopIteration as stop:
            outcome: HandOutcome = stop.value
            return outcome

    def _answer(self, step: Step) -> object:
        match step:
            case Deal(box=box, face=face):
                return self._deal(box, face)
            case Burn():
                card = next(self._deck)
                self.burned.append(card)
                self.facts.append(CardBurned(card=self._sealer.card(card), place=len(self.burned)))
                return None
            case Reveal(box=seat):
                keys = tuple(seal.publish_key() for seal in self.sealed[seat])
                self.facts.append(Revealed(box=seat, faces=tuple(self.hole[seat]), keys=keys))
                return tuple(self.hole[seat])
            case Turn(box=seat):
                option, to_minor = self._choose(self, step)
                self.facts.append(Chose(box=seat, option=option, to_minor=to_minor))
                return (option, to_minor) if to_minor else option
        raise AssertionError(step)

    def _deal(self, box: str, face: CardFace) -> object:
        card = next(self._deck)
        sealed = self._sealer.card(card)
        if face is CardFace.DOWN:
            self.hole[box].append(card)
            self.sealed[box].append(sealed)
            self.facts.append(CardDealt(card=sealed, box=box, place=len(self.hole[box])))
            return sealed
        self.board.append(card)
        key = sealed.publish_key()
        self.facts.append(CardDealt(card=sealed, box=box, place=len(self.board), face=card, key=key))
        return card


def _anything(hand: DealtHand, turn: Turn) -> tuple[str, int]:
    option = hand.rng.choice(turn.options)
    if option not in ("bet", "raise"):
        return option, 0
    assert turn.to_minor is not None
    return option, hand.rng.choice([*turn.to_minor, hand.rng.randint(*turn.to_minor)])
