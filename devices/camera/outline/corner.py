"""Puts straight edges together: two that meet are a corner, corners that fit are an outline.

Three ways lead to an outline, so that a side hidden by another card or too faint to be seen costs nothing: two
opposite corners; two neighbouring corners, their free sides as long as they are seen; one corner whose two sides are
seen whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from devices.camera.outline.straight import Edges

Floats = NDArray[np.float32]

Quads = NDArray[np.float32]
"""Outlines, `(n, 4, 2) float32`: the corners of each in pixels, clockwise."""

_CORNERS: Final = 1_500
_ACROSS_MIN: Final = 0.6
_GAP_PX: Final = 30.0
_ROUNDED: Final = 0.045
"""A card's corner is rounded by 3.5 of its 63 mm: so much of a side is missing at its end."""
_SIDE_PX_MIN: Final = 40.0
_EVEN: Final = 0.72
_PROPORTION_MAX: Final = 2.6
"""A card is 1.4 times as long as wide; a picture of 16:9 stretched to a square makes it 2.5."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """The points `at` which two edges meet, the two directions of the edges (the second lies clockwise of the first),
    and the edges' lengths.
    """

    at: Floats
    first: Floats
    second: Floats
    first_px: Floats
    second_px: Floats
    cost: Floats


def outlines_of(corners: Corners, size_px: tuple[int, int]) -> Quads:
    """Every outline that corners in a picture of this width and height give, those of the best corners first."""
    found = np.concatenate((_by_opposite(corners), _by_neighbour(corners), _by_one(corners)))
    return found[_card_shaped(found, size_px)]


def corners_of(edges: Edges) -> Corners:
    """Where edges meet, the best corners first."""
    begin, along = edges[:, :2], edges[:, 2:] - edges[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    along = along / length[:, None]
    one, two = np.triu_indices(len(edges), 1)
    across = _cross(along[one], along[two])
    crossing = np.abs(across) > _ACROSS_MIN
    one, two, across = one[crossing], two[crossing], across[crossing]
    apart = begin[two] - begin[one]
    on_one, on_two = _cross(apart, along[two]) / across, _cross(apart, along[one]) / across
    way_one, gap_one = _end(on_one, length[one])
    way_two, gap_two = _end(on_two, length[two])
    near = _ends_there(gap_one, length[one]) & _ends_there(gap_two, length[two])
    one, two, way_one, way_two = one[near], two[near], way_one[near], way_two[near]
    gap_one, gap_two = gap_one[near], gap_two[near]
    cost = np.abs(gap_one) / np.maximum(length[one], 20) + np.abs(gap_two) / np.maximum(length[two], 20)
    at = begin[one] + along[one] * on_one[near][:, None]
    ray_one, ray_two = along[one] * way_one[:, None], along[two] * way_two[:, None]
    px_one, px_two = length[one] + gap_one, length[two] + gap_two
    swap = _cross(ray_one, ray_two) < 0
    best = np.argsort(cost, kind="stable")[:_CORNERS]
    return Corners(
        at=at[best],
        first=np.where(swap[:, None], ray_two, ray_one)[best],
        second=np.where(swap[:, None], ray_one, ray_two)[best],
        first_px=np.where(swap, px_two, px_one)[best],
        second_px=np.where(swap, px_one, px_two)[best],
        cost=cost[best],
    )


def _end(travel: Floats, length: Floats) -> tuple[Floats, Floats]:
    """In which direction (1 or -1) an edge leads away from a crossing, and the gap between the crossing and the edge's
    near end, below 0 when the crossing lies within the edge.
    """
    at_begin = np.abs(travel) < np.abs(travel - length)
    one = np.float32(1)
    return np.where(at_begin, one, -one), np.where(at_begin, -travel, travel - length)


def _ends_there(gap: Floats, length: Floats) -> NDArray[np.bool_]:
    ends = (gap < np.minimum(0.3 * length + 4, _GAP_PX)) & (gap > -0.35 * length - 3)
    return np.asarray(ends, dtype=np.bool_)


def _by_opposite(corners: Corners) -> Quads:
    along, down = _ways(corners)
    facing = (corners.first @ corners.first.T < -0.93) & (corners.second @ corners.second.T < -0.93)
    one, two = np.nonzero(np.triu(facing & (along > 0.6 * _SIDE_PX_MIN) & (down > 0.6 * _SIDE_PX_MIN), 1))
    second = _meet(corners.at[one], corners.first[one], corners.at[two], corners.second[two])
    fourth = _meet(corners.at[one], corners.second[one], corners.at[two], corners.first[two])
    return np.stack((corners.at[one], second, corners.at[two], fourth), axis=1)


def _by_neighbour(corners: Corners) -> Quads:
    """Quadrilaterals from two corners that share a side; the other two corners lie where the free sides end, or both
    where the longer free side ends.
    """
    along, down = _ways(corners)
    facing = (corners.first @ corners.second.T < -0.97) & (corners.second @ corners.first.T > 0.93)
    one, two = np.nonzero(facing & (along > _SIDE_PX_MIN) & (np.abs(down) < 0.12 * along))
    low, high = corners.second_px[one], corners.first_px[two]
    even = (np.minimum(low, high) > 0.55 * np.maximum(low, high)) & (np.maximum(low, high) > _SIDE_PX_MIN)
    one, two, low, high = one[even], two[even], low[even], high[even]
    start, end = corners.at[one], corners.at[two]
    more = _ROUNDED * np.hypot(*(end - start).T)
    longest = np.maximum(low, high)
    return np.concatenate([
        np.stack((start, end, end + corners.first[two] * b[:, None], start + corners.second[one] * a[:, None]), axis=1)
        for a, b in ((low + more, high + more), (longest + more, longest + more))
    ])  # fmt: skip


def _by_one(corners: Corners) -> Quads:
    whole = np.minimum(corners.first_px, corners.second_px) > _SIDE_PX_MIN
    more = _ROUNDED * np.minimum(corners.first_px, corners.second_px)
    along = corners.first * (corners.first_px + more)[:, None]
    down = corners.second * (corners.second_px + more)[:, None]
    at = corners.at
    return np.asarray(np.stack((at, at + along, at + along + down, at + down), axis=1)[whole], dtype=np.float32)


def _ways(corners: Corners) -> tuple[Floats, Floats]:
    """The distance in pixels of every corner from every other, along the other's first and along its second
    direction.
    """
    here_first = np.einsum("kx,kx->k", corners.at, corners.first)
    here_second = np.einsum("kx,kx->k", corners.at, corners.second)
    return corners.first @ corners.at.T - here_first[:, None], corners.second @ corners.at.T - here_second[:, None]


def _meet(one: Floats, along: Floats, two: Floats, beside: Floats) -> Floats:
    across = _cross(along, beside)
    across = np.where(np.abs(across) < 1e-6, np.float32(1e-6), across)
    return one + along * (_cross(two - one, beside) / across)[:, None]


def _cross(one: Floats, two: Floats) -> Floats:
    return np.asarray(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0], dtype=np.float32)


def _card_shaped(quads: Quads, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """Convex, opposite sides about equal, a card's proportions even in a stretched picture, inside the picture."""
    sides = np.roll(quads, -1, axis=1) - quads
    px = np.hypot(sides[..., 0], sides[..., 1])
    one, two = (px[:, 0] + px[:, 2]) / 2, (px[:, 1] + px[:, 3]) / 2
    short, long = np.minimum(one, two), np.maximum(one, two)
    even = (np.minimum(px[:, :2], px[:, 2:]) > _EVEN * np.maximum(px[:, :2], px[:, 2:])).all(axis=1)
    convex = (_cross(sides, np.roll(sides, -1, axis=1)) > 0).all(axis=1)
    inside = (quads > -2).all(axis=(1, 2)) & (quads < np.array(size_px, np.float32) + 1).all(axis=(1, 2))
    sized = (short > _SIDE_PX_MIN) & (long < _PROPORTION_MAX * short) & (long < 0.98 * max(size_px))
    return np.asarray(even & convex & inside & sized, dtype=np.bool_)
