"""The simulated people close for the night: what is dealt is ended, seats are paid out, and nothing is opened."""

from __future__ import annotations

from contextlib import closing

import pytest

from dealer_ui.rehearsal.night import Night, NightOptions
from studio.cli.archive import carried

STEPS_MAX = 20_000


@pytest.mark.parametrize("game", ["three_knights", "nlh"])
def test_a_table_is_closed_between_two_rounds_and_a_year_may_end_there(game: str) -> None:
    with closing(Night(NightOptions(game, 3))) as night:
        for _ in range(STEPS_MAX):
            night.step()
            if night.state.round is not None and not night.state.round.over:
                break
        night.dealer.closing = night.pit.closing = lambda: True
        rounds = night.state.rounds
        for _ in range(STEPS_MAX):
            night._run_machines()
            night._let_staff_act()
            if night.state.status == "closed":
                break
        assert night.state.status == "closed"
        assert night.state.rounds == rounds
        with night.store.reader() as reader:
            assert carried(reader)
