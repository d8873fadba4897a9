"""Which outlines lie on the spot of a card, so that nobody is asked about it twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.outline.corner import Quads
from devices.camera.picture.quadrilateral import Quad

_ON: Final = 0.8
"""Of the lesser of two areas: who shares more lies on the other, or within it."""


def are_beside(quads: Quads, cards: Sequence[Quad]) -> NDArray[np.bool_]:
    """Which of the outlines lie on none of the cards."""
    free = np.ones(len(quads), np.bool_)
    for card in cards if len(quads) else ():
        across, down = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
        area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0]) / 2
        reach = np.minimum(quads.max(axis=1), card.max(axis=0)) - np.maximum(quads.min(axis=1), card.min(axis=0))
        may = np.maximum(reach, 0).prod(axis=1) > _ON * np.minimum(area, cv2.contourArea(card))
        free[[at for at in np.flatnonzero(free & may) if lies_on(quads[at], card)]] = False
    return free


def lies_on(quad: Quad, card: Quad) -> bool:
    """Whether an outline lies as a card does, or within it."""
    return shared_area(quad, card) > _ON * min(float(cv2.contourArea(quad)), float(cv2.contourArea(card)))


def shared_area(one: Quad, other: Quad) -> float:
    """What two outlines have in common, in square pixels."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])
