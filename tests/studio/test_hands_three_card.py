"""The six classes of three-card poker, counted over every hand there is."""

from collections import Counter
from itertools import combinations

import pytest

from studio.cards import DECK, parse_cards
from studio.errors import InvariantError
from studio.hands.three_card import ThreeCard, read_three_card


def test_every_one_of_the_22100_hands_falls_in_its_class_as_often_as_counting_says() -> None:
    assert Counter(read_three_card(hand) for hand in combinations(DECK, 3)) == {
        ThreeCard.STRAIGHT_FLUSH: 48,
        ThreeCard.THREE_OF_A_KIND: 52,
        ThreeCard.STRAIGHT: 720,
        ThreeCard.FLUSH: 1_096,
        ThreeCard.PAIR: 3_744,
        ThreeCard.HIGH_CARD: 16_440,
    }


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("8h 7h 6h", ThreeCard.STRAIGHT_FLUSH, id="printed-straight-flush"),
        pytest.param("As 2s 3s", ThreeCard.STRAIGHT_FLUSH, id="straight-flush-with-the-ace-low"),
        pytest.param("Qs Ks As", ThreeCard.STRAIGHT_FLUSH, id="straight-flush-with-the-ace-high"),
        pytest.param("Th Td Ts", ThreeCard.THREE_OF_A_KIND, id="printed-three-of-a-kind"),
        pytest.param("8h 7d 6s", ThreeCard.STRAIGHT, id="printed-straight"),
        pytest.param("3d As 2h", ThreeCard.STRAIGHT, id="straight-with-the-ace-low-in-any-order"),
        pytest.param("Ah Qd Ks", ThreeCard.STRAIGHT, id="straight-with-the-ace-high-in-any-order"),
        pytest.param("Kh Ad 2s", ThreeCard.HIGH_CARD, id="the-ace-never-lies-in-the-middle"),
        pytest.param("Kh Ah 2h", ThreeCard.FLUSH, id="a-flush-round-the-corner"),
        pytest.param("Th 4h 2h", ThreeCard.FLUSH, id="printed-flush"),
        pytest.param("Ah Ad 8s", ThreeCard.PAIR, id="printed-pair"),
        pytest.param("Qh Jd 9s", ThreeCard.HIGH_CARD, id="nothing"),
    ],
)
def test_a_hand_reads_as_its_best_class(hand: str, expected: ThreeCard) -> None:
    assert read_three_card(parse_cards(hand)) is expected


def test_a_hand_of_another_size_is_our_own_mistake() -> None:
    with pytest.raises(InvariantError):
        read_three_card(parse_cards("As Kd Qh Jc"))
