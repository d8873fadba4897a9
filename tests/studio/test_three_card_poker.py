"""The rules of Three Card Poker under their own numbers: docs/games/three_card_poker.md."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from rulebook_page import rows
from scripted_deal import played

from studio.cards import parse_cards
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.three_card_poker import BETS, DEFAULT_RULES, THREE_CARD_POKER
from studio.ports import CardFace
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Deal, Decide, OpenBets, Reveal
from studio.settlement import PlacedBet, settle_bets

GAME = THREE_CARD_POKER
UNQUALIFIED = "Js 9d 2c"
QUEEN = "Qs 9d 2c"


def read(player: str, dealer: str, conduct: str = "", **rules: str) -> Mapping[str, Fraction]:
    checked = GAME.options.check(rules)
    hands = {"player": parse_cards(player), "dealer": parse_cards(dealer)}
    return GAME.payment.returns(checked, GAME.deal.outcome(checked, hands), conduct)


def test_the_script_takes_bets_deals_in_turn_lets_bettors_decide_and_reveals() -> None:
    steps, outcome = played(GAME.deal.script(DEFAULT_RULES), "As Qd Ks 9h Qs 2c")
    assert steps[0] == OpenBets(("ante", "pair_plus", "six_card"), 15)  # [3P-2]
    assert steps[1:7] == [Deal("player"), Deal("dealer", CardFace.DOWN)] * 3  # [3P-3]
    assert steps[7:] == [Decide(15, ("play", "fold")), Reveal("dealer")]  # [3P-4] [3P-5]
    assert outcome.hands == {"player": parse_cards("As Ks Qs"), "dealer": parse_cards("Qd 9h 2c")}


def test_a_round_takes_six_cards_of_one_deck_and_no_burn() -> None:
    assert (
        GAME.shoe.decks,
        GAME.felt.burns,
        GAME.shoe.cards_per_round,
        GAME.shoe.rounds_per_shuffle,
    ) == (
        1,
        0,
        6,
        1,
    )  # [3P-1]
    assert GAME.felt.zones == {"player": 3, "dealer": 3}


def test_the_side_bets_need_the_ante() -> None:
    assert GAME.betting.needs == {"pair_plus": "ante", "six_card": "ante"}  # [3P-2]


def test_playing_costs_the_ante_again_and_who_decides_nothing_folds() -> None:
    step = Decide(15, ("play", "fold"))  # [3P-4]
    assert GAME.decisions.raise_of("play", {"ante": 700, "pair_plus": 5}) == ("play", 700)
    assert GAME.decisions.raise_of("fold", {"ante": 700}) is None
    assert GAME.decisions.asks(step, {"ante": 700})
    assert not GAME.decisions.asks(step, {"ante": 700, "play": 700})
    assert not GAME.decisions.asks(step, {})
    assert step.default == "fold"


@pytest.mark.parametrize(
    ("player", "dealer", "ante", "play"),
    [
        pytest.param("As Jd 2h", UNQUALIFIED, 2, 1, id="3P-9-not-qualified"),
        pytest.param("Ts 8d 2h", UNQUALIFIED, 2, 1, id="3P-9-not-qualified-and-better"),
        pytest.param("Jh 9c 2h", UNQUALIFIED, 2, 1, id="3P-9-not-qualified-and-equal"),
        pytest.param("As Jd 2h", QUEEN, 2, 2, id="3P-10-better"),
        pytest.param("Qh 9c 2h", QUEEN, 1, 1, id="3P-10-equal"),
        pytest.param("Qh 8c 7h", QUEEN, 0, 0, id="3P-10-worse"),
        pytest.param("Ts 8d 2h", "Qs 3d 2c", 0, 0, id="3P-8-the-lowest-queen-qualifies"),
        pytest.param("Ts 8d 2h", "Js Td 9c", 0, 0, id="3P-8-a-straight-below-the-queen-qualifies"),
        pytest.param("Ts 8d 2h", "2s 2d 3c", 0, 0, id="3P-8-a-pair-qualifies"),
        pytest.param("4s 3d 2h", "Ks Kd Kc", 1, 0, id="3P-11-bonus-of-a-beaten-straight"),
        pytest.param("4s 3d 2h", UNQUALIFIED, 3, 1, id="3P-11-bonus-beside-an-unqualified-dealer"),
        pytest.param("4s 3d 2h", "Ah Qh 2d", 3, 2, id="3P-6-straight-beats-high-card"),
        pytest.param("4s 3d 2h", "Ah Qh 9h", 3, 2, id="3P-6-straight-beats-flush"),
        pytest.param("4s 3d 2h", "4h 3c 2d", 2, 1, id="3P-10-equal-straights-and-the-bonus"),
        pytest.param("As 2d 3h", "4h 3c 2c", 1, 0, id="3P-7-ace-low-is-the-lowest-straight"),
        pytest.param("As Kd Qh", "Kh Qc Jd", 3, 2, id="3P-7-ace-high-is-the-highest-straight"),
        pytest.param("Ks Ad 2h", "Ah Qc Jd", 2, 2, id="3P-7-no-straight-round-the-ace"),
        pytest.param("7s 7d 7h", "Kh Kc Ad", 6, 2, id="3P-11-three-of-a-kind"),
        pytest.param("5s 4s 3s", "7h 7c 7d", 7, 2, id="3P-6-straight-flush-beats-three-of-a-kind"),
        pytest.param("As Ks Qs", "Kh Qh Jh", 7, 2, id="3P-6-mini-royal-beats-straight-flush"),
        pytest.param("8s 8d 3h", "8h 8c 2d", 2, 2, id="3P-6-the-kicker-of-a-pair"),
        pytest.param("Ks 9s 3s", "Kh 9h 2h", 2, 2, id="3P-6-the-last-card-of-a-flush"),
    ],
)
def test_ante_and_play_return(player: str, dealer: str, ante: int, play: int) -> None:
    returns = read(player, dealer)
    assert (returns["ante"], returns["play"]) == (ante, play)


def test_a_folded_bettor_loses_his_ante_and_keeps_his_side_bets() -> None:
    played_on, folded = read("As Ks Qs", "Js Ts 2c"), read("As Ks Qs", "Js Ts 2c", "fold")
    assert (folded["ante"], folded["play"]) == (0, 0)  # [3P-4]
    assert folded["pair_plus"] == played_on["pair_plus"] == 101  # [3P-12]
    assert folded["six_card"] == played_on["six_card"] == 1001  # [3P-13]


@pytest.mark.parametrize(
    ("player", "expected"),
    [
        pytest.param("As Ks Qs", 101, id="3P-12-mini-royal"),
        pytest.param("3s 2s As", 41, id="3P-12-straight-flush"),
        pytest.param("3s 3d 3c", 31, id="3P-12-three-of-a-kind"),
        pytest.param("Ks Qd Jc", 6, id="3P-12-straight"),
        pytest.param("Ks Qs 9s", 5, id="3P-12-flush"),
        pytest.param("Ks Kd 9s", 2, id="3P-12-pair"),
        pytest.param("As Kd 9s", 0, id="3P-12-nothing"),
    ],
)
def test_pair_plus_returns(player: str, expected: int) -> None:
    assert read(player, "Jh 8d 4c")["pair_plus"] == expected


@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        pytest.param("As Ks 2d", "Qs Js Ts", 1001, id="3P-13-royal"),
        pytest.param("9s Ks 2d", "Qs Js Ts", 201, id="3P-13-straight-flush"),
        pytest.param("9s 9d 2d", "9h 9c Ts", 101, id="3P-13-four-of-a-kind"),
        pytest.param("9s 9d 2d", "9h 2c Ts", 21, id="3P-13-full-house"),
        pytest.param("9s 3s 2s", "4s 2c Ts", 16, id="3P-13-flush"),
        pytest.param("As 2d 3s", "4s 5c Ts", 11, id="3P-13-straight"),
        pytest.param("9s 9d 2d", "9h 3c Ts", 8, id="3P-13-three-of-a-kind"),
        pytest.param("9s 9d 2d", "2h 3c Ts", 0, id="3P-13-two-pair"),
    ],
)
def test_six_card_returns(player: str, dealer: str, expected: int) -> None:
    assert read(player, dealer)["six_card"] == expected


def test_the_tables_on_the_page_are_the_ones_that_pay() -> None:
    for option, heading in (("ante_bonus", "player's hand"), ("pair_plus", "three cards"), ("six_card", "six cards")):
        printed = {name.replace(" ", "_"): Fraction(paid) for name, paid in rows("three_card_poker", heading)}
        assert printed == dict(read_ladder(DEFAULT_RULES[option]))


def test_a_house_option_changes_the_rungs_it_names_and_no_other() -> None:
    returns = read("Ks Qs 9s", QUEEN.replace("Qs", "Qd"), pair_plus="flush 4, straight 7")  # [3P-14]
    assert returns["pair_plus"] == 4
    assert read("Ks Qd Jc", UNQUALIFIED, pair_plus="flush 4, straight 7")["pair_plus"] == 7
    assert read("Ks Kd 9s", UNQUALIFIED, pair_plus="flush 4, straight 7")["pair_plus"] == 2


def test_an_odd_return_is_rounded_down_once() -> None:
    rules = GAME.options.check({"pair_plus": "pair 2.5"})
    outcome = GAME.deal.outcome(rules, {"player": parse_cards("Ks Kd 9s"), "dealer": parse_cards(UNQUALIFIED)})
    (payout,) = settle_bets(GAME, rules, outcome, [PlacedBet("b1", "pair_plus", "ann", 33)])
    assert payout.returns_minor == 82  # [3P-15]


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        pytest.param({"player": "As Ks Qs"}, "The box dealer has 0 cards", id="no-dealer"),
        pytest.param({"player": "As Ks", "dealer": QUEEN}, "The box player has 2 cards", id="two-cards"),
        pytest.param({"player": "As Ks Qs", "board": QUEEN}, "no box 'board'", id="unknown-box"),
    ],
)
def test_a_deal_that_is_none_is_refused(hands: dict[str, str], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        GAME.deal.outcome(DEFAULT_RULES, {box: parse_cards(text) for box, text in hands.items()})


def test_a_conduct_the_game_does_not_know_is_refused() -> None:
    with pytest.raises(BadInputError, match="plays or folds: 'checked'"):
        read("As Ks Qs", UNQUALIFIED, "checked")


def test_an_outcome_is_told_in_plain_values() -> None:
    told = GAME.deal.describe(
        GAME.deal.outcome(DEFAULT_RULES, {"player": parse_cards("As Ad 2s"), "dealer": parse_cards(QUEEN)})
    )
    assert told == {
        "player": {"cards": ["As", "Ad", "2s"], "class": "pair", "name": "Pair of aces, kicker two", "result": "win"},
        "dealer": {
            "cards": ["Qs", "9d", "2c"],
            "class": "high_card",
            "name": "Queen high, kickers nine and two",
            "qualifies": True,
        },
        "six_card": {"class": "two_pair", "name": "Two pair, aces and twos, kicker queen"},
    }


def test_the_game_is_found_by_its_key_and_every_bet_has_a_return() -> None:
    assert find_game("three_card_poker") is GAME
    assert tuple(read("As Ks Qs", QUEEN.replace("Qs", "Qd"))) == BETS
