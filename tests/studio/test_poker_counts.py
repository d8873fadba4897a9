"""How often each hand is dealt, over every deal there is; all of them go through the evaluators as they are used.

Each table is printed from the top: royal flush, straight flush, quads, full house, flush, straight, trips, two pair,
pair, high card; the short deck's has flush above full house. These are known figures of combinatorics.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.cards import DECK, SUITS
from studio.errors import InvariantError
from studio.hands.array_evaluator import Cards, Values, array_evaluator_of
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import DIGITS, SHORT_DECK, STANDARD, THREE_CARD, PokerOrder

FIVE = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
SIX = (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900)
SEVEN = (4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460)
SHORT_FIVE = (4, 20, 288, 480, 1_728, 6_120, 16_128, 36_288, 193_536, 122_400)
SHORT_SEVEN = (1_860, 8_700, 44_640, 175_560, 633_024, 1_169_940, 607_200, 3_157_056, 2_316_600, 233_100)
THREE = (4, 44, 52, 720, 1_096, 3_744, 16_440)

SHORT_KINDS = 9 * 8 + 9 * 8 + 9 * comb(8, 2) + comb(9, 2) * 7 + 9 * comb(8, 3)
"""What nine ranks can be with a pair or more: quads, full houses, trips, two pairs, pairs."""


def every_hand(size: int, deck: int) -> Cards:
    """Every choice of `size` of the numbers below `deck`, those with the lower highest number first."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    fewer = every_hand(size - 1, deck - 1)
    parts = []
    for highest in range(size - 1, deck):
        rows = fewer[: comb(highest, size - 1)]
        parts.append(np.column_stack([rows, np.full(len(rows), highest, np.uint8)]))
    return np.concatenate(parts)


def values_of_every_hand(order: PokerOrder, size: int) -> Iterator[Values]:
    """In parts, the two highest cards of each shared by the part."""
    deck = len(order.ranks) * len(SUITS)
    first = len(DECK) - deck  # a short deck keeps the high cards
    rest = every_hand(size - 2, deck - 2) + np.uint8(first)
    for second, highest in combinations(range(size - 2, deck), 2):
        columns = rest[: comb(second, size - 2)].T
        yield array_evaluator_of(order).of_columns([*columns, first + second, first + highest])


def counted(order: PokerOrder, size: int) -> tuple[tuple[int, ...], int]:
    """How many hands of each category, from the top, and how many values there are."""
    counts = np.zeros(len(order.categories), np.int64)
    seen: NDArray[np.bool_] = np.zeros(len(order.categories) << 4 * DIGITS, np.bool_)
    for values in values_of_every_hand(order, size):
        counts += np.bincount(values >> 4 * DIGITS, minlength=len(counts))
        seen[values] = True
    return tuple(counts[::-1].tolist()), int(np.count_nonzero(seen))


@pytest.mark.parametrize(
    ("order", "size", "expected", "values"),
    [
        pytest.param(STANDARD, 5, FIVE, 7_462, id="5-of-52"),
        pytest.param(STANDARD, 6, SIX, 6_075, id="6-of-52"),
        pytest.param(STANDARD, 7, SEVEN, 4_824, id="7-of-52", marks=pytest.mark.long),
        pytest.param(SHORT_DECK, 5, SHORT_FIVE, SHORT_KINDS + 2 * comb(9, 5), id="5-of-36"),
        pytest.param(SHORT_DECK, 7, SHORT_SEVEN, None, id="7-of-36"),
        pytest.param(THREE_CARD, 3, THREE, 13 + 13 * 12 + 2 * comb(13, 3), id="3-of-52"),
    ],
)
def test_every_hand_there_is_falls_in_its_category_as_often_as_counting_says(
    order: PokerOrder, size: int, expected: tuple[int, ...], values: int | None
) -> None:
    counts, distinct = counted(order, size)
    assert counts == expected
    assert sum(counts) == comb(len(order.ranks) * len(SUITS), size)
    assert values is None or distinct == values


@pytest.mark.parametrize("order", [STANDARD, SHORT_DECK, THREE_CARD], ids=lambda order: order.key)
def test_arrays_and_single_hands_read_alike(order: PokerOrder) -> None:
    rng = np.random.default_rng(20_240_601)
    deck = np.array([card.index for card in DECK if card.rank in order.ranks], np.uint8)
    for size in range(order.size, order.most + 1):
        hands = rng.permuted(np.tile(deck, (20_000, 1)), axis=1)[:, :size]
        assert array_evaluator_of(order).of(hands).tolist() == [evaluator_of(order).of(hand) for hand in hands.tolist()]


def test_no_hands_have_no_values_and_a_shared_card_may_be_given_once() -> None:
    evaluator = array_evaluator_of(STANDARD)
    assert evaluator.of(np.zeros((0, 7), np.uint8)).shape == (0,)
    boards = every_hand(5, 50)[:40_000]
    whole = np.column_stack([boards, np.full((len(boards), 2), (50, 51), np.uint8)])
    assert evaluator.of_columns([*boards.T, 50, 51]).tolist() == evaluator.of(whole).tolist()


def test_an_array_of_hands_of_another_size_is_our_own_mistake() -> None:
    with pytest.raises(InvariantError):
        array_evaluator_of(STANDARD).of(every_hand(4, 10))
