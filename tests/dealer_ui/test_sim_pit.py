"""The simulated pit boss leaves a card to the camera first, and lets none pass that does not lie as it is recorded."""

from __future__ import annotations

import random

import pytest
from altered import altered
from fake_floor import DEALING, incident
from hands_rig import Scene

from dealer_ui.rehearsal.person.pit import SimPit
from studio.cards import Card
from studio.people import Actor
from studio.ports import CardFace
from studio.tables.command import ReportIncident, RuleIncident
from studio.tables.declaration import Command
from studio.views import IncidentView, TableView

PIT = (Actor("p1", "Made", frozenset({"pit_boss"})), Actor("p2", "Yuki", frozenset({"pit_boss"})))
UNSURE = incident(
    "camera_unsure",
    row={"id": "HG21", "ruling": "continue", "options": ("continue", "void_round"), "approval": "dealer"},
    holds=False,
)
[FACE] = [card.face for box in DEALING.boxes if box.key == "player1" for card in box.places if card.place == 1]


RESTART = incident("restart", row={"id": "EV7", "ruling": "pit_decides", "options": ("continue", "void_round")})


class Desk:
    def __init__(self, open_one: IncidentView = UNSURE) -> None:
        self.asked = list[Command]()
        self._open = open_one

    def view(self) -> TableView:
        return altered(DEALING, incidents={"open": (self._open,)})

    def command(self, command: Command) -> None:
        self.asked.append(command)


@pytest.mark.parametrize(
    ("lies", "rulings"),
    [(FACE, ["continue"]), ("", ["void_round"]), (None, ["void_round"])],
    ids=["there", "face down", "not there"],
)
def test_a_card_the_camera_is_unsure_of_is_left_to_it_and_then_looked_at(lies: str | None, rulings: list[str]) -> None:
    desk = Desk()
    pit = SimPit(desk, PIT, ("d1", "Dewi"), random.Random(1))
    pit.wait_ms, pit.unsure_ms, pit.sees = 500, 3_000, lambda slot: lies
    for now_ms in range(0, 3_000, 500):
        pit.step(now_ms)
    assert not desk.asked
    pit.step(3_000)
    assert [one.ruling for one in desk.asked if isinstance(one, RuleIncident)] == rulings


@pytest.mark.parametrize(("lies", "ruling"), [("", "continue"), (None, "void_round")], ids=["there", "not there"])
def test_no_sealed_card_passes_that_lies_nowhere(lies: str | None, ruling: str) -> None:
    desk = Desk(altered(UNSURE, where={"box": "dealer", "place": 2}))
    pit = SimPit(desk, PIT, ("d1", "Dewi"), random.Random(1))
    pit.sees = lambda slot: lies
    for now_ms in range(0, 60_000, 1_500):
        pit.step(now_ms)
    assert next(one.ruling for one in desk.asked if isinstance(one, RuleIncident)) == ruling


def test_nothing_is_void_that_could_go_on_once_the_camera_has_told_the_felt() -> None:
    desk = Desk(RESTART)
    pit = SimPit(desk, PIT, ("d1", "Dewi"), random.Random(1))
    pit.wait_ms, pit.unsure_ms = 500, 3_000
    for now_ms in range(0, 3_500, 500):
        pit.step(now_ms)
    rulings = [one.ruling for one in desk.asked if isinstance(one, RuleIncident)]
    assert set(rulings[:6]) == {"continue"}
    assert len(rulings) == 7


def test_a_hasty_pit_gives_the_camera_its_time_before_he_voids_a_round_of_before_the_start() -> None:
    desk = Desk(RESTART)
    pit = SimPit(desk, PIT, ("d1", "Dewi"), random.Random(1))
    pit.wait_ms, pit.unsure_ms = 150, 3_000
    for now_ms in range(0, 12_000, 150):
        pit.step(now_ms)
    assert {type(one) for one in desk.asked} == {RuleIncident}
    assert {one.ruling for one in desk.asked if isinstance(one, RuleIncident)} == {"continue"}
    for now_ms in range(12_000, 15_000, 150):
        pit.step(now_ms)
    assert any(isinstance(one, ReportIncident) and one.kind == "malfunction" for one in desk.asked)


def test_what_lies_open_is_told_apart_from_what_lies_down_and_from_bare_felt() -> None:
    rig = Scene(DEALING).rig
    rig.felt.lay("player1", 1, Card.parse("Kh"), CardFace.UP)
    rig.felt.lay("player1", 2, Card.parse("Qh"), CardFace.DOWN)
    assert [rig.lies_open(("player1", place)) for place in (1, 2, 3)] == ["Kh", "", None]
