"""Recognises a card sliding out of the view, as against a card that a hand takes away.

Frame by frame, things of about a card's size that start near a disturbed place, touching no edge, are followed;
a hand always reaches in from an edge and is never such a thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from devices.camera.felt.layout import Slot, SlotName
from devices.camera.picture.gate import THUMB_PX, Mask

_START_MM: Final = 240.0
_STEP_MM: Final = 260.0
_TRAVEL_MM: Final = 35.0
_RECENT_MS: Final = 1_500
_FRESH_MS: Final = 200
_STILL_MM: Final = 8.0
_AREA: Final = (0.3, 1.45)


@dataclass(frozen=True, slots=True)
class Blob:
    """A thing of about a card's size, on the thumbnail and on the felt; `touches` names the edges it is cut by."""

    x_px: float
    y_px: float
    x_mm: float
    y_mm: float
    touches: frozenset[str]


@dataclass(slots=True)
class _Trail:
    first: Blob
    before: Blob
    last: Blob
    last_ms: int


class SlideTracker:
    """Follows what slides away from disturbed places."""

    def __init__(self) -> None:
        self._trails: dict[SlotName, _Trail] = {}
        self._before: list[Blob] = []

    def follow(self, disturbed: Iterable[Slot], blobs: list[Blob], now_ms: int) -> None:
        """Take in one frame: the places that held a card and are disturbed, and the blobs in it."""
        for slot in disturbed:
            trail = self._trails.get(slot.name)
            if trail is None or now_ms - trail.last_ms > _RECENT_MS:
                inside = [blob for blob in blobs if not blob.touches and _away(blob, slot.x_mm, slot.y_mm) < _START_MM]
                if inside:
                    start = min(inside, key=lambda blob: _away(blob, slot.x_mm, slot.y_mm))
                    self._trails[slot.name] = _Trail(start, start, start, now_ms)
                continue
            onward = [blob for blob in blobs if _away(blob, trail.last.x_mm, trail.last.y_mm) < _STEP_MM]
            onward = [blob for blob in onward if not self._stands(blob) or _away_from(trail.last, blob) < _STILL_MM]
            if onward:
                trail.before, trail.last = trail.last, min(onward, key=lambda b: _away(b, *_ahead(trail)))
                trail.last_ms = now_ms

        self._before = blobs

    def _stands(self, blob: Blob) -> bool:
        """Whether the thing was there in the frame before: then it is not the one that slides."""
        return any(_away_from(blob, other) < _STILL_MM for other in self._before)

    def under_way(self, slot: Slot, now_ms: int) -> bool:
        """Whether the card of this place is sliding just now; then it is too early to say where it went."""
        trail = self._trails.get(slot.name)
        if trail is None or now_ms - trail.last_ms > _FRESH_MS:
            return False
        return _away(trail.last, trail.before.x_mm, trail.before.y_mm) > _STILL_MM

    def left(self, slot: Slot, now_ms: int) -> str:
        """The edge over which the card of this place went, empty when none was seen to go; forgets the trail."""
        trail = self._trails.pop(slot.name, None)
        if trail is None or now_ms - trail.last_ms > _RECENT_MS:
            return ""
        if _away(trail.last, slot.x_mm, slot.y_mm) < _TRAVEL_MM:
            return ""
        return _edge(trail)

    def forget(self) -> None:
        self._trails.clear()


def blobs_in(things: Mask, card_px: float, to_mm: np.ndarray) -> list[Blob]:
    """The things of about a card's size among everything that lies on the felt; `card_px` is a card's area."""
    clean = cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, centres = cv2.connectedComponentsWithStats(clean, connectivity=4)
    found: list[Blob] = []
    for number in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[number])
        if not _AREA[0] * card_px < area < _AREA[1] * card_px or area < 0.6 * width * height:
            continue
        x_px, y_px = float(centres[number][0]), float(centres[number][1])
        felt = cv2.perspectiveTransform(np.array([[(x_px, y_px)]]), to_mm)[0][0]
        sides = {
            "left": left <= 1,
            "right": left + width >= THUMB_PX[0] - 1,
            "top": top <= 1,
            "bottom": top + height >= THUMB_PX[1] - 1,
        }
        touches = frozenset(side for side, cut in sides.items() if cut)
        found.append(Blob(x_px, y_px, float(felt[0]), float(felt[1]), touches))
    return found


def _away(blob: Blob, x_mm: float, y_mm: float) -> float:
    return float(np.hypot(blob.x_mm - x_mm, blob.y_mm - y_mm))


def _away_from(one: Blob, other: Blob) -> float:
    return _away(one, other.x_mm, other.y_mm)


def _ahead(trail: _Trail) -> tuple[float, float]:
    """Where the sliding card is expected in the next frame, in millimetres, if it goes on as it has."""
    return 2 * trail.last.x_mm - trail.before.x_mm, 2 * trail.last.y_mm - trail.before.y_mm


def _edge(trail: _Trail) -> str:
    """The edge that cuts the thing, or that it would have crossed within two frames more."""
    across, down = trail.last.x_px - trail.first.x_px, trail.last.y_px - trail.first.y_px
    towards = ("right" if across > 0 else "left") if abs(across) > abs(down) else ("bottom" if down > 0 else "top")
    if towards in trail.last.touches:
        return towards
    x = trail.last.x_px + 2.5 * (trail.last.x_px - trail.before.x_px)
    y = trail.last.y_px + 2.5 * (trail.last.y_px - trail.before.y_px)
    out = {"left": x < 0, "right": x > THUMB_PX[0], "top": y < 0, "bottom": y > THUMB_PX[1]}
    return towards if out[towards] else ""
