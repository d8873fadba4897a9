"""Which hand a seat of the poker room shows, and the words a dealer reads it in."""

from __future__ import annotations

import random

import pytest

from dealer_ui.words.language import Languages
from studio.cards import DECK, parse_cards
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import SHORT_DECK, STANDARD, PokerOrder
from studio.rulebook.hand_rank import HandRank, rank_of, row_rank
from studio.views.hand.hand_words import hand_words


def rank(game: str, hole: str, board: str) -> HandRank:
    found = rank_of(game, tuple(parse_cards(hole)), tuple(parse_cards(board)))
    assert found is not None
    return found


READ = [
    ("nlh", "Ah 7h", "8d 7d 6d 3d 8s", "two pair, eights and sevens", "8と7のツーペア", "Two pair 8 dan 7"),
    ("nlh", "Kh Kd", "Ks Th Td 2c 3c", "full house, kings over tens", "Kと10のフルハウス", "Full house K dan 10"),
    ("nlh", "Ah 2d", "3c 4c 5s Kd Kh", "straight, five high", "5ハイストレート", "Straight, 5 tertinggi"),
    ("nlh", "6h 6d", "2c 9s 6s", "three sixes", "6のスリーカード", "Three of a kind 6"),
    ("nlh", "Ah Kh", "Qh Jh Th 2c 3c", "royal flush", "ロイヤルフラッシュ", "Royal flush"),
    ("plo", "Ah Kh Qh Jh", "2h 3h 9c 9d 4s", "pair of nines", "9のワンペア", "One pair 9"),
    ("plo", "As Ks 2h 3h", "Qs Js Ts 2c 3c", "royal flush", "ロイヤルフラッシュ", "Royal flush"),
    ("short_deck", "Ah 6d", "7c 8c 9s Kd Kh", "straight, nine high", "9ハイストレート", "Straight, 9 tertinggi"),
]


@pytest.mark.parametrize(("game", "hole", "board", "en", "ja", "id"), READ)
def test_a_hand_is_read_as_a_dealer_reads_it(game: str, hole: str, board: str, en: str, ja: str, id: str) -> None:
    said = hand_words(rank(game, hole, board))
    assert [Languages().speak(tag).words(said) for tag in ("en", "ja", "id")] == [en, ja, id]


@pytest.mark.parametrize(("game", "order", "holds"), [
    ("nlh", STANDARD, 2), ("short_deck", SHORT_DECK, 2), ("plo", STANDARD, 4),
])  # fmt: skip
def test_it_is_the_hand_that_the_evaluator_finds(game: str, order: PokerOrder, holds: int) -> None:
    rng, deck = random.Random(70), [card for card in DECK if card.rank in order.ranks]
    for _ in range(60):
        cards = tuple(rng.sample(deck, holds + rng.choice((3, 4, 5))))
        hole, board, evaluator = cards[:holds], cards[holds:], evaluator_of(order)
        best = evaluator.of_omaha_cards(hole, board) if game == "plo" else evaluator.of_cards(cards)
        found = rank_of(game, hole, board)
        assert found is not None
        assert found.value == best


def test_before_the_flop_two_cards_are_no_hand() -> None:
    assert rank_of("nlh", tuple(parse_cards("Ah As")), ()) is None


def test_a_kicker_is_said_only_where_it_decides() -> None:
    english, board = Languages().speak("en"), "Kd 8c 5s 3h 2d"
    ace, queen, eights = rank("nlh", "Kh Ac", board), rank("nlh", "Ks Qc", board), rank("nlh", "8h 9c", board)
    said = [english.words(hand_words(one, [ace, queen, eights])) for one in (ace, queen, eights)]
    assert said == ["pair of kings, ace kicker", "pair of kings, queen kicker", "pair of eights"]
    assert english.words(hand_words(ace, [ace, eights])) == "pair of kings"


def test_a_row_of_three_knows_neither_straights_nor_flushes() -> None:
    assert row_rank(tuple(parse_cards("Qh Jh Th"))).category.value == "high_card"
    assert row_rank(tuple(parse_cards("Qh Qd 2h"))).telling == "Q2"
