"""A shoe that counts Baccarat calls another winner: bytes on its line, a held table, and a round paid by the script."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.night import Night, NightOptions
from studio.rounds import Finished
from studio.tables.state.table import phase_of

CALLS = {"player": 4, "banker": 5, "tie": 6}
STEPS_MOST = 20_000


def until(night: Night, checker: Checker, come: Callable[[], bool]) -> None:
    for _ in range(STEPS_MOST):
        if come():
            return
        night.step()
        checker.watch()
    pytest.fail("it never came to that")


def winner_of(night: Night) -> str:
    round = night.state.round
    if round is None or phase_of(night.state) != "result" or not isinstance(round.deal.standing, Finished):
        return ""
    return str(night.state.game.deal.describe(round.deal.standing.outcome)["winner"])


def test_what_the_shoe_calls_comes_over_its_line_and_another_winner_has_every_card_read_again() -> None:
    night = Night(NightOptions("baccarat", seed=3))
    night.config = msgspec.structs.replace(night.config, shoe_results=CALLS)
    night.restart()
    checker = Checker(night)
    try:
        until(night, checker, lambda: bool(winner_of(night)))
        night.rig.shoe.call_result(CALLS[winner_of(night)])
        until(night, checker, lambda: checker.settled == 1)
        assert ("misdeal_claimed", "BC7") not in checker.incidents
        until(night, checker, lambda: bool(winner_of(night)))
        night.rig.shoe.call_result(CALLS["tie" if winner_of(night) != "tie" else "player"])
        until(night, checker, lambda: checker.rounds == 2)
        assert checker.incidents["misdeal_claimed", "BC7"] == 1
        assert (checker.settled, checker.violations) == (2, []), [str(i)[:300] for i in checker.incidents.items()]
    finally:
        night.close()
