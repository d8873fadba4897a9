"""Says of every outline that the reader was asked about what either half said, and why it named no card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from devices.camera.face.reader import HEIGHT_PX_MIN, SURE_FREE, CardReader, Scores, card_height_px, judge
from devices.camera.outline.free_picture import FoundCard
from devices.camera.picture.quadrilateral import Pixels, Quad, rectify
from studio.cards import RANKS, SUITS
from studio.ports import CardFace

_KINDS: Final = ("face", "back", "no card")


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """One outline: what its upper and its lower half said, in words, what it was taken for, and why it was refused
    (empty where it was not).
    """

    quad: Quad
    halves: tuple[str, str]
    face: CardFace
    card: str
    refused: str


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
    refused = "" if said.face is not CardFace.UNSURE else _refused(scores, card_height_px(quad), foreign=said.foreign)
    return Explained(quad, (upper, lower), said.face, str(said.card) if said.card else "", refused)


def _half(half: Scores) -> str:
    kind = int(half[:3].argmax())
    if kind:
        return f"{_KINDS[kind]} {half[kind]:.3f}"
    sure = float(half[0] * half[3:16].max() * half[16:20].max())
    return f"{_name(half)} {sure:.3f}"


def _name(half: Scores) -> str:
    return f"{RANKS[int(half[3:16].argmax())]}{SUITS[int(half[16:20].argmax())]}"


def _refused(scores: Scores, height: float, *, foreign: bool) -> str:
    """The first thing that speaks against naming it, in a sentence."""
    kinds = scores[:, :3].argmax(axis=1)
    if foreign:
        return "It is no card of the enrolled deck."
    if (kinds == 1).all():
        return "It may be a back, but not surely."
    if kinds.any():
        return f"{('The upper half', 'The lower half')[int(kinds[0] == 0)]} shows no face."
    if height < HEIGHT_PX_MIN:
        return f"It is {height:.0f} px high; {HEIGHT_PX_MIN:.0f} are needed."
    if _name(scores[0]) != _name(scores[1]):
        return "Its halves name different cards."
    sure = float((scores[:, 0] * scores[:, 3:16].max(axis=1) * scores[:, 16:20].max(axis=1)).min())
    return f"The weaker half is sure to {sure:.3f}; {SURE_FREE} is asked for."
