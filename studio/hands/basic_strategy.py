"""The basic strategy of Blackjack, and the choice of a box whose bettor is gone.

The tables are what the proof finds best for the first two cards, all hands of a row taken together; a test holds
them to it. Which cards make up a total can count for more: `studio rtp` plays by that, a printed strategy cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from studio.cards import Card
from studio.hands.blackjack import ACE, VALUES, count, is_splittable

UP_CARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, ACE)

HARD: Final = MappingProxyType(
    #      2 3 4 5 6 7 8 9 T A
    {
        4: "H H H H H H H H H H",
        5: "H H H H H H H H H H",
        6: "H H H H H H H H H H",
        7: "H H H H H H H H H H",
        8: "H H H H H H H H H H",
        9: "H D D D D H H H H H",
        10: "D D D D D D D D H H",
        11: "D D D D D D D D H H",
        12: "H H S S S H H H H H",
        13: "S S S S S H H H H H",
        14: "S S S S S H H H R H",
        15: "S S S S S H H H R H",
        16: "S S S S S H H R R H",
        17: "S S S S S S S S S S",
        18: "S S S S S S S S S S",
        19: "S S S S S S S S S S",
        20: "S S S S S S S S S S",
    }
)
SOFT: Final = MappingProxyType(
    {
        12: "H H H H D H H H H H",
        13: "H H H D D H H H H H",
        14: "H H H D D H H H H H",
        15: "H H D D D H H H H H",
        16: "H H D D D H H H H H",
        17: "H D D D D H H H H H",
        18: "S d d d d S S H H H",
        19: "S S S S S S S S S S",
        20: "S S S S S S S S S S",
    }
)
PAIRS: Final = MappingProxyType(
    {
        ACE: "P P P P P P P P P H",
        2: "P P P P P P H H H H",
        3: "P P P P P P H H H H",
        4: "H H H P P H H H H H",
        5: "D D D D D D D D H H",
        6: "P P P P P H H H H H",
        7: "P P P P P P H H R H",
        8: "P P P P P P P P R H",
        9: "P P P P P S P P S S",
        10: "S S S S S S S S S S",
    }
)
CHOICES: Final = MappingProxyType(
    {
        "H": ("hit",),
        "S": ("stand",),
        "D": ("double", "hit"),
        "d": ("double", "stand"),
        "P": ("split",),
        "R": ("surrender", "hit"),
    }
)
"""What each letter stands for: the first of these that is on offer."""

ABSENT_STANDS: Final = 17


def basic_strategy(cards: Sequence[Card], up: Card, options: Sequence[str]) -> str:
    """The choice among `options` for a hand below twenty-one.

    >>> from studio.cards import parse_cards
    >>> basic_strategy(parse_cards("6h 5d"), Card("9", "s"), ("hit", "stand", "double", "surrender"))
    'double'
    >>> basic_strategy(parse_cards("6h 3d 2c"), Card("9", "s"), ("hit", "stand"))
    'hit'
    """
    column = UP_CARDS.index(VALUES[up.rank])
    if "split" in options and is_splittable(cards):
        row = PAIRS[VALUES[cards[0].rank]]
    else:
        total = count(cards)
        row = (SOFT if total.soft else HARD)[total.points]
    return next(choice for choice in CHOICES[row.split()[column]] if choice in options)


def absent_choice(cards: Sequence[Card], up: Card) -> str:
    """What a box does whose bettor is gone: it stands above sixteen, below that basic strategy plays it. [BJ-24]

    Nothing more is staked for him and nothing given up, so it hits or stands.
    """
    if count(cards).points >= ABSENT_STANDS:
        return "stand"
    return basic_strategy(cards, up, ("hit", "stand"))
