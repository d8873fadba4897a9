"""How the bare felt looks: a smooth light over one cloth, fitted to what lies between the places.

It is the reference picture of the empty felt: whatever differs from it is something that lies there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.picture.gate import THUMB_PX, Mask, difference, thumbnail
from devices.camera.picture.quadrilateral import Pixels

_GAIN: Final = (0.25, 4.0)
_DARK: Final = 4.0
Gain = NDArray[np.float32]
"""How many times brighter each spot of the thumbnail is now than in the reference, by colour."""


LEVELS: Final = 28
"""Grey levels by which something differs from bare cloth; printed lines stay below."""

_ROUNDS: Final = 4
_NEAR: Final = 24.0


@dataclass(frozen=True, slots=True)
class BareCloth:
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


def fit_cloth(thumb: Pixels, open_felt: NDArray[np.bool_]) -> BareCloth:
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
    return BareCloth(np.clip(np.rint(bare), 0, 255).astype(np.uint8).reshape(THUMB_PX[1], THUMB_PX[0], 3))


def _terms(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.float64]:
    u, v = x / THUMB_PX[0] - 0.5, y / THUMB_PX[1] - 0.5
    return np.stack((np.ones_like(u), u, v, u * u, u * v, v * v), axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceCloth:
    """The bare felt as seen empty, in the light of now, used as `BareCloth` is: print, seams and logos are cloth.

    The light may have changed since: by as much as the smooth cloth has, all of it has.
    """

    bare: Pixels
    _empty: Pixels
    _gain: Gain

    @classmethod
    def of(cls, empty: Pixels, then: BareCloth, now: BareCloth) -> ReferenceCloth:
        """`then` and `now`: the smooth cloth of the empty frame's thumbnail, and of the present one's."""
        dark = np.float32(_DARK)
        gain = np.clip((now.bare.astype(np.float32) + dark) / (then.bare.astype(np.float32) + dark), *_GAIN)
        soft = np.asarray(cv2.blur(empty, (3, 3)), dtype=np.uint8)
        return cls(_lit(thumbnail(empty), gain), soft, gain)

    def things(self, thumb: Pixels) -> Mask:
        """Where something lies on the cloth, on the thumbnail."""
        return difference(thumb, self.bare, LEVELS)

    def window(self, to_thumb: NDArray[np.float64], size_px: tuple[int, int]) -> Pixels:
        """The bare cloth in a flat window; `to_thumb` leads from the window's pixels to the thumbnail's."""
        height, width = self._empty.shape[:2]
        grow = np.diag((width / THUMB_PX[0], height / THUMB_PX[1], 1.0))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(self._empty, grow @ to_thumb, size_px, flags=flags)
        gain = cv2.warpPerspective(self._gain, to_thumb, size_px, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return _lit(np.asarray(flat, dtype=np.uint8), np.asarray(gain, dtype=np.float32))


def _lit(picture: Pixels, gain: Gain) -> Pixels:
    return np.asarray(np.clip(np.rint(picture * gain), 0, 255), dtype=np.uint8)
