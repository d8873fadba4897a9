"""What lies across a card and leaves both of its indices in sight: other cards, cables, pens.

Hands are laid out so, card over card; whoever reads them has the index alone, and other cards' signs beside it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from devices.sim.picture.suit_shape import Pixels

_TRIES: Final = 24
_LEAST: Final = 0.12
"""Of the card at least so much is hidden by a card laid across it."""

_TOUCHED: Final = 0.1
"""Of an index so much may be hidden by a cable."""

_WHOLE: Final = np.array([(u, v) for u in np.linspace(0.04, 0.96, 8) for v in np.linspace(0.04, 0.96, 10)])


def lay_across(patch: Pixels, corners: np.ndarray, wide: float, draw: Callable[[], Pixels], rng: random.Random) -> None:
    """Lay one or two things over the card with these corners; its indices are `wide` of its width.

    Where no place is found that leaves the indices in sight nothing is laid.
    """
    for _ in range(1 if rng.random() < 0.65 else 2):
        if rng.random() < 0.15:
            _cable(patch, corners, wide, rng)
        else:
            _card(patch, corners, wide, draw(), rng)


def _index_spots(wide: float) -> np.ndarray:
    """Spots of both indices, as shares of the card's width and height."""
    one = np.array([(u, v) for u in np.linspace(0.02, wide, 4) for v in np.linspace(0.02, 0.3, 6)])
    return np.concatenate((one, 1 - one))


def _at(corners: np.ndarray, spots: np.ndarray) -> np.ndarray:
    """Where spots of the card lie in the picture."""
    u, v = spots[:, :1], spots[:, 1:]
    upper, lower = corners[0] * (1 - u) + corners[1] * u, corners[3] * (1 - u) + corners[2] * u
    return np.asarray(upper * (1 - v) + lower * v)


def _card(patch: Pixels, corners: np.ndarray, wide: float, over: Pixels, rng: random.Random) -> None:
    index, whole = _at(corners, _index_spots(wide)), _at(corners, _WHOLE)
    size = np.array((np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[0]))) * rng.uniform(
        0.95, 1.06
    )
    along = math.atan2(*(corners[1] - corners[0])[::-1])
    for _ in range(_TRIES):
        chance = rng.random()
        turn = rng.gauss(0, 4) if chance < 0.6 else rng.gauss(90, 8) if chance < 0.75 else rng.uniform(0, 180)
        turn = along + math.radians(turn + rng.choice((0, 180)))
        spin = np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])
        centre = _at(corners, np.array([(rng.uniform(-0.6, 1.6), rng.uniform(-0.6, 1.6))]))[0]
        if _hidden(index, centre, spin, size) == 0 and _hidden(whole, centre, spin, size) >= _LEAST:
            _put(patch, over, centre, spin, size, rng)
            return


def _hidden(spots: np.ndarray, centre: np.ndarray, spin: np.ndarray, size: np.ndarray) -> float:
    """The share of the spots that lie under a card of this size."""
    off = np.abs((spots - centre) @ spin.T) / (size / 2)
    return float((off.max(axis=1) < 1).mean())


def _put(
    patch: Pixels, over: Pixels, centre: np.ndarray, spin: np.ndarray, size: np.ndarray, rng: random.Random
) -> None:
    """Lay it there, its edge in its own shadow."""
    height, width = over.shape[:2]
    shrunk = [max(0.01, 0.45 * full / had - 0.3) for full, had in zip((width, height), size, strict=True)]
    softened = cv2.GaussianBlur(over, (0, 0), sigmaX=shrunk[0], sigmaY=shrunk[1])
    source = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    placed = ((source / (width, height) - 0.5) * size @ spin + centre).astype(np.float32)
    frame = (patch.shape[1], patch.shape[0])
    laid = cv2.warpPerspective(softened, cv2.getPerspectiveTransform(source, placed), frame, flags=cv2.INTER_LINEAR)
    seen = laid[:, :, 3] > 127
    if rng.random() < 0.7:
        reach = rng.uniform(0.01, 0.05) * size[0]
        shade = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), reach) * np.float32(rng.uniform(0.1, 0.6))
        patch[:] = (patch * (1 - shade[:, :, None])).astype(np.uint8)
    patch[seen] = laid[seen, :3]


def _cable(patch: Pixels, corners: np.ndarray, wide: float, rng: random.Random) -> None:
    index = _at(corners, _index_spots(wide))
    thick = rng.uniform(0.015, 0.07) * float(np.linalg.norm(corners[1] - corners[0]))
    for _ in range(_TRIES):
        ends = _at(corners, np.array([(rng.uniform(-0.3, 1.3), rng.uniform(-0.3, 1.3)) for _ in range(2)]))
        line = ends[1] - ends[0]
        length = float(np.linalg.norm(line))
        if length < 4 * thick:
            continue
        apart = np.abs((index - ends[0]) @ np.array((-line[1], line[0]))) / length
        if (apart < thick / 2 + 1).mean() <= _TOUCHED / 2:
            ink = [rng.randint(0, 60)] * 3 if rng.random() < 0.6 else [rng.randint(0, 255) for _ in range(3)]
            start, stop = ([round(float(v)) for v in end] for end in (ends[0] - line, ends[1] + line))
            cv2.line(patch, start, stop, ink, max(1, round(thick)), cv2.LINE_AA)
            return
