"""The rules of Three Knights under their own numbers: docs/games/three_knights.md."""

from collections.abc import Mapping
from fractions import Fraction

import pytest

from studio.cards import Card, parse_cards
from studio.errors import BadInputError
from studio.games import HOUSE_GAMES, find_game
from studio.games.three_knights import BETS, BOXES, THREE_KNIGHTS, Outcome
from studio.ports import CardFace
from studio.rulebook.script import Burn, Deal, OpenBets

PLAIN_FOUR = "2d 5d 7s"
NOTHING = {"player2": "2c 3c 7d", "player3": "4c 8d 9h"}


def read(banker: str, player1: str, **rules: str) -> Mapping[str, Fraction]:
    """What every bet returns when Player 1 and the Banker have those hands."""
    hands = {box: parse_cards(text) for box, text in {"player1": player1, **NOTHING, "banker": banker}.items()}
    checked = THREE_KNIGHTS.options.check(rules)
    return THREE_KNIGHTS.payment.returns(checked, THREE_KNIGHTS.deal.outcome(checked, hands), "")


def test_the_script_burns_four_opens_bets_and_deals_twelve_cards_face_up_one_at_a_time() -> None:
    script = THREE_KNIGHTS.deal.script(THREE_KNIGHTS.options.defaults)
    assert next(script) == Burn(4)  # [3K-1]
    assert script.send(None) == OpenBets(BETS, 15)  # [3K-2]
    dealt: list[Deal] = []
    cards = iter(parse_cards("Js 2c 4c Qs 3h 3c 8d Th 6d 7d 9h 9d"))
    step = script.send(None)
    try:
        while True:
            assert isinstance(step, Deal)
            dealt.append(step)
            step = script.send(next(cards))
    except StopIteration as stop:
        outcome = stop.value
    assert dealt == [Deal(box, CardFace.UP) for box in ("player1", "player2", "player3", "banker") * 3]
    assert isinstance(outcome, Outcome)
    assert outcome.hands["player1"] == parse_cards("Js 3h 6d")
    assert outcome.hands["banker"] == parse_cards("Qs Th 9d")


def test_three_hands_of_sixteen_cards_come_from_one_deck() -> None:
    game = THREE_KNIGHTS
    assert (
        game.shoe.decks,
        game.felt.burns,
        game.shoe.cards_per_round,
        game.shoe.rounds_per_shuffle,
    ) == (
        1,
        4,
        16,
        3,
    )  # [3K-3]
    assert game.shoe.cards_per_round == game.felt.burns + sum(game.felt.boxes.values())
    assert 52 - 3 * game.shoe.cards_per_round < game.shoe.cards_per_round
    assert game.felt.zones == {"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4}


@pytest.mark.parametrize(
    ("six", "player1", "banker", "win", "lose", "tie"),
    [
        pytest.param("six_pays_half", "Ks 9d 9h", PLAIN_FOUR, 2, 0, 0, id="3K-9-player-wins"),
        pytest.param("six_pays_half", PLAIN_FOUR, "Ks 9d 9c", 0, 2, 0, id="3K-10-banker-wins"),
        pytest.param("six_pays_half", "Js 3h 6d", "Qs Th 9d", 1, 1, 9, id="3K-11-3K-13-printed-tie"),
        pytest.param("six_pays_half", "Ks Kd Kh", "Qs Jd Js", 1, 1, 9, id="3K-8-knights-tie-knights"),
        pytest.param("six_pays_half", "Ks Qd 6h", PLAIN_FOUR, "3/2", 0, 0, id="3K-12-wins-with-double-six"),
        pytest.param("six_pays_half", "Ks Td 6h", PLAIN_FOUR, "3/2", 0, 0, id="3K-12-wins-with-single-six"),
        pytest.param("six_pays_half", "As 3d 2h", PLAIN_FOUR, "3/2", 0, 0, id="3K-12-wins-with-plain-six"),
        pytest.param("six_pays_half", PLAIN_FOUR, "Ks Td 6h", 0, "3/2", 0, id="3K-12-banker-wins-with-six"),
        pytest.param("six_pays_half", "Ks Td 6h", "As 3d 2h", "3/2", 0, 0, id="3K-12-six-beats-six"),
        pytest.param("six_pays_half", "Ks Td 6h", "Qs 2d 4h", 1, 1, 9, id="3K-11-six-ties-six"),
        pytest.param("six_pays_half", "Ks 9d 8h", "Qs 2d 4h", 2, 0, 0, id="3K-12-beating-a-six-pays-whole"),
        pytest.param("commission", "Ks Td 6h", PLAIN_FOUR, "39/20", 0, 0, id="3K-12-commission-on-a-six"),
        pytest.param("commission", PLAIN_FOUR, "Ks 9d 9c", 0, "39/20", 0, id="3K-12-commission-on-lose"),
        pytest.param("commission", "Js 3h 6d", "Qs Th 9d", 1, 1, 9, id="3K-12-no-commission-on-a-push"),
        pytest.param("even", "Ks Td 6h", PLAIN_FOUR, 2, 0, 0, id="3K-12-even-money-on-a-six"),
    ],
)
def test_win_lose_and_tie_return(
    six: str, player1: str, banker: str, win: int | str, lose: int | str, tie: int | str
) -> None:
    returns = read(banker, player1, six=six)
    got = tuple(returns[f"player1_{bet}"] for bet in ("win", "lose", "tie"))
    assert got == (Fraction(win), Fraction(lose), Fraction(tie))


@pytest.mark.parametrize(
    ("player1", "banker", "expected"),
    [
        pytest.param("Ks Qd Jh", PLAIN_FOUR, 17, id="3K-14-above-the-banker"),
        pytest.param("Ks Qd Jh", "Kd Qs Js", 17, id="3K-14-in-a-tie-too"),
        pytest.param("Ks Qd Th", PLAIN_FOUR, 0, id="3K-14-two-pictures-and-a-ten-are-not-enough"),
        pytest.param(PLAIN_FOUR, "Ks Qd Jh", 0, id="3K-14-the-banker's-knights-do-not-count"),
    ],
)
def test_three_knights_return(player1: str, banker: str, expected: int) -> None:
    assert read(banker, player1)["player1_three_knights"] == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("8h 7h 6h", 41, id="3K-15-straight-flush"),
        pytest.param("Th Td Ts", 31, id="3K-15-three-of-a-kind"),
        pytest.param("8h 7d 6s", 7, id="3K-15-straight"),
        pytest.param("Ah 2d 3s", 7, id="3K-15-straight-ace-low"),
        pytest.param("Ah Kd Qs", 7, id="3K-15-straight-ace-high"),
        pytest.param("Th 4h 2h", 4, id="3K-15-flush"),
        pytest.param("Ah Ad 8s", 2, id="3K-15-pair"),
        pytest.param("Ah Jd 8s", 0, id="3K-15-nothing"),
    ],
)
def test_pair_plus_returns_for_a_player_and_for_the_banker(hand: str, expected: int) -> None:
    assert read(PLAIN_FOUR, hand)["player1_pair_plus"] == expected
    assert read(hand, PLAIN_FOUR)["banker_pair_plus"] == expected


def test_every_bet_has_a_return_and_there_are_sixteen() -> None:
    assert len(BETS) == 16
    assert tuple(read(PLAIN_FOUR, "Ks Qd Jh")) == BETS


def test_an_outcome_is_told_in_plain_values() -> None:
    hands = {box: parse_cards(text) for box, text in {"player1": "Js 3h 6d", **NOTHING, "banker": "Qs Th 9d"}.items()}
    told = THREE_KNIGHTS.deal.describe(THREE_KNIGHTS.deal.outcome(THREE_KNIGHTS.options.defaults, hands))
    assert tuple(told) == BOXES
    assert told["player1"] == {
        "cards": ["Js", "3h", "6d"],
        "class": "single_knight_nine",
        "name": "Single Knight Nine",
        "points": 9,
        "pictures": 1,
        "pair_plus": "high_card",
        "result": "tie",
    }
    assert told["player2"]["result"] == "lose"
    assert "result" not in told["banker"]


def test_options_left_out_are_filled_in() -> None:
    assert THREE_KNIGHTS.options.check({}) == {"six": "six_pays_half"}
    assert THREE_KNIGHTS.options.check({"six": "even"}) == {"six": "even"}


@pytest.mark.parametrize("value", ["half", "", None, 5, ["even"]])
def test_a_bad_value_is_refused_with_the_option_and_what_it_may_be(value: object) -> None:
    with pytest.raises(BadInputError, match=r"option six .* six_pays_half, commission, even"):
        THREE_KNIGHTS.options.check({"six": value})


def test_an_unknown_option_is_refused_by_name() -> None:
    with pytest.raises(BadInputError, match="no house option 'sixes': it has six"):
        THREE_KNIGHTS.options.check({"sixes": "even"})


def test_a_deal_with_a_missing_unknown_or_short_box_is_refused_by_name() -> None:
    rules = THREE_KNIGHTS.options.defaults
    hand = parse_cards("Js 3h 6d")
    whole: dict[str, tuple[Card, ...]] = dict.fromkeys(BOXES, hand)
    with pytest.raises(BadInputError, match="no box 'dealer'"):
        THREE_KNIGHTS.deal.outcome(rules, {**whole, "dealer": hand})
    with pytest.raises(BadInputError, match="banker has 2 cards"):
        THREE_KNIGHTS.deal.outcome(rules, {**whole, "banker": hand[:2]})
    with pytest.raises(BadInputError, match="player3 has 0 cards"):
        THREE_KNIGHTS.deal.outcome(rules, {box: hand for box in BOXES if box != "player3"})


def test_a_decision_told_of_a_bettor_is_refused() -> None:
    rules = THREE_KNIGHTS.options.defaults
    outcome = THREE_KNIGHTS.deal.outcome(rules, dict.fromkeys(BOXES, parse_cards("Js 3h 6d")))
    with pytest.raises(BadInputError, match="'folded'"):
        THREE_KNIGHTS.payment.returns(rules, outcome, "folded")


def test_a_game_is_found_by_its_key_and_an_unknown_key_is_answered_with_those_there_are() -> None:
    assert find_game("three_knights") is THREE_KNIGHTS
    assert len({game.key for game in HOUSE_GAMES}) == len(HOUSE_GAMES)
    with pytest.raises(BadInputError, match=r"no game 'roulette' .* three_knights"):
        find_game("roulette")
