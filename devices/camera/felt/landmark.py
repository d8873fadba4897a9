"""Landmarks of a view: patches of it that never change, and whether they are still where they were.

Landmarks are the printed markers, or, where a felt is calibrated by hand, the most distinct spots of the picture
outside every place for cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.felt.calibration import Calibration
from devices.camera.picture.gate import DIFFERENT, THUMB_PX
from devices.camera.picture.quadrilateral import Pixels

_BLUNT: Final = 0.2
_ALIKE: Final = 0.55
_ALIKE_ELSEWHERE: Final = 0.75
_LOST_SHARE: Final = 0.7
_SPOTS: Final = 10
_SPOT_SHARE: Final = 1 / 26
_APART_SHARE: Final = 1 / 9
_SLACK_PX: Final = 2
_CARDS: Final = (1, 253)

Box = tuple[int, int, int, int]
Grey = NDArray[np.uint8]


class Landmarks:
    """Patches of a calibrated view, as they looked when it was calibrated."""

    def __init__(self, boxes: Sequence[Box], frame: Pixels) -> None:
        self._boxes = tuple(box for box in boxes if box[2] - box[0] > 4 and box[3] - box[1] > 4)
        self._in_thumb = [_in_thumb(box, frame) for box in self._boxes]
        self._looked = [grey(frame, box) for box in self._boxes]
        self._sharp = [sharpness(patch) for patch in self._looked]
        self._shape = [_shape_of(patch) for patch in self._looked]

    def alike(self, thumb: Pixels, other: Pixels) -> bool:
        """Whether two thumbnails show the same where the landmarks are."""
        return all(cv2.norm(thumb[here], other[here], cv2.NORM_INF) <= DIFFERENT for here in self._in_thumb)

    def gone(self, frame: Pixels) -> bool:
        """Whether so many landmarks are missing that the camera looks elsewhere or is covered."""
        lost = sum(self._lost(frame, i) for i in range(len(self._boxes)))
        return lost > 0 and lost >= _LOST_SHARE * len(self._boxes)

    def elsewhere(self, frame: Pixels) -> bool:
        """Whether some of them are seen at another place of the picture: then the camera was moved, and not covered."""
        small = cv2.resize(grey(frame), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        found = 0
        for patch in self._looked:
            sought = cv2.resize(patch, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            if sought.shape[0] < small.shape[0] and sought.shape[1] < small.shape[1]:
                found += float(cv2.matchTemplate(small, sought, cv2.TM_CCOEFF_NORMED).max()) > _ALIKE_ELSEWHERE
        return found >= 2

    def _lost(self, frame: Pixels, i: int) -> bool:
        left, top, right, bottom = self._boxes[i]
        slack = _SLACK_PX
        now = grey(frame, (max(0, left - slack), max(0, top - slack), right + slack, bottom + slack))
        patch = self._looked[i]
        if now.shape[0] < patch.shape[0] or now.shape[1] < patch.shape[1]:
            return True
        if sharpness(now) < _BLUNT * self._sharp[i]:
            return True
        if float(np.vdot(self._shape[i], _shape_of(grey(frame, self._boxes[i])))) >= _ALIKE:
            return False  # just where it was; to look about it is dear
        return float(cv2.matchTemplate(now, patch, cv2.TM_CCOEFF_NORMED).max()) < _ALIKE


def printed_boxes(calibration: Calibration) -> list[Box]:
    """The boxes in pixels in which the four printed markers appear."""
    half = calibration.layout.marker_mm / 2
    boxes: list[Box] = []
    for x_mm, y_mm in calibration.layout.markers:
        seen = calibration.px(np.array([(x_mm - half, y_mm - half), (x_mm + half, y_mm + half)]))
        (left, top), (right, bottom) = np.rint(seen).astype(int).tolist()
        boxes.append((max(0, left), max(0, top), right, bottom))
    return boxes


def distinct_boxes(calibration: Calibration, frame: Pixels) -> list[Box]:
    """The most distinct spots of a picture outside every place for cards."""
    height, width = frame.shape[:2]
    labels = calibration.labels()
    free = ((labels < _CARDS[0]) | (labels > _CARDS[1])).astype(np.uint8) * 255
    half = round(width * _SPOT_SHARE / 2)
    reach = 2 * round(half * THUMB_PX[0] / width) + 1
    apart = cv2.erode(free, np.ones((reach, reach), np.uint8))
    mask = cv2.resize(apart, (width, height), interpolation=cv2.INTER_NEAREST)
    mask[:half], mask[-half:], mask[:, :half], mask[:, -half:] = 0, 0, 0, 0
    soft = cv2.GaussianBlur(grey(frame), (0, 0), 1.5)
    corners = cv2.goodFeaturesToTrack(soft, _SPOTS, 0.05, width * _APART_SHARE, mask=mask, blockSize=7)
    middles = [] if corners is None else corners.reshape(-1, 2).astype(int).tolist()
    return [(x - half, y - half, x + half, y + half) for x, y in middles]


def _in_thumb(box: Box, frame: Pixels) -> tuple[slice, slice]:
    """Where a box, and what touches it, lies in the frame's thumbnail."""
    (width, height), (left, top, right, bottom) = THUMB_PX, box
    across, down = width / frame.shape[1], height / frame.shape[0]
    rows = slice(max(0, int(top * down) - 1), int(bottom * down) + 2)
    return rows, slice(max(0, int(left * across) - 1), int(right * across) + 2)


def grey(frame: Pixels, box: Box | None = None) -> Grey:
    left, top, right, bottom = box or (0, 0, frame.shape[1], frame.shape[0])
    return np.asarray(cv2.cvtColor(frame[top:bottom, left:right], cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def sharpness(picture: cv2.typing.MatLike) -> float:
    return float(cv2.meanStdDev(cv2.Laplacian(picture, cv2.CV_32F))[1][0, 0]) ** 2


def _shape_of(patch: Grey) -> NDArray[np.float32]:
    """What two patches have in common whatever the light: the product of two of these is their correlation."""
    even = patch.astype(np.float32) - np.float32(patch.mean())
    length = float(np.linalg.norm(even))
    return even / np.float32(length) if length else even
