"""Judges a picture's light as a whole: too dark, blown out by glare, without colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from devices.camera.picture.quadrilateral import Pixels

_DARK: Final = 22.0
_BLOWN_LEVEL: Final = 250
_BLOWN_MORE: Final = 0.25
_BLOWN_AT_ONCE: Final = 0.5
_COLOURED: Final = 10.0
_COLOUR_LEFT: Final = 0.3


@dataclass(frozen=True, slots=True)
class PictureExposure:
    """How a picture is exposed: its mean brightness, the share of it where two colours are at their limit, and how much
    colour it has.
    """

    level: float
    blown: float
    chroma: float

    @classmethod
    def of(cls, thumb: Pixels) -> PictureExposure:
        blue, green, red = cv2.split(thumb)
        low, high = cv2.min(blue, green), cv2.max(blue, green)
        most, least, middle = cv2.max(high, red), cv2.min(low, red), cv2.max(low, cv2.min(high, red))
        return cls(
            sum(cv2.mean(thumb)[:3]) / 3,
            float(np.count_nonzero(middle >= _BLOWN_LEVEL)) / middle.size,
            cv2.mean(cv2.subtract(most, least))[0],
        )

    def fault(self, usual: PictureExposure | None) -> str:
        """The key of what is wrong with the light, empty when nothing is; `usual` is how this camera's view of its felt
        was exposed when it was good.
        """
        if self.level < _DARK:
            return "dark"
        if self.blown > (_BLOWN_AT_ONCE if usual is None else min(_BLOWN_AT_ONCE, usual.blown + _BLOWN_MORE)):
            return "glare"
        if usual is not None and usual.chroma > _COLOURED and self.chroma < _COLOUR_LEFT * usual.chroma:
            return "colourless"
        return ""
