"""The evaluators beside phevaluator, an independent one that ranks hands from 1, the royal flush, to 7462."""

from itertools import starmap

import numpy as np
import pytest
from phevaluator import evaluate_cards, evaluate_omaha_cards

from studio.hands.array_evaluator import Cards, array_evaluator_of
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD

HANDS = 200_000
OMAHA_DEALS = 50_000


def dealt(hands: int, size: int, seed: int) -> Cards:
    """So many hands, four of them from every shuffled deck, as shuffling takes the most time."""
    decks = np.random.default_rng(seed).permuted(np.tile(np.arange(52, dtype=np.uint8), (hands // 4, 1)), axis=1)
    return decks[:, : 4 * size].reshape(hands, size)


def assert_same_order(ours: list[int], theirs: list[int]) -> None:
    """The one falls where the other rises, and they tie in the same places: hand against hand, none disagrees."""
    pairs = sorted(set(zip(ours, theirs, strict=True)))
    assert len({our for our, _ in pairs}) == len({their for _, their in pairs}) == len(pairs)
    assert [their for _, their in pairs] == sorted((their for _, their in pairs), reverse=True)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_no_hand_is_ordered_otherwise(size: int) -> None:
    hands = dealt(HANDS, size, seed=size)
    values = array_evaluator_of(STANDARD).of(hands).tolist()
    assert values == [evaluator_of(STANDARD).of(hand) for hand in hands.tolist()]
    assert_same_order(values, list(starmap(evaluate_cards, hands.tolist())))


def test_no_omaha_hand_is_ordered_otherwise() -> None:
    deals = dealt(OMAHA_DEALS, 9, seed=9)
    values = array_evaluator_of(STANDARD).of_two_and_three(deals[:, :4], deals[:, 4:]).tolist()
    few = deals[:2_000].tolist()
    assert values[: len(few)] == [evaluator_of(STANDARD).of_two_and_three(deal[:4], deal[4:]) for deal in few]
    boards_first = deals[:, [4, 5, 6, 7, 8, 0, 1, 2, 3]].tolist()
    assert_same_order(values, list(starmap(evaluate_omaha_cards, boards_first)))
