"""A card of known size where its outline runs together with a neighbour, a finger, or cloth as white as itself."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from devices.camera.felt.cloth import LEVELS
from devices.camera.outline.card_fit import fit_card
from devices.camera.picture.gate import difference

WIDE, HIGH = 94, 132
GREEN, WHITE = (66, 112, 38), (222, 226, 228)
PAPER = (248, 250, 250)


def window(cloth):
    return np.random.default_rng(3).normal(cloth, 2, (174, 136, 3)).clip(0, 255).astype(np.uint8)


def laid(picture, left, top, paper=PAPER):
    """A card with two pips; its edge throws a hair of shadow."""
    cv2.rectangle(picture, (left - 1, top - 1), (left + WIDE, top + HIGH), [v * 0.9 for v in paper], -1)
    cv2.rectangle(picture, (left, top), (left + WIDE - 1, top + HIGH - 1), paper, -1)
    for down in (30, HIGH - 30):
        cv2.circle(picture, (left + WIDE // 2, top + down), 9, (20, 20, 190), -1)
    return picture


def fitted(picture, cloth):
    bare = np.full_like(picture, cloth)
    outline = fit_card(picture, bare, difference(cv2.blur(picture, (3, 3)), bare, LEVELS))
    return None if outline is None else tuple(float(v) for v in outline.quad.min(axis=0))


def test_a_card_that_a_neighbour_touches_is_found():
    picture = laid(laid(window(GREEN), 26 + WIDE, 20), 26, 22)
    assert fitted(picture, GREEN) == pytest.approx((26, 22), abs=2.5)


def test_a_card_under_a_finger_is_found():
    picture = laid(window(GREEN), 22, 18)
    cv2.line(picture, (60, 173), (66, 120), (128, 160, 214), 18)
    assert fitted(picture, GREEN) == pytest.approx((22, 18), abs=2.5)


def test_a_white_card_on_near_white_cloth_is_found_by_its_faint_edges():
    assert fitted(laid(window(WHITE), 24, 20), WHITE) == pytest.approx((24, 20), abs=2.5)


@pytest.mark.parametrize("cloth", [GREEN, WHITE], ids=["green", "near-white"])
def test_bare_cloth_is_no_card(cloth):
    assert fitted(window(cloth), cloth) is None


def test_of_two_cards_on_each_other_neither_is_told():
    assert fitted(laid(laid(window(GREEN), 12, 10), 28, 30), GREEN) is None


def test_a_hand_is_no_card():
    picture = window(GREEN)
    cv2.ellipse(picture, (68, 90), (55, 70), 10, 0, 360, (128, 160, 214), -1)
    assert fitted(picture, GREEN) is None
