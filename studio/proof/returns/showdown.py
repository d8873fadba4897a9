"""How often a hole wins and ties over a board, against every hole the dealer may have.

Over one board the holes are counted by what they make: how many make less, and as much. The dealer cannot hold the
player's cards, so the holes with the one and with the other are taken off again; the only hole with both is the
player's own.

Only a suit with three cards on the board can make a flush. So a card is told apart by its rank and by whether it is
of that suit: 42,783 kinds of board stand for the 134,459 classes, and 351 kinds of hole for the 1,326 holes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.cards import RANKS, SUITS
from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.poker import DIGITS, STANDARD, Category
from studio.proof.returns.figure import Report
from studio.proof.returns.suit_class import (
    DECK_CARDS,
    HOLE_NUMBER,
    HOLES,
    HOLES_WITH,
    Cards,
    NextCardSums,
    Numbers,
    boards_of,
    by_hole_class,
)

BOARD_CARDS: Final = 5
LEFT: Final = DECK_CARDS - BOARD_CARDS
DEALER_HOLES: Final = (LEFT - 2) * (LEFT - 3) // 2
"""990: what the dealer may hold, the board and the player's hole known."""

FLUSH_CARDS: Final = 3
NO_SUIT: Final = len(SUITS)
KINDS: Final = 2 * len(RANKS)
PAIR: Final = 1 << 4 * DIGITS
"""The value of the least pair: what a dealer qualifies with where no rule of the game asks for more."""

BATCH: Final = 64
ROWS: Final = 512
"""Kinds counted, and rows written out, in one go."""

_FIRST, _SECOND = np.triu_indices(LEFT, 1)
_PLACE_BITS: Final = 11


def _hole_kinds() -> NDArray[np.int64]:
    """For each suit that may be the flush suit, and for none: the kind of each hole."""
    pair_number = np.zeros((KINDS, KINDS), np.int64)
    for number, (low, high) in enumerate(combinations_with_replacement(range(KINDS), 2)):
        pair_number[low, high] = pair_number[high, low] = number
    suits = np.arange(NO_SUIT + 1)[:, None, None]
    kinds = _card_kinds(HOLES[None], suits)
    numbers: Numbers = pair_number[kinds[..., 0], kinds[..., 1]]
    return numbers


def _card_kinds(cards: Cards, suit: Numbers) -> Numbers:
    kinds: Numbers = cards // len(SUITS) + len(RANKS) * (cards % len(SUITS) == suit)
    return kinds


HOLE_KIND: Final = _hole_kinds()
HOLE_KINDS: Final = KINDS * (KINDS + 1) // 2

Counts = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Showdowns:
    """By kind of board and kind of hole: of 990 dealer's holes, how many the player beats, and how many are equal.

    `beats_low`, `ties_low` and `loses_to_low` are how many of those the dealer does not qualify in. `category` is the
    place of the player's own category in the standard order. `kind_of` gives the kind of each class of boards.
    """

    kind_of: Numbers
    flush_suit: Numbers
    category: NDArray[np.uint8]
    wins: Counts
    ties: Counts
    beats_low: Counts
    ties_low: Counts
    loses_to_low: Counts

    @property
    def kinds(self) -> int:
        """How many kinds of hole over kinds of board were told apart."""
        return self.wins.size

    def totals(self, values: Numbers) -> list[int]:
        """From values by kind: for each class of holes, the sum over its holes and all boards."""
        alike = boards_of(BOARD_CARDS).alike
        by_hole = np.zeros(len(HOLES), np.int64)
        for start, rows in self._rows(values):
            by_hole += alike[start : start + len(rows)] @ rows
        return by_hole_class(by_hole)

    def over_river(self, values: Numbers, report: Report) -> Numbers:
        """From values by kind: rows of the boards of four cards, summed over the river; some seconds."""
        sums = NextCardSums(BOARD_CARDS)
        for start, rows in self._rows(values):
            sums.add(start, rows)
            report(start / len(self.kind_of))
        return sums.done()

    def by_category(self) -> Iterator[tuple[Category, int, Cards, Cards]]:
        """Each category the player may have: how often a board and a hole make it, and one such board and hole."""
        boards = boards_of(BOARD_CARDS)
        ways = np.zeros(len(STANDARD.categories) + 1)
        seen: dict[int, tuple[Cards, Cards]] = {}
        for start, rows in self._rows(self.category.astype(np.int64) + 1):
            alike = np.broadcast_to(boards.alike[start : start + len(rows), None], rows.shape)
            found = np.bincount(rows.ravel(), weights=alike.ravel(), minlength=len(ways))
            ways += found
            for place in set(np.flatnonzero(found).tolist()) - set(seen):
                board, hole = divmod(int((rows == place).argmax()), len(HOLES))
                seen[place] = boards.cards[start + board], HOLES[hole]
        for place in sorted(set(seen) - {0}):
            yield STANDARD.categories[place - 1], int(ways[place]), *seen[place]

    def _rows(self, values: Numbers) -> Iterator[tuple[int, Numbers]]:
        """Rows of the classes of boards, bit by bit, 0 for the holes that share a card with the board."""
        boards = boards_of(BOARD_CARDS).cards
        for start in range(0, len(boards), ROWS):
            cards, suits = boards[start : start + ROWS], self.flush_suit[start : start + ROWS]
            rows = np.take_along_axis(values[self.kind_of[start : start + ROWS]], HOLE_KIND[suits], axis=1)
            rows[np.arange(len(rows))[:, None], HOLES_WITH[cards].reshape(len(rows), -1)] = 0
            yield start, rows


def count_showdowns(report: Report, qualifying: int = PAIR) -> Showdowns:
    """Count over every kind of board, a dealer qualifying with a hand of that value; some seconds."""
    boards = boards_of(BOARD_CARDS).cards
    suits = _flush_suits(boards)
    in_kinds = np.sort(_card_kinds(boards, suits[:, None]), axis=1)
    _, first, kind_of = np.unique(in_kinds @ KINDS ** np.arange(BOARD_CARDS), return_index=True, return_inverse=True)
    return replace(count_over(boards[first], report, qualifying), kind_of=kind_of, flush_suit=suits)


def count_over(boards: Cards, report: Report, qualifying: int = PAIR) -> Showdowns:
    """Count over these boards, each a kind of its own."""
    suits = _flush_suits(boards)
    category = np.zeros((len(boards), HOLE_KINDS), np.uint8)
    counted = np.zeros((5, *category.shape), np.int16)
    for start in range(0, len(boards), BATCH):
        here = slice(start, start + BATCH)
        holes, values = _values(boards[here])
        at = np.arange(start, start + len(holes))[:, None]
        kinds = np.take_along_axis(HOLE_KIND[suits[here]], holes, axis=1)
        category[at, kinds] = values >> 4 * DIGITS
        for counts, each in zip(counted, _counts(values, qualifying), strict=True):
            counts[at, kinds] = each
        report((start + len(holes)) / len(boards))
    return Showdowns(np.arange(len(boards)), suits, category, *counted)


def _flush_suits(boards: Cards) -> Numbers:
    """The suit with three cards or more on each board; `NO_SUIT` where there is none."""
    counts = (boards[:, :, None] % len(SUITS) == np.arange(len(SUITS))).sum(axis=1)
    return np.where(counts.max(axis=1) >= FLUSH_CARDS, counts.argmax(axis=1), NO_SUIT)


def _values(boards: Cards) -> tuple[Numbers, Numbers]:
    """The holes left over each board, and what each makes with it: both (boards, 1081)."""
    left = np.ones((len(boards), DECK_CARDS), bool)
    left[np.arange(len(boards))[:, None], boards] = False
    cards = np.nonzero(left)[1].reshape(len(boards), LEFT).astype(np.uint8)
    first, second = cards[:, _FIRST], cards[:, _SECOND]
    shared = [np.repeat(column, len(_FIRST)) for column in boards.T]
    values = array_evaluator_of(STANDARD).of_columns([*shared, first.ravel(), second.ravel()])
    return HOLE_NUMBER[first, second], values.reshape(first.shape).astype(np.int64)


def _counts(values: Numbers, qualifying: int) -> Iterator[Numbers]:
    """Of each hole against all holes of other cards: wins, ties, and wins, ties and losses where those are low."""
    ranks = _dense_ranks(values)
    with_card = _by_card(ranks, int(ranks.max()) + 1)
    below = np.cumsum(with_card, axis=2) - with_card
    wins = _disjoint(below, ranks)
    ties = _disjoint(with_card, ranks) + 1
    low = (values < qualifying).astype(np.int64)
    low_with_card = _by_card(1 - low, 2)
    dealer_low = _disjoint(low_with_card, np.zeros_like(ranks)) + low
    yield wins
    yield ties
    yield np.where(low == 1, wins, dealer_low)
    yield ties * low
    yield (dealer_low - wins - ties) * low


def _dense_ranks(values: Numbers) -> Numbers:
    """The place of each value among the different values of its row, from 0."""
    ordered = np.sort(values << _PLACE_BITS | np.arange(values.shape[1]), axis=1)
    changes = np.diff(ordered >> _PLACE_BITS, axis=1) != 0
    ranks = np.zeros_like(values)
    places = ordered & (1 << _PLACE_BITS) - 1
    np.put_along_axis(ranks, places[:, 1:], np.cumsum(changes, axis=1), axis=1)
    return ranks


def _by_card(ranks: Numbers, different: int) -> Numbers:
    """How many holes with each card have each rank: (boards, cards, ranks)."""
    shape = (len(ranks), LEFT, different)
    row = np.arange(len(ranks))[:, None] * LEFT
    places = np.concatenate([(row + _FIRST) * different + ranks, (row + _SECOND) * different + ranks], axis=1)
    return np.bincount(places.ravel(), minlength=len(ranks) * LEFT * different).reshape(shape)


def _disjoint(with_card: Numbers, ranks: Numbers) -> Numbers:
    """What stands at each hole's rank for all holes (each has two cards), less that of either card of the hole."""
    row = np.arange(len(ranks))[:, None]
    every = with_card.sum(axis=1) // 2
    disjoint: Numbers = every[row, ranks] - with_card[row, _FIRST, ranks] - with_card[row, _SECOND, ranks]
    return disjoint
