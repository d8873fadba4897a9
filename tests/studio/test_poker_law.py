"""What beats what, and in which words: the order of each game, hand by hand."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.cards import DECK, Card, parse_cards
from studio.errors import InvariantError
from studio.hands.evaluator import KEYS, evaluator_of
from studio.hands.poker import SHORT_DECK, STANDARD, THREE_CARD, Category, PokerOrder
from studio.hands.three_card import read_three_card

SHORT_CARDS = tuple(card for card in DECK if card.rank in SHORT_DECK.ranks)


def value_of(order: PokerOrder, text: str) -> int:
    return evaluator_of(order).of_cards(parse_cards(text))


STANDARD_LADDER = (
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, "Royal flush"),
    ("Ks Qs Js Ts 9s", Category.STRAIGHT_FLUSH, "Straight flush, king high"),
    ("5d 4d 3d 2d Ad", Category.STRAIGHT_FLUSH, "Straight flush, five high"),
    ("Ac Ad Ah As Kc", Category.FOUR_OF_A_KIND, "Four of a kind, aces, kicker king"),
    ("2c 2d 2h 2s 3c", Category.FOUR_OF_A_KIND, "Four of a kind, twos, kicker three"),
    ("Kc Kd Kh Tc Td", Category.FULL_HOUSE, "Full house, kings over tens"),
    ("6c 6d 6h Ac Ad", Category.FULL_HOUSE, "Full house, sixes over aces"),
    ("Ah Th 7h 5h 2h", Category.FLUSH, "Flush, ace high, kickers ten, seven, five and two"),
    ("Kh Qh Jh Th 8h", Category.FLUSH, "Flush, king high, kickers queen, jack, ten and eight"),
    ("Ac Kd Qh Js Tc", Category.STRAIGHT, "Straight, ace high"),
    ("6c 5d 4h 3s 2c", Category.STRAIGHT, "Straight, six high"),
    ("5c 4d 3h 2s Ac", Category.STRAIGHT, "Straight, five high"),
    ("Ac Ad Ah 3s 2c", Category.THREE_OF_A_KIND, "Three of a kind, aces, kickers three and two"),
    ("Kc Kd Kh As Qc", Category.THREE_OF_A_KIND, "Three of a kind, kings, kickers ace and queen"),
    ("Ac Ad 2h 2s 3c", Category.TWO_PAIR, "Two pair, aces and twos, kicker three"),
    ("Kc Kd Qh Qs Ac", Category.TWO_PAIR, "Two pair, kings and queens, kicker ace"),
    ("Ac Ad 9h 5s 2c", Category.PAIR, "Pair of aces, kickers nine, five and two"),
    ("6c 6d Ah Ks Qc", Category.PAIR, "Pair of sixes, kickers ace, king and queen"),
    ("Ac Kd Qh Js 9c", Category.HIGH_CARD, "Ace high, kickers king, queen, jack and nine"),
    ("Kc Ad 2h 3s 4c", Category.HIGH_CARD, "Ace high, kickers king, four, three and two"),
    ("7c 5d 4h 3s 2c", Category.HIGH_CARD, "Seven high, kickers five, four, three and two"),
)

SHORT_DECK_LADDER = (
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, "Royal flush"),
    ("9d 8d 7d 6d Ad", Category.STRAIGHT_FLUSH, "Straight flush, nine high"),
    ("6c 6d 6h 6s 7c", Category.FOUR_OF_A_KIND, "Four of a kind, sixes, kicker seven"),
    ("Jh Th 8h 7h 6h", Category.FLUSH, "Flush, jack high, kickers ten, eight, seven and six"),
    ("Ac Ad Ah Kc Kd", Category.FULL_HOUSE, "Full house, aces over kings"),
    ("Tc 9d 8h 7s 6c", Category.STRAIGHT, "Straight, ten high"),
    ("9c 8d 7h 6s Ac", Category.STRAIGHT, "Straight, nine high"),
    ("Ac Ad Ah 7s 6c", Category.THREE_OF_A_KIND, "Three of a kind, aces, kickers seven and six"),
    ("7c 7d 6h 6s 8c", Category.TWO_PAIR, "Two pair, sevens and sixes, kicker eight"),
    ("6c 6d 9h 8s 7c", Category.PAIR, "Pair of sixes, kickers nine, eight and seven"),
    ("Jc 9d 8h 7s 6c", Category.HIGH_CARD, "Jack high, kickers nine, eight, seven and six"),
)

THREE_CARD_LADDER = (
    ("As Ks Qs", Category.MINI_ROYAL, "Mini royal"),
    ("Ks Qs Js", Category.STRAIGHT_FLUSH, "Straight flush, king high"),
    ("3s 2s As", Category.STRAIGHT_FLUSH, "Straight flush, three high"),
    ("2c 2d 2h", Category.THREE_OF_A_KIND, "Three of a kind, twos"),
    ("Ac Kd Qh", Category.STRAIGHT, "Straight, ace high"),
    ("3c 2d Ah", Category.STRAIGHT, "Straight, three high"),
    ("Ah Kh Jh", Category.FLUSH, "Flush, ace high, kickers king and jack"),
    ("5h 3h 2h", Category.FLUSH, "Flush, five high, kickers three and two"),
    ("Ac Ad Kh", Category.PAIR, "Pair of aces, kicker king"),
    ("2c 2d 3h", Category.PAIR, "Pair of twos, kicker three"),
    ("Ac Kd 2h", Category.HIGH_CARD, "Ace high, kickers king and two"),
    ("5c 3d 2h", Category.HIGH_CARD, "Five high, kickers three and two"),
)


@pytest.mark.parametrize(
    ("order", "ladder"),
    [
        pytest.param(STANDARD, STANDARD_LADDER, id="standard"),
        pytest.param(SHORT_DECK, SHORT_DECK_LADDER, id="short-deck-flush-above-full-house-straight-above-trips"),
        pytest.param(THREE_CARD, THREE_CARD_LADDER, id="three-card-straight-above-flush"),
    ],
)
def test_each_hand_of_the_ladder_beats_the_next_and_is_called_by_its_name(
    order: PokerOrder, ladder: tuple[tuple[str, Category, str], ...]
) -> None:
    values = [value_of(order, hand) for hand, _, _ in ladder]
    assert all(upper > lower for upper, lower in pairwise(values))
    assert [order.category(value) for value in values] == [category for _, category, _ in ladder]
    assert [order.describe(value) for value in values] == [words for _, _, words in ladder]


@pytest.mark.parametrize(
    ("hand", "best"),
    [
        pytest.param("Ac Ad Ah As Kc Kd Kh", "Ac Ad Ah As Kc", id="quads-take-the-best-kicker-of-trips"),
        pytest.param("Ac Ad Ah Kc Kd Kh 2c", "Ac Ad Ah Kc Kd", id="two-trips-make-a-full-house"),
        pytest.param("Ac Ad Kc Kd Qc Qd Js", "Ac Ad Kc Kd Qc", id="three-pairs-leave-a-pair-card-as-kicker"),
        pytest.param("Ac Ad 5h 4s 3c 2d 9h", "5h 4s 3c 2d Ac", id="the-ace-low-under-a-pair"),
        pytest.param("7h 6h 5h 4h 3h 2h Ah", "7h 6h 5h 4h 3h", id="the-highest-of-three-straight-flushes"),
        pytest.param("Ah Kh 9h 5h 4h 3h 2h", "5h 4h 3h 2h Ah", id="a-straight-flush-under-a-higher-flush"),
        pytest.param("Ah Qh 9h 5h 2h Kd Js", "Ah Qh 9h 5h 2h", id="a-flush-over-higher-cards-of-other-suits"),
    ],
)
def test_the_best_five_of_seven_are_found(hand: str, best: str) -> None:
    assert value_of(STANDARD, hand) == value_of(STANDARD, best)


def test_suits_never_break_a_tie_and_cards_beyond_the_best_five_never_count() -> None:
    assert value_of(STANDARD, "Ac Kd Qh Js 9c") == value_of(STANDARD, "As Kc Qd Jh 9s")
    assert value_of(STANDARD, "Ac Ad Kh Qs Jc 3d 2h") == value_of(STANDARD, "Ah As Kc Qd Jh 9s 8c")


@pytest.mark.parametrize(
    ("hole", "board", "words"),
    [
        pytest.param("As Kd 2c 3c", "Qs Js Ts 9s 2h", "Straight, ace high", id="one-spade-makes-no-flush"),
        pytest.param(
            "As 4s 2c 3c", "Qs Js Ts 9s 2h", "Flush, ace high, kickers queen, jack, ten and four", id="two-do"
        ),
        pytest.param("Ac Ad Ah As", "Kc Kd 7h 3s 2c", "Two pair, aces and kings, kicker seven", id="two-of-four-aces"),
        pytest.param(
            "2c 3d 7h 8s", "Ac Ad Ah As Kc", "Three of a kind, aces, kickers eight and seven", id="three-of-four"
        ),
        pytest.param("Kc Kh 7h 8s", "Ac Ad Ah As Kd", "Full house, aces over kings", id="the-best-three-of-the-board"),
    ],
)
def test_omaha_takes_exactly_two_and_three(hole: str, board: str, words: str) -> None:
    value = evaluator_of(STANDARD).of_omaha_cards(parse_cards(hole), parse_cards(board))
    assert STANDARD.describe(value) == words


@pytest.mark.parametrize(
    ("order", "deck", "size"),
    [
        pytest.param(STANDARD, DECK, 6, id="six"),
        pytest.param(STANDARD, DECK, 7, id="seven"),
        pytest.param(SHORT_DECK, SHORT_CARDS, 6, id="short-six"),
        pytest.param(SHORT_DECK, SHORT_CARDS, 7, id="short-seven"),
    ],
)
def test_the_best_of_more_is_the_best_of_every_five(order: PokerOrder, deck: tuple[Card, ...], size: int) -> None:
    @given(st.permutations(deck).map(lambda cards: cards[:size]))
    def check(cards: list[Card]) -> None:
        best = evaluator_of(order).of_cards(cards)
        assert best == max(evaluator_of(order).of_cards(five) for five in combinations(cards, 5))

    check()


def test_a_sum_kept_card_by_card_reads_like_the_hand_itself() -> None:
    evaluator = evaluator_of(STANDARD)
    hand = [card.index for card in parse_cards("Ah Kh 9h 5h 4h 3s 2c")]
    total = evaluator.empty
    for card in hand:
        total += KEYS[card]
    assert evaluator.of_sum(total) == evaluator.of(hand) == evaluator.of_seven(hand)


def test_the_ranks_that_tell_are_read_back_from_a_value() -> None:
    assert STANDARD.telling(value_of(STANDARD, "Kc Kd Kh Tc Td")) == "KT"
    assert STANDARD.telling(value_of(STANDARD, "Kc Kd 9h 5s 2c")) == "K952"
    assert STANDARD.telling(value_of(STANDARD, "5c 4d 3h 2s Ac")) == "5"


def test_every_three_card_hand_is_of_the_class_that_pair_plus_pays() -> None:
    evaluator = evaluator_of(THREE_CARD)
    for hand in combinations(DECK, 3):
        category = THREE_CARD.category(evaluator.of_cards(hand))
        expected = read_three_card(hand).value
        assert category.value == expected or (category is Category.MINI_ROYAL and expected == "straight_flush")


@pytest.mark.parametrize(
    ("order", "hand"),
    [
        pytest.param(STANDARD, "As Kd Qh Jc", id="four-cards"),
        pytest.param(STANDARD, "As Kd Qh Jc 9s 8s 7s 6s", id="eight-cards"),
        pytest.param(STANDARD, "As As Qh Jc 9s", id="one-card-twice"),
        pytest.param(SHORT_DECK, "As Kd Qh Jc 5s", id="a-five-in-a-short-deck"),
        pytest.param(THREE_CARD, "As Kd Qh Jc", id="four-cards-in-three-card-poker"),
    ],
)
def test_cards_that_are_no_hand_are_our_own_mistake(order: PokerOrder, hand: str) -> None:
    with pytest.raises(InvariantError):
        value_of(order, hand)


def test_an_omaha_hand_without_two_and_three_is_our_own_mistake() -> None:
    with pytest.raises(InvariantError):
        evaluator_of(STANDARD).of_omaha_cards(parse_cards("As Kd Qh Jc"), parse_cards("2c 3c"))
    with pytest.raises(InvariantError):
        evaluator_of(STANDARD).of_omaha_cards(parse_cards("As Kd Qh Jc"), parse_cards("As 2c 3c"))
