"""The simulated felt: what lies where, for whoever looks."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from devices.camera.felt.calibration import calibrate
from devices.camera.felt.layout import CARD_HEIGHT_MM, layout_for, open_spots
from devices.sim.felt import SimFelt
from devices.sim.picture.deck_art import HOUSE_CASINO, HOUSE_POKER, draw_face, random_design
from devices.sim.picture.deck_back import draw_back, draw_cut_card, draw_joker
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from devices.sim.picture.felt_scene import FRAME_PX
from studio.cards import DECK, Card
from studio.errors import BadInputError
from studio.ports import CardFace

UP, DOWN = CardFace.UP, CardFace.DOWN
KNIGHTS = {"player1": 3, "player2": 3, "player3": 3, "banker": 3, "burn": 4}


@pytest.fixture
def felt() -> SimFelt:
    return SimFelt(layout_for(KNIGHTS), random.Random(1))


def test_three_knights_has_sixteen_places_and_a_discard_pile():
    layout = layout_for(KNIGHTS)
    assert [slot.zone for slot in layout.slots].count("burn") == 4
    assert len(layout.slots) == 17
    assert [slot.zone for slot in layout.slots if slot.pile] == ["discard"]


def test_no_two_places_touch_even_when_cards_lie_as_badly_as_a_dealer_lays_them():
    slots = layout_for(KNIGHTS).slots
    for one in slots:
        for other in slots:
            if one is not other:
                assert abs(one.x_mm - other.x_mm) >= 75 or abs(one.y_mm - other.y_mm) >= 100


def test_boxes_that_do_not_fit_side_by_side_are_refused_with_a_sentence():
    with pytest.raises(BadInputError, match="take fewer places"):
        layout_for({f"seat{i}": 3 for i in range(9)})


def test_a_place_that_does_not_exist_is_named_in_the_refusal(felt):
    with pytest.raises(BadInputError, match="no place 4 in the zone 'banker'"):
        felt.lay("banker", 4, Card.parse("2c"), UP)


def test_strays_are_laid_only_where_no_place_is(felt):
    slot = felt.layout.slot("banker", 2)
    with pytest.raises(BadInputError, match="lie in banker 2"):
        felt.lay_stray(slot.x_mm / felt.layout.width_mm, slot.y_mm / felt.layout.height_mm, Card.parse("2c"), UP)
    serial = felt.lay_stray(*open_spots(felt.layout)[0], Card.parse("2c"), UP)
    assert felt.take_stray(serial) == Card.parse("2c")
    with pytest.raises(BadInputError, match="No stray"):
        felt.take_stray(serial)


def test_taking_from_an_empty_place_is_refused(felt):
    with pytest.raises(BadInputError, match="No card lies in banker 1"):
        felt.take("banker", 1)


def test_a_card_cannot_leave_upwards_into_the_air(felt):
    felt.lay("banker", 1, Card.parse("2c"), UP)
    with pytest.raises(BadInputError, match="up"):
        felt.drop("banker", 1, "up")


def test_a_view_never_changes_after_it_was_given(felt):
    felt.lay("banker", 1, Card.parse("2c"), UP)
    before = felt.view()
    felt.turn("banker", 1)
    felt.hand_over("banker", 2, on=True)
    assert before.top()["banker", 1].face is UP
    assert not before.hands
    assert felt.view().top()["banker", 1].face is DOWN


def test_the_last_card_laid_in_a_place_is_its_top_card(felt):
    felt.lay("discard", 1, Card.parse("2c"), DOWN)
    felt.lay("discard", 1, Card.parse("3c"), UP)
    assert felt.count("discard", 1) == 2
    assert felt.view().top()["discard", 1].card == Card.parse("3c")
    assert felt.take("discard", 1) == Card.parse("3c")


def test_squaring_a_card_puts_it_exactly_into_its_place(felt):
    felt.lay("player1", 1, Card.parse("2c"), UP)
    felt.square("player1", 1)
    lying, slot = felt.view().top()["player1", 1], felt.layout.slot("player1", 1)
    assert (lying.x_mm, lying.y_mm, lying.turn_deg) == (slot.x_mm, slot.y_mm, 0.0)


def test_a_frame_is_1280_by_720_and_every_place_shows_a_card_at_least_110_pixels_high(felt):
    frame = FeltRenderer(felt, 1).frame(0)
    assert frame.shape == (FRAME_PX[1], FRAME_PX[0], 3)
    assert frame.dtype == np.uint8
    calibration = calibrate(frame, felt.layout)
    assert calibration is not None
    heights = [calibration.card_height_px(slot.x_mm, slot.y_mm) for slot in felt.layout.slots]
    assert min(heights) >= 110
    assert CARD_HEIGHT_MM == 88


def test_equal_seeds_render_equal_frames_and_other_seeds_do_not(felt):
    felt.lay("player1", 1, Card.parse("2c"), UP)
    assert np.array_equal(FeltRenderer(felt, 1).frame(0), FeltRenderer(felt, 1).frame(0))
    assert not np.array_equal(FeltRenderer(felt, 1).frame(0), FeltRenderer(felt, 2).frame(0))


def test_a_hand_passes_when_a_card_is_laid_and_is_gone_soon_after(felt):
    look = FeltLook(noise=0)
    renderer = FeltRenderer(felt, 1, look)
    renderer.frame(0)
    felt.lay("player1", 1, Card.parse("2c"), UP)
    passing = renderer.frame(100)
    later = renderer.frame(100 + look.hand_ms)
    assert not np.array_equal(passing, later)
    assert np.array_equal(later, renderer.frame(5_000))


def test_a_dropped_card_slides_and_then_is_gone(felt):
    renderer = FeltRenderer(felt, 1, FeltLook(noise=0))
    bare = renderer.frame(0)
    felt.lay("player1", 1, Card.parse("2c"), UP)
    renderer.frame(100)
    felt.drop("player1", 1, "left")
    assert not np.array_equal(renderer.frame(200), bare)
    assert not np.array_equal(renderer.frame(350), bare)
    assert np.array_equal(renderer.frame(700), bare)


@pytest.mark.parametrize("design", [HOUSE_POKER, HOUSE_CASINO, random_design(random.Random(3))], ids=lambda d: d.layout)
def test_every_face_of_a_deck_is_different_and_the_same_from_both_sides_where_it_counts(design):
    faces = {card: draw_face(design, card, 1.5) for card in DECK}
    assert len({face.tobytes() for face in faces.values()}) == 52
    for face in faces.values():
        corner = face[: face.shape[0] // 4, : face.shape[1] // 5]
        turned = cv2.rotate(face, cv2.ROTATE_180)[: face.shape[0] // 4, : face.shape[1] // 5]
        assert np.abs(corner.astype(int) - turned.astype(int)).mean() < 3


def test_backs_jokers_and_cut_cards_are_drawn_for_every_seed():
    shapes = {draw(seed, 1.5).shape for draw in (draw_back, draw_joker, draw_cut_card) for seed in range(12)}
    assert shapes == {(132, 94, 4)}
