"""The mistakes and faults of the demo: when each can be made, and that it does something."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from fake_floor import BETTING, DEALING, FULL, IDLE
from hands_rig import BURN_THREE, FIRST_CARD, Scene, boxes

from dealer_ui.rehearsal.breakage import BREAKS, MOMENTARY, Breakage
from dealer_ui.rehearsal.deal_order import backwards
from dealer_ui.rehearsal.mistake import MISTAKE_BY_KEY, MISTAKES, make_mistake
from devices.sim.fault import FAULTS, SHOE, SHUFFLER
from studio.errors import RefusedError
from studio.views import TableView

BETS: Final = replace(BETTING, round_stage="dealing")
END: Final = replace(DEALING, boxes=FULL, round_stage="dealing")
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
def test_a_mistake_at_its_time_changes_what_lies_on_the_felt(key: str) -> None:
    scene = laid_out(MADE_AT[key])
    before = scene.rig.felt.view().version
    make_mistake(scene.hands, key)
    scene.hands.step(0)
    assert scene.rig.felt.view().version > before


@pytest.mark.parametrize("key", MADE_AT)
def test_no_mistake_but_an_extra_card_is_made_between_rounds(key: str) -> None:
    with pytest.raises(RefusedError, match="cannot be made now"):
        make_mistake(Scene(replace(IDLE, round_stage="")).hands, key)


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
    view = replace(IDLE, boxes=boxes(), round_stage="")
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
