"""The fee of a round that a rakeback is counted from: reported per bettor, taken from nobody."""

import doctest
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.games.kkclash import BETS, KKCLASH
from studio.games.three_knights import THREE_KNIGHTS
from studio.settlement import Payout, PlacedBet, fee_minor, rakeback, rakeback_fees


def bet(account: str, key: str, stake_minor: int) -> PlacedBet:
    return PlacedBet(f"{account}/{key}", key, account, stake_minor)


def test_the_fee_is_two_percent_of_a_bettors_total_bet_rounded_down_once() -> None:
    bets = [bet("ann", "shark", 1030), bet("bob", "king", 49), bet("ann", "draw", 1020), bet("cyd", "draw", 50)]
    assert rakeback_fees(KKCLASH, bets) == {"ann": 41, "bob": 0, "cyd": 1}  # [KK-19]


def test_bets_that_were_paid_tell_the_same_fee_whatever_they_returned() -> None:
    paid = [Payout("1", "shark", "ann", 1000, 2020), Payout("2", "draw", "ann", 500, 0)]
    assert rakeback_fees(KKCLASH, paid) == {"ann": 30}


def test_a_round_without_bets_and_a_game_without_rakeback_bear_no_fee() -> None:
    assert rakeback_fees(KKCLASH, []) == {}
    assert rakeback_fees(THREE_KNIGHTS, [bet("ann", "player1_win", 1000)]) == {"ann": 0}


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=len(BETS)))
def test_a_fee_never_exceeds_its_part_and_falls_short_by_less_than_one_minor_unit(stakes: list[int]) -> None:
    bets = [bet("ann", key, stake_minor) for key, stake_minor in zip(BETS, stakes, strict=False)]
    part = Fraction(2, 100) * sum(stakes)
    assert part - 1 < rakeback_fees(KKCLASH, bets)["ann"] == fee_minor(KKCLASH.payment.rakeback, sum(stakes)) <= part


def test_the_example_is_true() -> None:
    assert doctest.testmod(rakeback) == pytest.approx((0, 1))
