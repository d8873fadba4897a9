"""What a technician sees of a camera: its places laid over the picture, and what must stay unseen.

Everything given out is in fractions of the picture's width and height, so that a screen may draw it at any size.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.face.explanation import ExplainingEye
from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import Calibration, calibrate, calibrate_from_corners, window_size_mm
from devices.camera.felt.calibration_file import save
from devices.camera.felt.layout import Layout, Region, Slot
from devices.camera.outline.free_picture import read_free_picture
from devices.camera.outline.line_search import PATIENT
from devices.camera.picture.frame import decoded
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.view.explained_picture import explained_picture
from devices.camera.view.fitness import Fitness, fitness
from devices.technician.ladder import CameraCounts, camera_ladder
from studio.diagnosis import CalibrationProposal, Outline, Point, Rung, Unseen
from studio.errors import BadInputError, RefusedError
from studio.ports import CameraBlind, CameraSawCard, CameraSeesAgain, LinkDown, LinkUp, Observation

OLD_MS: Final = 3_000
"""A picture older than that is no live picture."""
_QUALITY: Final = 80
_HIDDEN_BGR: Final = (38, 54, 46)
_MOSAIC: Final = 1.2
"""The blocks of what lies outside the places, in heights of a card: nothing of a face is left in one."""

LiveFrame = Callable[[], tuple[bytes, int] | None]
"""The newest picture as JPEG with its time."""

HiddenSince = Callable[[int], Collection[str]]
"""The zones that must not be seen in a picture that came at that time: all that were hidden since it was taken."""


class Calibrated(Protocol):
    """The camera's watcher, as far as a technician touches it."""

    @property
    def calibration(self) -> Calibration | None: ...

    @property
    def came_ms(self) -> int | None: ...

    def recalibrate(self, fixed: Calibration | None) -> None: ...


@dataclass(frozen=True, slots=True)
class _Covered:
    """A picture with these zones painted over where this calibration has them."""

    of: bytes
    hidden: frozenset[str]
    calibration: Calibration
    jpeg: bytes

    def is_of(self, picture: bytes, hidden: frozenset[str], calibration: Calibration | None) -> bool:
        return self.hidden == hidden and self.calibration is calibration and self.of == picture


class CameraBench:
    """One camera of a table. Thread-safe: the device's thread notes, others look."""

    def __init__(
        self, device: str, layout: Layout, watcher: Calibrated, *, frame: LiveFrame, hidden: HiddenSince, path: Path
    ) -> None:
        self.device = device
        self._layout = layout
        self._watcher = watcher
        self._frame = frame
        self._hidden = hidden
        self._path = path
        self._lock = threading.Lock()
        self._up = False
        self._reason = ""
        self._blind = ""
        self._told = False
        self._cards = 0
        self._covered: _Covered | None = None
        """The picture covered last: whoever else asks for it gets the same."""
        self._explaining = threading.Lock()
        self._reader: CardReader | None = None

    def lay_out(self, layout: Layout) -> None:
        """Another felt lies there from now on."""
        self._layout = layout

    # --- what the camera says -------------------------------------------------------------------------------

    def note(self, seen: Sequence[Observation]) -> None:
        """What the camera said; on the thread that owns it."""
        with self._lock:
            for one in seen:
                match one:
                    case LinkUp():
                        self._up, self._reason, self._blind, self._told = True, "", "", False
                    case LinkDown(reason=reason):
                        self._up, self._reason, self._told = False, reason, False
                    case CameraBlind(reason=reason):
                        self._blind, self._told = reason, True
                    case CameraSeesAgain():
                        self._blind, self._told = "", True
                    case _:
                        self._told = True
                        self._cards += isinstance(one, CameraSawCard)

    def ladder(self, now_ms: int) -> tuple[Rung, ...]:
        at_ms = self.picture_ms
        live = at_ms is not None and now_ms - at_ms <= OLD_MS
        with self._lock:
            told = self._told or self._watcher.calibration is not None
            return camera_ladder(CameraCounts(self._up, self._reason, live, told, self._blind, self._cards))

    # --- the picture and what lies over it --------------------------------------------------------------------

    @property
    def picture_ms(self) -> int | None:
        """When the newest picture came, also where this machine has not looked at it yet."""
        if (came_ms := self._watcher.came_ms) is not None:
            return came_ms
        found = self._frame()
        return found[1] if found else None

    @property
    def calibration(self) -> Calibration | None:
        """The calibration by which the felt is seen now; None while there is none."""
        return self._watcher.calibration

    @property
    def corners(self) -> tuple[Point, ...]:
        """The felt's corners as it is calibrated now; empty while it is not seen."""
        calibration = self._watcher.calibration
        return _corners(calibration) if calibration else ()

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """The places as they are watched now; empty while the felt is not seen."""
        calibration = self._watcher.calibration
        return _outlines(calibration) if calibration else ()

    def picture(self) -> tuple[bytes, int] | Unseen:
        """The newest picture, and when it came; why there is none to be shown.

        Zones that were hidden at any time since it was taken are painted over, and everything outside the places is
        made too coarse to read. Where it is not known which part of the picture to hide, none is shown.
        """
        if (found := self._frame()) is None:
            return Unseen.NONE if self._watcher.came_ms is None else Unseen.AWAITED
        if not (hidden := frozenset(self._hidden(found[1]))):
            return found
        calibration, covered = self._watcher.calibration, self._covered
        if covered is None or not covered.is_of(found[0], hidden, calibration):
            made = _covered(found[0], calibration, hidden)
            if isinstance(made, Unseen):
                return made
            covered = self._covered = made
        return covered.jpeg, found[1]

    def explained(self) -> tuple[bytes, int] | Unseen:
        """The same picture read as if it lay on no known felt, with every outline that was looked at, what either half
        of it said, and why it was refused.

        It costs half a second of a core: one is drawn at a time.
        """
        found = self.picture()
        if isinstance(found, Unseen):
            return found
        if (frame := decoded(found[0])) is None:
            return Unseen.BROKEN
        with self._explaining:
            self._reader = self._reader or CardReader()
            eye = ExplainingEye(self._reader)
            read_free_picture(frame, eye, PATIENT)
        drawn = explained_picture(frame, eye.told)
        good, encoded = cv2.imencode(".jpg", drawn, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
        return (encoded.tobytes(), found[1]) if good else Unseen.BROKEN

    # --- calibrating --------------------------------------------------------------------------------------------

    def marked(self) -> tuple[Point, ...]:
        """The felt's corners by its printed markers; `RefusedError` when they are not all seen."""
        found = calibrate(self.frame(), self._layout)
        if found is None:
            raise RefusedError(
                "markers_hidden", "Not all four markers are seen: uncover them, or set the corners by hand."
            )
        return _corners(found)

    def propose(self, corners: Sequence[Point]) -> CalibrationProposal:
        """What these corners would make of the picture; nothing is changed. `RefusedError` says what is wrong."""
        frame = self.frame()
        calibration = self._calibrated(corners, frame)
        return _proposal(calibration, fitness(calibration, frame))

    def calibrate(self, corners: Sequence[Point]) -> CalibrationProposal:
        """Keep this calibration, and have the watcher take it over at once."""
        frame = self.frame()
        calibration = self._calibrated(corners, frame)
        found = fitness(calibration, frame)
        if found.good:
            calibration = self._calibrated(corners, frame, empty=frame)
        try:
            save(calibration, self._path)
        except OSError as error:
            raise RefusedError(
                "calibration_not_kept", f"The calibration cannot be written to the disk ({error.strerror})."
            ) from error
        self._watcher.recalibrate(calibration)
        return _proposal(calibration, found)

    def frame(self) -> Pixels:
        """The newest picture itself, never to be shown; `RefusedError` without one."""
        found = self._frame()
        frame = decoded(found[0]) if found else None
        if frame is None:
            raise RefusedError("no_signal", "The camera gives no picture: check its cable and its power.")
        return frame

    def _calibrated(self, corners: Sequence[Point], frame: Pixels, *, empty: Pixels | None = None) -> Calibration:
        width, height = _size(frame)
        try:
            pixels = [(x * width, y * height) for x, y in corners]
            return calibrate_from_corners(pixels, self._layout, (width, height), empty=empty)
        except BadInputError as error:
            raise RefusedError("corners_wrong", error.sentence) from None


def _proposal(calibration: Calibration, found: Fitness) -> CalibrationProposal:
    return CalibrationProposal(
        corners=_corners(calibration),
        outlines=_outlines(calibration),
        warnings=found.warnings,
        card_px=min((zone.card_height_px for zone in found.zones), default=0.0),
        error_px=found.reprojection_px,
    )


def _corners(calibration: Calibration) -> tuple[Point, ...]:
    return _fractions(calibration.corners_px, calibration)


def _outlines(calibration: Calibration) -> tuple[Outline, ...]:
    return tuple(
        Outline(
            region.zone,
            region.place if isinstance(region, Slot) else 0,
            _fractions(calibration.px(_box(region, (region.width_mm, region.height_mm))), calibration),
        )
        for region in calibration.layout.regions
    )


def _fractions(points: NDArray[np.float64], calibration: Calibration) -> tuple[Point, ...]:
    width, height = calibration.frame_px
    return tuple((round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in points)


def _box(region: Region, size_mm: tuple[float, float]) -> NDArray[np.float64]:
    half = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * (size_mm[0] / 2, size_mm[1] / 2)
    return np.asarray(half + np.array((region.x_mm, region.y_mm)), dtype=np.float64)


def _covered(picture: bytes, calibration: Calibration | None, hidden: frozenset[str]) -> _Covered | Unseen:
    if (frame := decoded(picture)) is None:
        return Unseen.BROKEN
    if calibration is None or _size(frame) != calibration.frame_px:
        return Unseen.HIDDEN
    painted = _painted_over(frame, calibration, hidden)
    good, encoded = cv2.imencode(".jpg", painted, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
    return _Covered(picture, hidden, calibration, encoded.tobytes()) if good else Unseen.BROKEN


def _painted_over(frame: Pixels, calibration: Calibration, hidden: Collection[str]) -> Pixels:
    """The hidden zones solid, all that is no place a mosaic; open places as they are."""
    slots = calibration.layout.regions
    block = max(16, round(_MOSAIC * max(calibration.card_height_px(one.x_mm, one.y_mm) for one in slots)))
    width, height = calibration.frame_px
    small = cv2.resize(frame, (max(1, width // block), max(1, height // block)), interpolation=cv2.INTER_AREA)
    shown = cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)
    open_places = np.zeros((height, width), np.uint8)
    for region in slots:
        if region.zone not in hidden:
            cv2.fillConvexPoly(open_places, _pixels(calibration, region), 255)
    cv2.copyTo(frame, open_places, shown)
    for region in slots:
        if region.zone in hidden:
            cv2.fillConvexPoly(shown, _pixels(calibration, region), _HIDDEN_BGR)
    return np.asarray(shown, dtype=np.uint8)


def _pixels(calibration: Calibration, region: Region) -> NDArray[np.int32]:
    """A place with its margin, in pixels."""
    return np.asarray(np.rint(calibration.px(_box(region, window_size_mm(region)))), dtype=np.int32)


def _size(frame: Pixels) -> tuple[int, int]:
    return frame.shape[1], frame.shape[0]
