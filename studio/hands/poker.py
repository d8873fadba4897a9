"""What a poker hand is worth: the categories, their order in each game, and what breaks a tie.

The law is stated once, for exactly as many cards as make a hand (`PokerOrder.law`). What the best of six or seven
cards is follows from it: the tables of `studio.hands.evaluator` are derived from nothing else.

A value is one integer, and the higher one wins; equal values are exact ties. It is written in hexadecimal as a person
would: the category's place in the order, then the ranks that break ties, most telling first, 2 to E (the ace), a digit
each. Kings over tens is 0x6DA000 in the standard order.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.cards import RANKS

DIGITS: Final = 5
"""Ranks that break ties, at most."""

ACE: Final = len(RANKS) - 1


class Category(enum.StrEnum):
    """What kind of hand it is; which of two kinds stands above is for a `PokerOrder` to say."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    MINI_ROYAL = "mini_royal"
    ROYAL_FLUSH = "royal_flush"


_BY_COUNTS: Final = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
    (3,): Category.THREE_OF_A_KIND,
    (2, 1): Category.PAIR,
    (1, 1, 1): Category.HIGH_CARD,
}


@dataclass(frozen=True, slots=True)
class PokerOrder:
    """The order of hands in one family of games.

    `size` cards make a hand, the best of at most `most`; `ranks` are the deck's, from the lowest; `categories` stand
    from the lowest to the highest, and the last one is the straight flush that ends in an ace.
    """

    key: str
    size: int
    most: int
    ranks: str
    categories: tuple[Category, ...]

    def law(self, ranks: Sequence[int], *, suited: bool) -> int:
        """The value of exactly `size` cards of these ranks, 0 for the deuce to 12 for the ace."""
        groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
        category = _BY_COUNTS[tuple(count for count, _ in groups)]
        telling = [rank for _, rank in groups]
        if category is not Category.HIGH_CARD:
            return self._value(category, telling)
        if (top := self._straight_top(telling)) is None:
            return self._value(Category.FLUSH if suited else Category.HIGH_CARD, telling)
        if not suited:
            return self._value(Category.STRAIGHT, [top])
        return self._value(self.categories[-1] if top == ACE else Category.STRAIGHT_FLUSH, [top])

    def _straight_top(self, falling: Sequence[int]) -> int | None:
        """The highest card of a straight; an ace may also stand below the deck's lowest card, never in the middle."""
        if falling[0] - falling[-1] == self.size - 1:
            return falling[0]
        lowest = RANKS.index(self.ranks[0])
        below_the_ace = [*range(lowest + self.size - 2, lowest - 1, -1)]
        return below_the_ace[0] if list(falling) == [ACE, *below_the_ace] else None

    def _value(self, category: Category, telling: Sequence[int]) -> int:
        value = self.categories.index(category)
        for place in range(DIGITS):
            value = value << 4 | (telling[place] + 2 if place < len(telling) else 0)
        return value

    def category(self, value: int) -> Category:
        """What kind of hand has this value.

        >>> STANDARD.category(0x6DA000).value
        'full_house'
        """
        return self.categories[value >> 4 * DIGITS]

    def telling(self, value: int) -> str:
        """The ranks that break ties, most telling first: of a straight its top, of a pair the pair and three kickers.

        >>> STANDARD.telling(0x6DA000)
        'KT'
        """
        digits = (value >> 4 * place & 0xF for place in reversed(range(DIGITS)))
        return "".join(RANKS[digit - 2] for digit in digits if digit)

    def describe(self, value: int) -> str:
        """The hand in the words of the floor.

        >>> STANDARD.describe(0x6DA000)
        'Full house, kings over tens'
        >>> STANDARD.describe(0x1E9520)
        'Pair of aces, kickers nine, five and two'
        """
        return _describe(self.category(value), self.telling(value))


_FROM_THE_BOTTOM: Final = tuple(each for each in Category if each is not Category.MINI_ROYAL)

STANDARD: Final = PokerOrder("standard", size=5, most=7, ranks=RANKS, categories=_FROM_THE_BOTTOM)
"""Fifty-two cards, the best five of up to seven."""

SHORT_DECK: Final = PokerOrder(
    "short_deck",
    size=5,
    most=7,
    ranks=RANKS[RANKS.index("6") :],
    categories=(
        Category.HIGH_CARD,
        Category.PAIR,
        Category.TWO_PAIR,
        Category.THREE_OF_A_KIND,
        Category.STRAIGHT,
        Category.FULL_HOUSE,
        Category.FLUSH,
        Category.FOUR_OF_A_KIND,
        Category.STRAIGHT_FLUSH,
        Category.ROYAL_FLUSH,
    ),
)
"""Thirty-six cards: a flush beats a full house, a straight still beats trips, A-6-7-8-9 is the lowest straight."""

THREE_CARD: Final = PokerOrder(
    "three_card",
    size=3,
    most=3,
    ranks=RANKS,
    categories=(
        Category.HIGH_CARD,
        Category.PAIR,
        Category.FLUSH,
        Category.STRAIGHT,
        Category.THREE_OF_A_KIND,
        Category.STRAIGHT_FLUSH,
        Category.MINI_ROYAL,
    ),
)
"""Three Card Poker: a straight beats a flush, A-2-3 is the lowest straight, A-K-Q of one suit the mini royal."""


_ONE: Final = dict(
    zip(
        RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
_MANY: Final = {rank: word + ("es" if word == "six" else "s") for rank, word in _ONE.items()}


def _describe(category: Category, telling: str) -> str:
    first, rest = telling[0], telling[1:]
    match category:
        case Category.ROYAL_FLUSH | Category.MINI_ROYAL:
            return _title(category)
        case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
            return f"{_title(category)}, {_ONE[first]} high"
        case Category.FULL_HOUSE:
            return f"Full house, {_MANY[first]} over {_MANY[rest]}"
        case Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{_title(category)}, {_MANY[first]}{_kickers(rest)}"
        case Category.TWO_PAIR:
            return f"Two pair, {_MANY[first]} and {_MANY[rest[0]]}{_kickers(rest[1:])}"
        case Category.PAIR:
            return f"Pair of {_MANY[first]}{_kickers(rest)}"
        case Category.FLUSH:
            return f"Flush, {_ONE[first]} high{_kickers(rest)}"
        case Category.HIGH_CARD:
            return f"{_ONE[first].capitalize()} high{_kickers(rest)}"


def _title(category: Category) -> str:
    return category.value.replace("_", " ").capitalize()


def _kickers(ranks: str) -> str:
    if not ranks:
        return ""
    *most, last = (_ONE[rank] for rank in ranks)
    return f", kickers {', '.join(most)} and {last}" if most else f", kicker {last}"
