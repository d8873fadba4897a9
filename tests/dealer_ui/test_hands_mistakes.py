"""The mistakes and faults of the demo: when each can be made, and that it does something."""

from __future__ import annotations

from typing import Final

import pytest
from altered import altered
from fake_floor import BETTING, DEALING, FULL, IDLE
from hands_rig import BURN_THREE, FIRST_CARD, Scene, boxes

from dealer_ui.rehearsal.hand.deal_order import backwards
from dealer_ui.rehearsal.own_hands.breakage import BREAKS, MOMENTARY, Breakage
from dealer_ui.rehearsal.own_hands.mistake import MISTAKE_BY_KEY, MISTAKES, make_mistake
from dealer_ui.rehearsal.own_hands.reach import newest
from dealer_ui.rehearsal.own_hands.sleight import swap
from devices.sim.wire.fault import FAULTS, SHOE, SHUFFLER
from studio.errors import RefusedError
from studio.ports import CardFace
from studio.views import TableView

BETS: Final = altered(BETTING, round={"stage": "dealing"})
END: Final = altered(DEALING, boxes=FULL, round={"stage": "dealing"})
MADE_AT: Final[dict[str, TableView]] = {
    "expose": BETS,
    "draw_early": BETS,
    "wrong_box": FIRST_CARD,
    "beside": FIRST_CARD,
    "drop": DEALING,
    "backwards": FIRST_CARD,
    "burn_face_up": BURN_THREE,
    "one_burn_more": BETS,
    "extra_card": END,
    "clear_early": DEALING,
    "past_reader": FIRST_CARD,
    "unreadable": FIRST_CARD,
    "face_down": FIRST_CARD,
    "switched": FIRST_CARD,
    "hand_over": FIRST_CARD,
    "flash": BETS,
    "shift": DEALING,
    "swap": DEALING,
    "fumble": FIRST_CARD,
    "take_away": DEALING,
    "lay_upon": DEALING,
    "slip_in": DEALING,
    "empty_shoe": FIRST_CARD,
}


def laid_out(view: TableView) -> Scene:
    """The cards of the view, as the hands have dealt them so far."""
    scene = Scene(view)
    for box in view.boxes:
        for place in box.places:
            if place.state not in ("empty", "awaited"):
                scene.hands.draw((box.key, place.place))
    return scene


def test_every_mistake_has_its_time() -> None:
    assert set(MADE_AT) == set(MISTAKE_BY_KEY) - {"face_up"}  # nothing but the burn is face down here


@pytest.mark.parametrize("key", MADE_AT)
def test_a_mistake_at_its_time_changes_what_lies_on_the_felt_or_in_the_shoe(key: str) -> None:
    scene = laid_out(MADE_AT[key])
    before, shoe = scene.rig.felt.view().version, list(scene.rig.shoe._cards)
    make_mistake(scene.hands, key)
    scene.hands.step(0)
    assert scene.rig.felt.view().version > before or list(scene.rig.shoe._cards) != shoe


@pytest.mark.parametrize("key", MADE_AT)
def test_no_mistake_but_an_extra_card_is_made_between_rounds(key: str) -> None:
    with pytest.raises(RefusedError, match="cannot be made now"):
        make_mistake(Scene(altered(IDLE, round={"stage": ""})).hands, key)


def test_an_unknown_mistake_is_refused() -> None:
    with pytest.raises(RefusedError, match="do not know"):
        make_mistake(Scene(IDLE).hands, "jump")


def test_the_wrong_box_is_the_one_dealt_after_the_right_one() -> None:
    scene = Scene(FIRST_CARD)
    make_mistake(scene.hands, "wrong_box")
    assert set(scene.rig.felt.view().top()) == {("player2", 1)}


def test_backwards_is_three_two_one_banker_all_the_way() -> None:
    order = [box for box, _ in backwards(FIRST_CARD)]
    assert order == ["player3", "player2", "player1", "banker"] * 3
    assert [place for _, place in backwards(FIRST_CARD)] == [1] * 4 + [2] * 4 + [3] * 4


def test_every_mistake_says_why_it_cannot_be_made() -> None:
    view = altered(IDLE, boxes=boxes(), round={"stage": ""})
    hands = Scene(view).hands
    assert all(mistake.when(hands, view) for mistake in MISTAKES)


class Lens:
    def __init__(self) -> None:
        self.plugged, self.how = True, ""

    def plug(self, *, on: bool) -> None:
        self.plugged = on

    def spoil(self, how: str) -> None:
        self.how = how


MACHINES = (SHOE, SHUFFLER)


def test_every_named_fault_of_the_simulators_can_be_switched_on_and_off_again() -> None:
    scene, lens = Scene(IDLE), Lens()
    breakage = Breakage(scene.rig, lens)
    named = {f"{machine}.{fault.name}" for fault in FAULTS for machine in fault.devices if machine in MACHINES}
    assert named <= {one.key for one in BREAKS}
    for one in BREAKS:
        breakage.toggle(one.key)
        assert (one in breakage.on) is (one.name not in MOMENTARY)
        if one.name not in MOMENTARY:
            breakage.toggle(one.key)
        assert breakage.on == ()


def test_one_way_of_spoiling_the_picture_takes_the_place_of_another_and_the_cable_is_its_own() -> None:
    lens = Lens()
    breakage = Breakage(Scene(IDLE).rig, lens)
    for key in ("camera.dark", "camera.unplug", "camera.moved"):
        breakage.toggle(key)
    assert (lens.how, lens.plugged) == ("moved", False)
    breakage.mend_everything()
    assert (lens.how, lens.plugged, breakage.on) == ("", True, ())
    with pytest.raises(RefusedError):
        breakage.toggle("camera.on_fire")


def test_a_card_that_is_flashed_lies_on_its_face_again_after_a_moment() -> None:
    scene = laid_out(BETS)
    slot, faces = ("burn", 4), []
    make_mistake(scene.hands, "flash")
    for now_ms in (0, 50, 100):
        scene.hands.step(now_ms)
        faces.append(scene.top(*slot).face)  # type: ignore[union-attr]
    assert faces == [CardFace.UP, CardFace.UP, CardFace.DOWN]


def test_two_cards_that_are_swapped_keep_the_side_they_show() -> None:
    scene = Scene(FIRST_CARD)
    scene.hands.draw(("player1", 1))
    scene.hands.draw(("player2", 1), CardFace.DOWN)
    one, other = scene.top("player1", 1), scene.top("player2", 1)
    assert one is not None
    assert other is not None
    swap(scene.hands, f"card.{one.serial}", f"card.{other.serial}")
    first, second = scene.top("player1", 1), scene.top("player2", 1)
    assert first is not None
    assert second is not None
    assert (first.card, first.face) == (other.card, CardFace.DOWN)
    assert (second.card, second.face) == (one.card, CardFace.UP)
    with pytest.raises(RefusedError, match="same card"):
        swap(scene.hands, f"card.{first.serial}", f"card.{first.serial}")


def test_a_card_that_is_taken_away_comes_back_when_the_felt_is_put_right() -> None:
    scene = laid_out(DEALING)
    lying = newest(scene.rig.felt)
    assert lying is not None
    assert lying.slot is not None
    make_mistake(scene.hands, "take_away")
    (fallen,) = scene.hands.reach.fallen
    assert (fallen.slot, fallen.card) == (lying.slot, lying.card)
    scene.hands.move(fallen.ref, fallen.slot)
    assert scene.hands.reach.fallen == ()


def test_a_card_that_slips_from_under_the_hand_shows_no_face_and_leaves_over_the_edge() -> None:
    scene = Scene(FIRST_CARD)
    make_mistake(scene.hands, "fumble")
    assert scene.rig.felt.view().hands == {("player1", 1)}
    for now_ms in (0, 100):
        scene.hands.step(now_ms)
    view = scene.rig.felt.view()
    assert (view.hands, len(view.cards), view.departures[-1].lying.slot) == (frozenset(), 0, ("player1", 1))
