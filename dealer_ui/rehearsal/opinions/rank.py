"""A second opinion on poker hands: ranked card by card, no tables, no bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from studio.cards import Card

ORDER: Final = "23456789TJQKA"
FIVE: Final = (
    "high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal",
)  # fmt: skip
SHORT: Final = (
    "high_card", "pair", "two_pair", "trips", "straight", "full_house", "flush", "quads", "straight_flush", "royal",
)  # fmt: skip
"""With thirty-six cards."""
THREE: Final = ("high_card", "pair", "flush", "straight", "trips", "straight_flush", "mini_royal")

Worth = tuple[int, tuple[int, ...]]
"""The number of the class, and the ranks that decide within it, the weightiest first."""


def height(card: Card) -> int:
    """Two for a deuce, fourteen for an ace."""
    return ORDER.index(card.rank) + 2


def best_five(cards: Sequence[Card]) -> Worth:
    return max(_five(five) for five in combinations(cards, 5))


def best_of_omaha(hole: Sequence[Card], board: Sequence[Card]) -> Worth:
    """Two cards of the hole and three of the board, no other way."""
    return max(_five((*two, *three)) for two in combinations(hole, 2) for three in combinations(board, 3))


def best_short_deck(cards: Sequence[Card]) -> Worth:
    return max(_short(five) for five in combinations(cards, 5))


def five_name(cards: Sequence[Card]) -> str:
    return FIVE[best_five(cards)[0]]


def three(cards: Sequence[Card]) -> Worth:
    groups, top, flush = _shape(cards)
    if flush and top == 14 and len(groups) == 3 and {height(card) for card in cards} == {12, 13, 14}:
        return THREE.index("mini_royal"), (14,)
    if top and flush:
        return THREE.index("straight_flush"), (top,)
    if len(groups) == 1:
        return THREE.index("trips"), groups
    if top:
        return THREE.index("straight"), (top,)
    if flush:
        return THREE.index("flush"), groups
    return (1 if len(groups) == 2 else 0), groups


def three_name(cards: Sequence[Card]) -> str:
    return THREE[three(cards)[0]]


def _five(cards: Sequence[Card]) -> Worth:
    groups, top, flush = _shape(cards)
    counts = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    if top and flush:
        return FIVE.index("royal" if top == 14 else "straight_flush"), (top,)
    if top:
        return FIVE.index("straight"), (top,)
    if flush:
        return FIVE.index("flush"), groups
    by_counts = {(4, 1): "quads", (3, 2): "full_house", (3, 1, 1): "trips", (2, 2, 1): "two_pair"}
    name = by_counts.get(tuple(counts), "pair" if counts[0] == 2 else "high_card")
    return FIVE.index(name), groups


def _short(cards: Sequence[Card]) -> Worth:
    """The same five where the six is the lowest card, below which an ace may stand."""
    number, groups = _five(cards)
    if {height(card) for card in cards} == {14, 6, 7, 8, 9}:
        return SHORT.index("straight_flush" if len({card.suit for card in cards}) == 1 else "straight"), (9,)
    return SHORT.index(FIVE[number]), groups


def _shape(cards: Sequence[Card]) -> tuple[tuple[int, ...], int, bool]:
    """The ranks, the most frequent first and then the highest; the top of the straight or 0; whether all one suit."""
    many = Counter(height(card) for card in cards)
    groups = tuple(sorted(many, key=lambda rank: (many[rank], rank), reverse=True))
    return groups, _top(groups, len(cards)), len({card.suit for card in cards}) == 1


def _top(ranks: Sequence[int], size: int) -> int:
    """The highest card of a straight of all of them; the ace may be the lowest."""
    if len(ranks) != size:
        return 0
    for found in (sorted(ranks), sorted(1 if rank == 14 else rank for rank in ranks)):
        if found[-1] - found[0] == size - 1:
            return found[-1]
    return 0
