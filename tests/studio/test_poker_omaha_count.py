"""How often each Omaha hand is dealt: four cards of the hole and five of the board, all 463,563,500,400 deals.

Counted, not dealt one by one. A hole is worth what the best two of its cards are. Every two ranks are read once with
every pattern of ranks on the board, in two suits: then nothing but ranks can decide. Flushes are counted apart: only
one suit can have three cards on the board, so for clubs, taken four times, every deal with a flush is moved from what
its ranks are worth to what the flush is, where that is better.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.poker import DIGITS, STANDARD

FROM_THE_TOP = (
    42_807_600,
    368_486_160,
    2_225_270_496,
    29_424_798_576,
    31_216_782_384,
    52_289_648_688,
    40_712_657_408,
    170_775_844_104,
    122_655_542_152,
    13_851_662_832,
)

Ranks = tuple[int, ...]
Counts = NDArray[np.int64]
Categories = NDArray[np.intp]

CHOICES = np.array([[comb(n, k) for k in range(6)] for n in range(5)])
SUITED_BOARDS = [clubs for count in (3, 4, 5) for clubs in combinations(range(13), count)]
"""The ranks of the clubs on a board that can be part of a flush."""


def patterns(cards: int, *, suits: int) -> list[Ranks]:
    """The ranks that so many cards of so many suits can have."""
    every = combinations_with_replacement(range(13), cards)
    return [ranks for ranks in every if all(ranks.count(rank) <= suits for rank in ranks)]


HOLES, BOARDS = patterns(4, suits=4), patterns(5, suits=4)


def how_many(each: Iterable[Ranks]) -> Counts:
    """A row for each: how many cards of every rank."""
    return np.array([[ranks.count(rank) for rank in range(13)] for ranks in each])


def ways(first: Counts, then: Counts, *, suits: int) -> Counts:
    """The ways to take cards of the first ranks, and then of each of the others, from so many suits."""
    return np.asarray(CHOICES[suits, first].prod() * CHOICES[suits - first, then].prod(axis=1))


def categories(hole: Sequence[int], boards: NDArray[np.int64]) -> Categories:
    """The category of one hole with each of the boards; 0 is high card."""
    holes = np.tile(np.array(hole, np.uint8), (len(boards), 1))
    return (array_evaluator_of(STANDARD).of_two_and_three(holes, boards.astype(np.uint8)) >> 4 * DIGITS).astype(np.intp)


def pair_by_ranks(pair: Ranks, boards: NDArray[np.int64], nth: NDArray[np.int64]) -> Categories:
    """Two suits for the two ranks; the cards of a board take those that are left of their rank.

    Where none is left there is no such deal, and the number means nothing; its ways are none.
    """
    taken = set(zip(pair, range(2), strict=True))
    left = [[suit for suit in range(4) if (rank, suit) not in taken] for rank in range(13)]
    suit = np.array([(suits + [4] * 5)[:5] for suits in left])[boards, nth]
    there = np.flatnonzero((suit < 4).all(axis=1))
    found = np.zeros(len(boards), np.intp)
    found[there] = categories([4 * rank + suit for suit, rank in enumerate(pair)], (4 * boards + suit)[there])
    return found


@pytest.fixture(scope="module")
def by_ranks() -> dict[Ranks, Categories]:
    """The category of every hole, with every board, by ranks alone."""
    nth = np.array([[ranks[:place].count(rank) for place, rank in enumerate(ranks)] for ranks in BOARDS])
    pairs = {pair: pair_by_ranks(pair, np.array(BOARDS), nth) for pair in patterns(2, suits=4)}
    return {hole: np.maximum.reduce([pairs[pair] for pair in set(combinations(hole, 2))]) for hole in HOLES}


def counted_by_ranks(by_ranks: dict[Ranks, Categories]) -> Counts:
    counts, boards = np.zeros(10), how_many(BOARDS)
    for hole, found in by_ranks.items():
        counts += np.bincount(found, ways(how_many([hole])[0], boards, suits=4), 10)
    return counts.astype(np.int64)


@cache
def flushes(hole: Ranks) -> Categories:
    """What the clubs of a hole make with the clubs of each board; 0 where both would have the same card."""
    found = np.zeros(len(SUITED_BOARDS), np.intp)
    for count in (3, 4, 5):
        rows = [row for row, board in enumerate(SUITED_BOARDS) if len(board) == count and not set(board) & set(hole)]
        found[rows] = categories([4 * rank for rank in hole], np.array([SUITED_BOARDS[row] for row in rows]) * 4)
    return found


def moved_by_flushes(by_ranks: dict[Ranks, Categories]) -> Counts:
    """What deals with a flush of clubs add to each category, less what they take from it."""
    boards = [(clubs, others) for clubs in SUITED_BOARDS for others in patterns(5 - len(clubs), suits=3)]
    clubs_at = numbers(SUITED_BOARDS, [clubs for clubs, _ in boards])
    whole_at = numbers(BOARDS, [tuple(sorted(clubs + others)) for clubs, others in boards])
    other_cards = how_many(others for _, others in boards)
    met = np.zeros((10, 10))
    for others in (others for count in range(3) for others in patterns(count, suits=3)):
        deals = ways(how_many([others])[0], other_cards, suits=3)
        for clubs in combinations(range(13), 4 - len(others)):
            flush = flushes(clubs)[clubs_at]
            plain = by_ranks[tuple(sorted(clubs + others))][whole_at]
            met += np.bincount(10 * flush + plain, deals, 100).reshape(10, 10)
    return moved(met.astype(np.int64))


def moved(met: Counts) -> Counts:
    """From how many deals are of each flush, 0 for none, and by ranks of each category."""
    change = np.zeros(10, np.int64)
    for flush in range(1, 10):
        for plain in range(10):
            change[max(flush, plain)] += met[flush, plain]
            change[plain] -= met[flush, plain]
    return change


def numbers(every: Sequence[Hashable], each: Sequence[Hashable]) -> NDArray[np.intp]:
    """Where each of them stands among all."""
    places = {one: place for place, one in enumerate(every)}
    return np.array([places[one] for one in each])


@pytest.mark.night
def test_every_omaha_deal_there_is_falls_in_its_category_as_often_as_counting_says(
    by_ranks: dict[Ranks, Categories],
) -> None:
    counts = counted_by_ranks(by_ranks) + 4 * moved_by_flushes(by_ranks)
    assert tuple(counts[::-1].tolist()) == FROM_THE_TOP
    assert counts.sum() == comb(52, 4) * comb(48, 5) == 463_563_500_400
