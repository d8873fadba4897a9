"""The simulated pit boss leaves a card to the camera first, and lets none pass that does not lie as it is recorded."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from fake_floor import DEALING, incident

from dealer_ui.rehearsal.pit import SimPit
from studio.people import Actor
from studio.tables.command import PersonCommand, RuleIncident
from studio.views import IncidentView, TableView

PIT = (Actor("p1", "Made", frozenset({"pit_boss"})), Actor("p2", "Yuki", frozenset({"pit_boss"})))
UNSURE = incident(
    "camera_unsure", row="HG21", ruling="continue", options=("continue", "void_round"), holds=False, approval="dealer"
)
[FACE] = [card.face for box in DEALING.boxes if box.key == "player1" for card in box.places if card.place == 1]


RESTART = incident("restart", row="EV7", ruling="pit_decides", options=("continue", "void_round"))


class Desk:
    def __init__(self, open_one: IncidentView = UNSURE) -> None:
        self.asked = list[PersonCommand]()
        self._open = open_one

    def view(self) -> TableView:
        return replace(DEALING, incidents=(self._open,))

    def command(self, command: PersonCommand) -> None:
        self.asked.append(command)


@pytest.mark.parametrize(("lies", "rulings"), [(FACE, ["continue"]), ("", ["void_round"])], ids=["there", "not there"])
def test_a_card_the_camera_is_unsure_of_is_left_to_it_and_then_looked_at(lies: str, rulings: list[str]) -> None:
    desk = Desk()
    pit = SimPit(desk, PIT, ("d1", "Dewi"), random.Random(1))
    pit.wait_ms, pit.unsure_ms, pit.sees = 500, 3_000, lambda slot: lies
    for now_ms in range(0, 3_000, 500):
        pit.step(now_ms)
    assert not desk.asked
    pit.step(3_000)
    assert [one.ruling for one in desk.asked if isinstance(one, RuleIncident)] == rulings


def test_nothing_is_void_that_could_go_on_once_the_camera_has_told_the_felt() -> None:
    desk = Desk(RESTART)
    pit = SimPit(desk, PIT, ("d1", "Dewi"), random.Random(1))
    pit.wait_ms, pit.unsure_ms = 500, 3_000
    for now_ms in range(0, 3_500, 500):
        pit.step(now_ms)
    rulings = [one.ruling for one in desk.asked if isinstance(one, RuleIncident)]
    assert set(rulings[:6]) == {"continue"}
    assert len(rulings) == 7
