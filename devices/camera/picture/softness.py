"""How soft a card's picture is: out of focus, shaken, or enlarged from too few pixels."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from devices.camera.picture.quadrilateral import Pixels

_STEP: Final = np.ones((3, 3), np.uint8)
_AROUND: Final = np.ones((31, 31), np.uint8)
_EVERY: Final = 4
_CALM_PX: Final = 0.8
_CONTRAST_MIN: Final = 20.0


def softness_px(card: Pixels) -> float:
    """The blur of a rectified card, BGR, as the sigma of a Gaussian in its pixels: how far print and paper are apart
    against how steeply the one turns into the other. Infinite where nothing is printed.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), (0, 0), _CALM_PX)
    apart = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, _AROUND)[::_EVERY, ::_EVERY]
    steep = cv2.dilate(cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, _STEP), _AROUND)[::_EVERY, ::_EVERY]
    printed = apart > max(_CONTRAST_MIN, float(np.percentile(apart, 98)) / 2)
    if not printed.any():
        return float("inf")
    return float(np.median(2 * apart[printed].astype(np.float32) / np.maximum(steep[printed], 1)) / np.sqrt(2 * np.pi))
