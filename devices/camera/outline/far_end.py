"""Outlines of a card of which one end is known: the reader is sure of that half, so the other end lies elsewhere."""

from __future__ import annotations

from typing import Final

import numpy as np

from devices.camera.outline.corner import Quads
from devices.camera.picture.quadrilateral import Quad

_TURNS: Final = np.radians(np.arange(-6, 7, 2, dtype=np.float32))
_LENGTHS: Final = np.array((0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.3), np.float32)
_WIDTHS: Final = np.array((0.92, 1.0, 1.08), np.float32)


def far_ends(outline: Quad) -> Quads:
    """Outlines `(231, 4, 2)` with the first side of this one: longer and shorter, turned about the middle of that
    side, the far side wider and narrower.
    """
    turn, length, width = (each.ravel()[:, None] for each in np.meshgrid(_TURNS, _LENGTHS, _WIDTHS, indexing="ij"))
    one, two, three, four = outline.astype(np.float32)
    near, along, across = (one + two) / 2, (three + four - one - two) / 2, (three - four) / 2
    beside = np.array((-along[1], along[0]), np.float32)
    middle = near + length * (np.cos(turn) * along + np.sin(turn) * beside)
    sides = (np.broadcast_to(one, middle.shape), np.broadcast_to(two, middle.shape))
    return np.stack((*sides, middle + width * across, middle - width * across), axis=1).astype(np.float32)
