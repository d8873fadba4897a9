"""Decides, cheaply, what of a frame has changed: the gate before all other work.

Frames are compared as thumbnails of 320 × 180, a quarter of a millisecond's work; a frame that shows nothing
new ends here, and where it came as a JPEG, nobody has unpacked it whole.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.picture.quadrilateral import Pixels

THUMB_PX: Final = (320, 180)
"""Width and height of a thumbnail."""

DIFFERENT: Final = 16
"""Grey levels by which a pixel must differ; a sensor's noise stays below."""

Mask = NDArray[np.uint8]
"""`(180, 320) uint8`, 0 or 255."""


def thumbnail(frame: Pixels) -> Pixels:
    """The frame at 320 × 180, colours kept, softened against noise.

    It is halved as often as it can be, each time by the mean of four pixels, as a JPEG is that is unpacked at a part
    of its size: both come to the same thumbnail, within the noise.
    """
    (width, height), small = (frame.shape[1], frame.shape[0]), frame
    while width >= 2 * THUMB_PX[0] and height >= 2 * THUMB_PX[1]:
        width, height = width // 2, height // 2
        small = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    if (width, height) != THUMB_PX:
        small = np.asarray(cv2.resize(small, THUMB_PX, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.asarray(cv2.blur(small, (3, 3)), dtype=np.uint8)


def difference(one: Pixels, other: Pixels, levels: int = DIFFERENT) -> Mask:
    """Where two thumbnails differ in any colour."""
    apart = cv2.absdiff(one, other)
    blue, green, red = cv2.split(apart)
    most = cv2.max(cv2.max(blue, green), red)
    return np.asarray(cv2.threshold(most, levels, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)


def count_by_label(mask: Mask, labels: NDArray[np.uint8], names: int) -> NDArray[np.int64]:
    """How many pixels of the mask lie in each labelled region."""
    if not cv2.countNonZero(mask):
        return np.zeros(names, np.int64)
    return np.bincount(labels[mask > 0], minlength=names)
