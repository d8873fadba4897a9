"""Boards and holes told apart only as far as suits matter, and sums over the next card.

No rule of hold'em names a suit, so a deal counts as much as the same deal with its suits exchanged. Of all boards of
n cards one is kept of each class, with the number of boards in it (134,459 classes stand for 2,598,960 boards of
five). What is known of a board for each of the 1,326 holes is a row; exchanging the suits of the board exchanges
those of the holes. `over_next_card` takes rows of boards with n cards to rows of boards with n - 1, each the sum over
the next card: so a decision is judged by all that may still come.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, permutations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.cards import RANKS, SUITS

Numbers = NDArray[np.int64]
Cards = NDArray[np.uint8]

DECK_CARDS: Final = len(RANKS) * len(SUITS)

HOLES: Final = np.array(list(combinations(range(DECK_CARDS), 2)), np.uint8)
"""Both cards of each hole, the lower first; a hole's number is its place here."""

SUIT_ORDERS: Final = tuple(permutations(range(len(SUITS))))
"""Every way to exchange the suits: the suit in place i becomes suit i."""

_ROWS: Final = 1024
"""Rows worked on in one go, where a copy of all of them would be large."""


def _hole_numbers() -> Numbers:
    number = np.zeros((DECK_CARDS, DECK_CARDS), np.int64)
    number[HOLES[:, 0], HOLES[:, 1]] = number[HOLES[:, 1], HOLES[:, 0]] = np.arange(len(HOLES))
    return number


HOLE_NUMBER: Final = _hole_numbers()
"""The number of the hole of two cards."""

HOLES_WITH: Final = np.array([np.flatnonzero(np.equal(HOLES, card).any(axis=1)) for card in range(DECK_CARDS)])
"""The fifty-one holes that hold each card."""


def _exchanged() -> Numbers:
    """For each of `SUIT_ORDERS`, where in a row stands what belongs to each hole once the suits are exchanged."""
    rank, suit = np.divmod(HOLES.astype(np.int64), len(SUITS))
    rows = [HOLE_NUMBER[tuple((rank * len(SUITS) + np.array(order)[suit]).T)] for order in SUIT_ORDERS]
    return np.array(rows, np.int64)


_EXCHANGED: Final = _exchanged()
_SUIT_WEIGHTS: Final = len(SUITS) ** np.arange(len(SUITS))
_BY_WEIGHT: Final = np.zeros(len(SUITS) ** len(SUITS), np.int64)
_BY_WEIGHT[[int(np.dot(order, _SUIT_WEIGHTS)) for order in SUIT_ORDERS]] = np.arange(len(SUIT_ORDERS))


def _hole_classes() -> Numbers:
    """The class of each hole, of 169: pairs and suited holes by high and low rank, the others by low and high."""
    low, high = (HOLES // len(SUITS)).astype(np.int64).T
    suited = HOLES[:, 0] % len(SUITS) == HOLES[:, 1] % len(SUITS)
    classes: Numbers = np.where(suited, high * len(RANKS) + low, low * len(RANKS) + high)
    return classes


HOLE_CLASS: Final = _hole_classes()
HOLE_CLASSES: Final = len(RANKS) ** 2


class Boards:
    """One board of each class of n cards: `cards` (classes, n), and of how many boards it stands for, `alike`."""

    __slots__ = ("_keys", "alike", "cards")

    def __init__(self, size: int) -> None:
        flat = chain.from_iterable(combinations(range(DECK_CARDS), size))
        every = np.fromiter(flat, np.uint8, comb(DECK_CARDS, size) * size).reshape(-1, size)
        keys = _keys(np.sort(_ranks_by_suit(every), axis=1)[:, ::-1])
        self._keys, first, self.alike = np.unique(keys, return_index=True, return_counts=True)
        self.cards: Final = every[first]

    def __len__(self) -> int:
        return len(self.cards)

    def find(self, boards: Cards) -> tuple[Numbers, Numbers]:
        """The class of each board, and the number of the suit order in which its kept board reads the holes of it."""
        ranks = _ranks_by_suit(boards)
        falling = np.argsort(-ranks, axis=1, kind="stable")
        at = np.searchsorted(self._keys, _keys(np.take_along_axis(ranks, falling, axis=1)))
        kept = _ranks_by_suit(self.cards)[at]
        kept_falling = np.argsort(-kept, axis=1, kind="stable")
        order = np.empty_like(falling)
        np.put_along_axis(order, kept_falling, falling, axis=1)
        return at, _BY_WEIGHT[order @ _SUIT_WEIGHTS]

    def symmetric(self, rows: Numbers) -> None:
        """In place, add to each row what it is under every exchange of suits that leaves its board as it is."""
        ranks = _ranks_by_suit(self.cards)
        still = [(ranks[:, order] == ranks).all(axis=1) for order in SUIT_ORDERS]
        for start in range(0, len(rows), _ROWS):
            part = rows[start : start + _ROWS]
            total = np.zeros_like(part)
            for number, fixed in enumerate(still):
                same = np.flatnonzero(fixed[start : start + _ROWS])
                total[same] += part[np.ix_(same, _EXCHANGED[number])]
            part[:] = total


@cache
def boards_of(size: int) -> Boards:
    """The classes of boards of so many cards."""
    return Boards(size)


class NextCardSums:
    """Sums up rows of boards of n cards, given bit by bit, to rows of boards of n - 1 cards.

    A row holds a whole number for each hole, and 0 for the holes that share a card with the board.
    """

    __slots__ = ("_boards", "_orders", "_smaller", "_sums", "_targets")

    def __init__(self, size: int) -> None:
        self._boards: Final = boards_of(size)
        self._smaller: Final = boards_of(size - 1)
        self._sums: Final = np.zeros((len(self._smaller), len(HOLES)), np.int64)
        without = [np.delete(self._boards.cards, place, axis=1) for place in range(size)]
        found = [self._smaller.find(boards) for boards in without]
        self._targets: Final = np.array([target for target, _ in found]).T.tolist()
        self._orders: Final = np.array([order for _, order in found]).T.tolist()

    def add(self, start: int, rows: Numbers) -> None:
        """The rows of the classes from `start` on; each class is to be given once."""
        sums, gathers = self._sums, list(_EXCHANGED)
        weighed = rows * self._boards.alike[start : start + len(rows), None]
        ends = start + len(rows)
        for row, targets, orders in zip(weighed, self._targets[start:ends], self._orders[start:ends], strict=True):
            for target, order in zip(targets, orders, strict=True):
                sums[target] += row.take(gathers[order])

    def done(self) -> Numbers:
        """The sums. Each class came in as often as it has boards, so there are as many too many as suit orders."""
        self._smaller.symmetric(self._sums)
        np.floor_divide(self._sums, len(SUIT_ORDERS), out=self._sums)
        return self._sums


def over_next_card(size: int, rows: Numbers) -> Numbers:
    """Rows of all classes of boards of `size` cards, summed up to the boards of one card less."""
    sums = NextCardSums(size)
    sums.add(0, rows)
    return sums.done()


def by_hole_class(totals: Numbers) -> list[int]:
    """A number of each hole, summed up over the holes of each class."""
    sums = np.zeros(HOLE_CLASSES, np.int64)
    np.add.at(sums, HOLE_CLASS, totals)
    return [int(each) for each in sums]


def _ranks_by_suit(boards: Cards) -> Numbers:
    """The ranks that a board has of each suit, a bit each: (boards, suits)."""
    found = np.zeros((len(boards), len(SUITS)), np.int64)
    for card in boards.T.astype(np.int64):
        rank, suit = np.divmod(card, len(SUITS))
        found[np.arange(len(boards)), suit] |= 1 << rank
    return found


def _keys(ranks: Numbers) -> Numbers:
    """Four sets of thirteen ranks as one number."""
    return ranks @ (1 << len(RANKS) * np.arange(len(SUITS)))
