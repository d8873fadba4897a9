"""Payouts: exact odds times whole minor units, rounded down once."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.cards import DECK, Card, parse_cards
from studio.errors import InvariantError
from studio.games.three_knights import BETS, BOXES, THREE_KNIGHTS
from studio.rulebook.script import Hands
from studio.settlement import Payout, PlacedBet, payout_minor, settle_bets

SIX_BEATS_FOUR: Mapping[str, tuple[Card, ...]] = {
    "player1": parse_cards("Ks Td 6h"),
    "player2": parse_cards("2c 3c 7d"),
    "player3": parse_cards("Qs 8d 9h"),
    "banker": parse_cards("2d 5d 7s"),
}


def settle(*bets: PlacedBet, hands: Hands = SIX_BEATS_FOUR, **rules: str) -> list[Payout]:
    checked = THREE_KNIGHTS.options.check(rules)
    return list(settle_bets(THREE_KNIGHTS, checked, THREE_KNIGHTS.deal.outcome(checked, hands), bets))


@pytest.mark.parametrize(
    ("stake_minor", "ret", "expected"),
    [
        pytest.param(101, Fraction(3, 2), 151, id="3K-16-half-a-cent-is-dropped"),
        pytest.param(1, Fraction(3, 2), 1, id="3K-16-one-cent"),
        pytest.param(33, Fraction(39, 20), 64, id="3K-16-commission-on-33"),
        pytest.param(7, Fraction(0), 0, id="lost"),
        pytest.param(10**30 + 1, Fraction(39, 20), (10**30 + 1) * 39 // 20, id="no-float-comes-near-it"),
    ],
)
def test_a_payout_is_rounded_down_after_the_multiplication(stake_minor: int, ret: Fraction, expected: int) -> None:
    assert payout_minor(stake_minor, ret) == expected


def test_a_stake_that_is_not_positive_and_a_negative_return_are_our_own_mistakes() -> None:
    for stake_minor, ret in ((0, Fraction(2)), (-5, Fraction(2)), (5, Fraction(-1))):
        with pytest.raises(InvariantError):
            payout_minor(stake_minor, ret)


def test_each_bet_is_answered_once_in_its_order_lost_ones_included() -> None:
    bets = [PlacedBet(f"b{n}", bet, "bettor:north:ann", 101) for n, bet in enumerate(BETS)]
    payouts = settle(*bets)
    assert [(each.id, each.bet, each.stake_minor) for each in payouts] == [(b.id, b.bet, b.stake_minor) for b in bets]
    assert {each.bet: each.returns_minor for each in payouts if each.returns_minor} == {
        "player1_win": 151,
        "player2_lose": 202,
        "player3_win": 202,
    }


def test_a_bet_the_game_does_not_know_or_without_a_stake_is_our_own_mistake_at_settlement() -> None:
    with pytest.raises(InvariantError, match="b1"):
        settle(PlacedBet("b1", "player4_win", "bettor:north:ann", 100))
    with pytest.raises(InvariantError, match="b2"):
        settle(PlacedBet("b2", "player1_win", "bettor:north:ann", 0))


deals = st.permutations(DECK).map(lambda deck: {box: tuple(deck[3 * i : 3 * i + 3]) for i, box in enumerate(BOXES)})


@given(deals, st.sampled_from(BETS), st.integers(1, 10**9), st.sampled_from(["six_pays_half", "commission", "even"]))
def test_settling_many_bets_pays_what_one_bet_alone_is_paid(hands: Hands, bet: str, stake_minor: int, six: str) -> None:
    rules = {"six": six}
    ret = THREE_KNIGHTS.payment.returns(rules, THREE_KNIGHTS.deal.outcome(rules, hands), "")[bet]
    (payout,) = settle(PlacedBet("b", bet, "bettor:north:ann", stake_minor), hands=hands, six=six)
    assert payout.returns_minor == payout_minor(stake_minor, ret)
    assert 0 <= ret * stake_minor - payout.returns_minor < 1
