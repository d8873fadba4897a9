"""Simulated bettors in a game played by boxes: each chooses for what is his."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from dealer_ui.rehearsal.person.bettors import BettorCrowd, CrowdPlan
from dealer_ui.rehearsal.person.interface import (
    Bet,
    BetAnswer,
    BetNow,
    Choice,
    DecisionNow,
    Interface,
    RoundNow,
    TableNow,
    Window,
)
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night

BETS = tuple(BetNow(f"{box}:main", 100, 10_000) for box in range(1, 8))


@dataclass
class FakeTable(Interface):
    """A table that takes the first bet on every box, and writes down who chooses for which."""

    now: TableNow = field(default_factory=lambda: TableNow(0, Window(True, 1_000), BETS, RoundNow("r1")))
    owners: dict[str, str] = field(default_factory=dict)
    chosen: list[Choice] = field(default_factory=list)

    def table(self, table: str) -> TableNow:
        return self.now

    def place(self, table: str, bets: list[Bet]) -> tuple[BetAnswer, ...]:
        mine = [(bet, self.owners.setdefault(bet.bet.partition(":")[0], bet.bettor) == bet.bettor) for bet in bets]
        return tuple(BetAnswer(bet.client_id, "accepted" if good else "refused", "box_taken") for bet, good in mine)

    def decide(self, table: str, choices: list[Choice]) -> tuple[BetAnswer, ...]:
        self.chosen += choices
        return tuple(BetAnswer(choice.client_id, "accepted") for choice in choices)

    def deposit(self, bettor: str, client_id: str, amount_minor: int) -> int:
        return amount_minor

    def close(self) -> None:
        pass


def bet_on() -> tuple[FakeTable, BettorCrowd]:
    table = FakeTable()
    crowd = BettorCrowd(table, CrowdPlan(table="t", run="x", bettors=12), random.Random(4))
    crowd.act()
    table.now = TableNow(999, Window(True, 1_000), BETS, RoundNow("r1"))
    crowd.act()
    assert len(table.owners) > 3
    return table, crowd


def ask(table: FakeTable, crowd: BettorCrowd, box: str | None, at_ms: int) -> list[tuple[str, str]]:
    table.chosen.clear()
    decision = DecisionNow(("hit", "stand"), at_ms, box)
    table.now = TableNow(at_ms - 1, Window(False, None), BETS, RoundNow("r1"), decision)
    crowd.act()
    return [(choice.box, choice.bettor) for choice in table.chosen]


def test_at_a_turn_only_the_bettor_of_that_box_chooses_and_sometimes_he_does_not() -> None:
    table, crowd = bet_on()
    box, owner = next(iter(table.owners.items()))
    answers = [ask(table, crowd, f"{box}a", 2_000 + turn) for turn in range(60)]
    assert {tuple(one) for one in answers} == {((f"{box}a", owner),), ()}


def test_in_a_window_for_all_every_box_is_chosen_for_by_its_own_bettor() -> None:
    table, crowd = bet_on()
    chosen = ask(table, crowd, None, 5_000)
    assert len(chosen) > len(table.owners) // 2
    assert all(table.owners[box] == bettor for box, bettor in chosen)


def test_a_night_of_blackjack_is_dealt_without_an_incident_and_with_choices_of_all_kinds() -> None:
    report = play_night(SimulationPlan("blackjack", 12, seed=3))
    checker = report.checker
    assert (checker.settled, checker.voided, sum(checker.incidents.values()), len(checker.violations)) == (12, 0, 0, 0)
