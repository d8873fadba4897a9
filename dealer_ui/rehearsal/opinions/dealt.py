"""What a second opinion looks at: everybody's cards and choices, from the facts of a round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from studio.cards import Card
from studio.rounds import AnyFact, CardDealt, Chose, Laid, Revealed, WindowClosed, corrected

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The open cards of every box in the order of their places, and what the boxes chose.

    `protected` are the boxes that took what the last window offered: insurance or even money.
    """

    hands: Mapping[str, Cards]
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    protected: tuple[str, ...] = ()

    @classmethod
    def of(cls, facts: Sequence[AnyFact]) -> Dealt:
        placed: dict[str, dict[int, Card]] = defaultdict(dict)
        chosen: dict[str, tuple[str, ...]] = {}
        windows: list[tuple[str, ...]] = []
        for fact in corrected(facts):
            match fact:
                case CardDealt(box=box, place=place, face=Card() as face):
                    placed[box][place] = face
                case Revealed(box=box, faces=faces):
                    placed[box] = dict(enumerate(faces, 1))
                case Laid(to=to, faces=faces):
                    for (_, zone, at), face in zip(to, faces, strict=True):
                        placed[zone][at] = face
                case Chose(box=box, option=option):
                    chosen[box] = (*chosen.get(box, ()), option)
                case WindowClosed(boxes=boxes):
                    windows.append(boxes)
        hands = {box: tuple(cards[place] for place in sorted(cards)) for box, cards in placed.items()}
        return cls(hands, chosen, windows[1] if len(windows) > 1 else ())


Stakes = Mapping[str, int]
"""What one bettor has on each bet, in minor units."""

Opinion = Callable[[Dealt, Stakes], Mapping[str, Fraction]]
