"""A pit boss always has a way out: whatever is reported and whenever, the table goes on to the next round."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from dealer_ui.rehearsal.check.night import Checker
from dealer_ui.rehearsal.hand.script_act import acts_of
from dealer_ui.rehearsal.night import Night, NightOptions
from studio.games import HOUSE_GAMES, find_game
from studio.procedures.incident import KINDS
from studio.tables import command as c
from studio.tables.state.table import phase_of

KEYS = [game.key for game in HOUSE_GAMES]
STEPS_MAX = 20_000
MOMENTS = {
    "between rounds": "", "burning": "act.burn", "betting": "act.bets_open", "dealing": "act.deal",
    "a down card lies": "act.deal_down", "deciding": "act.decide", "a turn": "act.turn", "revealing": "act.reveal",
    "deal finished": "",
}  # fmt: skip
"""Each with the act of the console without which a game never comes to it."""


FACE_DOWN = ("a down card lies", "deciding", "revealing")
"""The moments that Three Knights does not know."""

OF_QUICK_ONES = 6
"""Each kind and each moment comes in every quick run, a sixth of all pairs; all of them where it is long."""

OF_LONG_ONES = 6
"""The long games take turns: each kind and each moment comes in every one of them, a sixth of all pairs."""


def cases() -> Iterator[object]:
    """Every kind at every moment of Three Knights, and at those of Three Card Poker that it lacks; the rest is long."""
    for game in KEYS:
        known = [moment for moment, act in MOMENTS.items() if not act or act in acts_of(game)]
        for (at, kind), (then, moment) in itertools.product(enumerate(KINDS), enumerate(known)):
            whole = game == "three_knights" or (game == "three_card_poker" and moment in FACE_DOWN)
            quick = whole and (at + then) % OF_QUICK_ONES == 0
            if whole or (at + then) % OF_LONG_ONES == KEYS.index(game) % OF_LONG_ONES:
                id = f"{kind.key}-{game}-{moment.replace(' ', '_')}"
                yield pytest.param(kind.key, game, moment, marks=() if quick else (pytest.mark.long,), id=id)


@pytest.mark.parametrize(("kind", "game", "moment"), list(cases()))
def test_whatever_is_reported_the_table_goes_on(kind: str, game: str, moment: str) -> None:
    night = Night(NightOptions(game, 3))
    try:
        checker = Checker(night)
        while not _is(moment, night):
            night.step()
        slots = list(night.rig.felt.view().top()) or [("", 0)]
        box, place = slots[0]
        for actor in (night.dealer.actor, night.people[0]):
            night.dealer.command(c.ReportIncident(actor=actor, kind=kind, box=box, place=place))
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
    round, view = night.state.round, night.view()
    if round is None or night.state.held:
        return False
    open_cards = sum(place.face is not None for box in view.boxes for place in box.places)
    match moment:
        case "between rounds":
            return round.over
        case "betting" | "deciding":
            return phase_of(night.state) == moment and round.window.closes_at_ms is not None
        case "burning":
            return len(round.deal.cards) == 2
        case "a down card lies":
            return any(place.state == "sealed" for box in view.boxes for place in box.places)
        case "dealing":
            places = sum(find_game(night.options.game).felt.boxes.values())
            return phase_of(night.state) == moment and open_cards >= min(3, places - 1)
        case "a turn":
            return view.now.act.key == "act.turn"
        case "revealing":
            return phase_of(night.state) == moment
    return view.now.act.key in ("act.wait_camera", "act.declare_result")
