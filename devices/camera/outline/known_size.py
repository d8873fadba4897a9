"""Outlines of known size: where cards have been named, the others that lie beside them are as large.

One card tells how long a millimetre is in the picture, whichever way it lies, in a stretched picture too. So a single
corner is enough for an outline, though other cards hide the rest, and what is no card by its size is not weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM
from devices.camera.outline.corner import Corners, Floats, Quads
from devices.camera.picture.quadrilateral import Quad

_SLACK: Final = 0.14
"""By which a side may differ: what lies nearer to the camera is larger."""
_SQUARE: Final = 0.14
"""The cosine between two sides that may still be a card's corner."""
_OUTSIDE: Final = 0.25
"""Of its diagonal: so far a card may reach beyond the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownSize:
    """Cards by which others are measured: their middles in pixels, `(n, 2)`, and what makes millimetres of pixels round
    each of them, `(n, 2, 2)`.
    """

    middles: Floats
    to_mm: Floats

    @classmethod
    def of(cls, cards: Sequence[Quad]) -> KnownSize:
        """The size of cards that were named, a short side of each first."""
        quads = np.stack(cards).astype(np.float32)
        across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
        down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
        px = np.stack((across / CARD_WIDTH_MM, down / CARD_HEIGHT_MM), axis=2)
        return cls(quads.mean(axis=1), np.linalg.inv(px).astype(np.float32))

    def fits(self, quads: Quads) -> NDArray[np.bool_]:
        """Which of the outlines are as large as a card where they lie."""
        sides = np.roll(quads, -1, axis=1) - quads
        mm = np.linalg.norm(np.einsum("nij,nkj->nki", self._near(quads.mean(axis=1)), sides), axis=2)
        one, two = (mm[:, 0] + mm[:, 2]) / 2, (mm[:, 1] + mm[:, 3]) / 2
        short, long = np.minimum(one, two), np.maximum(one, two)
        fits = (np.abs(short / CARD_WIDTH_MM - 1) < _SLACK) & (np.abs(long / CARD_HEIGHT_MM - 1) < _SLACK)
        return np.asarray(fits, dtype=np.bool_)

    def outlines_at(self, corners: Corners, size_px: tuple[int, int]) -> Quads:
        """The outlines with such a corner that lie in a picture of this width and height, or nearly: two of each, for a
        card lies along or across.
        """
        near = self._near(corners.at)
        one, two = (np.einsum("nij,nj->ni", near, ray) for ray in (corners.first, corners.second))
        one_mm, two_mm = np.linalg.norm(one, axis=1), np.linalg.norm(two, axis=1)
        square = np.abs((one * two).sum(axis=1)) < _SQUARE * one_mm * two_mm
        at, first, second = corners.at[square], corners.first[square], corners.second[square]
        one_mm, two_mm = one_mm[square], two_mm[square]
        found = [
            np.stack((at, at + along, at + along + down, at + down), axis=1)
            for long, wide in ((CARD_WIDTH_MM, CARD_HEIGHT_MM), (CARD_HEIGHT_MM, CARD_WIDTH_MM))
            for along, down in ((first * (long / one_mm)[:, None], second * (wide / two_mm)[:, None]),)
        ]
        quads = np.concatenate(found).astype(np.float32)
        beyond = _OUTSIDE * np.linalg.norm(quads[:, 2] - quads[:, 0], axis=1)[:, None, None]
        inside = (quads > -beyond) & (quads < np.array(size_px, np.float32) + beyond)
        return np.asarray(quads[inside.all(axis=(1, 2))], dtype=np.float32)

    def upright(self, quads: Quads) -> Quads:
        """The outlines, a short side of each first."""
        mm = np.einsum("nij,nkj->nki", self._near(quads.mean(axis=1)), quads[:, [1, 3]] - quads[:, [0]])
        along, down = np.linalg.norm(mm, axis=2).T
        turned = np.roll(quads, 1, axis=1)
        return np.asarray(np.where((along < down)[:, None, None], quads, turned), dtype=np.float32)

    def _near(self, points: Floats) -> NDArray[np.float32]:
        """What makes millimetres of pixels at each point, by the nearest of the cards."""
        apart = np.linalg.norm(points[:, None] - self.middles[None], axis=2)
        return np.asarray(self.to_mm[apart.argmin(axis=1)], dtype=np.float32)
