"""Cards as large as one that is known: found by a single corner, in a stretched picture too."""

from __future__ import annotations

import numpy as np
import pytest

from devices.camera.outline.corner import Corners, corners_of
from devices.camera.outline.known_size import KnownSize
from devices.camera.picture.quadrilateral import halves_of, rectify, upper_half

UPRIGHT = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], np.float32)
"""A card of one pixel a millimetre."""

TILTED = 2 * UPRIGHT @ np.array([(0.6, 0.8), (-0.8, 0.6)], np.float32) + np.array((300, 200), np.float32)
STRETCH = np.array((1.0, 0.5625), np.float32)
"""A picture of 16:9 made square."""


def corner(at, first, second):
    one = np.ones(1, np.float32)
    return Corners(
        *(np.array([point], np.float32) for point in (at, first, second)), first_px=one, second_px=one, cost=one
    )


def moved(card, turn_deg, to):
    turn = np.deg2rad(turn_deg)
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))], np.float32)
    return (2 * UPRIGHT @ spin + np.array(to, np.float32)) * card


def apart_px(outlines, wanted):
    return min(float(np.abs(np.roll(wanted, turn, axis=0) - one).max()) for one in outlines for turn in range(4))


@pytest.mark.parametrize("shape", [np.ones(2, np.float32), STRETCH], ids=["as it is", "stretched"])
@pytest.mark.parametrize("turn_deg", [0, 30, 75, 160])
def test_a_card_is_found_by_one_of_its_corners_whichever_way_it_lies(shape, turn_deg):
    size = KnownSize.of([TILTED * shape])
    card = moved(shape, turn_deg, (500, 400))
    first, second = (card[end] - card[0] for end in (1, 3))
    seen = corner(card[0], first / np.linalg.norm(first), second / np.linalg.norm(second))
    found = size.outlines_at(seen, (1000, 1000))
    assert len(found) == 2
    assert apart_px(found, card) < 0.5
    assert apart_px(size.upright(found)[:, :1], card[:1]) < 0.5


def test_an_outline_with_a_long_side_first_is_turned_and_another_is_not():
    size = KnownSize.of([TILTED])
    card = moved(1, 20, (500, 400))
    both = np.stack((card, np.roll(card, 1, axis=0))).astype(np.float32)
    along, down = (np.linalg.norm(size.upright(both)[:, end] - size.upright(both)[:, 0], axis=1) for end in (1, 3))
    assert (along < down).all()


def test_what_is_larger_or_smaller_than_a_card_does_not_fit():
    size = KnownSize.of([TILTED])
    card = moved(1, 20, (500, 400))
    middle = card.mean(axis=0)
    sizes = (0.8, 0.95, 1.0, 1.05, 1.2)
    quads = np.stack([middle + (card - middle) * share for share in sizes]).astype(np.float32)
    fitting = quads[size.fits(quads)]
    assert [round(float(np.linalg.norm(one[1] - one[0])) / 126, 2) for one in fitting] == [0.95, 1.0, 1.05]


def test_of_two_cards_the_nearer_one_is_the_measure():
    size = KnownSize.of([UPRIGHT, 2 * UPRIGHT + np.array((500, 0), np.float32)])
    seen = corner((450, 20), (1, 0), (0, 1))
    assert {round(float(one[1, 0] - one[0, 0])) for one in size.outlines_at(seen, (1000, 1000))} == {126, 176}


def test_a_card_that_reaches_a_little_beyond_the_picture_is_tried_and_one_outside_is_not():
    size = KnownSize.of([2 * UPRIGHT + np.array((300, 300), np.float32)])
    assert len(size.outlines_at(corner((900, 100), (1, 0), (0, 1)), (1000, 1000))) == 1
    assert len(size.outlines_at(corner((990, 100), (1, 0), (0, 1)), (1000, 1000))) == 0


def test_a_corner_that_is_not_square_on_the_card_gives_no_outline():
    assert len(KnownSize.of([TILTED]).outlines_at(corner((500, 400), (1, 0), (0.5, 0.866)), (1000, 1000))) == 0


def test_no_corners_and_no_outlines_give_none():
    size = KnownSize.of([TILTED])
    none = np.zeros((0, 4, 2), np.float32)
    assert size.outlines_at(corners_of(np.zeros((0, 4), np.float32)), (640, 640)).shape == none.shape
    assert size.fits(none).shape == (0,)
    assert size.upright(none).shape == none.shape


def test_the_upper_half_alone_is_the_upper_half_of_the_whole_card():
    picture = np.random.default_rng(3).integers(0, 255, (400, 400, 3)).astype(np.uint8)
    quad = np.array([(100, 90), (230, 110), (215, 300), (88, 280)], np.float32)
    assert (upper_half(picture, quad) == halves_of(rectify(picture, quad))[0]).all()
