"""A dealer's hands at a felt of fans: they wait for the camera before they cover a card, and show covered ones anew."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from dealer_ui.rehearsal.hand.deal_order import from_here
from dealer_ui.rehearsal.hand.fan import FanHand
from dealer_ui.rehearsal.hand.felt import FeltHand
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.own_hands.felt_sketch import sketch
from dealer_ui.rehearsal.own_hands.reach import upon_another_fan
from devices.camera.felt.layout import layout_for
from devices.sim.felt import SimFelt
from studio.cards import Card
from studio.games import find_game
from studio.ports import CardFace
from studio.views import TableView
from studio.views.shape import CardView

UP = CardFace.UP
LAYOUT = layout_for(find_game("blackjack").felt.zones)
HAND = ("5s", "Jd", "2c", "9h")


@pytest.fixture(scope="module")
def night_view() -> TableView:
    night = Night(NightOptions("blackjack", 1))
    try:
        return night.view()
    finally:
        night.close()


def shown(view: TableView, zone: str, *camera: str) -> TableView:
    """The console with the camera's words on the first places of one fan."""
    told = enumerate(camera, 1)
    places = tuple(CardView(at, "confirmed" if word == "up" else "unsure", None, word) for at, word in told)
    boxes = (replace(b, places=places + b.places[len(places) :]) if b.key == zone else b for b in view.boxes)
    return replace(view, boxes=tuple(boxes))


@pytest.fixture
def felt() -> SimFelt:
    felt = SimFelt(LAYOUT, random.Random(1))
    for place, card in enumerate(HAND, 1):
        felt.lay("3", place, Card.parse(card), UP)
    return felt


def lying(felt: SimFelt, zone: str = "3") -> list[str]:
    return [f"{one.slot[1]} {one.card}" for one in felt.view().cards if one.slot and one.slot[0] == zone]


def test_cards_upon_another_are_taken_up_and_laid_again_as_the_camera_reads_them(felt, night_view):
    hand = FanHand(felt)
    hand.lift(("3", 2))
    assert lying(felt) == ["1 5s", "2 Jd"]
    assert hand.holds(("3", 3))
    assert hand.holds(("3", 4))
    assert hand.step(shown(night_view, "3", "up", "unsure"), 0, 0)
    assert lying(felt) == ["1 5s", "2 Jd"]
    hand.step(shown(night_view, "3", "up", "up"), 100, 0)
    assert lying(felt) == ["1 5s", "2 Jd", "3 2c"]
    hand.step(shown(night_view, "3", "up", "up", "none"), 200, 0)
    assert lying(felt) == ["1 5s", "2 Jd", "3 2c"]
    hand.step(shown(night_view, "3", "up", "up", "none"), 9_000, 0)
    assert lying(felt) == ["1 5s", "2 Jd", "3 2c", "4 9h"]
    assert not hand.step(night_view, 9_100, 0)


def test_a_card_that_belongs_under_others_is_laid_first(felt):
    hand = FanHand(felt)
    card = felt.take("3", 2)
    hand.lay(("3", 2), card, UP)
    assert lying(felt) == ["1 5s"]
    assert [slot for slot, _, _ in hand.put_down()] == [("3", 2), ("3", 3), ("3", 4)]


def test_a_card_is_not_covered_before_the_camera_has_told_it_and_squared_when_it_is_unsure(felt, night_view):
    hand = FanHand(felt)
    assert not hand.may_lay(shown(night_view, "3", "up", "up", "up", "none"), ("3", 5), 0, 1_000)
    before = felt.view().version
    assert not hand.may_lay(shown(night_view, "3", "up", "up", "up", "unsure"), ("3", 5), 500, 1_000)
    assert felt.view().version == before + 1
    assert hand.may_lay(shown(night_view, "3", "up", "up", "up", "up"), ("3", 5), 600, 1_000)
    assert hand.may_lay(night_view, ("4", 1), 600, 1_000)
    assert not hand.may_lay(shown(night_view, "3", "up", "up", "up", "unsure"), ("3", 5), 700, 1_000)
    assert hand.may_lay(shown(night_view, "3", "up", "up", "up", "unsure"), ("3", 5), 9_000, 1_000)


def test_a_covered_card_the_camera_doubts_is_freed_and_squared(felt, night_view):
    hand = FeltHand(felt)
    hand.square(shown(night_view, "3", "up", "unsure", "up", "up"))
    assert lying(felt) == ["1 5s", "2 Jd"]
    assert felt.view().top()["3", 2].turn_deg == 0


def test_of_a_fan_the_sketch_draws_its_cards_and_the_next_free_place(felt):
    drawn = sketch(felt, ("3", 5))
    places = [(slot.place, slot.due) for slot in drawn.slots if slot.zone == "3"]
    assert places == [(1, False), (5, True)]
    assert [card.place for card in drawn.cards] == [1, 2, 3, 4]
    assert len(drawn.slots) == len(LAYOUT.regions) + 1


def test_only_the_awaited_place_of_a_fan_is_dealt_to(night_view):
    assert from_here(night_view, ("3", 2)) == [("3", 2)]


def test_the_wrong_box_is_another_hand_that_lies_there(felt):
    assert upon_another_fan(felt, ("2", 1)) == ("3", 5)
    assert upon_another_fan(felt, ("3", 5)) == ("1", 1)
    assert upon_another_fan(SimFelt(layout_for({"player": 2}), random.Random(1)), ("player", 1)) is None
