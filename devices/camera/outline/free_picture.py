"""Finds and reads the cards in a picture of anything: a quick look, then a thorough one.

The quick look finds outlines on a plain ground. If something in the picture is still unexplained, the thorough look
assembles straight edges to outlines, and the reader decides which of them are cards: those it is sure of from both
halves. It reads the second half only where the first may be named. Where two such outlines share a corner and are named
differently, both are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np

from devices.camera.outline.corner import outlines_of
from devices.camera.outline.search import cards_in_picture, light_cards_in_picture
from devices.camera.outline.straight import straight_edges
from devices.camera.outline.support import best_outlines
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


class Eye(Protocol):
    """What the reader says of outlines in a picture, each lying with its first side up."""

    def look(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard | None]:
        """What the reader sees in each outline, in the same order; None for an outline that holds no card."""

    def names(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard]:
        """The outlines that the reader names for sure. It reads the second half only of those whose first half may be a
        card's.
        """


_WORK_PX: Final = 960
_OUTLINES: Final = 80
_A_ROUND: Final = 40
"""Outlines the reader is asked about at a time: what it names spares it the later ones on the same spot. With 8 a third
of the looks are saved and as many cards named, but fewer outlines of one card are held against each other.
"""

_EITHER_WAY: Final = 1.8
"""An outline longer than wide by less may lie on its side: a card is so in a stretched picture."""
_SHARED_CORNER: Final = 0.07
_SAME_CARD: Final = 0.3
_THUMB_PX: Final = 320
_GROUND_LEVELS: Final = 28
_PAPER_LEVELS: Final = 60
"""Grey levels between the cards and the ground under which another card may lie there unseen."""
_NARROW: Final = 0.67
"""Of the root of a card's area: what is narrower is no card, but print, a marker, the table's rim."""


def read_free_picture(picture: Pixels, eye: Eye) -> list[FoundCard]:
    """Every card found, no two on one spot."""
    calm = without_speckle(picture)
    known: list[FoundCard] = []
    for outlines in (light_cards_in_picture, cards_in_picture):
        known = [card for card in eye.look(calm, [one.quad for one in outlines(calm)]) if card is not None]
        if _is_explained(calm, known):
            return known
    named = _agreed([*(card for card in known if card.card is not None), *_thorough(calm, known, eye)])
    others = [card for card in known if card.card is None and not any(_overlap(card, one) for one in named)]
    return [*named, *others]


def outlines_in(picture: Pixels) -> list[Quad]:
    """The outlines that may be cards, from straight edges, the best borne out first; corners clockwise."""
    shrink = min(1.0, _WORK_PX / max(picture.shape[:2]))
    work = picture if shrink == 1.0 else cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.medianBlur(work, 3), dtype=np.uint8)
    outlines = outlines_of(straight_edges(soft), (soft.shape[1], soft.shape[0]))
    return list(best_outlines(soft, outlines, _OUTLINES)[0] / np.float32(shrink))


def _thorough(picture: Pixels, known: Sequence[FoundCard], eye: Eye) -> list[FoundCard]:
    """The cards among the best outlines; an outline on a card that has been named already is not tried."""
    best = outlines_in(picture)
    named = [card for card in known if card.card is not None]
    found: list[FoundCard] = []
    for start in range(0, len(best), _A_ROUND):
        free = [quad for quad in best[start : start + _A_ROUND] if not any(_on(quad, one) for one in named)]
        sure = eye.names(picture, [lying for quad in free for lying in _ways(quad)])
        found += sure
        named += sure
    return found


def _ways(quad: Quad) -> Iterator[Quad]:
    """The outline as it may lie, a short side up: one way, or both where its sides are about as long."""
    along = np.hypot(*(quad[[1, 2]] - quad[[0, 3]]).T).sum()
    down = np.hypot(*(quad[[3, 2]] - quad[[0, 1]]).T).sum()
    if along < _EITHER_WAY * down:
        yield quad
    if down < _EITHER_WAY * along:
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


def _on(quad: Quad, card: FoundCard) -> bool:
    """Whether an outline lies where a card was named: as the card does, or within it."""
    shared = _shared_area(quad, card.quad)
    return shared > 0.8 * min(float(cv2.contourArea(quad)), float(cv2.contourArea(card.quad)))


def _overlap(one: FoundCard, other: FoundCard) -> bool:
    shared = _shared_area(one.quad, other.quad)
    return shared > _SAME_CARD * min(float(cv2.contourArea(one.quad)), float(cv2.contourArea(other.quad)))


def _shared_area(one: Quad, other: Quad) -> float:
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def _is_explained(picture: Pixels, known: Sequence[FoundCard]) -> bool:
    """Whether the cards found so far explain the whole picture: nothing as large as a card lies beside them, and they
    stand out from the ground so clearly that no other can lie there unseen. False while no card is read for sure.
    """
    sure = [card.quad for card in known if card.face is not CardFace.UNSURE]
    if not sure:
        return False
    shrink = _THUMB_PX / max(picture.shape[:2])
    thumb = cv2.blur(cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_NEAREST), (3, 3))
    ground = np.median(thumb[::3, ::3].reshape(-1, 3), axis=0).astype(np.uint8)
    blue, green, red = cv2.split(cv2.absdiff(thumb, np.full_like(thumb, ground)))
    apart = cv2.max(cv2.max(blue, green), red)
    things = np.where(apart > _GROUND_LEVELS, 255, 0).astype(np.uint8)
    cards = np.zeros_like(things)
    for quad in sure:
        middle = quad.mean(axis=0)
        cv2.fillConvexPoly(cards, np.rint((middle + (quad - middle) * 1.12) * shrink).astype(np.int32), 255)
    if float(np.median(apart[cards > 0])) < _PAPER_LEVELS:
        return False
    narrow = round(_NARROW * shrink * min(_size(quad) for quad in sure))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (narrow, narrow))
    beside = cv2.erode(cv2.subtract(things, cards), disc, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return not cv2.countNonZero(beside)


def without_speckle(picture: Pixels) -> Pixels:
    """The picture without salt and pepper: single pixels far off all around are made like these; else unchanged."""
    if not _is_speckled(picture):
        return picture
    calm = cv2.medianBlur(picture, 3)
    odd = cv2.absdiff(picture, calm).max(axis=2, keepdims=True) > _APART
    return np.asarray(np.where(odd, calm, picture), dtype=np.uint8)


def _is_speckled(picture: Pixels) -> bool:
    """Judged by the middle third of the rows."""
    height = picture.shape[0]
    grey = cv2.cvtColor(picture[height // 3 : height - height // 3], cv2.COLOR_BGR2GRAY)
    lighter = cv2.subtract(grey, cv2.dilate(grey, _AROUND))
    darker = cv2.subtract(cv2.erode(grey, _AROUND), grey)
    return int(np.count_nonzero(cv2.max(lighter, darker) > _APART)) > _SHARE_MIN * grey.size
