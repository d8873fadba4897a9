"""Finds and reads the cards in a picture of anything: a quick look, then a thorough one.

The quick look finds outlines on a plain ground. What it leaves unexplained, and only that, gets the thorough look, an
unsure card where it lies too: straight edges are assembled to outlines, and the reader decides which of them are cards,
those it is sure of from both halves. As soon as one card is known, the others are looked for by its size; where it is
sure of one half, the other end is looked for. The reader looks at the second half only where the first may be named.
Where two outlines share a corner and are named differently, both are dropped. How much is tried at most is an `Effort`,
counted in outlines and never in time, so that a picture gives the same cards on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from devices.camera.outline.corner import Quads
from devices.camera.outline.known_size import KnownSize
from devices.camera.outline.line_search import PROMPT, Effort, LineSearch
from devices.camera.outline.search import CardOutline, looks_for_cards
from devices.camera.outline.spot import are_beside, shared_area
from devices.camera.outline.support import EITHER_WAY
from devices.camera.picture.gate import Mask
from devices.camera.picture.quadrilateral import Pixels, Quad
from studio.cards import Card
from studio.ports import CardFace

_APART: Final = 24
_SHARE_MIN: Final = 0.001
_AROUND: Final = np.array([(1, 1, 1), (1, 0, 1), (1, 1, 1)], np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class FoundCard:
    """A card found in a picture, its corners clockwise in pixels."""

    quad: Quad
    face: CardFace
    card: Card | None
    confidence: float
    bad_picture: bool = False
    """It is plainly a face, and no other outline would get it named: it is too soft for its suit, or much too low."""


class Eye(Protocol):
    """What the reader says of outlines in a picture, each lying with its first side up."""

    def look(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard | None]:
        """What the reader sees in each outline, in the same order; None for an outline that holds no card."""

    def names(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard]:
        """The outlines that the reader names for sure, and as unsure those of whose first half alone it is sure. It
        reads the second half only of those whose first half may be a card's.
        """


Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""

_A_ROUND: Final = 16
"""Outlines the reader is asked about at a time: what it names spares it the later ones on the same spot. With 40 a
third more is looked at and no card more named; with 8 few outlines of one card are held against each other.
"""

_SPLINTER: Final = 0.3
"""Of the same: what is wider, and lies beside the cards, is searched too once the search has begun."""

_AROUND_SHARE: Final = 0.5
"""Of a card's size: so much round what is unexplained is searched with it."""
_SHARED_CORNER: Final = 0.07
_SAME_CARD: Final = 0.3
_THUMB_PX: Final = 320
_GROUND_LEVELS: Final = 28
_PAPER_LEVELS: Final = 60
"""Grey levels between the cards and the ground under which another card may lie there unseen."""
_NARROW: Final = 0.67
"""Of the root of a card's area: what is narrower is no card, but print, a marker, the table's rim."""


def read_free_picture(picture: Pixels, eye: Eye, effort: Effort = PROMPT) -> list[FoundCard]:
    """Every card found, no two on one spot."""
    calm = without_speckle(picture)
    known: list[FoundCard] = []
    box: Box | None = None
    seen: dict[CardOutline, FoundCard | None] = {}
    for outlines in looks_for_cards(calm):
        fresh = [one for one in outlines if one not in seen]
        seen.update(zip(fresh, eye.look(calm, [one.quad for one in fresh]), strict=True))
        known = [card for one in outlines if (card := seen[one]) is not None]
        box = _unexplained(calm, known)
        if box is None:
            return known
    named = _agreed([*(card for card in known if card.card is not None), *_thorough(calm, box, known, eye, effort)])
    others = [card for card in known if card.card is None and not any(_overlap(card, one) for one in named)]
    return [*named, *others]


def _thorough(
    picture: Pixels, box: Box | None, known: Sequence[FoundCard], eye: Eye, effort: Effort
) -> list[FoundCard]:  # fmt: skip
    """The cards in the box, as straight edges give them: of any size, then as large as those that are known by then, at
    last those of which one half is known.
    """
    left, top, right, bottom = box or (0, 0, picture.shape[1], picture.shape[0])
    search = LineSearch.of(picture[top:bottom, left:right], effort, (left, top))
    asked = _Asked(picture, known, eye)
    anything = search.of_any_size(effort.beside if asked.measured else effort.outlines, asked.named)
    asked.about(anything)
    if asked.measured:
        asked.about(search.as_large_as(asked.measured, effort.alike, asked.named, anything))
    for _ in range(effort.ends):
        if half := asked.half_known():
            asked.about_ends(search.with_other_ends(half.quad))
    return asked.found


class _Asked:
    """What the reader said of outlines of a picture; one on a card that was named is not asked about."""

    def __init__(self, picture: Pixels, known: Sequence[FoundCard], eye: Eye) -> None:
        self._picture, self._eye = picture, eye
        self.named = [card.quad for card in known if card.card is not None]
        self.measured = [card.quad for card in known if card.face is not CardFace.UNSURE]
        """Cards by whose size others are known."""
        self.found: list[FoundCard] = []
        self._half: list[FoundCard] = []
        self._tried: list[Quad] = []

    def about(self, outlines: Sequence[Quad]) -> None:
        """Each in the ways it may lie."""
        for first in range(0, len(outlines), _A_ROUND):
            quads = np.stack(outlines[first : first + _A_ROUND])
            self._hear([*_ways(quads[are_beside(quads, self.named)], self.measured)])

    def about_ends(self, outlines: Sequence[Quad]) -> None:
        """The end that is looked for first: where it shows no face, nothing more is asked."""
        self._hear([np.roll(quad, 2, axis=0) for quad in outlines])

    def half_known(self) -> FoundCard | None:
        """The outline of whose first half the reader is surest; none on a card that is named, nor on a spot that was
        given before.
        """
        while self._half:
            card = max(self._half, key=lambda one: one.confidence)
            self._half.remove(card)
            if are_beside(card.quad[None], [*self.named, *self._tried])[0]:
                self._tried.append(card.quad)
                return card
        return None

    def _hear(self, quads: Sequence[Quad]) -> None:
        said = self._eye.names(self._picture, quads)
        sure = [card for card in said if card.card is not None]
        self._half += [card for card in said if card.card is None]
        self.found += sure
        self.named += [card.quad for card in sure]
        self.measured += [card.quad for card in sure]


def _ways(quads: Quads, measured: Sequence[Quad]) -> Iterator[Quad]:
    """The outlines as they may lie, a short side up: one way those of a known card's size, or plainly longer than wide,
    both ways the others.
    """
    size = KnownSize.of(measured) if measured else None
    known = size.fits(quads) if size else np.zeros(len(quads), np.bool_)
    upright = size.upright(quads) if size else quads
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    across, down = sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]
    for at, quad in enumerate(quads):
        if known[at]:
            yield upright[at]
            continue
        if across[at] < EITHER_WAY * down[at]:
            yield quad
        if down[at] < EITHER_WAY * across[at]:
            yield np.roll(quad, 1, axis=0)


def _agreed(named: Sequence[FoundCard]) -> list[FoundCard]:
    """One outline of each card, the first; none where outlines that share a corner are named differently."""
    kept: list[FoundCard] = []
    for card in named:
        if any(other.card is not card.card and _on_one_spot(card, other) for other in named):
            continue
        if not any(one.card is card.card and _overlap(card, one) for one in kept):
            kept.append(card)
    return kept


def _on_one_spot(one: FoundCard, other: FoundCard) -> bool:
    """Whether two finds are one card: they share a corner and overlap. Cards side by side do not overlap."""
    apart = np.linalg.norm(one.quad[:, None] - other.quad[None], axis=2)
    return float(apart.min()) < _SHARED_CORNER * min(_size(one.quad), _size(other.quad)) and _overlap(one, other)


def _size(quad: Quad) -> float:
    return float(np.sqrt(cv2.contourArea(quad)))


def _overlap(one: FoundCard, other: FoundCard) -> bool:
    shared = shared_area(one.quad, other.quad)
    return shared > _SAME_CARD * min(float(cv2.contourArea(one.quad)), float(cv2.contourArea(other.quad)))


def _unexplained(picture: Pixels, known: Sequence[FoundCard]) -> Box | None:
    """Where the cards found so far leave something as large as a card unexplained, with what lies around it; None where
    nothing is left. It is the whole picture while no card was found, or where cards do not stand out from the ground so
    clearly that no other can lie there unseen.
    """
    height, width = picture.shape[:2]
    if not known:
        return 0, 0, width, height
    shrink = _THUMB_PX / max(height, width)
    thumb = cv2.blur(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_NEAREST), (3, 3))
    ground = np.median(thumb[::3, ::3].reshape(-1, 3), axis=0).astype(np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(thumb, np.full_like(thumb, ground)))
    apart: Pixels = np.asarray(cv2.max(cv2.max(blue, green), red), dtype=np.uint8)
    if float(np.median(apart[_covered(apart, known, shrink) > 0])) < _PAPER_LEVELS:
        return 0, 0, width, height
    sure = [card for card in known if card.face is not CardFace.UNSURE or card.bad_picture]
    size = shrink * min(_size(card.quad) for card in sure or known)
    things = np.where(apart > _GROUND_LEVELS, 255, 0).astype(np.uint8)
    beside = np.asarray(cv2.subtract(things, _covered(apart, sure, shrink)), dtype=np.uint8)
    if sure and not cv2.countNonZero(_left(beside, _NARROW * size)):
        return None
    unsure = _covered(apart, [card for card in known if card not in sure], shrink)
    there = np.asarray(cv2.max(_left(beside, _SPLINTER * size), unsure), dtype=np.uint8)
    return _around(there, (_SPLINTER / 2 + _AROUND_SHARE) * size, shrink, (width, height))


def _left(things: Mask, narrow: float) -> Mask:
    """What is left of things when all that is narrower than so many pixels is taken off."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (max(1, round(narrow)),) * 2)
    return np.asarray(cv2.erode(things, disc, borderType=cv2.BORDER_CONSTANT, borderValue=0), dtype=np.uint8)


def _covered(thumb: Pixels, cards: Sequence[FoundCard], shrink: float) -> Mask:
    """Where cards lie in a thumbnail, a little beyond their edges."""
    mask = np.zeros(thumb.shape[:2], np.uint8)
    for card in cards:
        middle = card.quad.mean(axis=0)
        cv2.fillConvexPoly(mask, np.rint((middle + (card.quad - middle) * 1.12) * shrink).astype(np.int32), 255)
    return mask


def _around(there: Mask, margin: float, shrink: float, size_px: tuple[int, int]) -> Box:
    left, top, wide, high = cv2.boundingRect(there)
    wanted = ((left - margin, wide + left + margin), (top - margin, top + high + margin))
    (x0, x1), (y0, y1) = (
        (max(0, int(low / shrink)), min(most, int(high_end / shrink) + 1))
        for (low, high_end), most in zip(wanted, size_px, strict=True)
    )
    return x0, y0, x1, y1


def without_speckle(picture: Pixels) -> Pixels:
    """The picture without salt and pepper: single pixels far off all around are made like these; else unchanged."""
    if not _is_speckled(picture):
        return picture
    calm = cv2.medianBlur(picture, 3)
    blue, green, red = cv2.split(cv2.absdiff(picture, calm))
    odd = cv2.threshold(cv2.max(cv2.max(blue, green), red), _APART, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.copyTo(calm, odd, picture.copy()), dtype=np.uint8)


def _is_speckled(picture: Pixels) -> bool:
    """Judged by the middle third of the rows."""
    height = picture.shape[0]
    grey = cv2.cvtColor(picture[height // 3 : height - height // 3], cv2.COLOR_BGR2GRAY)
    lighter = cv2.subtract(grey, cv2.dilate(grey, _AROUND))
    darker = cv2.subtract(cv2.erode(grey, _AROUND), grey)
    return int(np.count_nonzero(cv2.max(lighter, darker) > _APART)) > _SHARE_MIN * grey.size
