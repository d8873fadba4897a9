"""The stagehand keeps the machines fed, and leaves the table to the people at it."""

from __future__ import annotations

import random
from dataclasses import replace

from fake_floor import IDLE
from hands_rig import Scene

from dealer_ui.rehearsal.pit import SimPit
from dealer_ui.rehearsal.stagehand import PATIENCE_MS, Stagehand
from studio.people import Actor
from studio.tables.command import OpenTable, PersonCommand
from studio.views import TableView
from studio.views.shape import Words

PIT = (Actor("p1", "Made", frozenset({"pit_boss"})), Actor("p2", "Yuki", frozenset({"pit_boss"})))


class Room:
    """A desk whose view a test sets, a rig whose clock it moves, and a stagehand."""

    def __init__(self, view: TableView) -> None:
        self.shown, self.asked, self.now_ms = view, list[PersonCommand](), 0
        self.rig = Scene(view).rig
        self.rig.shoe.load(())
        self.stagehand = Stagehand(self.rig, self, SimPit(self, PIT, ("d1", "Dewi"), random.Random(1)))

    def view(self) -> TableView:
        return self.shown

    def command(self, command: PersonCommand) -> None:
        self.asked.append(command)

    def run(self, for_ms: int) -> None:
        for _ in range(for_ms // 100):
            self.now_ms += 100
            self.rig.pump(self.now_ms)
            self.stagehand.step(self.now_ms)


SHUFFLES = replace(IDLE, act=Words("act.shuffle", {}), shoe_number=0, deck_id="", cards_left=None)


def test_a_table_is_opened_once_and_stays_closed_when_closed_by_hand() -> None:
    room = Room(replace(SHUFFLES, status="closed"))
    room.run(2_000)
    assert [type(command) for command in room.asked] == [OpenTable]
    room.run(20_000)
    assert len(room.asked) == 1


def test_the_deck_a_dealer_loads_comes_into_the_shoe_even_when_it_is_not_ready_at_that_moment() -> None:
    room = Room(SHUFFLES)
    room.run(1_000)
    assert room.rig.shuffler.state == "loading"
    room.shown = replace(IDLE, shoe_number=1)
    room.run(1_000)
    assert room.rig.shoe.cards_left == 0
    room.run(40_000)
    assert room.rig.shoe.cards_left == 52


def test_a_deck_whose_papers_are_under_way_is_left_in_the_shuffler() -> None:
    room = Room(SHUFFLES)
    while room.rig.shuffler.state != "ready":
        room.run(100)
    deck = room.rig.shuffler.deck_id
    room.run(PATIENCE_MS - 500)
    assert (room.rig.shuffler.state, room.rig.shuffler.deck_id) == ("ready", deck)


def test_a_refused_deck_goes_in_again() -> None:
    room = Room(SHUFFLES)
    while room.rig.shuffler.state != "ready":
        room.run(100)
    deck = room.rig.shuffler.deck_id
    room.run(PATIENCE_MS + 500)
    assert room.rig.shuffler.deck_id != deck
