"""Takes salt and pepper out of a picture: single pixels far lighter or darker than all around."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from devices.camera.picture.quadrilateral import Pixels

_APART: Final = 24
_SHARE_MIN: Final = 0.001
_AROUND: Final = np.array([(1, 1, 1), (1, 0, 1), (1, 1, 1)], np.uint8)


def without_speckle(picture: Pixels) -> Pixels:
    """The picture with its single odd pixels made like their neighbours; unchanged where it has no such noise."""
    if not _is_speckled(picture):
        return picture
    calm = cv2.medianBlur(picture, 3)
    odd = cv2.absdiff(picture, calm).max(axis=2, keepdims=True) > _APART
    return np.asarray(np.where(odd, calm, picture), dtype=np.uint8)


def _is_speckled(picture: Pixels) -> bool:
    """Judged by the middle third of the rows."""
    height = picture.shape[0]
    grey = cv2.cvtColor(picture[height // 3 : height - height // 3], cv2.COLOR_BGR2GRAY)
    lighter = cv2.subtract(grey, cv2.dilate(grey, _AROUND))
    darker = cv2.subtract(cv2.erode(grey, _AROUND), grey)
    return int(np.count_nonzero(cv2.max(lighter, darker) > _APART)) > _SHARE_MIN * grey.size
