"""Reads which hand a seat of the poker room shows: its own cards, the board's, the game's order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Final

from studio.cards import RANKS, Card
from studio.hands.poker import SHORT_DECK, STANDARD, Category, PokerOrder
from studio.rulebook.open_face import row_value

BOARD_LEAST: Final = 3
"""Before the flop two cards are no hand yet."""

_ORDERS: Final[Mapping[str, PokerOrder]] = MappingProxyType(
    {"nlh": STANDARD, "short_deck": SHORT_DECK, "plo": STANDARD}
)
BETTING: Final = frozenset(_ORDERS)
"""The games whose hands are read together with a board."""

_OMAHA: Final = frozenset({"plo"})
_CARDS: Final = 5


@dataclass(frozen=True, slots=True)
class HandRank:
    """`value` is that of the game's order, the higher wins; `telling` the ranks that break ties, most telling first."""

    value: int
    category: Category
    telling: str


@lru_cache(maxsize=512)
def rank_of(game: str, hole: tuple[Card, ...], board: tuple[Card, ...]) -> HandRank | None:
    """The best hand of these cards, all of them open; None before the flop.

    >>> from studio.cards import parse_cards
    >>> found = rank_of("plo", tuple(parse_cards("Ks Kd 2h 3h")), tuple(parse_cards("Kh Ts Td 2c 3c")))
    >>> found.category.value, found.telling
    ('full_house', 'KT')
    """
    if len(board) < BOARD_LEAST:
        return None
    order = _ORDERS[game]
    return _rank(order, max(_value(order, five) for five in _fives(game, hole, board)))


def row_rank(cards: tuple[Card, ...]) -> HandRank:
    """What a whole row of Open-Face Chinese is; three cards know neither straights nor flushes."""
    return _rank(STANDARD, row_value(cards))


def _rank(order: PokerOrder, value: int) -> HandRank:
    return HandRank(value, order.category(value), order.telling(value))


def _fives(game: str, hole: tuple[Card, ...], board: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    if game in _OMAHA:
        return (two + three for two in combinations(hole, 2) for three in combinations(board, 3))
    return combinations(hole + board, _CARDS)


def _value(order: PokerOrder, five: tuple[Card, ...]) -> int:
    return order.law([RANKS.index(card.rank) for card in five], suited=len({card.suit for card in five}) == 1)
