"""The second opinion on a simulated pot: each way in which its money may go wrong is noticed."""

from __future__ import annotations

import pytest

from dealer_ui.rehearsal.check.money import PotCheck
from dealer_ui.rehearsal.opinions import Dealt
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from studio.cards import Card
from studio.jackpot import PotTerms
from studio.money import Transfer
from studio.tables.event.table import PlacedBet

TERMS = PotTerms(key="first5", currency="EUR", seed_minor=1_000, reset_minor=500)
BETS = [
    PlacedBet(bet_id=id, operator="op", client_id=id, bettor=id, bet=bet, stake_minor=stake, currency="EUR")
    for id, bet, stake in (("a", "first5", 101), ("b", "ante", 1_000), ("c", "first5", 100))
]
PLAIN = Dealt({"player": (Card.parse("2c"), Card.parse("7d")), "board": tuple(map(Card.parse, ("Th", "Jh", "4s")))})
ROYAL = Dealt({"player": (Card.parse("Ah"), Card.parse("Kh")), "board": tuple(map(Card.parse, ("Qh", "Jh", "Th")))})
FED = 76
"""38 of 101 and 38 of 100: each rounded down by itself."""


def moved(**kinds: int) -> list[Transfer]:
    return [Transfer("r", "first5", kind, "here", "there", minor, "EUR") for kind, minor in kinds.items()]


def check() -> PotCheck:
    return PotCheck(TERMS, "first5", moved(seed=1_000))


def test_a_pot_that_is_fed_what_each_stake_owes_is_right() -> None:
    pot = check()
    assert list(pot.seeded()) == []
    assert list(pot.settled(BETS, moved(feed=FED), PLAIN)) == []
    assert pot.holds_minor == 1_000 + FED


@pytest.mark.parametrize("kinds", [{}, {"feed": FED + 1}, {"feed": FED, "unfeed": FED}, {"feed": FED, "claim": 1_076}])
def test_a_settled_round_that_moves_anything_else_is_noticed(kinds: dict[str, int]) -> None:
    assert list(check().settled(BETS, moved(**kinds), PLAIN))


def test_a_royal_takes_all_and_what_cannot_be_shared_alike_stays_with_the_reset() -> None:
    pot, prize = check(), 1_000 + FED
    shares = [Transfer("r", id, "share", "prize:r", id, prize // 3, "EUR") for id in "abc"]
    right = moved(feed=FED, claim=prize, leftover=prize % 3, reset=500)
    assert list(pot.settled(BETS, [*right, *shares], ROYAL)) == []
    assert pot.holds_minor == 500 + prize % 3
    assert list(check().settled(BETS, moved(feed=FED), ROYAL))


def test_a_void_round_takes_its_part_out_again() -> None:
    pot = check()
    assert list(pot.voided(BETS, moved(feed=FED, unfeed=FED))) == []
    assert list(pot.voided(BETS, [])) == []  # void before its betting was closed
    assert list(pot.voided(BETS, moved(feed=FED)))
    assert pot.holds_minor == 1_000


def test_a_pot_that_begins_with_something_else_is_noticed() -> None:
    assert list(PotCheck(TERMS, "first5", moved(seed=999)).seeded())


def test_a_night_of_the_game_with_a_pot_feeds_it() -> None:
    report = play_night(SimulationPlan("holdem_bonus", 6, seed=5))
    assert not report.checker.violations
