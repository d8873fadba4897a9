"""How well a picture bears an outline out: edges along its sides, blank paper within, print where an index stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.outline.corner import Floats, Quads
from devices.camera.picture.quadrilateral import Pixels, Quad

_EDGE_LEVELS: Final = (2.0, 6.0)
_EDGE_OF_NOISE: Final = 2.2
_EDGE_SHARE_MIN: Final = 0.1
"""Of each side; a corner put in the wrong place leaves a side that runs over blank ground."""
_THREE_PLAIN: Final = 0.5
"""Of each side but one: where three are so plain, the fourth may be hidden, or lost in a ground as light."""
_STRONG_LEVELS: Final = 30.0
_INDEX: Final = np.array([(x, y) for y in np.linspace(0.04, 0.28, 7) for x in np.linspace(0.04, 0.2, 5)], np.float32)
"""Points of a card where its upper index stands, in parts of its width and height; the lower stands opposite."""
_NOISE_LEVELS: Final = 5.0
_PRINT: Final = (0.5, 3.0)
"""How many times the print of an index must, and need, differ more than blank paper does: below the one there is no
index, above the other one more counts for nothing.
"""
_PAPER_LEVELS: Final = 14.0
EITHER_WAY: Final = 1.8
"""An outline longer than wide by less may lie on its side: a card is so in a stretched picture."""
_FIRST_LOOK: Final = 6
_SECOND_LOOK: Final = 20
_OUTLINES: Final = 30_000
_KEPT: Final = 400
_ASIDE_PX: Final = (-2.0, -1.0, 0.0, 1.0, 2.0)
_SAME: Final = 0.03
_ROW: Final = 4_096
_NONE: Final[Quads] = np.zeros((0, 4, 2), np.float32)


def best_outlines(
    picture: Pixels, quads: Quads, most: int, known: Quads = _NONE, closely: int = _KEPT
) -> tuple[Quads, Floats]:
    """The outlines the picture bears out best, the best first, no two alike and none like a known one; and how well,
    0 to 2. So many are looked at `closely`.
    """
    soft = cv2.GaussianBlur(picture, (3, 3), 0).astype(np.float32)
    first = quads[:_OUTLINES]
    if not len(first):
        return first, np.zeros(0, np.float32)
    levels = _edge_levels(soft)
    first = first[np.argsort(-_worth(features(soft, first, _FIRST_LOOK, levels)), kind="stable")[:closely]]
    seen = features(soft, first, _SECOND_LOOK, levels)
    least, second = np.partition(seen.edge, 1, axis=1)[:, :2].T
    indexed = _print_of_indices(soft, first) / (_NOISE_LEVELS + seen.uneven.mean(axis=1))
    may = ((least >= _EDGE_SHARE_MIN) | (second >= _THREE_PLAIN)) & (indexed >= _PRINT[0])
    first, worth = first[may], (_worth(seen) + np.minimum(indexed / _PRINT[1], 1))[may]
    order = distinct(first, worth, most, known)
    return first[order], worth[order]


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """How well the picture supports each side of each quadrilateral, `(n, 4)` each: the share of the side that is an
    edge, the strength of that edge and how blank the paper beside it is, from 0 to 1; by how many levels that paper
    differs along it.
    """

    edge: Floats
    strong: Floats
    blank: Floats
    uneven: Floats


def _worth(seen: Sides) -> Floats:
    worth = seen.edge.min(axis=1) + 0.5 * seen.edge.mean(axis=1) + 0.3 * seen.strong.mean(axis=1)
    return np.asarray((worth + 0.7 * seen.blank.min(axis=1) + 0.5 * seen.blank.mean(axis=1)) / 3, dtype=np.float32)


def _print_of_indices(soft: Floats, quads: Quads) -> Floats:
    """By how many levels the light differs where either index of a card stands, the lesser of the two; of a card that
    may lie this way or on its side, the greater.
    """
    ways = np.concatenate((quads, np.roll(quads, 1, axis=1)))
    both = [_colours(soft, _points(ways, spots)).mean(axis=2).std(axis=1) for spots in (_INDEX, 1 - _INDEX)]
    sides = np.linalg.norm(np.roll(ways, -1, axis=1) - ways, axis=2)
    lies = sides[:, 0] + sides[:, 2] < EITHER_WAY * (sides[:, 1] + sides[:, 3])
    upright, aside = np.where(lies, np.minimum(*both), np.float32(0)).reshape(2, -1)
    return np.maximum(upright, aside)


def _points(quads: Quads, spots: Floats) -> Floats:
    """The same points of every quadrilateral, `(n, points, 2)`: (0, 0) is its first corner, (1, 1) its third."""
    x, y = spots[None, :, 0, None], spots[None, :, 1, None]
    one, two, three, four = (quads[:, corner, None] for corner in range(4))
    return np.asarray((1 - y) * ((1 - x) * one + x * two) + y * ((1 - x) * four + x * three), dtype=np.float32)


def features(soft: Floats, quads: Quads, looks: int, levels: float) -> Sides:
    """What is seen of the sides; each is examined at `looks` points, and a step of more than `levels` is an edge."""
    along = np.roll(quads, -1, axis=1) - quads
    px = np.maximum(np.hypot(along[..., 0], along[..., 1]), np.float32(1))
    outward = np.stack((along[..., 1], -along[..., 0]), axis=-1) / px[..., None]
    spots = np.linspace(0.09, 0.91, looks, dtype=np.float32)
    on = quads[:, :, None] + along[:, :, None] * spots[None, None, :, None]
    aside = np.array(_ASIDE_PX, np.float32)
    seen = _colours(soft, on[:, :, :, None] + outward[:, :, None, None] * aside[None, None, None, :, None])
    steps = _most(_most(np.abs(seen[:, :, :, 2:] - seen[:, :, :, :-2])))
    edge = (steps > levels).mean(axis=2)
    strong = np.minimum(steps, _STRONG_LEVELS).mean(axis=2) / _STRONG_LEVELS
    within = np.maximum(3.0, 0.03 * px.min(axis=1)).astype(np.float32)[:, None, None, None]
    paper = _colours(soft, on - outward[:, :, None] * within)
    off = _most(np.abs(paper - np.median(paper, axis=2, keepdims=True)))
    return Sides(edge, strong, (off < _PAPER_LEVELS).mean(axis=2), off.mean(axis=2))


def _most(three: Floats) -> Floats:
    """The greatest along the last axis, which has three: much faster so than by `max`."""
    return np.maximum(np.maximum(three[..., 0], three[..., 1]), three[..., 2])


def _edge_levels(soft: NDArray[np.float32]) -> float:
    """The step from pixel to pixel that is an edge: a faint one counts where the picture is smooth."""
    sample = soft[::3]
    usual = float(np.median(_most(np.abs(sample[:, 2::3] - sample[:, :-2:3][:, : sample[:, 2::3].shape[1]]))))
    return float(np.clip(_EDGE_OF_NOISE * usual, *_EDGE_LEVELS))


def _colours(soft: NDArray[np.float32], points: Floats) -> Floats:
    """The colours at points `(…, 2)`, between pixels too."""
    flat = points.reshape(-1, 2).astype(np.float32)
    rows = -(-len(flat) // _ROW)
    padded = np.zeros((rows * _ROW, 2), np.float32)
    padded[: len(flat)] = flat
    where = padded.reshape(rows, _ROW, 2)
    seen = cv2.remap(soft, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(rows * _ROW, 3)[: len(flat)].reshape(*points.shape[:-1], 3), dtype=np.float32)


def distinct(quads: Quads, worth: Floats, most: int, known: Quads) -> NDArray[np.intp]:
    """The best of each kind, the best first, of kinds that are not known."""
    order = np.argsort(-worth, kind="stable")
    quads = quads[order]
    turned = np.stack([np.roll(quads, turn, axis=1) for turn in range(4)])
    middles = quads.mean(axis=1)
    size = np.abs(quads[:, 2] - quads[:, 0]).sum(axis=1) + np.abs(quads[:, 3] - quads[:, 1]).sum(axis=1)
    apart_min = np.float32(_SAME / 2) * size
    fresh = np.ones(len(quads), np.bool_)

    def drop_like(quad: Quad) -> None:
        near = np.flatnonzero(fresh & (np.abs(middles - quad.mean(axis=0)).max(axis=1) <= apart_min))
        fresh[near] = np.abs(turned[:, near] - quad).max(axis=(2, 3)).min(axis=0) > apart_min[near]

    kept: list[int] = []
    for quad in known:
        drop_like(quad)
    while len(kept) < most and fresh.any():
        kept.append(int(fresh.argmax()))
        drop_like(quads[kept[-1]])
    return np.asarray(order[kept], dtype=np.intp)
