"""Says of every outline that the reader was asked about what either half said, and why it named no card."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from devices.camera.face.half_reader import HEADS, sureness
from devices.camera.face.reader import HEIGHT_PX_MIN, SURE_FREE, CardReader, Scores, card_height_px, judge
from devices.camera.outline.free_picture import FoundCard
from devices.camera.picture.quadrilateral import Pixels, Quad, rectify
from studio.cards import RANKS, SUITS
from studio.ports import CardFace


class WhyUnnamed(enum.Enum):
    """Why an outline was not named. The value is its sign in a picture, the same in every language."""

    FOREIGN = "F"
    BACK = "B"
    UPPER = "U"
    LOWER = "L"
    LOW = "H"
    DIFFERENT = "D"
    SOFT = "S"
    WEAK = "W"


NO_CARD: Final = "-"
BACK: Final = "#"
"""What a half is said to be that shows no face."""

MEANINGS: Final[Mapping[str, str]] = {
    "=": "What the outline was taken for: a card, or # for one that lies face down.",
    BACK: "A half that shows a back, and how surely.",
    NO_CARD: "A half that shows neither a face nor a back, and how surely.",
    WhyUnnamed.UPPER.value: "The upper half shows no face.",
    WhyUnnamed.LOWER.value: "The lower half shows no face.",
    WhyUnnamed.DIFFERENT.value: "Its halves name different cards.",
    WhyUnnamed.WEAK.value: f"The weaker half is only so sure; {SURE_FREE} is asked for.",
    WhyUnnamed.SOFT.value: "The picture is too soft to tell the suits apart.",
    WhyUnnamed.LOW.value: f"It is so many pixels high; {HEIGHT_PX_MIN:.0f} are needed.",
    WhyUnnamed.BACK.value: "It may be a back, but not surely.",
    WhyUnnamed.FOREIGN.value: "It is no card of the enrolled deck.",
    "+": "So many more outlines show no face.",
    "0": "No outline that could be a card was found.",
}
"""What the signs of an explained picture mean, for a command line; pages say it in their own language."""

_SIGNS: Final = ("", BACK, NO_CARD)


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """One outline: what its upper and its lower half said, what it was taken for, and why it was refused, with the
    figure that was not enough.
    """

    quad: Quad
    halves: tuple[str, str]
    face: CardFace
    card: str
    refused: WhyUnnamed | None
    figure: str


class ExplainingEye:
    """A reader that keeps what it was asked; it looks at both halves of everything, which costs twice the time."""

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader
        self.told: list[Explained] = []

    def look(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard | None]:
        self._explain(picture, quads)
        return self._reader.look(picture, quads)

    def names(self, picture: Pixels, quads: Sequence[Quad]) -> list[FoundCard]:
        self._explain(picture, quads)
        return self._reader.names(picture, quads)

    def _explain(self, picture: Pixels, quads: Sequence[Quad]) -> None:
        scores = self._reader.scores([rectify(picture, quad) for quad in quads])
        self.told += [explained(quad, of_card) for quad, of_card in zip(quads, scores, strict=True)]


def explained(quad: Quad, scores: Scores) -> Explained:
    """What is to be said of one outline whose halves scored so."""
    said = judge(scores, card_height_px(quad), SURE_FREE)
    upper, lower = (_half(half) for half in scores)
    card = str(said.card) if said.card else ""
    if said.face is not CardFace.UNSURE:
        return Explained(quad, (upper, lower), said.face, card, None, "")
    return Explained(
        quad, (upper, lower), said.face, card, *_refused(scores, card_height_px(quad), foreign=said.foreign)
    )


def _half(half: Scores) -> str:
    kind = int(half[:3].argmax())
    if kind:
        return f"{_SIGNS[kind]} {half[kind]:.3f}"
    return f"{_name(half)} {sureness(half):.3f}"


def _name(half: Scores) -> str:
    return f"{RANKS[int(half[HEADS[1]].argmax())]}{_suit(half)}"


def _suit(half: Scores) -> str:
    """Its likeliest suit; a question mark where the picture is too soft to tell it from another."""
    suits = half[HEADS[2]]
    return SUITS[int(suits.argmax())] if np.count_nonzero(suits == suits.max()) == 1 else "?"


def _refused(scores: Scores, height: float, *, foreign: bool) -> tuple[WhyUnnamed, str]:
    """The first thing that speaks against naming it, and its figure where it has one."""
    kinds = scores[:, :3].argmax(axis=1)
    if foreign:
        return WhyUnnamed.FOREIGN, ""
    if (kinds == 1).all():
        return WhyUnnamed.BACK, ""
    if kinds.any():
        return (WhyUnnamed.LOWER if kinds[0] == 0 else WhyUnnamed.UPPER), ""
    if height < HEIGHT_PX_MIN:
        return WhyUnnamed.LOW, f"{height:.0f}"
    if all(_suit(half) == "?" for half in scores):
        return WhyUnnamed.SOFT, ""
    if _name(scores[0]) != _name(scores[1]):
        return WhyUnnamed.DIFFERENT, ""
    return WhyUnnamed.WEAK, f"{sureness(scores).min():.3f}"
