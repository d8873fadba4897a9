"""Whole nights at poker tables: simulated players sit down, play, bust and come back, and no chip is lost."""

from __future__ import annotations

import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.poker import Guests
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from studio.games import PEER_GAMES

KEYS = [game.key for game in PEER_GAMES]
RAKED = {"rake_percent": "5", "rake_cap": 300}


@pytest.mark.parametrize("game", KEYS)
def test_a_few_hands_without_faults_lose_no_chip(game: str) -> None:
    checker = play_night(SimulationPlan(game, 3, seed=5)).checker
    assert not checker.violations
    assert (checker.settled, checker.voided) == (3, 0)
    assert {kind for kind, _ in checker.incidents} <= {"timed_out"}


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "game", [pytest.param(key, marks=pytest.mark.long if key == "nlh" else pytest.mark.night) for key in KEYS]
)
def test_a_night_of_hands_and_restarts_loses_no_chip_and_hears_every_refusal(game: str) -> None:
    night = Night(NightOptions(game, seed=9, rules={} if game == "ofc" else RAKED))
    checker = Checker(night)
    steps = 0
    while checker.rounds < 40:
        night.step()
        steps += 1
        if steps % 4_000 == 0:
            night.restart()
        if steps % 1_500 == 0:
            night.punters.shout(night.runtime, night.now_ms)
            night.punters.crowd(night.runtime, night.now_ms, 5)
        checker.watch()
    checker.look()
    checker.compare(night.state)
    assert not checker.violations
    assert isinstance(night.punters, Guests)
    wrong = "no_such_option" if game == "ofc" else "bad_amount"
    assert {"accepted", "duplicate", "not_your_box", wrong, "seat_taken"} <= set(night.punters.answers)
    night.close()
