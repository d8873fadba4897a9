"""The rules of Ultimate Texas Hold'em under their own numbers: docs/games/ultimate_holdem.md."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from rulebook_page import rows
from scripted_deal import played

from studio.cards import parse_cards
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.ultimate_holdem import BETS, DEFAULT_RULES, ULTIMATE_HOLDEM
from studio.ports import CardFace
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Deal, Decide, OpenBets, Reveal
from studio.settlement import PlacedBet, settle_bets

GAME = ULTIMATE_HOLDEM
BEFORE = Decide(15, ("play_4x", "play_3x", "check"))
FLOP = Decide(15, ("play_2x", "check"))
RIVER = Decide(15, ("play_1x", "fold"))


def read(player: str, dealer: str, board: str, conduct: str = "", **rules: str) -> Mapping[str, Fraction]:
    checked = GAME.options.check(rules)
    hands = {"player": parse_cards(player), "dealer": parse_cards(dealer), "board": parse_cards(board)}
    return GAME.payment.returns(checked, GAME.deal.outcome(checked, hands), conduct)


def test_the_script_asks_three_times_and_reveals_the_dealer_last() -> None:
    steps, outcome = played(GAME.deal.script(DEFAULT_RULES), "As Qd Ks 9h Qs Js Ts 2c 3c")
    up = Deal("board")
    assert steps == [
        OpenBets(("ante", "trips"), 15),  # [UTH-2]
        *[Deal("player"), Deal("dealer", CardFace.DOWN)] * 2,  # [UTH-4]
        BEFORE,  # [UTH-5]
        *[up] * 3,
        FLOP,  # [UTH-6]
        *[up] * 2,
        RIVER,  # [UTH-7]
        Reveal("dealer"),  # [UTH-8]
    ]
    assert outcome.hands == {
        "player": parse_cards("As Ks"),
        "dealer": parse_cards("Qd 9h"),
        "board": parse_cards("Qs Js Ts 2c 3c"),
    }


def test_a_round_takes_nine_cards_of_one_deck_and_no_burn() -> None:
    assert (
        GAME.shoe.decks,
        GAME.felt.burns,
        GAME.shoe.cards_per_round,
        GAME.shoe.rounds_per_shuffle,
    ) == (
        1,
        0,
        9,
        1,
    )  # [UTH-1]
    assert GAME.felt.zones == {"player": 2, "dealer": 2, "board": 5}


def test_the_blind_comes_by_itself_and_trips_need_the_ante() -> None:
    assert GAME.betting.automatic == {"blind": "ante"}  # [UTH-3]
    assert GAME.betting.needs == {"trips": "ante"}  # [UTH-2]


@pytest.mark.parametrize(("option", "times"), [("play_4x", 4), ("play_3x", 3), ("play_2x", 2), ("play_1x", 1)])
def test_a_raise_is_staked_on_play(option: str, times: int) -> None:
    assert GAME.decisions.raise_of(option, {"ante": 50, "blind": 50}) == ("play", 50 * times)  # [UTH-5] [UTH-6] [UTH-7]


def test_who_raised_is_asked_no_more() -> None:
    for step in (BEFORE, FLOP, RIVER):
        assert GAME.decisions.asks(step, {"ante": 50, "blind": 50})
        assert not GAME.decisions.asks(step, {"ante": 50, "blind": 50, "play": 200})  # [UTH-9]
        assert not GAME.decisions.asks(step, {})


def test_who_decides_nothing_checks_and_at_the_river_folds() -> None:
    assert [step.default for step in (BEFORE, FLOP, RIVER)] == ["check", "check", "fold"]  # [UTH-7]
    assert GAME.decisions.raise_of("check", {"ante": 50}) is None
    assert GAME.decisions.raise_of("fold", {"ante": 50}) is None


PAIRED, DRY = "2s 2d 7h 9c Jd", "2s 3d 7h 9c Jd"


@pytest.mark.parametrize(
    ("player", "dealer", "board", "ante", "blind", "play"),
    [
        pytest.param("As Ad", "Ks Kd", DRY, 2, 1, 2, id="UTH-11-better-than-a-pair"),
        pytest.param("As Ad", "Ks Qd", DRY, 1, 1, 2, id="UTH-12-better-than-high-cards"),
        pytest.param("As Qd", "Ks Qc", DRY, 1, 1, 2, id="UTH-12-high-cards-against-high-cards"),
        pytest.param("As Ad", "Ks Qd", PAIRED, 2, 1, 2, id="UTH-10-a-pair-on-the-board-qualifies"),
        pytest.param("As Kd", "Ac Kh", DRY, 1, 1, 1, id="UTH-14-equal-without-a-pair"),
        pytest.param("As Kd", "Ac Kh", PAIRED, 1, 1, 1, id="UTH-14-equal-with-a-pair"),
        pytest.param("4s 5d", "4c 5h", "As Ks Qd Jh Tc", 1, 1, 1, id="UTH-14-the-board-plays"),
        pytest.param("Ks Kd", "As Ad", DRY, 0, 0, 0, id="UTH-15-worse-than-a-pair"),
        pytest.param("Ks Qd", "As Qc", DRY, 1, 0, 0, id="UTH-15-worse-than-high-cards"),
        pytest.param("As Ks", "Ac Ad", "Qs Js Ts 2c 3c", 2, 501, 2, id="UTH-13-royal-flush"),
        pytest.param("9s Ks", "Ac Ad", "Qs Js Ts 2c 3c", 2, 51, 2, id="UTH-13-straight-flush"),
        pytest.param("9s 9d", "Ac Ad", "9h 9c Ts 2c 3c", 2, 11, 2, id="UTH-13-four-of-a-kind"),
        pytest.param("9s 9d", "Ac Ad", "9h Tc Ts 2c 3c", 2, 4, 2, id="UTH-13-full-house"),
        pytest.param("9s 7s", "Ac Ad", "2s 3s Ks 2c 8c", 2, "5/2", 2, id="UTH-13-flush"),
        pytest.param("9s 8d", "Ac Ad", "7s 6s 5h 2c Kc", 2, 2, 2, id="UTH-13-straight"),
        pytest.param("As 2d", "Kc Kd", "3s 4s 5h 8c Kh", 2, 2, 2, id="UTH-17-the-wheel"),
        pytest.param("9s 9d", "Ac Ad", "9h 6s 5h 2c Kc", 2, 1, 2, id="UTH-13-three-of-a-kind-is-too-low"),
        pytest.param("9s 9d", "Kc Kd", "9h 6s 5h 2c Kh", 0, 0, 0, id="UTH-15-a-good-hand-that-is-beaten"),
    ],
)
def test_ante_blind_and_play_return(
    player: str, dealer: str, board: str, ante: int, blind: int | str, play: int
) -> None:
    returns = read(player, dealer, board)
    assert (returns["ante"], returns["blind"], returns["play"]) == (ante, Fraction(blind), play)


@pytest.mark.parametrize(
    ("player", "board", "expected"),
    [
        pytest.param("As Ks", "Qs Js Ts 2c 3c", 51, id="UTH-16-royal-flush"),
        pytest.param("9s Ks", "Qs Js Ts 2c 3c", 41, id="UTH-16-straight-flush"),
        pytest.param("9s 9d", "9h 9c Ts 2c 3c", 31, id="UTH-16-four-of-a-kind"),
        pytest.param("9s 9d", "9h Tc Ts 2c 3c", 9, id="UTH-16-full-house"),
        pytest.param("9s 7s", "2s 3s Ks 2c 8c", 8, id="UTH-16-flush"),
        pytest.param("9s 8d", "7s 6s 5h 2c Kc", 5, id="UTH-16-straight"),
        pytest.param("9s 9d", "9h 6s 5h 2c Kc", 4, id="UTH-16-three-of-a-kind"),
        pytest.param("9s 9d", "6h 6s 5h 2c Kc", 0, id="UTH-16-two-pair"),
    ],
)
def test_trips_return_whatever_the_dealer_has_and_after_a_fold(player: str, board: str, expected: int) -> None:
    assert read(player, "Ac Ad", board)["trips"] == expected
    assert read(player, "Ac Ad", board, "fold")["trips"] == expected


def test_a_folded_bettor_loses_ante_and_blind_even_to_a_worse_hand() -> None:
    returns = read("As Ad", "Ks Qd", DRY, "fold")  # [UTH-7]
    assert (returns["ante"], returns["blind"], returns["play"]) == (0, 0, 0)


def test_the_tables_on_the_page_are_the_ones_that_pay() -> None:
    for option, heading in (("blind", "player's hand"), ("trips", "best five of seven")):
        printed = {name.replace(" ", "_"): Fraction(paid) for name, paid in rows("ultimate_holdem", heading)}
        assert printed == dict(read_ladder(DEFAULT_RULES[option]))


def test_a_house_option_changes_the_rungs_it_names_and_no_other() -> None:
    rules = {"trips": "flush 7", "blind": "flush 2"}  # [UTH-18]
    flush = read("9s 7s", "Ac Ad", "2s 3s Ks 2c 8c", **rules)
    assert (flush["trips"], flush["blind"]) == (7, 2)
    straight = read("9s 8d", "Ac Ad", "7s 6s 5h 2c Kc", **rules)
    assert (straight["trips"], straight["blind"]) == (5, 2)


def test_an_odd_blind_is_rounded_down_once() -> None:
    hands = {"player": parse_cards("9s 7s"), "dealer": parse_cards("Ac Ad"), "board": parse_cards("2s 3s Ks 2c 8c")}
    outcome = GAME.deal.outcome(DEFAULT_RULES, hands)
    (payout,) = settle_bets(GAME, DEFAULT_RULES, outcome, [PlacedBet("b1", "blind", "ann", 33)])
    assert payout.returns_minor == 82  # [UTH-19]


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        pytest.param({"player": "As Ks", "dealer": "Qd Qh"}, "The box board has 0 cards: give it 5", id="no-board"),
        pytest.param({"player": "As Ks Qs"}, "The box player has 3 cards: give it 2", id="three-cards"),
        pytest.param({"flop": "As Ks Qs"}, "Ultimate Texas Hold'em has no box 'flop'", id="unknown-box"),
    ],
)
def test_a_deal_that_is_none_is_refused(hands: dict[str, str], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        GAME.deal.outcome(DEFAULT_RULES, {box: parse_cards(text) for box, text in hands.items()})


def test_a_conduct_the_game_does_not_know_is_refused() -> None:
    with pytest.raises(BadInputError, match="plays or folds: 'raise'"):
        read("As Ad", "Ks Qd", DRY, "raise")


def test_an_outcome_is_told_in_plain_values() -> None:
    hands = {"player": parse_cards("As Ad"), "dealer": parse_cards("Ks Qd"), "board": parse_cards(DRY)}
    assert GAME.deal.describe(GAME.deal.outcome(DEFAULT_RULES, hands)) == {
        "player": {
            "cards": ["As", "Ad"],
            "class": "pair",
            "name": "Pair of aces, kickers jack, nine and seven",
            "result": "win",
        },
        "dealer": {
            "cards": ["Ks", "Qd"],
            "class": "high_card",
            "name": "King high, kickers queen, jack, nine and seven",
            "qualifies": False,
        },
        "board": {"cards": ["2s", "3d", "7h", "9c", "Jd"]},
    }


def test_the_game_is_found_by_its_key_and_every_bet_has_a_return() -> None:
    assert find_game("ultimate_holdem") is GAME
    assert tuple(read("As Ad", "Ks Qd", DRY)) == BETS
