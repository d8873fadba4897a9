"""The four printed markers of a felt: ArUco 4×4, ids 0 to 3 clockwise from the top left."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_BORDER: Final = 0.12
_DICTIONARY: Final = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def marker_picture(number: int, side_px: int) -> NDArray[np.uint8]:
    """A marker with its white border, `(side, side) uint8`, for printing and for the simulated felt."""
    inner_px = round(side_px * (1 - 2 * _BORDER))
    picture = np.full((side_px, side_px), 235, np.uint8)
    start = (side_px - inner_px) // 2
    picture[start : start + inner_px, start : start + inner_px] = cv2.aruco.generateImageMarker(
        _DICTIONARY, number, inner_px
    )
    return picture


def find_markers(frame: NDArray[np.uint8]) -> dict[int, tuple[float, float]]:
    """The centres of the felt's markers in the frame, in pixels, by id; absent when not seen."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMax = 43
    detector = cv2.aruco.ArucoDetector(_DICTIONARY, parameters)
    quads, numbers, _ = detector.detectMarkers(frame)
    if numbers is None:
        return {}
    found: dict[int, tuple[float, float]] = {}
    for quad, number in zip(quads, (int(n) for n in numbers.ravel()), strict=True):
        if 0 <= number <= 3:
            found[number] = _centre(quad[0])
    return found


def _centre(quad: NDArray[np.float32]) -> tuple[float, float]:
    """Where the diagonals cross: the middle of a square in any perspective."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = quad.tolist()
    across = (x1 - x3) * (y2 - y4) - (y1 - y3) * (x2 - x4)
    first, second = x1 * y3 - y1 * x3, x2 * y4 - y2 * x4
    return (
        (first * (x2 - x4) - (x1 - x3) * second) / across,
        (first * (y2 - y4) - (y1 - y3) * second) / across,
    )
