"""What a Three Knights hand is worth: 31 classes, docs/games/three_knights.md [3K-4]–[3K-8]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.cards import RANKS, Card
from studio.errors import InvariantError

PICTURES: Final = "JQK"
"""A ten counts nothing like a picture, and is none. [3K-4]"""

POINTS: Final = {rank: 1 if rank == "A" else int(rank) if rank.isdigit() else 0 for rank in RANKS}

TOP_RANK: Final = 30
_WORDS: Final = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_KNIGHTS: Final = ("Plain", "Single Knight", "Double Knights")


@dataclass(frozen=True, slots=True, order=True)
class KnightsClass:
    """One of the 31 classes; `rank` runs from 0 (Plain Zero) to 30 (3 Knights), and the higher one wins.

    >>> KnightsClass.of(pictures=2, points=9).name
    'Double Knights Nine'
    """

    rank: int

    def __post_init__(self) -> None:
        if not 0 <= self.rank <= TOP_RANK:
            raise InvariantError(f"There is no class of rank {self.rank}: ranks run from 0 to {TOP_RANK}.")

    @classmethod
    def of(cls, *, pictures: int, points: int) -> KnightsClass:
        """Points decide first, then pictures; three pictures stand above everything. [3K-6] [3K-7]"""
        return cls(TOP_RANK if pictures == 3 else 3 * points + pictures)

    @property
    def pictures(self) -> int:
        return 3 if self.rank == TOP_RANK else self.rank % 3

    @property
    def points(self) -> int:
        return 0 if self.rank == TOP_RANK else self.rank // 3

    @property
    def is_three_knights(self) -> bool:
        return self.rank == TOP_RANK

    @property
    def is_six(self) -> bool:
        """A Double, Single or Plain Six: the class whose win may pay half. [3K-12]"""
        return self.points == 6

    @property
    def name(self) -> str:
        """As the printed list has it: `3 Knights`, `Double Knights Nine`, `Single Knight Zero`, `Plain Four`."""
        return "3 Knights" if self.is_three_knights else f"{_KNIGHTS[self.pictures]} {_WORDS[self.points]}"

    @property
    def key(self) -> str:
        """Stable, for records and interfaces: `three_knights`, `double_knights_nine`."""
        return "three_knights" if self.is_three_knights else self.name.lower().replace(" ", "_")


CLASSES: Final = tuple(KnightsClass(rank) for rank in range(TOP_RANK, -1, -1))
"""All 31, from the top, as the list is printed."""


def read_knights(cards: Sequence[Card]) -> KnightsClass:
    """The class of three cards; suits, order and which pictures they are never count. [3K-5] [3K-8]

    >>> from studio.cards import parse_cards
    >>> read_knights(parse_cards("Js 3h 6d")) == read_knights(parse_cards("Qs Th 9d"))
    True
    """
    if len(cards) != 3:
        raise InvariantError(f"A Three Knights hand has three cards, and {len(cards)} were given to be read.")
    a, b, c = (card.rank for card in cards)
    pictures = (a in PICTURES) + (b in PICTURES) + (c in PICTURES)
    rank = TOP_RANK if pictures == 3 else 3 * ((POINTS[a] + POINTS[b] + POINTS[c]) % 10) + pictures
    return CLASSES[TOP_RANK - rank]
