"""What a Blackjack hand is worth, and what pair its first two cards make.

docs/games/blackjack.md [BJ-3]–[BJ-5], [BJ-21].
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from studio.cards import RANKS, Card
from studio.errors import InvariantError

TWENTY_ONE: Final = 21
DEALER_STANDS: Final = 17
TEN: Final = 10
ACE: Final = 1

VALUES: Final = {rank: ACE if rank == "A" else int(rank) if rank.isdigit() else TEN for rank in RANKS}
"""What each rank counts; an ace counts ten more where that helps. [BJ-3]"""

_RED: Final = "dh"


class Total(NamedTuple):
    """The points of a hand; `soft` while an ace counts eleven."""

    points: int
    soft: bool

    @property
    def is_bust(self) -> bool:
        return self.points > TWENTY_ONE


class Pair(StrEnum):
    """What two cards of one denomination are, best first. [BJ-21]"""

    PERFECT_KINGS = "perfect_kings"
    PERFECT_PAIR = "perfect_pair"
    COLOURED_PAIR = "coloured_pair"
    MIXED_PAIR = "mixed_pair"
    NO_PAIR = "no_pair"


def count_values(values: Sequence[int]) -> Total:
    """The points of cards of these values, 1 for an ace. [BJ-3]

    >>> count_values((1, 6)), count_values((1, 6, 10))
    (Total(points=17, soft=True), Total(points=17, soft=False))
    """
    hard = sum(values)
    if ACE in values and hard + TEN <= TWENTY_ONE:
        return Total(hard + TEN, True)
    return Total(hard, False)


def count(cards: Sequence[Card]) -> Total:
    """The points of a hand. [BJ-3]

    >>> from studio.cards import parse_cards
    >>> count(parse_cards("As Kd 5h"))
    Total(points=16, soft=False)
    """
    return count_values([VALUES[card.rank] for card in cards])


def is_natural(cards: Sequence[Card]) -> bool:
    """An ace and a ten-value card, and no third card; whether it is a blackjack is also a matter of splits. [BJ-4]"""
    return len(cards) == 2 and count(cards).points == TWENTY_ONE


def is_splittable(cards: Sequence[Card]) -> bool:
    """Two cards of equal value: a jack and a king are. [BJ-13]"""
    return len(cards) == 2 and VALUES[cards[0].rank] == VALUES[cards[1].rank]


def read_pair(first: Card, second: Card) -> Pair:
    """The best line of the side bet: a king and a queen are no pair. [BJ-21]

    >>> read_pair(Card("8", "h"), Card("8", "d")).value
    'coloured_pair'
    """
    if first.rank != second.rank:
        return Pair.NO_PAIR
    if first.suit == second.suit:
        return Pair.PERFECT_KINGS if first.rank == "K" else Pair.PERFECT_PAIR
    return Pair.COLOURED_PAIR if (first.suit in _RED) == (second.suit in _RED) else Pair.MIXED_PAIR


def dealer_draws(cards: Sequence[Card]) -> bool:
    """The dealer draws to sixteen and stands on every seventeen. [BJ-6]"""
    if not cards:
        raise InvariantError("The dealer has no card yet: he is dealt one before he draws.")
    return count(cards).points < DEALER_STANDS
