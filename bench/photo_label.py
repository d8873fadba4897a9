"""How given photographs are labelled: boxes round index corners, or round whole cards."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from devices.camera.picture.quadrilateral import Quad
from studio.cards import Card

HIGH_ENOUGH_PX: Final = 110.0
_DIAGONAL_TO_HEIGHT: Final = 1.05
"""A card's height against the distance between the middles of its two indices, in a picture that is not stretched."""
_OUTSIDE: Final = 0.02
_CORNER: Final = 0.3
_SAME_BOX: Final = 0.8

_MISLABELLED: Final = {("phone-002.jpg", "Js"): "Jc"}
"""Where a person has found another card than the label says: both signs of this one have three leaves."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """A card in a photograph: `text` as labelled, "7h" or a rank alone; a box for each index, or one for it all.

    `counts`: it must be named, for both indices are labelled, or its whole box lies in the picture and under no other,
    and it is 110 px high or more.
    """

    text: str
    boxes: tuple[Box, ...]
    counts: bool

    @property
    def is_whole(self) -> bool:
        return len(self.text) == 1

    def is_named_by(self, card: Card) -> bool:
        name = str(card)
        return name[0] == self.text if self.is_whole else name.lower() == self.text.lower()

    def lies_in(self, quad: Quad) -> bool:
        """Whether one of its labels has its middle in the outline."""
        return any(_share_in(quad, box) for box in self.boxes)

    def is_outlined_by(self, quad: Quad) -> bool:
        """Whether the outline is this card's: both indices in opposite corners, or the same box."""
        if self.is_whole:
            return _alike(self.boxes[0], _box_of(quad)) > _SAME_BOX
        at = _in_card(quad, [_middle(box) for box in self.boxes])
        margin = np.minimum(at, 1 - at)
        in_corners = bool((margin > 0).all() and (margin < _CORNER).all())
        return in_corners and (len(at) < 2 or bool(((at[0] - 0.5) * (at[1] - 0.5) < 0).all()))


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph: its file, its kind (the first part of its name), and lines of its labels in fractions."""

    file: Path
    kind: str
    lines: tuple[tuple[str, Box], ...]

    def cards(self, width: int, height: int) -> list[LabelledCard]:
        """The labelled cards of a picture of this size; backs and jokers are no cards."""
        boxes: defaultdict[str, list[Box]] = defaultdict(list)
        cards: list[LabelledCard] = []
        for text, (left, top, right, bottom) in self.lines:
            box = (left * width, top * height, right * width, bottom * height)
            if len(text) == 1:
                cards.append(LabelledCard(text, (box,), counts=False))
            elif text not in ("back", "joker"):
                boxes[text].append(box)
        if cards:
            return [LabelledCard(c.text, c.boxes, _is_free(c, cards, width, height)) for c in cards]
        return [LabelledCard(text, tuple(found), _is_pair(found)) for text, found in boxes.items()]


def photos_in(folder: Path) -> Iterator[Photo]:
    """Every labelled photograph under a folder, by name."""
    for labels in sorted(folder.glob("*/labels.csv")):
        lines: defaultdict[str, list[tuple[str, Box]]] = defaultdict(list)
        with labels.open(newline="") as rows:
            for row in csv.DictReader(rows):
                left, top, right, bottom = (float(row[side]) for side in ("left", "top", "right", "bottom"))
                text = as_it_lies(row["file"], row.get("card") or row["rank"])
                lines[row["file"]].append((text, (left, top, right, bottom)))
        for file in sorted(labels.parent.glob("*.jpg")):
            yield Photo(file, file.stem.rsplit("-", 1)[0], tuple(lines[file.name]))


def as_it_lies(file: str, text: str) -> str:
    """The label of a card, put right where it is known to be wrong.

    >>> as_it_lies("phone-002.jpg", "Js"), as_it_lies("phone-003.jpg", "Js")
    ('Jc', 'Js')
    """
    return _MISLABELLED.get((file, text), text)


def _is_pair(boxes: list[Box]) -> bool:
    if len(boxes) != 2:
        return False
    apart = np.subtract(_middle(boxes[0]), _middle(boxes[1]))
    return float(np.hypot(*apart)) * _DIAGONAL_TO_HEIGHT >= HIGH_ENOUGH_PX


def _is_free(card: LabelledCard, cards: list[LabelledCard], width: int, height: int) -> bool:
    left, top, right, bottom = box = card.boxes[0]
    inside = left > 2 and top > 2 and right < width - 2 and bottom < height - 2
    alone = not any(_shared(box, other.boxes[0]) > 0.05 * _area(box) for other in cards if other is not card)
    return inside and alone and max(right - left, bottom - top) >= HIGH_ENOUGH_PX


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _box_of(quad: Quad) -> Box:
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _shared(one: Box, other: Box) -> float:
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    return _area((float(low[0]), float(low[1]), float(high[0]), float(high[1])))


def _alike(one: Box, other: Box) -> float:
    shared = _shared(one, other)
    return shared / (_area(one) + _area(other) - shared)


def _share_in(quad: Quad, box: Box) -> bool:
    at = _in_card(quad, [_middle(box)])
    return bool((at > -_OUTSIDE).all() and (at < 1 + _OUTSIDE).all())


def _in_card(quad: Quad, points: list[tuple[float, float]]) -> NDArray[np.float64]:
    """Where points lie in an outline: (0, 0) is its first corner, (1, 1) its third."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    transform = cv2.getPerspectiveTransform(np.asarray(quad, dtype=np.float32), unit)
    return np.asarray(cv2.perspectiveTransform(np.array([points], np.float32), transform)[0], dtype=np.float64)
