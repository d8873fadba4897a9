"""Cards that are taught with others laid across them: what is in sight of them is what an index needs."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest

from devices.sim.picture.deck_art import HOUSE_POKER, draw_face
from studio.cards import Card
from training.across import lay_across

CORNERS = np.array([(40, 30), (166, 36), (160, 216), (36, 208)], np.float32)


def parts(wide):
    """The places of both indices, and the whole card, as masks of a picture."""
    boxes = np.array([(0.03, 0.03), (wide, 0.03), (wide, 0.29), (0.03, 0.29)], np.float32)
    lay = cv2.getPerspectiveTransform(np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), CORNERS)
    found = []
    for box in (boxes, 1 - boxes):
        mask = np.zeros((250, 210), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(cv2.perspectiveTransform(box[None], lay)[0]).astype(np.int32), 1)
        found.append(mask > 0)
    whole = np.zeros((250, 210), np.uint8)
    cv2.fillConvexPoly(whole, np.rint(CORNERS).astype(np.int32), 1)
    return found, whole > 0


@pytest.mark.parametrize("wide", [0.22, 0.98], ids=["a small index", "an index over the whole width"])
def test_what_lies_across_leaves_both_indices_in_sight(wide):
    rng, over = random.Random(5), draw_face(HOUSE_POKER, Card.parse("Kd"), 3.0)
    indices, whole = parts(wide)
    hidden = []
    for _ in range(80):
        patch = np.full((250, 210, 3), (10, 200, 60), np.uint8)
        lay_across(patch, CORNERS, wide, lambda: over, rng)
        changed = np.abs(patch.astype(int) - (10, 200, 60)).max(axis=2) > 130  # more than a shadow does
        assert all(changed[index].mean() < 0.12 for index in indices)
        hidden.append(changed[whole].mean())
    if wide < 0.5:
        assert np.median(hidden) > 0.08
        assert max(hidden) > 0.3
