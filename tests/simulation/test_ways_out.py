"""A pit boss always has a way out: whatever is reported and whenever, the table goes on to the next round."""

from __future__ import annotations

import pytest

from dealer_ui.rehearsal.checker import Checker
from dealer_ui.rehearsal.night import Night, NightOptions
from studio.procedures.incident import KINDS
from studio.tables import command as c
from studio.tables.state import Stage

STEPS_MAX = 20_000
MOMENTS = ("between rounds", "burning", "betting", "dealing", "deal finished")


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_whatever_is_reported_the_table_goes_on(kind: str, moment: str) -> None:
    night = Night(NightOptions("three_knights", 3))
    try:
        checker = Checker(night)
        while not _is(moment, night):
            night.step()
        slots = list(night.rig.felt.view().top()) or [("", 0)]
        box, place = slots[0]
        night.dealer.command(c.ReportIncident(actor=night.dealer.actor, kind=kind, box=box, place=place))
        rounds = night.state.rounds
        for _ in range(STEPS_MAX):
            night.step()
            checker.watch()
            if night.state.rounds > rounds and night.state.round is not None and night.state.round.over:
                break
        else:
            raise AssertionError(f"the table is stuck: {night.view()}")
        assert not checker.violations
    finally:
        night.close()


def _is(moment: str, night: Night) -> bool:
    round = night.state.round
    if round is None or night.state.held:
        return False
    cards = len(round.cards)
    match moment:
        case "between rounds":
            return round.over
        case "burning":
            return cards == 2
        case "betting":
            return round.closes_at_ms is not None
        case "dealing":
            return cards == 10 and round.stage is Stage.DEALING
    return cards == 16 and round.stage is Stage.DEALING
