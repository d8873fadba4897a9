"""Whether a picture can be trusted at all, from one calibration to the next.

Reasons: `dark`, `glare`, `colourless`, `unsharp`, `frozen`, `moved`, `covered`; and where no felt was found yet,
`no_picture`.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from devices.camera.felt.calibration import Calibration
from devices.camera.felt.landmark import Landmarks, distinct_boxes, grey, printed_boxes, sharpness
from devices.camera.felt.marker import find_markers
from devices.camera.picture.exposure import PictureExposure
from devices.camera.picture.frame import Picture
from devices.camera.picture.gate import THUMB_PX, thumbnail
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.zone import WatchTiming

_BLURRED: Final = 0.5
_SAME_SCENE: Final = 0.4
_EVERY_MS: Final = 200
_LANDMARKS_MS: Final = 2_000
_BLUNT_PICTURE: Final = 9.0
_ROUGH_PX: Final = (32, 18)


class View:
    """How a calibrated view looked when it was good: its landmarks, its light, its sharpness."""

    def __init__(self, calibration: Calibration, frame: Pixels, *, printed: bool) -> None:
        thumb = thumbnail(frame)
        boxes = printed_boxes(calibration) if printed else distinct_boxes(calibration, frame)
        self.landmarks = Landmarks(boxes, frame)
        self.usual = PictureExposure.of(thumb)
        self._printed = printed
        self._crisp = _crispness(frame)
        self._rough = _rough(thumb)

    def light(self, thumb: Pixels) -> str:
        """The key of what is wrong with the light of a picture of this view; empty when nothing is."""
        return PictureExposure.of(thumb).fault(self.usual)

    def fault(self, frame: Pixels, thumb: Pixels) -> str:
        """The key of what is wrong with a picture of this view; empty when nothing is."""
        light = self.light(thumb)
        if light in ("dark", "glare") or not self.landmarks.gone(frame):
            return light
        if _crispness(frame) < _BLURRED * self._crisp:
            return "unsharp" if _alike(_rough(thumb), self._rough) > _SAME_SCENE else "covered"
        moved = self.landmarks.elsewhere(frame) or (self._printed and find_markers(frame))
        return "moved" if moved else "covered"


class Blindness:
    """Watches the picture as a whole; says what has lasted."""

    def __init__(self, view: View, timing: WatchTiming) -> None:
        self.view = view
        self._timing = timing
        self._last: Pixels | None = None
        self._still_ms: int | None = None
        self._bad: tuple[str, int] = ("", 0)
        self._checked_ms = -_EVERY_MS
        self._good: tuple[Pixels, int] | None = None
        """The last picture in which the landmarks were looked for and found, as a thumbnail, and when."""

    def reason(self, picture: Picture, now_ms: int, *, calm: bool = False) -> str:
        """Why the picture cannot be trusted, empty when it can. `calm`: nothing of it is about to be looked at."""
        if self.frozen(picture.thumb, now_ms):
            return "frozen"
        if now_ms - self._checked_ms >= min(_EVERY_MS, self._timing.blind_ms):
            self._checked_ms = now_ms
            fault = self._fault(picture, now_ms, calm=calm)
            if fault != self._bad[0]:
                self._bad = (fault, now_ms)
        fault, since_ms = self._bad
        return fault if fault and now_ms - since_ms >= self._timing.blind_ms else ""

    def _fault(self, picture: Picture, now_ms: int, *, calm: bool) -> str:
        """The landmarks are there where a thumbnail looks like that of a picture in which they were found: while
        nothing goes on no picture is unpacked for them, but now and then.
        """
        thumb = picture.thumb
        good, at_ms = self._good or (None, 0)
        if calm and good is not None and 0 <= now_ms - at_ms < _LANDMARKS_MS and self.view.landmarks.alike(thumb, good):
            return self.view.light(thumb)
        fault = self.view.fault(picture.whole, thumb)
        self._good = (thumb, now_ms) if fault in ("", "colourless") else None
        return fault

    def suspects(self) -> bool:
        """Whether something is wrong that has not lasted long enough to be said."""
        return bool(self._bad[0])

    def frozen(self, thumb: Pixels, now_ms: int) -> bool:
        """Whether the very same picture has come for too long."""
        if self._last is None or not np.array_equal(thumb, self._last):
            self._last, self._still_ms = thumb, now_ms
            return False
        lasted_ms = now_ms - (now_ms if self._still_ms is None else self._still_ms)
        return 0 < self._timing.frozen_ms <= lasted_ms


def why_no_felt(frame: Pixels, thumb: Pixels, usual: PictureExposure | None = None) -> str:
    """Why no felt is found in a picture; `no_picture` where there is light, colour and sharpness enough."""
    light = PictureExposure.of(thumb).fault(usual)
    if light:
        return light
    return "unsharp" if _crispness(frame) < _BLUNT_PICTURE else "no_picture"


def _crispness(frame: Pixels) -> float:
    """How sharp a picture is, of single pixels far apart: their mean, as a thumbnail has it, hides a blur."""
    apart = cv2.resize(frame, THUMB_PX, interpolation=cv2.INTER_NEAREST)
    return sharpness(grey(np.asarray(cv2.blur(apart, (3, 3)), dtype=np.uint8)))


def _rough(thumb: Pixels) -> cv2.typing.MatLike:
    return cv2.resize(grey(thumb), _ROUGH_PX, interpolation=cv2.INTER_AREA)


def _alike(one: cv2.typing.MatLike, other: cv2.typing.MatLike) -> float:
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0])
