"""The only place that decides whether a picture can be trusted at all: dark, unsharp, frozen, moved, or no felt."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.calibration import Calibration
from devices.camera.gate import thumbnail
from devices.camera.rectify import Pixels
from devices.camera.zone import WatchTiming

_DARK: Final = 22.0
_BLUNT: Final = 0.2
_BLURRED: Final = 0.5
_ALIKE: Final = 0.55
_MARKERS_LOST: Final = 3
_EVERY_MS: Final = 200
_BLUNT_PICTURE: Final = 9.0


class Blindness:
    """Watches the picture as a whole, and the four markers where they are `printed`; says what has lasted."""

    def __init__(self, calibration: Calibration, frame: Pixels, timing: WatchTiming, *, printed: bool) -> None:
        self._crisp = _sharpness(_grey(thumbnail(frame)))
        self._timing = timing
        self._boxes = [_box(calibration, *marker) for marker in calibration.layout.markers if printed]
        self._printed = [_grey(frame, box) for box in self._boxes]
        self._sharp = [_sharpness(patch) for patch in self._printed]
        self._last: Pixels | None = None
        self._still_ms: int | None = None
        self._bad: tuple[str, int] = ("", 0)
        self._checked_ms = -_EVERY_MS

    def reason(self, frame: Pixels, thumb: Pixels, now_ms: int) -> str:
        """Why the picture cannot be trusted, empty when it can."""
        if self._frozen(thumb, now_ms):
            return "frozen"
        if now_ms - self._checked_ms >= min(_EVERY_MS, self._timing.blind_ms):
            self._checked_ms = now_ms
            fault = self._fault(frame, thumb)
            if fault != self._bad[0]:
                self._bad = (fault, now_ms)
        fault, since_ms = self._bad
        return fault if fault and now_ms - since_ms >= self._timing.blind_ms else ""

    def suspects(self) -> bool:
        """Whether something is wrong that has not lasted long enough to be said."""
        return bool(self._bad[0])

    def _frozen(self, thumb: Pixels, now_ms: int) -> bool:
        if self._last is None or not np.array_equal(thumb, self._last):
            self._last, self._still_ms = thumb, now_ms
            return False
        lasted_ms = now_ms - (now_ms if self._still_ms is None else self._still_ms)
        return 0 < self._timing.frozen_ms <= lasted_ms

    def _fault(self, frame: Pixels, thumb: Pixels) -> str:
        if float(thumb.mean()) < _DARK:
            return "dark"
        lost = sum(self._lost(frame, i) for i in range(len(self._boxes)))
        if lost < _MARKERS_LOST:
            return ""
        return "unsharp" if _sharpness(_grey(thumb)) < _BLURRED * self._crisp else "moved"

    def _lost(self, frame: Pixels, i: int) -> bool:
        now = _grey(frame, self._boxes[i])
        return _sharpness(now) < _BLUNT * self._sharp[i] or _likeness(now, self._printed[i]) < _ALIKE


def why_no_felt(thumb: Pixels) -> str:
    """Why the markers are not found in a picture."""
    if float(thumb.mean()) < _DARK:
        return "dark"
    return "unsharp" if _sharpness(_grey(thumb)) < _BLUNT_PICTURE else "no_picture"


def _box(calibration: Calibration, x_mm: float, y_mm: float) -> tuple[int, int, int, int]:
    half = calibration.layout.marker_mm / 2
    seen = calibration.px(np.array([(x_mm - half, y_mm - half), (x_mm + half, y_mm + half)]))
    (left, top), (right, bottom) = np.rint(seen).astype(int).tolist()
    return max(0, left), max(0, top), right, bottom


def _grey(frame: Pixels, box: tuple[int, int, int, int] | None = None) -> NDArray[np.uint8]:
    left, top, right, bottom = box or (0, 0, frame.shape[1], frame.shape[0])
    return np.asarray(cv2.cvtColor(frame[top:bottom, left:right], cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _sharpness(grey: cv2.typing.MatLike) -> float:
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())


def _likeness(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])
