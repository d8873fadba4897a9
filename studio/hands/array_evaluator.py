"""Reading many hands at once, as arrays: the tables of `studio.hands.evaluator`, laid out flat.

A hand's sum holds its ranks as two numbers in base five. Each of them is looked up on its own, and what the two give
adds up to a place in one small table: the low half gives where its row starts, the high half how far along the row.
High halves stand in order of how many cards they hold, so a row ends where the hand would grow too large, and nearly
every place is a hand that there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.cards import RANKS, SUITS
from studio.hands.evaluator import (
    CARDS_SHIFT,
    FLUSH_MASK,
    HIGH_SHIFT,
    KEYS,
    LOW_RANKS,
    RANK_BITS,
    RANK_MASK,
    SUIT_BITS,
    Evaluator,
    check_size,
    evaluator_of,
)
from studio.hands.poker import PokerOrder

BLOCK: Final = 1 << 14
"""Hands read in one go: what is worked on then stays in the processor's own memory."""

Cards = NDArray[np.uint8]
"""`Card.index` of each card."""

Values = NDArray[np.uint32]

_Sums = NDArray[np.int64]

_KEYS: Final = np.array([key & (1 << CARDS_SHIFT) - 1 for key in KEYS], np.int64)
_BITS: Final = np.array([1 << card // len(SUITS) for card in range(len(KEYS))], np.int64)
"""The bit of each card's rank."""

_LOW_MASK: Final = (1 << HIGH_SHIFT) - 1
_HIGH_MASK: Final = RANK_MASK >> HIGH_SHIFT


class ArrayEvaluator:
    """Reads arrays of hands in one order; values are those of `PokerOrder`, `values >> 20` the category's place.

    Get it from `array_evaluator_of`. Cards are trusted to be different, and as many as the order reads.
    """

    __slots__ = ("_by_suited", "_empty", "_places", "_rows", "_table", "order")

    def __init__(self, evaluator: Evaluator) -> None:
        self.order: Final = evaluator.order
        self._empty: Final = evaluator.empty
        self._rows, self._places = _rows_and_places(self.order.most)
        codes = np.fromiter(evaluator.by_ranks, np.int64)
        where = self._where(codes)
        self._table: Final = np.zeros(where.max() + 1, np.uint32)
        self._table[where] = np.fromiter(evaluator.by_ranks.values(), np.uint32)
        self._by_suited: Final = np.zeros(1 << len(RANKS), np.uint32)
        self._by_suited[list(evaluator.by_suited)] = list(evaluator.by_suited.values())

    def of(self, hands: Cards) -> Values:
        """The best hand of each row of `(n, cards)`."""
        return self.of_columns(list(hands.T))

    def of_columns(self, columns: Sequence[Cards | int]) -> Values:
        """The same, card by card; a card that every hand shares may be given once, as a number.

        So all the boards against one hole are read without copying the hole next to each of them.
        """
        check_size(self.order, len(columns))
        parts = [
            self._of_sums(self._sums(block), block)
            for block in _blocks([np.asarray(column, np.uint8) for column in columns])
        ]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint32)

    def of_two_and_three(self, holes: Cards, boards: Cards) -> Values:
        """The best hand of exactly two cards of each row of `holes` and three of `boards`, as Omaha has it."""
        parts = []
        for block in _blocks([*holes.T, *boards.T]):
            pairs = [(pair, self._sums(pair)) for pair in combinations(block[: holes.shape[1]], 2)]
            threes = [(three, self._sums(three) - self._empty) for three in combinations(block[holes.shape[1] :], 3)]
            best = np.zeros(len(block[0]), np.uint32)
            for (pair, start), (three, more) in product(pairs, threes):
                np.maximum(best, self._of_sums(start + more, [*pair, *three]), out=best)
            parts.append(best)
        return np.concatenate(parts) if parts else np.zeros(0, np.uint32)

    def _sums(self, columns: Sequence[Cards]) -> _Sums:
        total = np.zeros(max(column.size for column in columns), np.int64)
        total += self._empty
        for column in columns:
            total += _KEYS.take(column)
        return total

    def _of_sums(self, sums: _Sums, columns: Sequence[Cards]) -> Values:
        values = self._table.take(self._where(sums))
        flushes = np.flatnonzero((sums & FLUSH_MASK) != 0)
        if flushes.size:
            values[flushes] = self._of_flushes(sums[flushes], [_rows_of(column, flushes) for column in columns])
        return values

    def _where(self, sums: _Sums) -> _Sums:
        return self._rows.take(sums & _LOW_MASK) + self._places.take(sums >> HIGH_SHIFT & _HIGH_MASK)

    def _of_flushes(self, sums: _Sums, columns: Sequence[Cards]) -> Values:
        suit = np.zeros(len(sums), np.uint8)
        for number in range(1, len(SUITS)):
            suit[sums >> RANK_BITS + SUIT_BITS * number + SUIT_BITS - 1 & 1 == 1] = number
        ranks = np.zeros(len(sums), np.int64)
        for column in columns:
            ranks += np.where(column % len(SUITS) == suit, _BITS.take(column), 0)
        return self._by_suited.take(ranks)


@cache
def array_evaluator_of(order: PokerOrder) -> ArrayEvaluator:
    """The evaluator of that order; the first call lays out its tables."""
    return ArrayEvaluator(evaluator_of(order))


def _blocks(columns: Sequence[Cards]) -> Iterator[list[Cards]]:
    size = max(column.size for column in columns)
    for start in range(0, size, BLOCK):
        yield [column[start : start + BLOCK] if column.ndim else column for column in columns]


def _rows_of(column: Cards, rows: NDArray[np.intp]) -> Cards:
    return column[rows] if column.ndim else column


def _rows_and_places(most: int) -> tuple[_Sums, _Sums]:
    """Where the row of each low half starts, and how far along its row each high half stands."""
    low_cards, high_cards = _cards_in(LOW_RANKS), _cards_in(len(RANKS) - LOW_RANKS)
    in_order = np.argsort(high_cards, kind="stable")
    places = np.empty(len(in_order), np.int64)
    places[in_order] = np.arange(len(in_order))
    lengths = np.array([np.count_nonzero(high_cards <= most - cards) for cards in range(most + 1)])
    length = np.where(low_cards <= most, lengths.take(low_cards, mode="clip"), 0)
    return np.cumsum(length) - length, places


def _cards_in(ranks: int) -> NDArray[np.int64]:
    """How many cards each number in base five counts, of so many ranks."""
    cards = np.zeros(1, np.int64)
    for _ in range(ranks):
        cards = np.add.outer(np.arange(5), cards).ravel()
    return cards
