"""Finds a card of known size in a flat window where its outline runs together with another thing.

A neighbour that touches it, a finger, a chip over a corner, or cloth as white as the card: a rectangle of a card's
size is laid over the window's edges in every place and turn, and stays where all its sides find one. One side may be
hidden when the other three are plain.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.calibration import CARD_MM, WINDOW_PX_PER_MM
from devices.camera.outline.search import CardOutline
from devices.camera.picture.gate import Mask
from devices.camera.picture.quadrilateral import Pixels, Quad

_CARD_PX: Final = (CARD_MM[0] * WINDOW_PX_PER_MM, CARD_MM[1] * WINDOW_PX_PER_MM)
_TURNS_DEG: Final = (-9.0, -6.0, -4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5, 6.0, 9.0)
_FINE_DEG: Final = (-0.75, 0.75)
_STRAIGHT: Final = 0.8
"""So much of a side is straight, between its rounded corners."""
_PLAIN_LEVELS: Final = 40.0
_FAINT_LEVELS: Final = 14.0
_WITHIN: Final = 0.35
"""What an edge within things counts, print and a neighbour's side, beside an edge against bare cloth."""
_SIDE_MIN: Final = 0.25
_MEAN_MIN: Final = 0.62
_FAINT_MIN: Final = 0.6
_THREE_MIN: Final = 0.8
_MARGIN_PX: Final = 4
"""So far within a side a card is blank paper; print there speaks against it."""
_PRINT_COSTS: Final = 0.6
_FAINT_THREE_MIN: Final = 0.65
_FULL: Final = 0.93
_PAPER_LEVELS: Final = 5.0
_RING_PX: Final = 3
_PALE_LEVELS: Final = 150.0
_BESIDE_SHARE: Final = 0.06

Floats = NDArray[np.float32]


def fit_card(flat: Pixels, bare: Pixels, things: Mask) -> CardOutline | None:
    """The card in a flat window (1.5 px/mm); `bare` is the window's cloth, `things` what differs from it plainly."""
    if not is_pale(bare) and cv2.countNonZero(things) < _FULL * _CARD_PX[0] * _CARD_PX[1]:
        return None
    plain = _steps(flat)
    rim = cv2.morphologyEx(things, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 0
    within = np.where(rim, np.float32(1), np.float32(_WITHIN))
    for steps, levels, faint in (
        ((plain[0] * within, plain[1] * within), _PLAIN_LEVELS, False),
        (plain, _FAINT_LEVELS, True),
    )[: 2 if is_pale(bare) else 1]:
        best = max((_best(steps, turn, levels) for turn in _TURNS_DEG), key=_total)
        best = max((best, *(_best(steps, best[1] + fine, levels) for fine in _FINE_DEG)), key=_total)
        sides, turn, middle, _ = best
        quad = _quad(turn, middle, (flat.shape[1], flat.shape[0]))
        if _holds(sides, faint=faint) and _is_card(quad, flat, bare, things, faint=faint):
            return CardOutline(quad, float(np.mean(sides)))
    return None


def is_pale(bare: Pixels) -> bool:
    """Whether the cloth is so light that a card may be seen by its faint edges alone."""
    return float(bare.mean()) > _PALE_LEVELS


Fit = tuple[tuple[float, float, float, float], float, tuple[int, int], float]
"""How much of the left, right, upper and lower side finds an edge; the turn in degrees; the middle in turned pixels;
what speaks for it altogether."""


def _steps(flat: Pixels) -> tuple[Floats, Floats]:
    """By how much the colour changes from left to right, and from top to bottom; the lesser of the two left out."""
    soft = cv2.blur(flat, (3, 3)).astype(np.float32)
    across = cv2.filter2D(soft, -1, np.array([(-1, 0, 1)], np.float32))
    down = cv2.filter2D(soft, -1, np.array([(-1,), (0,), (1,)], np.float32))
    across, down = np.abs(across).max(axis=2), np.abs(down).max(axis=2)
    return np.where(across >= down, across, np.float32(0)), np.where(across >= down, np.float32(0), down)


def _best(steps: tuple[Floats, Floats], turn: float, levels: float) -> Fit:
    """The best middle at one turn."""
    height, width = steps[0].shape
    spin = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), turn, 1.0)
    across, down = (
        np.minimum(cv2.warpAffine(one, spin, (width, height)), np.float32(levels)) / np.float32(levels) for one in steps
    )
    wide, high = (round(side) for side in _CARD_PX)
    upright = cv2.blur(cv2.dilate(across, np.ones((1, 3))), (1, round(high * _STRAIGHT)))
    level = cv2.blur(cv2.dilate(down, np.ones((3, 1))), (round(wide * _STRAIGHT), 1))
    y0, y1, x0, x1 = high // 2, height - (high - high // 2), wide // 2, width - (wide - wide // 2)
    left, right = upright[y0:y1, : x1 - x0], upright[y0:y1, wide : wide + x1 - x0]
    upper, lower = level[: y1 - y0, x0:x1], level[high : high + y1 - y0, x0:x1]
    busy = np.maximum(across, down)
    beside = cv2.blur(busy, (1, round(high * _STRAIGHT)))[y0:y1]
    along = cv2.blur(busy, (round(wide * _STRAIGHT), 1))[:, x0:x1]
    print_within = (
        beside[:, _MARGIN_PX : _MARGIN_PX + x1 - x0] + beside[:, wide - _MARGIN_PX : wide - _MARGIN_PX + x1 - x0]
        + along[_MARGIN_PX : _MARGIN_PX + y1 - y0] + along[high - _MARGIN_PX : high - _MARGIN_PX + y1 - y0]
    )  # fmt: skip
    total = left + right + upper + lower - np.float32(_PRINT_COSTS) * print_within
    y, x = (int(v) for v in np.unravel_index(int(cv2.GaussianBlur(total, (7, 7), 0).argmax()), total.shape))
    sides = (float(left[y, x]), float(right[y, x]), float(upper[y, x]), float(lower[y, x]))
    return sides, turn, (x + x0, y + y0), float(total[y, x])


def _total(fit: Fit) -> float:
    return fit[3]


def _holds(sides: tuple[float, float, float, float], *, faint: bool) -> bool:
    """Every side finds its edge, or three do plainly."""
    if min(sides) >= (_FAINT_MIN if faint else _SIDE_MIN) and sum(sides) >= 4 * _MEAN_MIN:
        return True
    return sorted(sides)[1] >= (_FAINT_THREE_MIN if faint else _THREE_MIN)


def _quad(turn: float, middle: tuple[int, int], size_px: tuple[int, int]) -> Quad:
    wide, high = _CARD_PX
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (wide / 2, high / 2) + middle
    back = cv2.invertAffineTransform(cv2.getRotationMatrix2D(((size_px[0] - 1) / 2, (size_px[1] - 1) / 2), turn, 1.0))
    return np.asarray(half @ back[:, :2].T + back[:, 2], dtype=np.float32)


def _is_card(quad: Quad, flat: Pixels, bare: Pixels, things: Mask, *, faint: bool) -> bool:
    """Paper all round, unlike the cloth; and nothing beside it that lies within the window, as a second card would."""
    whole, inner = np.zeros_like(things), np.zeros_like(things)
    middle = quad.mean(axis=0)
    cv2.fillConvexPoly(whole, np.rint(quad).astype(np.int32), 255)
    cv2.fillConvexPoly(inner, np.rint(middle + (quad - middle) * 0.94).astype(np.int32), 255)
    if faint:
        ring = cv2.subtract(inner, cv2.erode(inner, np.ones((2 * _RING_PX + 1,) * 2, np.uint8))) > 0
        apart = np.median(flat[ring].astype(np.float32) - bare[ring].astype(np.float32), axis=0)
        return float(np.abs(apart).max()) > _PAPER_LEVELS
    if cv2.countNonZero(cv2.bitwise_and(things, inner)) < _FULL * cv2.countNonZero(inner):
        return False
    beside = cv2.subtract(things, cv2.dilate(whole, np.ones((7, 7), np.uint8)))
    clean = cv2.morphologyEx(beside, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(clean, connectivity=4)
    return not any(_lies_within(part, things.shape) for part in stats[1:])


def _lies_within(part: NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    left, top, width, height, area = (int(v) for v in part)
    inside = left > 0 and top > 0 and left + width < shape[1] and top + height < shape[0]
    return inside and area > _BESIDE_SHARE * _CARD_PX[0] * _CARD_PX[1]
