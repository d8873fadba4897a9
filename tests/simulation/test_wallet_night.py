"""Nights of an operator who keeps his bettors' money: whatever his wallet does, both books end alike, to the cent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions, OwnWallet
from dealer_ui.rehearsal.operator.setting_up import DIALECTS
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from dealer_ui.rehearsal.wallet.night_line import FAULTS
from studio.games import GAMES

PLANS = (("three_card_poker", "rsa"), ("blackjack", "hmac"), ("nlh", "rsa"))
"""Bets and raises, boxes that decide in turn, and chips; the long nights are of every game."""
ROUNDS = 3
LONG_ROUNDS = 25


@pytest.mark.parametrize(("game", "dialect"), PLANS)
def test_whatever_a_wallet_does_both_books_end_alike(game: str, dialect: str) -> None:
    report = play_night(SimulationPlan(game, ROUNDS, seed=1, faults="many", wallet=dialect))
    wrong = [f"{found.round}: {found.sentence}" for found in report.checker.violations]
    assert not wrong, f"{wrong}\nrepeat it with: {report.plan.command}"
    assert report.checker.rounds == ROUNDS
    assert report.wallet_faults > 0


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_wallet_without_a_fault_changes_nothing_of_a_night(dialect: str) -> None:
    report = play_night(SimulationPlan("blackjack", 3, seed=5, wallet=dialect))
    checker = report.checker
    assert not checker.violations
    assert (checker.settled, checker.voided, sum(checker.incidents.values())) == (3, 0, 0)
    assert report.wallet_faults == 0


def test_equal_seeds_give_equal_nights_with_a_wallet() -> None:
    nights = [play_night(SimulationPlan("three_card_poker", 3, seed=3, faults="many", wallet="rsa")) for _ in range(2)]
    assert nights[0].checker.digest == nights[1].checker.digest


@contextmanager
def wallet_night() -> Iterator[tuple[Night, Checker]]:
    night = Night(NightOptions("three_card_poker", 4, wallet=OwnWallet("hmac")))
    try:
        yield night, Checker(night)
    finally:
        night.close()


def test_a_cent_that_the_wallet_lost_is_noticed() -> None:
    with wallet_night() as (night, checker):
        play_one_round(night, checker)
        assert night.wallet is not None
        night.wallet.till._connection.execute("UPDATE bettor SET balance = balance - 1 WHERE name = 'b1'")
        checker.end()
        [found] = checker.violations
        assert "from b1's wallet; the wallet itself gave" in found.sentence


def test_a_wallet_that_is_never_told_is_noticed() -> None:
    with wallet_night() as (night, checker):
        assert night.wallet is not None
        night.wallet.step = lambda now_ms: None  # type: ignore[method-assign]
        play_one_round(night, checker)
        checker.end()
        told = " ".join(found.sentence for found in checker.violations)
        assert "are left in the purse of b" in told
        assert "taken from" not in told, "what was taken was taken"


def play_one_round(night: Night, checker: Checker) -> None:
    for _ in range(20_000):
        night.step()
        if checker.watch():
            return
    raise AssertionError("no round was over")


@pytest.mark.night
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_fault_of_a_wallet_comes_and_no_cent_is_lost(dialect: str) -> None:
    done: Counter[str] = Counter()
    for game in GAMES:
        report = play_night(SimulationPlan(game.key, LONG_ROUNDS, seed=21, faults="many", wallet=dialect))
        wrong = [f"{found.round}: {found.sentence}" for found in report.checker.violations]
        assert not wrong, f"{wrong}\nrepeat it with: {report.plan.command}"
        done.update(report.wallet_done)
    assert set(done) == {*FAULTS, "down"}
