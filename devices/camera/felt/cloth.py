"""How the bare felt looks: a smooth light over one cloth, fitted to what lies between the places.

It is the reference picture of the empty felt: whatever differs from it is something that lies there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.picture.gate import THUMB_PX, Mask, difference
from devices.camera.picture.quadrilateral import Pixels

LEVELS: Final = 28
"""Grey levels by which something differs from bare cloth; printed lines stay below."""

_ROUNDS: Final = 4
_NEAR: Final = 24.0


@dataclass(frozen=True, slots=True)
class Cloth:
    """The bare felt as a thumbnail, without print, cards or hands."""

    bare: Pixels

    def things(self, thumb: Pixels) -> Mask:
        """Where something lies on the cloth, on the thumbnail."""
        return difference(thumb, self.bare, LEVELS)

    def window(self, to_thumb: NDArray[np.float64], size_px: tuple[int, int]) -> Pixels:
        """The bare cloth in a flat window; `to_thumb` leads from the window's pixels to the thumbnail's."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(self.bare, to_thumb, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, dtype=np.uint8)


def fit_cloth(thumb: Pixels, open_felt: NDArray[np.bool_]) -> Cloth:
    """Fit a surface of second degree to each colour of the open felt; what lies there is left out by rounds."""
    y, x = np.nonzero(open_felt)
    x, y = x[::5], y[::5]
    seen = thumb[y, x].astype(np.float64)
    terms = _terms(x, y)
    kept = (np.abs(seen - np.median(seen, axis=0)) < 2 * _NEAR).all(axis=1)
    surface: NDArray[np.floating] = np.zeros((6, 3))
    for _ in range(_ROUNDS):
        surface = np.linalg.lstsq(terms[kept], seen[kept], rcond=None)[0]
        kept = (np.abs(seen - terms @ surface) < _NEAR).all(axis=1)
    all_y, all_x = np.mgrid[0 : THUMB_PX[1], 0 : THUMB_PX[0]]
    bare = _terms(all_x.ravel(), all_y.ravel()) @ surface
    return Cloth(np.clip(np.rint(bare), 0, 255).astype(np.uint8).reshape(THUMB_PX[1], THUMB_PX[0], 3))


def _terms(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.float64]:
    u, v = x / THUMB_PX[0] - 0.5, y / THUMB_PX[1] - 0.5
    return np.stack((np.ones_like(u), u, v, u * u, u * v, v * v), axis=1)
