"""The rules of Andar Bahar under their own numbers: docs/games/andar_bahar.md; and its returns."""

from __future__ import annotations

import doctest
from collections.abc import Mapping
from fractions import Fraction
from math import comb

import pytest
from rulebook_page import rows
from scripted_deal import played

import studio.games.andar_bahar
from studio.cards import DECK, parse_cards
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.andar_bahar import ANDAR_BAHAR, BETS, COUNTS, DEFAULT_RULES
from studio.proof.returns.andar_bahar import deal_of
from studio.proof.returns.rtp import prove
from studio.rulebook.script import Deal, OpenBets, Rules
from studio.settlement.payout import payout_minor

GAME = ANDAR_BAHAR
LOST = Fraction(0)


def read(cards: int, rules: Rules = DEFAULT_RULES) -> Mapping[str, Fraction]:
    """What every bet returns when that card is the first of the joker's rank."""
    rules = GAME.options.check(rules)
    return GAME.payment.returns(rules, GAME.deal.outcome(rules, deal_of(cards)), "")


def test_the_joker_is_turned_then_bets_are_taken_and_either_side_is_dealt_to_until_one_of_its_rank_comes() -> None:
    steps, outcome = played(GAME.deal.script(DEFAULT_RULES), "7s Kd 2c 9h 7d")
    assert steps == [
        Deal("joker"),  # [AB-2]
        OpenBets(BETS, 15),  # [AB-3]
        Deal("andar"),  # [AB-4]
        Deal("bahar"),
        Deal("andar"),
        Deal("bahar"),
    ]
    assert outcome.hands == {"joker": parse_cards("7s"), "andar": parse_cards("Kd 9h"), "bahar": parse_cards("2c 7d")}
    assert (outcome.winner, outcome.cards) == ("bahar", 4)  # [AB-5]


def test_one_deck_is_shuffled_for_each_round_and_the_boxes_are_rows() -> None:
    shoe = GAME.shoe  # [AB-1]
    assert (shoe.decks, shoe.cards_per_round, shoe.rounds_per_shuffle) == (1, 50, 1)
    assert GAME.felt.zones == {"joker": 1, "andar": 25, "bahar": 24}


def test_the_longest_deal_has_every_card_but_two_of_the_jokers_rank() -> None:
    deck = [*deal_of(49)["joker"], *(card for card in DECK if card.rank != DECK[0].rank), DECK[1]]
    _, outcome = played(GAME.deal.script(DEFAULT_RULES), " ".join(map(str, deck)))
    assert (outcome.cards, outcome.winner) == (49, "andar")  # [AB-5]
    assert {side: len(cards) for side, cards in outcome.hands.items()} == {"joker": 1, "andar": 25, "bahar": 24}


@pytest.mark.parametrize(
    ("cards", "won"),
    [
        pytest.param(1, {"andar": "1.9", "cards_1_5": "3.5"}, id="AB-6-the-first-card"),
        pytest.param(2, {"bahar": "2", "cards_1_5": "3.5"}, id="AB-7-the-second"),
        pytest.param(10, {"bahar": "2", "cards_6_10": "4.5"}, id="AB-8-ten"),
        pytest.param(11, {"andar": "1.9", "cards_11_15": "5.5"}, id="AB-8-eleven"),
        pytest.param(25, {"andar": "1.9", "cards_16_25": "4.5"}, id="AB-8-twenty-five"),
        pytest.param(26, {"bahar": "2", "cards_26_30": "16"}, id="AB-8-twenty-six"),
        pytest.param(35, {"andar": "1.9", "cards_31_35": "26"}, id="AB-8-thirty-five"),
        pytest.param(36, {"bahar": "2", "cards_36_40": "51"}, id="AB-8-thirty-six"),
        pytest.param(49, {"andar": "1.9", "cards_41_49": "121"}, id="AB-8-the-last-there-can-be"),
    ],
)
def test_the_side_and_the_number_of_cards_win(cards: int, won: dict[str, str]) -> None:
    assert {bet: back for bet, back in read(cards).items() if back} == {bet: Fraction(at) for bet, at in won.items()}


def test_every_number_of_cards_wins_one_bet_on_it_and_the_page_says_what() -> None:
    printed = {bet: Fraction(paid) for bet, paid in rows("andar_bahar", "cards", "returns")}
    assert list(printed) == list(COUNTS)
    for cards in range(1, 50):
        (bet,) = (bet for bet, back in read(cards).items() if bet in COUNTS and back)
        first, last = (int(end) for end in bet.removeprefix("cards_").split("_"))
        assert first <= cards <= last
        assert read(cards)[bet] == printed[bet]


def test_what_a_bet_returns_is_a_house_option_and_nothing_else_is() -> None:
    assert read(1, {"andar": "2", "cards_1_5": "3"})["andar"] == 2  # [AB-9]
    with pytest.raises(BadInputError, match="no house option 'joker'"):
        GAME.options.check({"joker": "2"})
    with pytest.raises(BadInputError, match="asks no bettor"):
        GAME.payment.returns(DEFAULT_RULES, GAME.deal.outcome(DEFAULT_RULES, deal_of(1)), "fold")


def test_a_return_is_rounded_down_once() -> None:
    assert payout_minor(101, Fraction("1.9")) == 191  # [AB-10]


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        pytest.param({"andar": "Kd"}, "The box joker has 0 cards: give it 1", id="no-joker"),
        pytest.param(
            {"joker": "7s", "andar": "Kd"}, "No card of the joker's rank has come, and bahar", id="unfinished"
        ),
        pytest.param({"joker": "7s", "andar": "7d", "bahar": "Kd"}, "bahar is due no more", id="a-card-too-many"),
        pytest.param({"joker": "7s", "andar": "Kd 7d"}, "bahar is due card 1", id="a-side-left-out"),
        pytest.param({"joker": "7s", "andar": "7d", "burn": "Kd"}, "no box 'burn'", id="unknown-box"),
    ],
)
def test_a_deal_that_is_none_is_refused(hands: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        GAME.deal.outcome({}, {box: parse_cards(cards) for box, cards in hands.items()})


def test_an_outcome_is_told_in_plain_values() -> None:
    hands = {"joker": parse_cards("7s"), "andar": parse_cards("7d"), "bahar": ()}
    assert GAME.deal.describe(GAME.deal.outcome({}, hands)) == {
        "joker": {"cards": ["7s"]},
        "andar": {"cards": ["7d"], "result": "win"},
        "bahar": {"cards": [], "result": "lose"},
        "winner": "andar",
        "cards": 1,
    }


def test_the_game_is_found_by_its_key_and_every_bet_has_a_return() -> None:
    assert find_game("andar_bahar") is GAME
    assert tuple(read(1)) == BETS


def test_every_bet_returns_what_independent_enumeration_found() -> None:
    proofs = prove(GAME, {})
    found = {bet: proof.rtp for bet, proof in proofs.items()}
    assert (found["andar"], found["bahar"]) == (Fraction(8151, 8330), Fraction(808, 833))
    odds = {"1_5": (1129, 4165), "6_10": (904, 4165), "11_15": (704, 4165), "16_25": (908, 4165)}
    odds |= {"26_30": (254, 4165), "31_35": (22, 595), "36_40": (79, 4165), "41_49": (33, 4165)}
    for count, (won, of) in odds.items():
        assert found[f"cards_{count}"] == Fraction(won, of) * Fraction(DEFAULT_RULES[f"cards_{count}"])
    assert {proof.count.deals for proof in proofs.values()} == {comb(51, 3)}


def test_the_figures_on_the_page_are_the_proved_ones() -> None:
    printed = {bet: float(exact) for bet, exact in rows("andar_bahar", "bet", "exact")}
    assert printed == {bet: round(proof.rtp_percent, 4) for bet, proof in prove(GAME, {}).items()}


def test_the_examples_in_the_code_run() -> None:
    assert doctest.testmod(studio.games.andar_bahar).failed == 0
