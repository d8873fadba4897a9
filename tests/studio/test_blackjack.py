"""The rules of Blackjack under their own numbers: docs/games/blackjack.md."""

import doctest
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio.games.blackjack
import studio.hands.basic_strategy
import studio.hands.blackjack
from studio.cards import DECK, Card, parse_cards
from studio.errors import BadInputError, InvariantError
from studio.games.blackjack import BLACKJACK, INSURANCES, OPENING_BETS, boxes_of
from studio.games.blackjack_hand import Outcome, PlayedHand
from studio.hands.basic_strategy import absent_choice
from studio.hands.blackjack import Pair, count, dealer_draws, is_natural, is_splittable, read_pair
from studio.rulebook.script import Deal, Decide, OpenBets, Settle, Step, Turn

SHOE = DECK * 8


def played(cards: str, taken: list[tuple[str, ...]], choices: dict[str, list[str]]) -> tuple[list[Step], Outcome]:
    """Play the script over a shoe in that order: the steps it yielded, and what came out."""
    shoe, windows = iter(parse_cards(cards)), iter(taken)
    left = {row: iter(each) for row, each in choices.items()}
    script = BLACKJACK.deal.script(BLACKJACK.options.defaults)
    steps: list[Step] = [next(script)]
    while True:
        match steps[-1]:
            case Deal():
                answer: object = next(shoe)
            case Turn(box=box):
                answer = next(left[box])
            case Settle():
                answer = None
            case _:
                answer = next(windows)
        try:
            steps.append(script.send(answer))
        except StopIteration as stop:
            assert next(shoe, None) is None
            return steps, stop.value


def hand(text: str, box: str = "1", **how: bool) -> PlayedHand:
    return PlayedHand(box, parse_cards(text), **how)


def back(dealer: str, *hands: PlayedHand, bet: str = "1:main") -> Fraction:
    """What each unit put out on the bet comes back as."""
    outcome = BLACKJACK.deal.outcome(BLACKJACK.options.defaults, Outcome(parse_cards(dealer), hands))
    return BLACKJACK.payment.returns(BLACKJACK.options.defaults, outcome, "")[bet]


# --- the deal ------------------------------------------------------------------------------------------


def test_eight_decks_are_shuffled_for_every_round_and_nothing_is_burned() -> None:  # [BJ-1]
    assert (BLACKJACK.shoe.decks, BLACKJACK.shoe.rounds_per_shuffle, BLACKJACK.felt.burns) == (8, 1, 0)


def test_the_boxes_with_a_bet_get_two_cards_and_the_dealer_one() -> None:  # [BJ-2]
    steps, _ = played("2c 3c 6d Tc 9c 5d 6s", [("6", "2")], {"2": ["stand"], "6": ["stand"]})
    assert steps[:6] == [OpenBets(OPENING_BETS, 15), *(Deal(box) for box in ("2", "6", "dealer", "2", "6"))]
    assert [step.box for step in steps if isinstance(step, Turn)] == ["2", "6"]
    assert not set(OPENING_BETS) & set(INSURANCES)


def test_without_a_bet_nothing_is_dealt() -> None:  # [BJ-2]
    assert played("", [()], {}) == ([OpenBets(OPENING_BETS, 15)], Outcome((), ()))


@pytest.mark.parametrize(
    ("cards", "points", "soft"),
    [
        pytest.param("Ts Jd", 20, False, id="BJ-3-pictures-count-ten"),
        pytest.param("As 6d", 17, True, id="BJ-3-ace-as-eleven"),
        pytest.param("As 6d Kc", 17, False, id="BJ-3-ace-as-one"),
        pytest.param("As Ad 9c", 21, True, id="BJ-3-one-ace-of-two-as-eleven"),
        pytest.param("Ts 6d 6c", 22, False, id="BJ-5-bust"),
    ],
)
def test_the_points_of_a_hand(cards: str, points: int, soft: bool) -> None:
    assert count(parse_cards(cards)) == (points, soft)


def test_a_blackjack_is_an_ace_and_a_ten_and_not_after_a_split() -> None:  # [BJ-4]
    assert hand("As Kd").is_blackjack
    assert not hand("As Kd", split=True).is_blackjack
    assert not hand("7s 7d 7c").is_blackjack


def test_the_dealer_stands_on_every_seventeen() -> None:  # [BJ-6]
    drawing = [cards for cards in ("Td 6s", "Ad 5s", "Td 7s", "Ad 6s", "2d") if dealer_draws(parse_cards(cards))]
    assert drawing == ["Td 6s", "Ad 5s", "2d"]
    with pytest.raises(InvariantError, match="no card yet"):
        dealer_draws(())


# --- what a box may do ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "up", "options"),
    [
        pytest.param("9s 7d", "6c", "hit stand double surrender", id="BJ-8-two-cards"),
        pytest.param("Js Kd", "6c", "hit stand double split surrender", id="BJ-13-equal-value"),
        pytest.param("8s 8d", "Ac", "hit stand double split", id="BJ-15-not-against-an-ace"),
        pytest.param("As Ad", "Tc", "hit stand double split surrender", id="BJ-15-against-a-ten"),
    ],
)
def test_what_a_box_may_do_with_its_first_two_cards(cards: str, up: str, options: str) -> None:
    assert " ".join(studio.games.blackjack.first_options(parse_cards(cards), Card.parse(up))) == options


def test_a_hand_at_twenty_one_stops_by_itself() -> None:  # [BJ-8]
    steps, outcome = played("5s 6d 6h Tc Tc 5c", [("1",)], {"1": ["hit"]})
    assert [step.options for step in steps if isinstance(step, Turn)] == [("hit", "stand", "double", "surrender")]
    assert outcome.hands == (hand("5s 6h Tc"),)


def test_a_later_choice_is_hit_or_stand_only() -> None:  # [BJ-8] [BJ-12] [BJ-15]
    steps, _ = played("5s 6d 6h 2c 3c Tc 9d", [("1",)], {"1": ["hit", "hit", "stand"]})
    assert [step.options for step in steps if isinstance(step, Turn)][1:] == [("hit", "stand")] * 2


def test_a_doubled_hand_gets_one_card_and_no_choice() -> None:  # [BJ-12]
    steps, outcome = played("5s 6d 6h 2c Tc 9d", [("1",)], {"1": ["double"]})
    assert sum(isinstance(step, Turn) for step in steps) == 1
    assert outcome.hands == (hand("5s 6h 2c", doubled=True),)


def test_a_split_hand_decides_for_itself_and_cannot_be_split_again() -> None:  # [BJ-13] [BJ-14]
    choices = {"1": ["split"], "1a": ["double"], "1b": ["hit", "stand"]}
    steps, outcome = played("8s 6d 8h 8c Tc 2d 7d Tc 9d", [("1",)], choices)
    turns = [(step.box, step.options) for step in steps if isinstance(step, Turn)]
    later = ("hit", "stand", "double")
    assert turns[1:] == [("1a", later), ("1b", later), ("1b", ("hit", "stand"))]
    assert outcome.hands == (hand("8s 8c Tc", split=True, doubled=True), hand("8h 2d 7d", split=True))


def test_split_aces_get_one_card_each() -> None:  # [BJ-14]
    steps, outcome = played("As 6d Ah 2c Tc Tc 9d", [("1",)], {"1": ["split"]})
    assert [step.box for step in steps if isinstance(step, Turn)] == ["1"]
    assert outcome.hands == (hand("As 2c", split=True), hand("Ah Tc", split=True))


def test_insurance_and_even_money_are_offered_against_an_ace_only() -> None:  # [BJ-10] [BJ-11]
    against_ace, outcome = played("As Ac Kd", [("1",), ("1",)], {})
    assert Decide(15, ("insurance", "even_money", "decline")) in against_ace
    assert outcome.hands == (hand("As Kd", even_money=True),)
    against_ten, _ = played("As Tc Kd 5c", [("1",)], {})
    assert not any(isinstance(step, Decide) for step in against_ten)


def test_who_declines_even_money_plays_on() -> None:  # [BJ-11]
    _, outcome = played("As Ac Kd 5c", [("1",), ()], {})
    assert outcome == Outcome(parse_cards("Ac 5c"), (hand("As Kd"),))


# --- when the dealer stops short -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "taken", "choices", "dealer"),
    [
        pytest.param("Ts 5d 6h Kc", ["1"], ["hit"], "5d", id="BJ-17-bust"),
        pytest.param("Ts Td 6h", ["1"], ["surrender"], "Td", id="BJ-17-surrendered"),
        pytest.param("As Ad Kh", ["1", "1"], [], "Ad", id="BJ-17-even-money"),
        pytest.param("Ts Ad 6h Kc", ["1", ""], ["hit"], "Ad", id="BJ-17-bust-against-an-ace"),
        pytest.param("As 9d Kh", ["1"], [], "9d", id="BJ-18-blackjack-against-a-nine"),
        pytest.param("As Td Kh 2c", ["1"], [], "Td 2c", id="BJ-19-blackjack-against-a-ten"),
        pytest.param("As Ad Kh 2c", ["1", ""], [], "Ad 2c", id="BJ-19-blackjack-against-an-ace"),
        pytest.param("Ts Ad 6h Kc 2c", ["1", "1"], ["hit"], "Ad 2c", id="BJ-20-insured-and-bust"),
    ],
)
def test_the_dealer_stops_short(cards: str, taken: list[str], choices: list[str], dealer: str) -> None:
    _, outcome = played(cards, [tuple(each) for each in taken], {"1": choices})
    assert outcome.dealer == parse_cards(dealer)


def test_one_hand_that_stands_makes_the_dealer_draw_for_all() -> None:  # [BJ-17]
    _, outcome = played("Ts 9s 5d 6h 8h Kc Tc 3d", [("1", "2")], {"1": ["hit"], "2": ["stand"]})
    assert outcome.dealer == parse_cards("5d Tc 3d")


# --- what comes back -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dealer", "cards", "returned"),
    [
        pytest.param("Td 7s", "Ts 8d", "2", id="BJ-7-win"),
        pytest.param("Td 8s", "Ts 8d", "1", id="BJ-7-push"),
        pytest.param("Td 9s", "Ts 8d", "0", id="BJ-7-lose"),
        pytest.param("Td 6s Kd", "Ts 2d", "2", id="BJ-7-dealer-bust"),
        pytest.param("Td 6s 5d", "As Kd", "5/2", id="BJ-5-blackjack-beats-twenty-one"),
        pytest.param("9d", "As Kd", "5/2", id="BJ-18-blackjack-against-one-card"),
        pytest.param("Ad Ks", "As Kd", "1", id="BJ-7-two-blackjacks"),
        pytest.param("Td As", "7s 7d 7c", "0", id="BJ-16-blackjack-takes-twenty-one"),
        pytest.param("5d", "Ts 6d Kc", "0", id="BJ-9-bust"),
        pytest.param("5d Td 8s", "Ts 6d Kc", "0", id="BJ-9-both-bust"),
    ],
)
def test_what_the_main_bet_returns(dealer: str, cards: str, returned: str) -> None:
    assert back(dealer, hand(cards)) == Fraction(returned)


def test_half_comes_back_of_a_surrender_even_where_the_dealer_has_a_blackjack() -> None:  # [BJ-15]
    assert (
        back("Td As", hand("9s 7d", surrendered=True)) == back("Td", hand("9s 7d", surrendered=True)) == Fraction(1, 2)
    )


def test_even_money_returns_two_whatever_follows() -> None:  # [BJ-11]
    blackjack = hand("As Kd", even_money=True)
    assert back("Ad Ks", blackjack) == back("Ad", blackjack) == 2


def test_the_hands_of_a_split_box_come_back_as_one() -> None:  # [BJ-25]
    won = hand("8s 3d Tc", split=True, doubled=True)
    lost = hand("8h Ts", split=True)
    assert back("Td 9s", won, lost) == Fraction(4, 3)
    outcome = Outcome(parse_cards("Td 9s"), (won, lost))
    assert BLACKJACK.payment.put_out is not None
    assert [BLACKJACK.payment.put_out(outcome, bet) for bet in ("1:main", "1:perfect_pair")] == [3, 1]


@pytest.mark.parametrize(
    ("dealer", "returned"),
    [pytest.param("Ad Ks", 3, id="BJ-10-blackjack"), pytest.param("Ad 5s 5d", 0, id="BJ-10-twenty-one-only")],
)
def test_what_insurance_returns(dealer: str, returned: int) -> None:
    assert back(dealer, hand("Ts 8d"), bet="1:insurance") == returned


@pytest.mark.parametrize("dealer", ["9d", "Ad", "Td As"])
def test_insurance_has_no_line_where_none_can_be_decided(dealer: str) -> None:  # [BJ-20]
    outcome = Outcome(parse_cards(dealer), (hand("Ts 6d Kc"),))
    assert "1:insurance" not in BLACKJACK.payment.returns(BLACKJACK.options.defaults, outcome, "")


@pytest.mark.parametrize(
    ("cards", "pair", "returned"),
    [
        pytest.param("Ks Ks", Pair.PERFECT_KINGS, 101, id="BJ-21-perfect-kings"),
        pytest.param("Qs Qs", Pair.PERFECT_PAIR, 21, id="BJ-21-perfect-pair"),
        pytest.param("Ks Kc", Pair.COLOURED_PAIR, 13, id="BJ-21-coloured-kings"),
        pytest.param("8h 8d", Pair.COLOURED_PAIR, 13, id="BJ-21-coloured-pair"),
        pytest.param("8h 8s", Pair.MIXED_PAIR, 6, id="BJ-21-mixed-pair"),
        pytest.param("Ks Qs", Pair.NO_PAIR, 0, id="BJ-21-king-and-queen"),
    ],
)
def test_what_the_side_bet_returns(cards: str, pair: Pair, returned: int) -> None:
    first, second = parse_cards(cards)
    assert read_pair(first, second) is pair
    assert back("Td 9s", hand(cards), bet="1:perfect_pair") == returned


def test_the_side_bet_of_a_split_box_is_that_of_its_first_cards() -> None:  # [BJ-21]
    hands = (hand("8s 3d", split=True), hand("8s 9d", split=True))
    assert back("Td 9s", *hands, bet="1:perfect_pair") == 21


def test_the_pay_tables_are_house_options() -> None:  # [BJ-22]
    rules = BLACKJACK.options.check({"pays": "blackjack 2.2"})
    outcome = Outcome(parse_cards("9d"), (hand("As Kd"),))
    assert BLACKJACK.payment.returns(rules, outcome, "")["1:main"] == Fraction(11, 5)
    assert BLACKJACK.options.check({}) == BLACKJACK.options.defaults
    with pytest.raises(BadInputError, match="no house option 'blackjack'"):
        BLACKJACK.options.check({"blackjack": "2.2"})


def test_no_bettor_has_a_conduct_here() -> None:
    with pytest.raises(BadInputError, match="lie in its hands"):
        BLACKJACK.payment.returns(BLACKJACK.options.defaults, Outcome(parse_cards("9d"), ()), "fold")


# --- bettors -------------------------------------------------------------------------------------------


def test_a_bettor_has_three_boxes_at_most_and_side_bets_need_the_main_one() -> None:  # [BJ-23]
    assert BLACKJACK.owned is not None
    assert BLACKJACK.owned.boxes_a_bettor == 3
    assert boxes_of(["7:main", "2:perfect_pair", "2:main"]) == ("2", "7")
    assert BLACKJACK.betting.needs["5:insurance"] == BLACKJACK.betting.needs["5:perfect_pair"] == "5:main"


@pytest.mark.parametrize(
    ("cards", "up", "choice"),
    [
        pytest.param("Ts 7d", "9c", "stand", id="BJ-24-above-sixteen"),
        pytest.param("As 6d", "9c", "stand", id="BJ-24-soft-seventeen"),
        pytest.param("Ts 6d", "9c", "hit", id="BJ-24-sixteen-against-a-nine"),
        pytest.param("Ts 6d", "6c", "stand", id="BJ-24-sixteen-against-a-six"),
        pytest.param("5s 6d", "6c", "hit", id="BJ-24-never-doubles"),
        pytest.param("8s 8d", "6c", "stand", id="BJ-24-never-splits"),
        pytest.param("As Ad", "6c", "hit", id="BJ-24-two-aces"),
        pytest.param("9s 7d", "Tc", "hit", id="BJ-24-never-surrenders"),
    ],
)
def test_what_a_box_does_whose_bettor_is_gone(cards: str, up: str, choice: str) -> None:
    assert absent_choice(parse_cards(cards), Card.parse(up)) == choice


def test_a_turn_carries_the_choice_of_an_absent_bettor() -> None:  # [BJ-24]
    steps, _ = played("5s 6d 6h 2c Tc 9d", [("1",)], {"1": ["hit", "stand"]})
    assert [step.default for step in steps if isinstance(step, Turn)] == ["hit", "stand"]


# --- any round -----------------------------------------------------------------------------------------


@given(st.integers(0, 2**32))
def test_what_the_script_deals_is_a_round_that_can_be_settled(seed: int) -> None:
    rng = random.Random(seed)
    shoe = iter(rng.sample(SHOE, 200))
    script = BLACKJACK.deal.script(BLACKJACK.options.defaults)
    step, dealt = next(script), dict.fromkeys(BLACKJACK.felt.boxes, 0)
    decided: dict[str, Fraction] = {}
    try:
        while True:
            match step:
                case Deal(box=box):
                    dealt[box] += 1
                    step = script.send(next(shoe))
                case Turn(options=options, default=default):
                    assert default in options
                    step = script.send(rng.choice(options))
                case Settle(returns=returns):
                    decided.update(returns())
                    step = script.send(None)
                case _:
                    step = script.send(tuple(box for box in "1234567" if rng.random() < 0.5))
    except StopIteration as stop:
        outcome = stop.value
    assert all(dealt[zone] <= places for zone, places in BLACKJACK.felt.boxes.items())
    if outcome.hands:
        assert BLACKJACK.deal.outcome(BLACKJACK.options.defaults, outcome) == outcome
    table = BLACKJACK.payment.returns(BLACKJACK.options.defaults, outcome, "")
    assert set(table) >= {f"{box}:{bet}" for box in outcome.boxes for bet in ("main", "perfect_pair")}
    assert set(table) <= set(BLACKJACK.betting.bets)
    assert decided.items() <= table.items()  # [BJ-11] [BJ-21] the end of the round makes of them what was paid before
    assert decided.keys() >= {f"{box}:perfect_pair" for box in outcome.boxes}
    assert set(BLACKJACK.deal.describe(outcome)) <= set(BLACKJACK.felt.zones)


def test_the_longest_hand_has_its_places() -> None:
    deck = {1: 10, 2: 1}
    longest = [1] * deck[1] + [2] + [1] * 9
    assert all(studio.hands.blackjack.count_values(longest[:n]).points < 21 for n in range(2, len(longest)))
    assert BLACKJACK.felt.boxes["1"] == len(longest) == BLACKJACK.felt.boxes["1a"] + 1


def test_what_can_be_split_and_what_is_natural() -> None:
    assert is_splittable(parse_cards("Ts Kd"))
    assert not is_splittable(parse_cards("Ts 9d"))
    assert not is_natural(parse_cards("Ts 5d 6d"))


@pytest.mark.parametrize("module", [studio.games.blackjack, studio.hands.blackjack, studio.hands.basic_strategy])
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
