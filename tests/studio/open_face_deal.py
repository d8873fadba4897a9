"""Deals a hand of Open-Face Chinese as facts, card by card, with seats that set their streets. Used by its tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from studio.cards import DECK, Card, SealedCard
from studio.games.ofc_hand import PLACE, OpenFaceHand, OpenFaceTerms, open_face_hand
from studio.rounds import AnyFact, Awaiting, CardDealt, Chose, Finished, Laid, Misfit, Standing, play
from studio.rulebook.placing import MUCK, Placing
from studio.rulebook.script import Deal, Lay, Turn

Chooser = Callable[[Turn, Sequence[Card]], Chose]
"""What a seat does at its turn; it sees its own cards."""


def at_random(rng: random.Random) -> Chooser:
    def choose(turn: Turn, cards: Sequence[Card]) -> Chose:
        assert turn.placing is not None
        return Chose(box=turn.box, option=PLACE, rows=random_rows(turn.placing, rng))

    return choose


def random_rows(placing: Placing, rng: random.Random) -> tuple[str, ...]:
    spots = [row for row, room in placing.room.items() for _ in range(room)]
    rows = [*rng.sample(spots, placing.cards - placing.give_up), *([MUCK] * placing.give_up)]
    rng.shuffle(rows)
    return tuple(rows)


class Deal52:
    """One hand as it goes on. `facts` grow; `cards` are the deck that is left, the next one first."""

    def __init__(self, terms: OpenFaceTerms, cards: Sequence[Card], choose: Chooser) -> None:
        self.terms = terms
        self.facts: list[AnyFact] = []
        self.held: dict[str, list[Card]] = {seat: [] for seat in terms.seats}
        self._cards = list(cards)
        self._choose = choose

    @classmethod
    def shuffled(cls, terms: OpenFaceTerms, seed: int) -> Deal52:
        rng = random.Random(seed)
        return cls(terms, rng.sample(DECK, len(DECK)), at_random(rng))

    @property
    def standing(self) -> Standing:
        return play(open_face_hand(self.terms), self.facts)

    def step(self) -> bool:
        """What the script awaits happens; False when it is over."""
        now = self.standing
        assert not isinstance(now, Misfit), now
        if isinstance(now, Finished):
            return False
        self.facts.append(self.next_fact(now))
        return True

    def next_fact(self, now: Awaiting) -> AnyFact:
        match now.step:
            case Deal(box=box):
                self.held[box].append(self._cards.pop(0))
                return CardDealt(card=SealedCard(f"c{len(self._cards)}", b"", b""), box=box, place=now.place)
            case Turn(box=box):
                return self._choose(now.step, tuple(self.held[box]))
            case Lay(box=box, to=to, away=away):
                faces = tuple(self.held[box][place - 1] for place, _, _ in to)
                self.held[box].clear()
                return Laid(box=box, to=to, faces=faces, keys=(b"",) * len(to), away=away)
        raise AssertionError(now)

    def finish(self) -> OpenFaceHand:
        while self.step():
            pass
        now = self.standing
        assert isinstance(now, Finished)
        hand: OpenFaceHand = now.outcome
        return hand
