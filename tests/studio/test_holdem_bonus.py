"""The rules of Texas Hold'em Bonus Poker under their own numbers: docs/games/holdem_bonus.md."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from rulebook_page import rows
from scripted_deal import played

from studio.cards import parse_cards
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.holdem_bonus import BETS, DEFAULT_RULES, HOLDEM_BONUS
from studio.ports import CardFace
from studio.rulebook.pay_ladder import read_ladder
from studio.rulebook.script import Deal, Decide, OpenBets, Reveal
from studio.settlement import PlacedBet, pot_shares, settle_bets

GAME = HOLDEM_BONUS
FLOP = Decide(15, ("flop", "fold"))
TURN = Decide(15, ("turn", "check"))
RIVER = Decide(15, ("river", "check"))
DRY = "2s 3d 7h 9c Jd"
ROYAL = {"player": parse_cards("As Ks"), "dealer": parse_cards("2c 3c"), "board": parse_cards("Qs Js Ts 4d 5d")}


def read(player: str, dealer: str, board: str, conduct: str = "", **rules: str) -> Mapping[str, Fraction]:
    checked = GAME.options.check(rules)
    hands = {"player": parse_cards(player), "dealer": parse_cards(dealer), "board": parse_cards(board)}
    return GAME.payment.returns(checked, GAME.deal.outcome(checked, hands), conduct)


def test_the_script_asks_before_flop_turn_and_river_and_reveals_the_dealer_last() -> None:
    steps, outcome = played(GAME.deal.script(DEFAULT_RULES), "As Qd Ks 9h Qs Js Ts 2c 3c")
    up = Deal("board")
    assert steps == [
        OpenBets(("ante", "bonus", "first5"), 15),  # [THB-2]
        *[Deal("player"), Deal("dealer", CardFace.DOWN)] * 2,  # [THB-3]
        FLOP,  # [THB-4]
        *[up] * 3,
        TURN,  # [THB-5]
        up,
        RIVER,  # [THB-6]
        up,
        Reveal("dealer"),  # [THB-7]
    ]
    assert outcome.hands["board"] == parse_cards("Qs Js Ts 2c 3c")
    assert outcome.hands["dealer"] == parse_cards("Qd 9h")


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
    )  # [THB-1]


def test_the_side_bets_need_the_ante() -> None:
    assert GAME.betting.needs == {"bonus": "ante", "first5": "ante"}  # [THB-2]


def test_the_flop_costs_two_antes_and_turn_and_river_one() -> None:
    assert GAME.decisions.raise_of("flop", {"ante": 50}) == ("flop", 100)  # [THB-4]
    assert GAME.decisions.raise_of("turn", {"ante": 50, "flop": 100}) == ("turn", 50)  # [THB-5]
    assert GAME.decisions.raise_of("river", {"ante": 50, "flop": 100}) == ("river", 50)  # [THB-6]
    assert GAME.decisions.raise_of("fold", {"ante": 50}) is None
    assert GAME.decisions.raise_of("check", {"ante": 50, "flop": 100}) is None


def test_every_street_is_asked_whatever_was_done_before() -> None:
    checked = {"ante": 50, "flop": 100}
    assert GAME.decisions.asks(FLOP, {"ante": 50})
    assert GAME.decisions.asks(RIVER, checked)  # [THB-6]
    assert GAME.decisions.asks(RIVER, {**checked, "turn": 50})
    assert not GAME.decisions.asks(TURN, {**checked, "turn": 50})
    assert [step.default for step in (FLOP, TURN, RIVER)] == ["fold", "check", "check"]  # [THB-6]


@pytest.mark.parametrize(
    ("player", "dealer", "board", "ante", "raised"),
    [
        pytest.param("As Ad", "Ks Qd", DRY, 1, 2, id="THB-9-a-pair-wins-and-the-ante-comes-back"),
        pytest.param("9s 9d", "Ks Qd", DRY, 1, 2, id="THB-9-three-of-a-kind-is-too-low"),
        pytest.param("Ts 8d", "As Ad", DRY, 2, 2, id="THB-9-a-straight-pays-the-ante"),
        pytest.param("As 4d", "Kc Kd", "2s 3s 5h 9c Kh", 2, 2, id="THB-17-the-wheel-pays-the-ante"),
        pytest.param("9s 7s", "Ac Ad", "2s 3s Ks 2c 8c", 2, 2, id="THB-8-a-flush-wins"),
        pytest.param("As Kd", "Ac Kh", DRY, 1, 1, id="THB-10-equal"),
        pytest.param("4s 5d", "4c 5h", "As Ks Qd Jh Tc", 1, 1, id="THB-10-a-straight-on-the-board"),
        pytest.param("Ks Qd", "As Qc", DRY, 0, 0, id="THB-11-worse-than-high-cards"),
        pytest.param("Ts 8d", "Ks Kd", "9s 7d Kh Jc Kc", 0, 0, id="THB-11-a-straight-that-is-beaten"),
    ],
)
def test_ante_flop_turn_and_river_return(player: str, dealer: str, board: str, ante: int, raised: int) -> None:
    returns = read(player, dealer, board)
    assert returns["ante"] == ante
    assert [returns[bet] for bet in ("flop", "turn", "river")] == [raised] * 3


@pytest.mark.parametrize(
    ("player", "dealer", "expected"),
    [
        pytest.param("As Ad", "Ah Ac", 1001, id="THB-13-aces-on-both-sides"),
        pytest.param("As Ad", "Ah Kc", 31, id="THB-13-aces"),
        pytest.param("Ks As", "2h 3c", 26, id="THB-13-ace-king-suited"),
        pytest.param("As Qs", "2h 3c", 21, id="THB-13-ace-queen-suited"),
        pytest.param("Js As", "2h 3c", 21, id="THB-13-ace-jack-suited"),
        pytest.param("As Kd", "2h 3c", 16, id="THB-13-ace-king"),
        pytest.param("Ks Kd", "Ah Ac", 11, id="THB-13-kings"),
        pytest.param("Qs Qd", "2h 3c", 11, id="THB-13-queens"),
        pytest.param("Js Jd", "2h 3c", 11, id="THB-13-jacks"),
        pytest.param("As Qd", "2h 3c", 6, id="THB-13-ace-queen"),
        pytest.param("As Jd", "2h 3c", 6, id="THB-13-ace-jack"),
        pytest.param("Ts Td", "2h 3c", 4, id="THB-13-tens"),
        pytest.param("2s 2d", "5h 3c", 4, id="THB-13-deuces"),
        pytest.param("As Ts", "2h 3c", 0, id="THB-13-ace-ten"),
        pytest.param("Ks Qs", "2h 3c", 0, id="THB-13-king-queen-suited"),
    ],
)
def test_the_bonus_returns_by_the_hole_cards_after_a_fold_too(player: str, dealer: str, expected: int) -> None:
    board = "4s 6d 7h 8c 9d"
    assert read(player, dealer, board)["bonus"] == expected
    assert read(player, dealer, board, "fold")["bonus"] == expected  # [THB-12]


@pytest.mark.parametrize(
    ("player", "board", "expected"),
    [
        pytest.param("9s Ks", "Qs Js Ts 2c 3c", 2500, id="THB-15-straight-flush"),
        pytest.param("9s 9d", "9h 9c Ts 2c 3c", 300, id="THB-15-four-of-a-kind"),
        pytest.param("9s 9d", "9h Tc Ts 2c 3c", 50, id="THB-15-full-house"),
        pytest.param("9s 7s", "2s 3s Ks 2c 8c", 40, id="THB-15-flush"),
        pytest.param("9s 8d", "7s 6s 5h 2c Kc", 30, id="THB-15-straight"),
        pytest.param("9s 9d", "9h 6s 5h 2c Kc", 3, id="THB-15-three-of-a-kind"),
        pytest.param("9s 9d", "6h 6s 5h 2c Kc", 0, id="THB-15-two-pair"),
        pytest.param("9s 9d", "2h 6s 5h 9h 9c", 0, id="THB-14-turn-and-river-do-not-count"),
    ],
)
def test_first_five_is_for_one_and_lives_after_a_fold(player: str, board: str, expected: int) -> None:
    assert read(player, "Ac Ad", board)["first5"] == expected
    assert read(player, "Ac Ad", board, "fold")["first5"] == expected  # [THB-14]


def test_a_folded_bettor_loses_his_ante() -> None:
    returns = read("As Ad", "Ks Qd", DRY, "fold")  # [THB-4]
    assert [returns[bet] for bet in ("ante", "flop", "turn", "river")] == [0] * 4


def settled(pot_minor: int, *bets: PlacedBet) -> list[int]:
    rules = GAME.options.check({"first5_pot": pot_minor})
    outcome = GAME.deal.outcome(rules, ROYAL)
    shares = pot_shares(GAME, rules, outcome, bets)
    return [each.returns_minor for each in settle_bets(GAME, rules, outcome, bets, shares)]


def test_a_royal_in_the_first_five_empties_the_pot_shared_alike_whatever_was_staked() -> None:
    ann = PlacedBet("b1", "first5", "ann", 1)
    bob = PlacedBet("b2", "first5", "bob", 500, "fold")
    cyd = PlacedBet("b3", "bonus", "cyd", 100)
    assert settled(1_000_001, ann, bob, cyd) == [500_000, 500_000, 2600]  # [THB-16]
    assert settled(1_000_001, bob) == [1_000_001]


def test_a_bettor_with_two_bets_on_the_pot_gets_one_share() -> None:
    bets = [
        PlacedBet("b1", "first5", "ann", 1),
        PlacedBet("b2", "first5", "bob", 1),
        PlacedBet("b3", "first5", "ann", 1),
    ]
    assert settled(900, *bets) == [450, 450, 0]  # [THB-16]


def test_no_other_hand_touches_the_pot() -> None:
    rules = GAME.options.check({"first5_pot": 1000})
    hands = {**ROYAL, "board": parse_cards("4d 5d Qs Js Ts")}  # a royal flush with the river only [THB-14]
    outcome = GAME.deal.outcome(rules, hands)
    assert pot_shares(GAME, rules, outcome, [PlacedBet("b1", "first5", "ann", 1)]) == {}


@pytest.mark.parametrize("pot", [-1, "100", True, 1.5, None])
def test_a_pot_that_is_no_whole_amount_is_refused(pot: object) -> None:
    with pytest.raises(BadInputError, match="first5_pot cannot be"):
        GAME.options.check({"first5_pot": pot})


def test_the_tables_on_the_page_are_the_ones_that_pay() -> None:
    first5 = {name.replace(" ", "_"): Fraction(paid) for name, paid in rows("holdem_bonus", "first five")}
    bonus = {line.replace(" ", "_"): Fraction(paid) for _, line, paid in rows("holdem_bonus", "hole cards")}
    assert first5 == dict(read_ladder(DEFAULT_RULES["first5"]))
    assert bonus == dict(read_ladder(DEFAULT_RULES["bonus"]))


def test_a_house_option_changes_the_rungs_it_names_and_no_other() -> None:
    rules = {"bonus": "aces 26, ace_king 11"}  # [THB-18]
    assert read("As Ad", "Ah Kc", DRY, **rules)["bonus"] == 26
    assert read("Ks Kd", "Ah Qc", DRY, **rules)["bonus"] == 11
    with pytest.raises(BadInputError, match="no house option 'ante'"):
        GAME.options.check({"ante": "straight 2"})


def test_an_odd_return_is_rounded_down_once() -> None:
    rules = GAME.options.check({"bonus": "ace_king_suited 2.5"})
    (payout,) = settle_bets(GAME, rules, GAME.deal.outcome(rules, ROYAL), [PlacedBet("b1", "bonus", "ann", 33)])
    assert payout.returns_minor == 82  # [THB-19]


def test_an_outcome_is_told_in_plain_values() -> None:
    told = GAME.deal.describe(GAME.deal.outcome(DEFAULT_RULES, ROYAL))
    assert told["player"] == {
        "cards": ["As", "Ks"],
        "class": "royal_flush",
        "name": "Royal flush",
        "result": "win",
        "bonus": "ace_king_suited",
        "first5": "royal_flush",
    }
    assert told["board"] == {"cards": ["Qs", "Js", "Ts", "4d", "5d"]}


def test_a_conduct_the_game_does_not_know_is_refused() -> None:
    with pytest.raises(BadInputError, match="plays or folds: 'check'"):
        read("As Ad", "Ks Qd", DRY, "check")


def test_the_game_is_found_by_its_key_and_every_bet_has_a_return() -> None:
    assert find_game("holdem_bonus") is GAME
    assert tuple(read("As Ad", "Ks Qd", DRY)) == BETS
