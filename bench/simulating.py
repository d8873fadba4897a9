"""Measures simulated rounds, beside the bare scripts played over the same facts."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence

from bench.figure import Figure
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night
from studio.games import find_game
from studio.rounds import AnyFact, Finished, corrected, play
from studio.tables.event import table as e
from studio.tables.event.record import read_body

GAME = "three_knights"
ROUNDS = 40
SHOE_ROUNDS = 80


def measure() -> Sequence[Figure]:
    night = Night(NightOptions(GAME, seed=1))
    try:
        began = time.perf_counter()
        while night.state.rounds <= ROUNDS:
            night.step()
        house = ROUNDS / (time.perf_counter() - began)
        facts = _facts(night)
    finally:
        night.close()
    began = time.perf_counter()
    for of_round in facts:
        _play(of_round)
    bare = len(facts) / (time.perf_counter() - began)
    return [
        Figure(name="simulated rounds", value=house, unit="rounds/s", raw=bare, raw_name="script alone"),
        Figure(name=f"a shoe of Baccarat, {SHOE_ROUNDS} rounds with faults", value=_shoe_s(), unit="s"),
    ]


def _shoe_s() -> float:
    began = time.perf_counter()
    report = play_night(SimulationPlan("baccarat", SHOE_ROUNDS, seed=1, faults="many"))
    assert not report.checker.violations, report.plan.command
    return time.perf_counter() - began


def _facts(night: Night) -> list[tuple[AnyFact, ...]]:
    """The facts of every finished round, as the journal has them."""
    found: defaultdict[str, list[AnyFact]] = defaultdict(list)
    with night.store.reader() as reader:
        for row in reader.events():
            recorded = read_body(row.body)
            if isinstance(recorded.event, e.FactStood):
                found[recorded.round].append(recorded.event.fact)
    return [tuple(facts) for facts in list(found.values())[:-1]]


def _play(facts: Sequence[AnyFact]) -> None:
    """After each fact the script is played once more, as a table does it."""
    game = find_game(GAME)
    rules = game.options.check({})
    standing = play(game.deal.script(rules), ())
    for count in range(1, len(facts) + 1):
        standing = play(game.deal.script(rules), corrected(tuple(facts[:count])))
    assert isinstance(standing, Finished), standing
