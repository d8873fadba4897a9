"""Finds the newest card of a fan: its right side lies on bare cloth, and its size is known.

The cards below it are as white as itself, so no edge between them is looked for: the outline of them all ends, on
the right, with the whole right side of the card on top and the ends of its upper and lower side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.calibration import CARD_MM, WINDOW_PX_PER_MM
from devices.camera.outline.search import Nothing, card_of_contour, is_speckled
from devices.camera.picture.gate import Mask
from devices.camera.picture.quadrilateral import Quad

_WIDTH_PX: Final = CARD_MM[0] * WINDOW_PX_PER_MM
_HEIGHT_PX: Final = CARD_MM[1] * WINDOW_PX_PER_MM
_EMPTY_SHARE: Final = 0.05
_HEIGHT_SLACK: Final = 0.045
_OUTLINE_SLACK_MM: Final = 17.0
_CORNER_MM: Final = (4.5, 8.0)
"""Between its rounded corner and the card below, an upper or lower side belongs to the card on top alone."""
_STRAIGHT_PX: Final = 1.6
_STRAIGHT_SHARE: Final = 0.88
_TURN_DEG_MAX: Final = 9.0

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FanOutline:
    """The corners of the card on top in the window's pixels, and where the fan begins: its outermost left."""

    quad: Quad
    left_px: float


def top_of_fan(things: Mask, reach_mm: float) -> FanOutline | Nothing:
    """The newest card of a fan in a flat window (1.5 px/mm) whose first and last card are `reach_mm` apart."""
    clean = np.asarray(cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    contours, _ = cv2.findContours(clean, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    big = [contour for contour in contours if cv2.contourArea(contour) > _EMPTY_SHARE * _WIDTH_PX * _HEIGHT_PX]
    if not big:
        return Nothing.COVERED if is_speckled(things) else Nothing.BARE
    contour = max(big, key=cv2.contourArea)
    left, _, width, height = cv2.boundingRect(contour)
    slack = _OUTLINE_SLACK_MM * WINDOW_PX_PER_MM
    if len(big) > 1 or height > _HEIGHT_PX + slack or width > _WIDTH_PX + reach_mm * WINDOW_PX_PER_MM + slack:
        return Nothing.COVERED
    alone = card_of_contour(contour)
    if alone is not None:
        return FanOutline(alone.quad, float(left))
    quad = _newest(np.asarray(contour[:, 0], dtype=np.float64), _filled(clean, contour))
    return Nothing.COVERED if quad is None else FanOutline(quad, float(left))


def _filled(things: Mask, contour: cv2.typing.MatLike) -> Mask:
    """The whole outline without the holes that dark print makes."""
    whole = np.zeros_like(things)
    cv2.drawContours(whole, [contour], -1, 255, cv2.FILLED)
    return np.asarray(whole, dtype=np.uint8)


def _newest(points: Points, whole: Mask) -> Quad | None:
    """The card whose right side ends the outline; None where that is no straight side of a card's length."""
    side = _right_side(whole)
    if side is None:
        return None
    along, at = side
    outward = np.array((along[1], -along[0]))  # to the right of a side that runs downwards
    inside, travel = -((points - at) @ outward), (points - at) @ along
    near, far = (mm * WINDOW_PX_PER_MM for mm in _CORNER_MM)
    ends = travel[(inside > near) & (inside < far)]
    upper, lower = ends[ends < 0], ends[ends > 0]
    if len(upper) < 3 or len(lower) < 3:
        return None
    top, bottom = float(np.median(upper)), float(np.median(lower))
    if abs((bottom - top + 1) / _HEIGHT_PX - 1) > _HEIGHT_SLACK:
        return None
    right_top, right_bottom = at + along * top, at + along * bottom
    back = outward * _WIDTH_PX
    return np.array((right_top - back, right_top, right_bottom, right_bottom - back), np.float32)


def _right_side(whole: Mask) -> tuple[Points, Points] | None:
    """The direction, downwards, and the middle of the side on the right; None unless it is straight and upright."""
    rows = np.nonzero(whole.any(axis=1))[0]
    first, last = int(rows[0]), int(rows[-1])
    trim = round(0.16 * (last - first))
    y = np.arange(first + trim, last - trim)
    x = whole.shape[1] - 1 - whole[y, ::-1].argmax(axis=1)
    edge = np.stack((x, y), axis=1).astype(np.float32)
    if len(edge) < 0.5 * _HEIGHT_PX:
        return None
    vx, vy, x0, y0 = (float(v) for v in cv2.fitLine(edge, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    along = np.array((vx, vy)) * (1.0 if vy > 0 else -1.0)
    off = np.abs((edge - np.array((x0, y0))) @ np.array((along[1], -along[0])))
    straight = float(np.mean(off < _STRAIGHT_PX))
    if straight < _STRAIGHT_SHARE or abs(math.degrees(math.atan2(along[0], along[1]))) > _TURN_DEG_MAX:
        return None
    return along, np.array((x0, y0))
