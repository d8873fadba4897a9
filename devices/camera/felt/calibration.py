"""A calibration: where the felt's millimetres lie in the picture, from its four markers or four clicks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.layout import CARD_HEIGHT_MM, CARD_WIDTH_MM, Layout, Region
from devices.camera.felt.marker import find_markers
from devices.camera.picture.gate import THUMB_PX
from devices.camera.picture.quadrilateral import Pixels
from studio.errors import BadInputError

WINDOW_PX_PER_MM: Final = 1.5
WINDOW_MARGIN_MM: Final = 14.0

_FELT_SHARE_MIN: Final = 0.02

Matrix = NDArray[np.float64]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A felt seen by a camera; `to_px` is the homography from felt millimetres to pixels of the frame.

    `empty`: the frame in which it was found while the felt was bare, where one is kept.
    """

    layout: Layout
    to_px: Matrix
    frame_px: tuple[int, int]
    empty: Pixels | None = field(default=None, repr=False, compare=False)

    @property
    def corners_px(self) -> NDArray[np.float64]:
        """The corners of the felt in pixels, shape `(4, 2)`, clockwise from the top left; some may lie outside the
        frame.
        """
        return self.px(np.array(self.layout.corners))

    def px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """`(n, 2)` millimetres to pixels."""
        return np.asarray(cv2.perspectiveTransform(points_mm[None].astype(np.float64), self.to_px)[0], dtype=np.float64)

    def mm(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """`(n, 2)` pixels to millimetres."""
        back = np.linalg.inv(self.to_px)
        return np.asarray(cv2.perspectiveTransform(points_px[None].astype(np.float64), back)[0], dtype=np.float64)

    def card_height_px(self, x_mm: float, y_mm: float) -> float:
        """How high an upright card appears there."""
        ends = self.px(np.array([(x_mm, y_mm - CARD_HEIGHT_MM / 2), (x_mm, y_mm + CARD_HEIGHT_MM / 2)]))
        return float(np.linalg.norm(ends[1] - ends[0]))

    def card_width_px(self, x_mm: float, y_mm: float) -> float:
        """How wide an upright card appears there."""
        ends = self.px(np.array([(x_mm - CARD_WIDTH_MM / 2, y_mm), (x_mm + CARD_WIDTH_MM / 2, y_mm)]))
        return float(np.linalg.norm(ends[1] - ends[0]))

    def window(self, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Matrix:
        """The homography from pixels of a flat window of the felt (1.5 px/mm) to pixels of the frame."""
        scale = 1 / WINDOW_PX_PER_MM
        to_mm = np.array([(scale, 0, x_mm - width_mm / 2), (0, scale, y_mm - height_mm / 2), (0, 0, 1)])
        return np.asarray(self.to_px @ to_mm, dtype=np.float64)

    def to_thumb(self) -> Matrix:
        """The homography from felt millimetres to pixels of the thumbnail."""
        shrink = np.diag((THUMB_PX[0] / self.frame_px[0], THUMB_PX[1] / self.frame_px[1], 1.0))
        return np.asarray(shrink @ self.to_px, dtype=np.float64)

    def labels(self) -> NDArray[np.uint8]:
        """The thumbnail's pixels by what lies there: 1… a region of the layout, in order; 254 open felt; 255 a
        marker; 0 not the felt.
        """
        labels = np.zeros((THUMB_PX[1], THUMB_PX[0]), np.uint8)
        layout = self.layout
        self._fill(labels, 254, layout.width_mm / 2, layout.height_mm / 2, layout.width_mm - 6, layout.height_mm - 6)
        for x_mm, y_mm in layout.markers:
            self._fill(labels, 255, x_mm, y_mm, layout.marker_mm + 8, layout.marker_mm + 8)
        for number, region in enumerate(layout.regions, 1):
            self._fill(labels, number, region.x_mm, region.y_mm, region.width_mm + 11, region.height_mm + 14)
        return labels

    def _fill(self, labels: NDArray[np.uint8], label: int, x: float, y: float, width: float, height: float) -> None:
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2) + (x, y)
        corners = cv2.perspectiveTransform(half[None], self.to_thumb())[0]
        cv2.fillConvexPoly(labels, np.round(corners).astype(np.int32), label)


def calibrate(frame: Pixels, layout: Layout) -> Calibration | None:
    """Find the felt by its four markers; None when fewer than four are seen."""
    found = find_markers(frame)
    if len(found) < 4:
        return None
    return calibrate_from([found[number] for number in range(4)], layout, (frame.shape[1], frame.shape[0]))


def calibrate_from(markers_px: Sequence[Point], layout: Layout, frame_px: tuple[int, int]) -> Calibration:
    """The felt whose marker centres were found at these pixels, clockwise from the top left."""
    return _fitted(layout.markers, markers_px, layout, frame_px, None)


def calibrate_from_corners(
    corners_px: Sequence[Point], layout: Layout, frame_px: tuple[int, int], *, empty: Pixels | None = None
) -> Calibration:
    """The felt whose four corners were clicked at these pixels, clockwise from its top left.

    `BadInputError` when they are no felt seen from above: too near each other, crossed, or the wrong way round.
    """
    corners = np.array(corners_px, np.float32)
    if corners.shape != (4, 2):
        raise BadInputError("Click the four corners of the felt, one after the other.")
    if not cv2.isContourConvex(corners) or _turn(corners) <= 0:
        raise BadInputError(
            "These corners do not go round the felt: click its top left corner first, then top right, "
            "bottom right and bottom left, as the camera sees it."
        )
    if cv2.contourArea(corners) < _FELT_SHARE_MIN * frame_px[0] * frame_px[1]:
        raise BadInputError("These corners lie too close together; click the corners of the whole felt.")
    return _fitted(layout.corners, corners_px, layout, frame_px, empty)


def _fitted(
    felt_mm: Sequence[Point], seen_px: Sequence[Point], layout: Layout, frame_px: tuple[int, int], empty: Pixels | None
) -> Calibration:
    to_px = cv2.getPerspectiveTransform(np.array(felt_mm, np.float32), np.array(seen_px, np.float32))
    return Calibration(layout, np.asarray(to_px, dtype=np.float64), frame_px, empty)


def _turn(corners: NDArray[np.float32]) -> float:
    """Above 0 when the corners run clockwise in the picture."""
    x, y = corners[:, 0].astype(np.float64), corners[:, 1].astype(np.float64)
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def window_size_mm(region: Region) -> tuple[float, float]:
    """The size of the window, margins included, in which one place or one fan is looked at."""
    return region.width_mm + 2 * WINDOW_MARGIN_MM, region.height_mm + 2 * WINDOW_MARGIN_MM


CARD_MM: Final = (CARD_WIDTH_MM, CARD_HEIGHT_MM)
