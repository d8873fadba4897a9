"""Finds the outlines of cards: in a flat window of the felt, or anywhere in a picture.

In a window the card's size is known, so a hand or two cards on each other are no card. In a free picture several
cheap masks are tried and every outline that is a rectangle of a card's proportions is a candidate.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from devices.camera.felt.calibration import CARD_MM, WINDOW_PX_PER_MM
from devices.camera.picture.gate import Mask
from devices.camera.picture.quadrilateral import Pixels, Quad

_EMPTY_SHARE: Final = 0.05
_FULL: Final = 0.93
_FULL_ENOUGH: Final = 0.96
_SPECKLED_SHARE: Final = 0.06
_SIZE_SLACK: Final = 0.085
_PROPORTION: Final = (1.18, 1.68)
_WORK_PX: Final = 960
_CARD_SHARE_MIN: Final = 0.0012


class Nothing(enum.Enum):
    """Why a window holds no card that can be looked at."""

    BARE = "bare"
    COVERED = "covered"


@dataclass(frozen=True, slots=True, eq=False)
class CardOutline:
    """A card's four corners and how well its outline fills them, 0 to 1."""

    quad: Quad
    fullness: float


def card_in_window(things: Mask, *, any_turn: bool = False) -> CardOutline | Nothing:
    """The card of known size in a flat window (1.5 px/mm), nearest its middle; its corners in window pixels."""
    clean = cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    height, width = clean.shape
    middle = np.array((width / 2, height / 2), np.float32)
    card_px = CARD_MM[0] * CARD_MM[1] * WINDOW_PX_PER_MM**2
    contours, _ = cv2.findContours(clean, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    big = [contour for contour in contours if cv2.contourArea(contour) > _EMPTY_SHARE * card_px]
    reach = 0.45 * CARD_MM[0] * WINDOW_PX_PER_MM
    near = [contour for contour in big if _apart(contour, middle) < reach]
    if not near:
        return Nothing.COVERED if is_speckled(things) else Nothing.BARE
    return card_of_contour(max(near, key=cv2.contourArea), any_turn=any_turn) or Nothing.COVERED


def card_of_contour(contour: MatLike, *, any_turn: bool = False) -> CardOutline | None:
    """The card of known size whose outline this is; None when it is anything else."""
    outline = _outline(contour, cv2.minAreaRect(contour))
    if outline is None or outline.fullness < _FULL or not _card_sized(outline.quad):
        return None
    return outline if any_turn or _upright(outline.quad) else None


def is_speckled(things: Mask) -> bool:
    """Whether fine print fills the middle of a window: a back in the cloth's own colour is no bare felt."""
    height, width = things.shape
    reach_x, reach_y = (round(side * WINDOW_PX_PER_MM * 0.4) for side in CARD_MM)
    middle = things[height // 2 - reach_y : height // 2 + reach_y, width // 2 - reach_x : width // 2 + reach_x]
    return cv2.countNonZero(middle) > _SPECKLED_SHARE * middle.size


def cards_in_picture(picture: Pixels) -> list[CardOutline]:
    """Every outline that could be a card, the largest first, no two of the same thing."""
    *_, every = looks_for_cards(picture)
    return every


def looks_for_cards(picture: Pixels) -> Iterator[list[CardOutline]]:
    """First the outlines that are plainly lighter than the ground: the cheapest third of the work, enough for most
    felts. Then every outline that could be a card; one that was there before is the same object.
    """
    shrink = min(1.0, _WORK_PX / max(picture.shape[:2]))
    smooth = cv2.INTER_LINEAR if shrink > 0.5 else cv2.INTER_AREA
    work = picture if shrink == 1.0 else cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=smooth)
    area_min = _CARD_SHARE_MIN * work.shape[0] * work.shape[1]
    found: list[CardOutline] = []
    whole: dict[CardOutline, CardOutline] = {}
    masks = _masks(np.asarray(work, dtype=np.uint8))
    for some in (islice(masks, 1), masks):
        for mask in some:
            fresh = _in_mask(mask, area_min, found)
            found += fresh
            whole.update((one, CardOutline(one.quad / np.float32(shrink), one.fullness)) for one in fresh)
        yield [whole[one] for one in _distinct(found)]


def _in_mask(mask: Mask, area_min: float, known: list[CardOutline]) -> list[CardOutline]:
    """The card-shaped outlines of one mask that no earlier, sharper mask has given already."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    side_min = 2 * math.sqrt(area_min)
    large = [(cv2.contourArea(contour), contour) for contour in contours if len(contour) >= side_min]
    spots = [_Spot.of(one) for one in known if one.fullness > _FULL_ENOUGH]
    found: list[CardOutline] = []
    for area, contour in sorted(large, key=lambda pair: -pair[0]):
        if area < area_min:
            break
        box = cv2.minAreaRect(contour)
        if not _card_like(box, area) or any(spot.explains(box) for spot in spots):
            continue
        outline = _outline(contour, box)
        if outline is not None and outline.fullness > _FULL and _card_shaped(outline.quad, mask.shape):
            found.append(outline)
            spots.append(_Spot.of(outline))
    return found


@dataclass(frozen=True, slots=True)
class _Spot:
    """The spot where a card was found: an outline there that is of the same size, or lies within the card, need not be
    measured again.
    """

    x: float
    y: float
    area: float
    reach: float

    @classmethod
    def of(cls, one: CardOutline) -> _Spot:
        x, y = (float(v) for v in one.quad.mean(axis=0))
        return cls(x, y, float(cv2.contourArea(one.quad)), _sides(one.quad)[0] / 2)

    def explains(self, box: cv2.typing.RotatedRect) -> bool:
        (x, y), (width, height), _ = box
        apart, area = max(abs(x - self.x), abs(y - self.y)), width * height
        return (area < 0.85 * self.area and apart < self.reach) or (area < 1.2 * self.area and apart < 0.2 * self.reach)


def _masks(picture: Pixels) -> Iterator[Mask]:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (5, 5), 0)
    kernel = np.ones((3, 3), np.uint8)
    yield np.asarray(cv2.threshold(soft, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], dtype=np.uint8)
    edges = cv2.dilate(cv2.Canny(soft, 40, 110), kernel)
    yield np.asarray(255 - edges, dtype=np.uint8)
    ground = np.median(picture[::8, ::8].reshape(-1, 3), axis=0)
    off = np.abs(np.arange(256)[None, :, None] - ground[None, None, :]).astype(np.uint8)
    apart = cv2.split(cv2.LUT(picture, off))
    most = cv2.GaussianBlur(cv2.max(cv2.max(apart[0], apart[1]), apart[2]), (3, 3), 0)
    yield np.asarray(cv2.threshold(most, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[1], dtype=np.uint8)


def _outline(contour: MatLike, box: cv2.typing.RotatedRect) -> CardOutline | None:
    """Corners from a line fitted to the middle of each side, which undoes rounded corners."""
    hull = cv2.convexHull(contour)
    rough = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True)
    corners = rough[:, 0].astype(np.float32) if len(rough) == 4 else cv2.boxPoints(box).astype(np.float32)
    points = contour[:, 0].astype(np.float32)
    lines = [_side(points, corners[i], corners[(i + 1) % 4]) for i in range(4)]
    if any(line is None for line in lines):
        return None
    met = [_crossing(lines[i - 1], lines[i]) for i in range(4)]
    if any(point is None for point in met):
        return None
    quad = _ordered(np.array(met, np.float32))
    area = float(cv2.contourArea(quad))
    if area <= 0:
        return None
    return CardOutline(quad, min(1.0, float(cv2.contourArea(hull)) / area) * _solid(contour, hull))


def _solid(contour: MatLike, hull: MatLike) -> float:
    """How convex the contour is, forgiving the small bites that print at a card's edge makes."""
    return 1.0 if cv2.contourArea(contour) > 0.82 * cv2.contourArea(hull) else 0.0


Line = tuple[float, float, float, float]


def _side(points: NDArray[np.float32], start: NDArray[np.float32], end: NDArray[np.float32]) -> Line | None:
    along = end - start
    length = float(np.hypot(*along))
    if length < 8:
        return None
    along /= length
    offset = points - start
    travel = offset @ along
    off = np.abs(offset @ np.array((-along[1], along[0])))
    near = points[(travel > 0.18 * length) & (travel < 0.82 * length) & (off < max(2.5, 0.045 * length))]
    if len(near) < 5:
        return None
    vx, vy, x, y = (float(v) for v in cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    return vx, vy, x, y


def _crossing(one: Line | None, other: Line | None) -> tuple[float, float] | None:
    if one is None or other is None:
        return None
    ax, ay, x1, y1 = one
    bx, by, x2, y2 = other
    across = ax * by - ay * bx
    if abs(across) < 0.2:
        return None
    t = ((x2 - x1) * by - (y2 - y1) * bx) / across
    return x1 + t * ax, y1 + t * ay


def _ordered(corners: NDArray[np.float32]) -> Quad:
    """Clockwise, starting so that the first side is a short one, and the upper or left of the two."""
    middle = corners.mean(axis=0)
    turn = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
    clockwise = corners[turn]
    sides = [_length(clockwise[(i + 1) % 4] - clockwise[i]) for i in range(4)]
    first = 0 if sides[0] + sides[2] <= sides[1] + sides[3] else 1
    top, bottom = (clockwise[i % 4] + clockwise[(i + 1) % 4] for i in (first, first + 2))
    upside_down = top[1] > bottom[1] + 1e-3 or (abs(top[1] - bottom[1]) <= 1e-3 and top[0] > bottom[0])
    return np.asarray(np.roll(clockwise, -(first + (2 if upside_down else 0)), axis=0), dtype=np.float32)


def _length(side: NDArray[np.float32]) -> float:
    return math.hypot(float(side[0]), float(side[1]))


def _sides(quad: Quad) -> tuple[float, float]:
    """The mean short and the mean long side."""
    lengths = [_length(quad[(i + 1) % 4] - quad[i]) for i in range(4)]
    return (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2


def _card_sized(quad: Quad) -> bool:
    sides = _sides(quad)
    wanted = (CARD_MM[0] * WINDOW_PX_PER_MM, CARD_MM[1] * WINDOW_PX_PER_MM)
    return all(abs(side / want - 1) < _SIZE_SLACK for side, want in zip(sides, wanted, strict=True))


def _card_shaped(quad: Quad, shape: tuple[int, ...]) -> bool:
    """A rectangle of a card's proportions, seen not too much aslant, and not the picture's own frame."""
    short, long = _sides(quad)
    opposite = [_length(quad[(i + 1) % 4] - quad[i]) for i in range(4)]
    even = min(opposite[0], opposite[2]) > 0.75 * max(opposite[0], opposite[2])
    even &= min(opposite[1], opposite[3]) > 0.75 * max(opposite[1], opposite[3])
    whole = float(cv2.contourArea(quad)) < 0.9 * shape[0] * shape[1]
    return even and whole and _PROPORTION[0] < long / max(short, 1.0) < _PROPORTION[1]


def _card_like(box: cv2.typing.RotatedRect, area: float) -> bool:
    """A first, cheap look: roughly a card's proportions, roughly filled."""
    short, long = sorted(box[1])
    return short > 8 and 1.12 * short < long < 1.9 * short and area > 0.6 * short * long


def _upright(quad: Quad) -> bool:
    long = quad[3] - quad[0]
    return abs(math.degrees(math.atan2(float(long[0]), float(long[1])))) < 30


def _apart(contour: MatLike, middle: NDArray[np.float32]) -> float:
    """How far a window's middle is outside a thing; negative inside it."""
    return -float(cv2.pointPolygonTest(contour, (float(middle[0]), float(middle[1])), True))


def _distinct(found: list[CardOutline]) -> list[CardOutline]:
    """One outline for each thing: of those on the same spot the fullest; what lies inside another is its print."""
    by_area = sorted(found, key=lambda one: -float(cv2.contourArea(one.quad)))
    kept: list[CardOutline] = []
    for one in by_area:
        middle = one.quad.mean(axis=0)
        twin = next((i for i, other in enumerate(kept) if _inside(middle, other.quad)), None)
        if twin is None:
            kept.append(one)
        elif _same(one, kept[twin]) and one.fullness > kept[twin].fullness:
            kept[twin] = one
    return kept


def _inside(point: NDArray[np.float32], quad: Quad) -> bool:
    return cv2.pointPolygonTest(quad, (float(point[0]), float(point[1])), False) >= 0


def _same(one: CardOutline, other: CardOutline) -> bool:
    return float(cv2.contourArea(one.quad)) > 0.85 * float(cv2.contourArea(other.quad))
