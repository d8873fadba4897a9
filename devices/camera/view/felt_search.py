"""Finds the felt in a picture: by a calibration given by hand, or by its printed markers.

A calibration given by hand holds while the picture is the one it was made in. Where the camera was moved since, the
printed markers find the felt again if they agreed with the calibration before; else nobody guesses where it lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from devices.camera.felt.calibration import Calibration, calibrate
from devices.camera.felt.layout import Layout
from devices.camera.felt.marker import find_markers
from devices.camera.picture.exposure import PictureExposure
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.view.blindness import View, why_no_felt
from devices.camera.view.fitness import reprojection_px

_AGREE_PX: Final = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class FoundFelt:
    calibration: Calibration
    view: View


class FeltFinder:
    """Finds one felt; knows the view of a calibration by hand again."""

    def __init__(self, layout: Layout, fixed: Calibration | None) -> None:
        self.layout = layout
        self._fixed = fixed
        self._view: View | None = None
        self._markers_agree = False
        self.usual: PictureExposure | None = None
        """The light in which this camera saw its felt last."""
        if fixed is not None and fixed.empty is not None:
            self._know(fixed, fixed.empty)

    def find(self, frame: Pixels, thumb: Pixels) -> FoundFelt | str:
        """The felt, or why there is none: a reason of blindness, or `resized`."""
        if self._fixed is not None and (frame.shape[1], frame.shape[0]) != self._fixed.frame_px:
            return "resized"
        why = why_no_felt(frame, thumb, self.usual)
        if why in ("dark", "glare", "colourless"):
            return why
        found = self._by_markers(frame) if self._fixed is None else self._by_hand(self._fixed, frame, thumb, why)
        if found is None:
            return why
        if isinstance(found, FoundFelt) and self.usual is None:
            self.usual = found.view.usual
        return found

    def _by_markers(self, frame: Pixels) -> FoundFelt | None:
        calibration = calibrate(frame, self.layout)
        return None if calibration is None else FoundFelt(calibration, View(calibration, frame, printed=True))

    def _by_hand(self, fixed: Calibration, frame: Pixels, thumb: Pixels, why: str) -> FoundFelt | str | None:
        if why == "unsharp":
            return why
        view = self._view or self._know(fixed, frame)
        if not view.landmarks.gone(frame):
            return FoundFelt(fixed, view)
        return (self._by_markers(frame) if self._markers_agree else None) or view.fault(frame, thumb)

    def _know(self, fixed: Calibration, frame: Pixels) -> View:
        """Take this as the picture in which the felt was calibrated."""
        self._view = View(fixed, frame, printed=False)
        self.usual = self._view.usual
        markers = find_markers(frame)
        off_px = reprojection_px(fixed, markers) if len(markers) == 4 else None
        self._markers_agree = off_px is not None and off_px < _AGREE_PX
        return self._view
