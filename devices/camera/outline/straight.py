"""Finds the straight edges of a picture, the faint ones between white cards on white included.

The light is flattened first, so that a shadow's edge of three grey levels counts as much as a bright card's; at half
the size noise averages out and still fainter edges show. Pieces of one line are joined: print, glints and the ends of
other cards cut a side into pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.picture.quadrilateral import Pixels

Edges = NDArray[np.float32]
"""`(n, 4) float32`, the two ends `x1, y1, x2, y2` of each edge in pixels, the longest first."""

_PIECES: Final = 800
_EDGES: Final = 500
_LIGHT_PX: Final = 41
_BEND: Final = 0.07
_ASIDE_PX: Final = 2.2
_GROWTHS: Final = 3


@dataclass(frozen=True, slots=True)
class _Scale:
    """How edges are looked for at a share of the picture's size: what differences of light are multiplied by, the step
    between pixels that is none yet, and how long a piece must be there.
    """

    share: float
    gain: float
    step: float
    px_min: float


_FINE: Final = (_Scale(1.0, gain=3.0, step=3.0, px_min=14.0), _Scale(0.5, gain=6.0, step=2.0, px_min=9.8))
_COARSE: Final = (_Scale(0.65, gain=5.0, step=2.0, px_min=9.1),)


def straight_edges(picture: Pixels, *, fine: bool = True) -> Edges:
    """The longest straight edges of a BGR picture, pieces of one line joined; unless `fine`, those seen at two thirds
    of its size, in half the time.
    """
    return _joined(np.concatenate([_pieces(picture, scale) for scale in (_FINE if fine else _COARSE)]))


def _pieces(picture: Pixels, scale: _Scale) -> Edges:
    """The pieces of lines seen at one scale, in pixels of the picture."""
    share = scale.share
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture
    seer = cv2.createLineSegmentDetector(quant=scale.step)
    found = seer.detect(_flattened(np.asarray(small, dtype=np.uint8), scale.gain))[0]
    if found is None:
        return np.zeros((0, 4), np.float32)
    pieces: Edges = found[:, 0].astype(np.float32)
    long = np.hypot(pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1]) >= scale.px_min
    return np.asarray(pieces[long] / np.float32(share) + np.float32(0.5 / share - 0.5), dtype=np.float32)


def _flattened(picture: Pixels, gain: float) -> NDArray[np.uint8]:
    """Light against its surroundings: of grey and the weakest colour, for white differs from wood most in blue."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    blue, green, red = cv2.split(picture)
    light = cv2.GaussianBlur((grey + cv2.min(cv2.min(blue, green), red)) / 2, (3, 3), 0)
    apart = (light - cv2.blur(light, (_LIGHT_PX, _LIGHT_PX))) * (gain / 127)
    return np.asarray(128 + 127 * np.tanh(apart), dtype=np.uint8)


def _joined(pieces: Edges) -> Edges:
    """Chains of pieces that lie on one line become one edge, beginning with the longest."""
    lengths = np.hypot(pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1])
    order = np.argsort(-lengths)[:_PIECES]
    pieces, lengths = pieces[order], lengths[order]
    turns = np.arctan2(pieces[:, 3] - pieces[:, 1], pieces[:, 2] - pieces[:, 0])
    parallel = _parallel(turns)
    paired = _paired(pieces, lengths, parallel)
    free = np.ones(len(pieces), np.bool_)
    edges: list[NDArray[np.float32]] = []
    for first, piece in enumerate(pieces):
        if free[first]:
            free[first] = False
            edges.append(_grown(pieces, lengths, turns, free, parallel.of(first), piece) if paired[first] else piece)
    if not edges:
        return np.zeros((0, 4), np.float32)
    whole = np.stack(edges)
    return whole[np.argsort(-np.hypot(whole[:, 2] - whole[:, 0], whole[:, 3] - whole[:, 1]))][:_EDGES]


@dataclass(frozen=True, slots=True, eq=False)
class _Parallel:
    """Pairs of pieces that lie about parallel; those of one piece stand side by side."""

    one: NDArray[np.intp]
    other: NDArray[np.intp]
    start: NDArray[np.intp]

    def of(self, piece: int) -> NDArray[np.intp]:
        return self.other[self.start[piece] : self.start[piece + 1]]


def _parallel(turns: NDArray[np.float32]) -> _Parallel:
    """Wide enough for an edge that has grown, and so turned, too."""
    there = turns % np.float32(np.pi)
    order = np.argsort(there)
    ring = np.concatenate((there[order] - np.pi, there[order], there[order] + np.pi))
    low, high = np.searchsorted(ring, there - 2 * _BEND), np.searchsorted(ring, there + 2 * _BEND)
    start = np.concatenate(([0], np.cumsum(high - low)))
    one = np.repeat(np.arange(len(turns)), high - low)
    other = order[(np.arange(start[-1]) - start[one] + low[one]) % max(len(turns), 1)]
    return _Parallel(one, other, start)


def _paired(pieces: Edges, lengths: NDArray[np.float32], parallel: _Parallel) -> NDArray[np.bool_]:
    """Which pieces have another on their line, or nearly: only these can grow."""
    one, other = parallel.one, parallel.other
    begin_x, begin_y, end_x, end_y = (np.ascontiguousarray(side) for side in pieces.T)
    along_x, along_y = ((end_x - begin_x) / lengths)[one], ((end_y - begin_y) / lengths)[one]
    from_x, from_y, length = begin_x[one], begin_y[one], lengths[one]
    near_x, near_y, far_x, far_y = (side[other] - zero for side, zero in zip(
        (begin_x, begin_y, end_x, end_y), (from_x, from_y) * 2, strict=True))  # fmt: skip
    aside = np.maximum(np.abs(near_y * along_x - near_x * along_y), np.abs(far_y * along_x - far_x * along_y))
    begin, end = near_x * along_x + near_y * along_y, far_x * along_x + far_y * along_y
    gap = np.maximum(np.minimum(begin, end) - length, -np.maximum(begin, end))
    reach = np.minimum(0.6 * length, 0.35 * length + 2 * lengths[other])
    pairs = (one != other) & (aside < 1.01 * _ASIDE_PX) & (gap < 1.01 * reach + 0.01)
    return np.bincount(one[pairs], minlength=len(pieces)) > 0


def _grown(
    pieces: Edges,
    lengths: NDArray[np.float32],
    turns: NDArray[np.float32],
    free: NDArray[np.bool_],
    parallel: NDArray[np.intp],
    edge: NDArray[np.float32],
) -> NDArray[np.float32]:
    """An edge with the free pieces on its line, which are free no more."""
    near_by = parallel[free[parallel]]
    pieces, lengths, turns = pieces[near_by], lengths[near_by], turns[near_by]
    left = np.ones(len(near_by), np.bool_)
    for _ in range(_GROWTHS):
        along, length = edge[2:] - edge[:2], float(np.hypot(edge[2] - edge[0], edge[3] - edge[1]))
        along = along / np.float32(length)
        across = np.array((-along[1], along[0]), np.float32)
        begin, end = pieces[:, :2] - edge[:2], pieces[:, 2:] - edge[:2]
        bend = np.abs((turns - np.arctan2(along[1], along[0]) + np.pi / 2) % np.pi - np.pi / 2)
        aside = np.maximum(np.abs(begin @ across), np.abs(end @ across))
        near, far = np.minimum(begin @ along, end @ along), np.maximum(begin @ along, end @ along)
        gap = np.maximum(np.maximum(near - length, -far), 0)
        reach = np.minimum(0.6 * length, 0.35 * length + 2 * lengths)
        here = left & (bend < _BEND) & (aside < _ASIDE_PX) & (gap < reach)
        if not here.any():
            break
        left &= ~here
        edge = _through(np.concatenate((edge.reshape(2, 2), pieces[here].reshape(-1, 2))))
    free[near_by[~left]] = False
    return edge


def _through(points: NDArray[np.float32]) -> NDArray[np.float32]:
    """The edge from the first to the last of points on one line."""
    vx, vy, x, y = (float(v) for v in cv2.fitLine(points, cv2.DIST_L2, 0, 0.01, 0.01).ravel())
    travel = (points - np.array((x, y), np.float32)) @ np.array((vx, vy), np.float32)
    low, high = float(travel.min()), float(travel.max())
    return np.array((x + low * vx, y + low * vy, x + high * vx, y + high * vy), np.float32)
