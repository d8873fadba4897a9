"""A quadrilateral of a frame, made an upright card and its two half cards."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""A picture, `(height, width, 3) uint8`, BGR."""

Quad = NDArray[np.float32]
"""Four corners, `(4, 2) float32`, in pixels of the frame, clockwise; the first side is a short one of a card."""

CARD_PX: Final = (112, 160)
"""Width and height of a rectified card; the network reads its halves, 112 × 80."""

_HALF_PX: Final = CARD_PX[1] // 2
_TARGET: Final = np.array(
    [(0, 0), (CARD_PX[0], 0), (CARD_PX[0], CARD_PX[1]), (0, CARD_PX[1])], dtype=np.float32
) - np.float32(0.5)


def rectify(frame: Pixels, quad: Quad) -> Pixels:
    """The card inside the corners, upright, `(160, 112, 3) uint8`; which end is up is not known, nor needed."""
    return _flattened(frame, quad, CARD_PX)


def upper_half(frame: Pixels, quad: Quad) -> Pixels:
    """The half of that card that is up, `(80, 112, 3) uint8`, for half the work."""
    return _flattened(frame, quad, (CARD_PX[0], _HALF_PX))


def _flattened(frame: Pixels, quad: Quad, size_px: tuple[int, int]) -> Pixels:
    transform = cv2.getPerspectiveTransform(quad, _TARGET)
    return np.asarray(cv2.warpPerspective(frame, transform, size_px, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def halves_of(card: Pixels) -> tuple[Pixels, Pixels]:
    """The upper half, and the lower half turned by 180°, each `(80, 112, 3) uint8`."""
    return card[:_HALF_PX], np.ascontiguousarray(card[_HALF_PX:][::-1, ::-1])
