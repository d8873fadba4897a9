"""The stagehand keeps the machines fed, and leaves the table to the people at it."""

from __future__ import annotations

import random
from typing import Final

import pytest
from altered import altered
from fake_floor import IDLE
from hands_rig import Scene

from dealer_ui.rehearsal.person.pit import SimPit
from dealer_ui.rehearsal.person.stagehand import PATIENCE_MS, Stagehand
from studio.people import Actor
from studio.tables.command import LoadShoe, OpenTable
from studio.tables.declaration import Command
from studio.views import TableView
from studio.views.shape import Words

PIT = (Actor("p1", "Made", frozenset({"pit_boss"})), Actor("p2", "Yuki", frozenset({"pit_boss"})))


class Room:
    """A desk whose view a test sets, a rig whose clock it moves, and a stagehand."""

    def __init__(self, view: TableView) -> None:
        self.shown, self.asked, self.now_ms = view, list[Command](), 0
        self.rig = Scene(view).rig
        self.rig.shoe.load(())
        self.stagehand = Stagehand(self.rig, self, SimPit(self, PIT, ("d1", "Dewi"), random.Random(1)))

    def view(self) -> TableView:
        return self.shown

    def command(self, command: Command) -> None:
        self.asked.append(command)

    def run(self, for_ms: int) -> None:
        for _ in range(for_ms // 100):
            self.now_ms += 100
            self.rig.pump(self.now_ms)
            self.stagehand.step(self.now_ms)


SHUFFLES = altered(IDLE, now={"act": Words("act.shuffle", {})}, shoe={"number": 0, "deck": "", "cards_left": None})


def test_a_table_is_opened_once_and_stays_closed_when_closed_by_hand() -> None:
    room = Room(altered(SHUFFLES, now={"status": "closed"}))
    room.run(2_000)
    assert [type(command) for command in room.asked] == [OpenTable]
    room.run(20_000)
    assert len(room.asked) == 1


def test_the_deck_a_dealer_loads_comes_into_the_shoe_even_when_it_is_not_ready_at_that_moment() -> None:
    room = Room(SHUFFLES)
    room.run(1_000)
    assert room.rig.shuffler.state == "loading"
    room.shown = altered(IDLE, shoe={"number": 1})
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


def test_a_demo_begun_again_leaves_the_deck_on_record_in_the_shoe() -> None:
    room = Room(altered(IDLE, shoe={"number": 3}))
    room.rig.shoe.load(room.rig.fresh_deck()[:20])
    room.run(30_000)
    assert room.rig.shuffler.state == "ready"
    assert room.rig.shoe.cards_left == 20


def test_a_deck_that_was_loaded_on_record_and_still_lies_in_the_machine_comes_into_the_shoe() -> None:
    room = Room(SHUFFLES)
    room.rig.shuffler.shuffle(room.rig.fresh_deck())
    room.shown = altered(IDLE, shoe={"number": 1, "deck": room.rig.shuffler.deck_id})
    room.run(30_000)
    assert room.rig.shoe.cards_left == 52


LOAD: Final = altered(
    IDLE, now={"act": Words("act.load_shoe", {"deck": "A00001"})}, seat={"dealer": "d1", "dealer_name": "Dewi"}
)


def test_the_shoe_of_a_game_of_many_decks_is_fed_between_two_rounds_without_anybody() -> None:
    room = Room(altered(LOAD, game={"key": "blackjack"}))
    room.run(1_000)
    [command] = set(room.asked)
    assert isinstance(command, LoadShoe)
    assert (command.actor.id, command.actor.name) == ("d1", "Dewi")


@pytest.mark.parametrize(
    "view",
    [
        LOAD,
        altered(LOAD, game={"key": "blackjack"}, seat={"dealer": ""}),
        altered(LOAD, game={"key": "ultimate_holdem"}),
    ],
)
def test_one_deck_is_loaded_by_the_dealer_and_no_deck_where_there_is_none(view: TableView) -> None:
    room = Room(view)
    room.run(1_000)
    assert room.asked == []
