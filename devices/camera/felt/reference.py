"""The picture of the empty felt as a reference: print, seams and logos are cloth in it, not things.

The light may have changed since it was taken: by as much as the smooth cloth has, all of it has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.cloth import LEVELS, Cloth
from devices.camera.picture.gate import THUMB_PX, Mask, difference, thumbnail
from devices.camera.picture.quadrilateral import Pixels

_GAIN: Final = (0.25, 4.0)
_DARK: Final = 4.0

Gain = NDArray[np.float32]
"""How many times brighter each spot of the thumbnail is now than in the reference, by colour."""


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceCloth:
    """The bare felt as it was seen empty, in the light of now; used as a `Cloth` is."""

    bare: Pixels
    _empty: Pixels
    _gain: Gain

    @classmethod
    def of(cls, empty: Pixels, then: Cloth, now: Cloth) -> ReferenceCloth:
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
