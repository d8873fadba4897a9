"""Searches a picture for outlines by its straight edges: of any card's shape, or as large as cards that were named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from devices.camera.outline.corner import Corners, Floats, Quads, corners_of, outlines_of
from devices.camera.outline.far_end import far_ends
from devices.camera.outline.known_size import KnownSize
from devices.camera.outline.spot import are_beside
from devices.camera.outline.straight import straight_edges
from devices.camera.outline.support import best_outlines
from devices.camera.picture.quadrilateral import Pixels, Quad

_WORK_PX: Final = 960
_ENDS: Final = 12
_ENDS_CLOSELY: Final = 64
"""So many outlines of one end of a card are told, and looked at closely before that."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much the thorough look tries at most. On one core a draft costs 0.01 ms, an outline 0.4 to 1 ms by ONNX
    Runtime, edges at full size 25 ms more than the others for a picture of 640 × 640.
    """

    drafts: int
    """Outlines that are weighed, those of the best corners first."""

    outlines: int
    """Outlines of any size that the reader is asked about while no card is known, those the picture bears out best."""

    beside: int
    """The same where a card is known already, by whose size the others are looked for."""

    alike: int
    """Outlines of that size."""

    ends: int
    """Cards of which the reader is sure of one half, and whose other end is looked for."""

    fine: bool
    """Whether edges are looked for at full size and at half of it, or at two thirds only."""


PATIENT: Final = Effort(drafts=1_500, outlines=64, beside=32, alike=64, ends=8, fine=True)
"""For a still, of which as many cards as can be are to be named."""

PROMPT: Final = Effort(drafts=800, outlines=32, beside=16, alike=32, ends=2, fine=False)
"""For a frame among others: about 60 ms, 150 where much lies there that is no card."""


@dataclass(frozen=True, slots=True, eq=False)
class LineSearch:
    """What straight edges give in a part of a picture; outlines are told in the picture's pixels, clockwise, the best
    borne out first.
    """

    soft: Pixels
    """The part as it is worked on, `shrink` times as large."""
    shrink: float
    begin: Floats
    """The part's first corner in the picture, `(2,)`."""
    corners: Corners
    drafts: Quads
    """Outlines of any size."""

    @classmethod
    def of(cls, part: Pixels, effort: Effort, begin: tuple[int, int] = (0, 0)) -> LineSearch:
        """Find the edges of a part that begins there, and what corners they make."""
        shrink = min(1.0, _WORK_PX / max(part.shape[:2]))
        small = cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        soft = np.asarray(cv2.medianBlur(part if shrink == 1.0 else small, 3), dtype=np.uint8)
        corners = corners_of(straight_edges(soft, fine=effort.fine))
        drafts = outlines_of(corners, _size(soft))[: effort.drafts]
        return cls(soft, shrink, np.array(begin, np.float32), corners, drafts)

    def of_any_size(self, most: int, named: Sequence[Quad] = ()) -> list[Quad]:
        """Outlines of a card's proportions; none on a card that was named."""
        return self._best(self.drafts, most, named)

    def as_large_as(self, cards: Sequence[Quad], most: int, named: Sequence[Quad], asked: Sequence[Quad]) -> list[Quad]:
        """Outlines as large as these cards of the picture, a short side first; none on a card that was named, and none
        like one that was asked about before.
        """
        size = KnownSize.of(self._seen(cards))
        at_corners = size.outlines_at(self.corners, _size(self.soft))
        drafts = size.upright(np.concatenate((self.drafts[size.fits(self.drafts)], at_corners)))
        return self._best(drafts, most, named, asked)

    def with_other_ends(self, outline: Quad) -> list[Quad]:
        """Outlines with the first side of this one, whose opposite side lies elsewhere."""
        known = np.stack(self._seen([outline]))
        return self._told(best_outlines(self.soft, far_ends(known[0]), _ENDS, known, _ENDS_CLOSELY)[0])

    def _best(self, drafts: Quads, most: int, named: Sequence[Quad], asked: Sequence[Quad] = ()) -> list[Quad]:
        known = np.array(self._seen(asked), np.float32).reshape(-1, 4, 2)
        free = drafts[are_beside(drafts, self._seen(named))]
        return self._told(best_outlines(self.soft, free, most, known)[0])

    def _told(self, outlines: Quads) -> list[Quad]:
        """Outlines in pixels of the whole picture."""
        return list(outlines / np.float32(self.shrink) + self.begin)

    def _seen(self, quads: Sequence[Quad]) -> list[Quad]:
        """Outlines in pixels of the part that is worked on."""
        return [(quad - self.begin) * np.float32(self.shrink) for quad in quads]


def outlines_in(picture: Pixels, effort: Effort = PATIENT) -> list[Quad]:
    """The outlines that may be cards in a picture of which no card is known."""
    return LineSearch.of(picture, effort).of_any_size(effort.outlines)


def _size(picture: Pixels) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]
