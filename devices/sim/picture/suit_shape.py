"""The outlines of the four suits, drawn as polygons; no foreign art is used."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

SUIT_PX: Final = 96
ODD: Final = 100
_OVER: Final = 3
_STEPS: Final = 72

Point = tuple[float, float]


@lru_cache(maxsize=4096)
def suit_mask(suit: str, plump: int) -> Image.Image:
    """The suit as a mask of 96×96 pixels, cropped to its outline; `plump` (0 to 4) varies the shape.

    From `ODD` on it is the number of a shape of its own, such as another printer may have.
    """
    side = SUIT_PX * _OVER
    mask = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(mask)
    for outline in _odd_outlines(suit, plump) if plump >= ODD else _OUTLINES[suit](0.8 + 0.1 * plump):
        draw.polygon([(side * (0.5 + x * 0.46), side * (0.5 + y * 0.46)) for x, y in outline], fill=255)
    box = mask.getbbox()
    assert box is not None
    return mask.crop(box).resize((SUIT_PX, SUIT_PX), Image.Resampling.BOX)


def suit_width(suit: str, plump: int) -> float:
    """How wide the suit is drawn, as a fraction of its height."""
    plump = 2 if plump >= ODD else plump
    return {"d": 0.62 + 0.06 * plump, "h": 0.9 + 0.03 * plump, "s": 0.8 + 0.05 * plump, "c": 0.9 + 0.04 * plump}[suit]


def _heart(plump: float) -> list[list[Point]]:
    outline: list[Point] = []
    for step in range(_STEPS):
        t = 2 * math.pi * step / _STEPS
        x = 16 * math.sin(t) ** 3 / 16
        y = -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * plump * math.cos(3 * t) - math.cos(4 * t)) / 15
        outline.append((x, y))
    return [outline]


def _spade(plump: float) -> list[list[Point]]:
    blade = [(x, -y * 0.86 - 0.12) for x, y in _heart(plump)[0]]
    return [blade, _stem(plump, 0.1)]


def _club(plump: float) -> list[list[Point]]:
    radius = 0.36 + 0.07 * plump
    leaves = [(0.0, -0.56), (-0.54, 0.14), (0.54, 0.14)]
    return [*(_disc(x, y, radius) for x, y in leaves), _disc(0.0, -0.05, 0.24), _stem(plump, 0.0)]


def _diamond(plump: float) -> list[list[Point]]:
    waist = 0.58 - 0.08 * (plump - 1) * 2
    corners: list[Point] = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
    outline: list[Point] = []
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        middle = ((x0 + x1) * min(0.5, waist), (y0 + y1) * min(0.5, waist))
        outline += [(x0, y0), ((x0 + 2 * middle[0]) / 3, (y0 + 2 * middle[1]) / 3), middle]
        outline.append(((x1 + 2 * middle[0]) / 3, (y1 + 2 * middle[1]) / 3))
    return [outline]


def _odd_outlines(suit: str, number: int) -> list[list[Point]]:
    """Leaves closer or farther, blades slimmer, stems thick, thin or none: one shape for each number."""
    art = random.Random(f"{suit}{number}")  # noqa: S311 - art, not chance
    plump = art.uniform(0.6, 1.5)
    if suit in "hd":
        return _OUTLINES[suit](plump)
    foot, waist, knee = art.uniform(0.1, 0.45), art.uniform(0.02, 0.13), art.uniform(0.45, 0.85)
    stem = [(-waist, 0.0), (waist, 0.0), (waist * 1.6, knee), (foot, 1.0), (-foot, 1.0), (-waist * 1.6, knee)]
    if suit == "s":
        rise, high = art.uniform(0.05, 0.3), art.uniform(0.7, 0.95)
        return [[(x, -y * high - rise) for x, y in _heart(plump)[0]], stem]
    upper, lower = art.uniform(0.28, 0.46), art.uniform(0.28, 0.46)
    aside, below, above = art.uniform(0.32, 0.6), art.uniform(-0.02, 0.28), art.uniform(-0.64, -0.4)
    leaves = [_disc(0.0, above, upper), _disc(-aside, below, lower), _disc(aside, below, lower)]
    return [*leaves, _disc(0.0, art.uniform(-0.15, 0.1), art.uniform(0.08, 0.34)), stem]


def _disc(x: float, y: float, radius: float) -> list[Point]:
    turns = (2 * math.pi * step / _STEPS for step in range(_STEPS))
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


def _stem(plump: float, top: float) -> list[Point]:
    foot = 0.3 + 0.12 * plump
    return [(-0.07, top), (0.07, top), (0.14, 0.6), (foot, 1.0), (-foot, 1.0), (-0.14, 0.6)]


_OUTLINES: Final[dict[str, Callable[[float], list[list[Point]]]]] = {
    "h": _heart,
    "s": _spade,
    "c": _club,
    "d": _diamond,
}

Pixels = NDArray[np.uint8]
"""A picture, `(height, width, channels) uint8`, BGR or BGRA."""
