"""Looks at a calibrated felt: what changed, what lies in a window, what lies in the open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.face.reader import Scores
from devices.camera.felt.calibration import CARD_MM, WINDOW_PX_PER_MM, Calibration, window_size_mm
from devices.camera.felt.cloth import LEVELS, BareCloth, ReferenceCloth, fit_cloth
from devices.camera.felt.layout import CARD_WIDTH_MM, Fan, Slot
from devices.camera.outline.card_fit import fit_card, is_pale
from devices.camera.outline.fan_outline import top_of_fan
from devices.camera.outline.search import CardOutline, Nothing, card_in_window, cards_in_picture
from devices.camera.picture.gate import Mask, count_by_label, difference, thumbnail
from devices.camera.picture.quadrilateral import Pixels, Quad, rectify
from devices.camera.place.slide import Blob, blobs_in

OPEN_FELT: Final = 254
_LABELS: Final = 256
_CHANGED_PX: Final = 3
_STRAY_WINDOW_MM: Final = 150.0
_STRAY_SHARE: Final = 0.3
_LIFTED: Final = (0.6, 1.8)
_LIFTED_MAX: Final = 3

_REFIT_MS: Final = 20_000

Matrix = NDArray[np.float64]
Score = Callable[[Pixels], Scores]
"""What the network says of a rectified card."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """A card found on the felt: its flat picture for the reader, where it lies, the crop kept as evidence."""

    picture: Pixels
    x_mm: float
    y_mm: float
    height_px: float
    crop: Pixels
    quad: Quad
    """Its corners in the crop."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenFan:
    """A fan and its newest card; `quad` are that card's corners in `flat`, the fan's own flat picture, grey."""

    top: SeenCard
    first_x_mm: float
    """Where the middle of the first card must be, for the fan begins with its left side."""
    quad: Quad
    flat: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something in the open felt that may be a stray card: its middle, and whether it moves."""

    x_mm: float
    y_mm: float
    moving: bool


@dataclass(frozen=True, slots=True)
class Changes:
    """Which labels look different from the last frame (`moved`), and from the last frame that was looked at
    (`changed`).
    """

    moved: NDArray[np.bool_]
    changed: NDArray[np.bool_]


class Sight:
    """One camera's view of one felt, from its calibration until it moves."""

    def __init__(self, calibration: Calibration, thumb: Pixels) -> None:
        self.calibration = calibration
        self._labels = calibration.labels()
        self._to_thumb = calibration.to_thumb()
        self._before, self._known = thumb, thumb.copy()
        self._motion: Mask | None = None
        self._fitted_ms: int | None = None
        self._windows: dict[tuple[float, float], tuple[Matrix, Pixels]] = {}
        self._masks: dict[int, Mask] = {}
        card = self._to_thumb @ np.array([(0, CARD_MM[0]), (0, CARD_MM[1]), (1, 1)])
        self._card_px = abs(float(np.prod((card[:2] / card[2])[:, 1] - (card[:2] / card[2])[:, 0])))
        self.refit(thumb)

    def refit(self, thumb: Pixels) -> None:
        """Learn the bare cloth anew, as the light is now."""
        open_felt, empty = self._labels == OPEN_FELT, self.calibration.empty
        cloth = fit_cloth(thumb, open_felt)
        self._cloth: BareCloth | ReferenceCloth = cloth
        if empty is not None:
            self._cloth = ReferenceCloth.of(empty, fit_cloth(thumbnail(empty), open_felt), cloth)
        self._windows.clear()

    def follow_light(self, thumb: Pixels, now_ms: int) -> None:
        """Follow slow changes of the light; to be called while nothing moves."""
        self._fitted_ms = now_ms if self._fitted_ms is None else self._fitted_ms
        if now_ms - self._fitted_ms >= _REFIT_MS:
            self._fitted_ms = now_ms
            self.refit(thumb)

    def changes(self, thumb: Pixels) -> Changes:
        """Compare a frame with the one before and with what was last looked at."""
        self._motion = difference(thumb, self._before)
        fresh = difference(thumb, self._known)
        self._before = thumb
        moved = count_by_label(self._motion, self._labels, _LABELS) >= _CHANGED_PX
        return Changes(moved, count_by_label(fresh, self._labels, _LABELS) >= _CHANGED_PX)

    def remember(self, label: int, thumb: Pixels) -> None:
        """Take this as how a place, or the open felt, looks now."""
        if label not in self._masks:
            self._masks[label] = (self._labels == label).astype(np.uint8)
        cv2.copyTo(thumb, self._masks[label], self._known)

    def card_at(self, slot: Slot, frame: Pixels) -> SeenCard | Nothing:
        return self._card_in(frame, slot.x_mm, slot.y_mm, window_size_mm(slot), any_turn=False)

    def fan_at(self, fan: Fan, frame: Pixels) -> SeenFan | Nothing:
        """The newest card of a fan."""
        to_frame, flat, things = self._flat(frame, fan.x_mm, fan.y_mm, window_size_mm(fan))
        outline = top_of_fan(things, fan.reach_mm)
        if isinstance(outline, Nothing):
            return outline
        left_mm = fan.x_mm + (outline.left_px - flat.shape[1] / 2) / WINDOW_PX_PER_MM
        grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        top = self._card(frame, outline.quad, to_frame, flat)
        return SeenFan(top, left_mm + CARD_WIDTH_MM / 2, outline.quad, grey)

    def stray_at(self, x_mm: float, y_mm: float, frame: Pixels) -> SeenCard | Nothing:
        side = _STRAY_WINDOW_MM
        return self._card_in(frame, round(x_mm, 1), round(y_mm, 1), (side, side), any_turn=True)

    def face_over(self, slot: Slot, frame: Pixels, *, lifted: bool) -> SeenCard | None:
        """A whole card that shows over a place for a moment: as large as one that lies, or nearer and slanted."""
        size_mm = window_size_mm(slot)
        if not lifted:
            seen = self._card_in(frame, slot.x_mm, slot.y_mm, size_mm, any_turn=False)
            return None if isinstance(seen, Nothing) else seen
        to_frame, flat, _ = self._flat(frame, slot.x_mm, slot.y_mm, size_mm)
        whole_px = CARD_MM[0] * CARD_MM[1] * WINDOW_PX_PER_MM**2
        for outline in cards_in_picture(flat)[:_LIFTED_MAX]:
            if _LIFTED[0] * whole_px < cv2.contourArea(outline.quad) < _LIFTED[1] * whole_px:
                return self._card(frame, outline.quad, to_frame, flat)
        return None

    def candidates(self, thumb: Pixels) -> list[Candidate]:
        """What lies on the open felt and is large enough to be a card, or most of one."""
        things = cv2.bitwise_and(self._cloth.things(thumb), (self._labels == OPEN_FELT).astype(np.uint8) * 255)
        clean = cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, parts, stats, centres = cv2.connectedComponentsWithStats(clean, connectivity=4)
        back, found = np.linalg.inv(self._to_thumb), list[Candidate]()
        for number in range(1, count):
            if not _STRAY_SHARE * self._card_px < int(stats[number][4]) < 3 * self._card_px:
                continue
            x, y = (float(v) for v in cv2.perspectiveTransform(centres[number][None, None], back)[0][0])
            motion = self._motion is not None and int(np.count_nonzero(self._motion[parts == number])) >= _CHANGED_PX
            found.append(Candidate(x, y, motion))
        return found

    def is_bare(self, x_mm: float, y_mm: float, thumb: Pixels) -> bool:
        """Whether nothing lies where a stray lay."""
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (CARD_MM[0] / 3, CARD_MM[0] / 3) + (x_mm, y_mm)
        here = np.zeros_like(self._labels)
        corners = cv2.perspectiveTransform(half[None], self._to_thumb)[0]
        cv2.fillConvexPoly(here, np.rint(corners).astype(np.int32), 255)
        return cv2.countNonZero(cv2.bitwise_and(self._cloth.things(thumb), here)) < 0.15 * cv2.countNonZero(here)

    def blobs(self, thumb: Pixels, standing: list[int]) -> list[Blob]:
        """Things of about a card's size, the places named by `standing` left out."""
        on_felt = self._cloth.things(thumb)
        off_felt = difference(thumb, self._known, LEVELS)
        things = np.where(self._labels == 0, off_felt, on_felt)
        things[np.isin(self._labels, [*standing, 255])] = 0
        return blobs_in(things, self._card_px, np.linalg.inv(self._to_thumb))

    def _card_in(
        self, frame: Pixels, x_mm: float, y_mm: float, size_mm: tuple[float, float], *, any_turn: bool
    ) -> SeenCard | Nothing:
        to_frame, flat, things = self._flat(frame, x_mm, y_mm, size_mm)
        outline = card_in_window(things, any_turn=any_turn)
        if isinstance(outline, Nothing) and not any_turn:
            outline = self._fitted(outline, flat, things, x_mm, y_mm)
        return outline if isinstance(outline, Nothing) else self._card(frame, outline.quad, to_frame, flat)

    def _fitted(self, said: Nothing, flat: Pixels, things: Mask, x_mm: float, y_mm: float) -> CardOutline | Nothing:
        """The card of known size where its outline runs together with something, or with cloth as white as itself."""
        bare = self._windows[x_mm, y_mm][1]
        if said is Nothing.BARE and not is_pale(bare):
            return said
        return fit_card(flat, bare, things) or said

    def _flat(
        self, frame: Pixels, x_mm: float, y_mm: float, size_mm: tuple[float, float]
    ) -> tuple[Matrix, Pixels, Mask]:
        """A flat window of the felt: its homography to the frame, its picture, and what is no bare cloth in it."""
        to_frame, bare = self._window(x_mm, y_mm, size_mm)
        size_px = (bare.shape[1], bare.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        flat = np.asarray(cv2.warpPerspective(frame, to_frame, size_px, flags=flags), dtype=np.uint8)
        soft = np.asarray(cv2.blur(flat, (3, 3)), dtype=np.uint8)
        return to_frame, flat, difference(soft, bare, LEVELS)

    def _card(self, frame: Pixels, outline: Quad, to_frame: Matrix, flat: Pixels) -> SeenCard:
        quad = cv2.perspectiveTransform(outline[None], to_frame)[0].astype(np.float32)
        middle = self.calibration.mm(quad.mean(axis=0, keepdims=True).astype(np.float64))[0]
        height_px = float((np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2)
        return SeenCard(rectify(frame, quad), float(middle[0]), float(middle[1]), height_px, flat, outline)

    def _window(self, x_mm: float, y_mm: float, size_mm: tuple[float, float]) -> tuple[Matrix, Pixels]:
        """A flat window's homography to the frame, and the bare cloth in it; kept, for the places never move."""
        if (x_mm, y_mm) not in self._windows:
            to_frame = self.calibration.window(x_mm, y_mm, *size_mm)
            shrink = self._to_thumb @ np.linalg.inv(self.calibration.to_px)
            size_px = (round(size_mm[0] * WINDOW_PX_PER_MM), round(size_mm[1] * WINDOW_PX_PER_MM))
            if len(self._windows) > 64:
                self._windows.clear()
            self._windows[x_mm, y_mm] = (to_frame, self._cloth.window(shrink @ to_frame, size_px))
        return self._windows[x_mm, y_mm]
