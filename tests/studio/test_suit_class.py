"""Boards up to the exchange of suits: that each class is counted right, and that sums over the next card are."""

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.proof.returns.suit_class import (
    DECK_CARDS,
    HOLE_CLASS,
    HOLES,
    HOLES_WITH,
    SUIT_ORDERS,
    boards_of,
    by_hole_class,
    over_next_card,
)

RNG = random.Random(11)


@pytest.mark.parametrize(("size", "classes"), [(2, 169), (3, 1_755), (4, 16_432)])
def test_the_classes_stand_for_all_boards_there_are(size: int, classes: int) -> None:
    boards = boards_of(size)
    assert len(boards) == classes
    assert boards.alike.sum() == comb(52, size)
    assert all(len(set(cards)) == size for cards in boards.cards.tolist())


def test_a_board_is_found_as_its_class_with_its_suits_exchanged() -> None:
    boards = boards_of(3)
    for _ in range(200):
        board = np.array([RNG.sample(range(DECK_CARDS), 3)], np.uint8)
        (at,), (order,) = boards.find(board)
        kept = [4 * (card // 4) + SUIT_ORDERS[order][card % 4] for card in boards.cards[at].tolist()]
        assert sorted(kept) == sorted(board[0].tolist())


def weights(board: Sequence[int]) -> NDArray[np.int64]:
    """For each hole, something that knows ranks and which cards share a suit, but no suit by its name."""
    holes = HOLES.astype(np.int64)
    alike = sum((holes % 4 == card % 4).sum(axis=1) for card in board) + 7 * (holes[:, 0] % 4 == holes[:, 1] % 4)
    told = 3 * sum(card // 4 for card in board) * (holes[:, 0] // 4 + 2) + 100 * alike * alike + holes[:, 1] // 4
    told[HOLES_WITH[list(board)].ravel()] = 0
    return np.asarray(told, np.int64)


@pytest.mark.long
def test_rows_are_summed_over_the_next_card() -> None:
    sums = over_next_card(3, np.array([weights(cards) for cards in boards_of(3).cards.tolist()]))
    for cards, row in zip(boards_of(2).cards.tolist(), sums, strict=True):
        more = [weights([*cards, card]) for card in range(DECK_CARDS) if card not in cards]
        assert (row == np.sum(more, axis=0)).all()


def test_holes_are_numbered_and_sorted_into_169_classes() -> None:
    assert [tuple(hole) for hole in HOLES.tolist()] == list(combinations(range(52), 2))
    assert len(set(HOLE_CLASS.tolist())) == 169
    assert sorted(set(np.bincount(HOLE_CLASS).tolist())) == [4, 6, 12]
    assert HOLES_WITH.shape == (52, 51)
    assert sum(by_hole_class(np.ones(len(HOLES), np.int64))) == 1326
