"""What the camera is known to see of a table, place by place, and which of it is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.felt.face import face_of
from studio.diagnosis import Outline, Point
from studio.views.shape import BoxView, CardView, TableView

WIDE: Final = 1600
HIGH: Final = 900
"""The drawing over the picture, whatever the picture's own size."""


@dataclass(frozen=True, slots=True)
class ZoneSight:
    """One zone where something lies or should lie. `places`: the place, and `up`, `down`, `unsure` or `none`."""

    zone: str
    places: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PlaceMark:
    """A place drawn over the picture: its corners as drawn, what the camera sees there, the card if it is open."""

    zone: str
    place: int
    points: str
    x: int
    y: int
    sees: str
    face: str


def sights_of(view: TableView) -> tuple[ZoneSight, ...]:
    """Zones the camera sees something in, or owes a word on; `none` is a card it does not see."""
    found = []
    for box in view.boxes:
        places = tuple(
            (card.place, card.camera or "none")
            for card in box.places
            if (card.camera or "none") != "none" or card.state not in ("empty", "awaited")
        )
        if places:
            found.append(ZoneSight(box.key, places))
    return tuple(found)


def marks_over(outlines: Sequence[Outline], view: TableView) -> tuple[PlaceMark, ...]:
    """Every place of the felt, with what lies there; faces are those the table itself has opened."""
    boxes = {box.key: box for box in view.boxes}
    return tuple(_mark(outline, boxes.get(outline.zone)) for outline in outlines)


def drawn(points: Sequence[Point]) -> str:
    """Points as a drawing takes them.

    >>> drawn([(0, 0), (0.5, 1)])
    '0,0 800,900'
    """
    return " ".join(f"{round(x * WIDE)},{round(y * HIGH)}" for x, y in points)


def _mark(outline: Outline, box: BoxView | None) -> PlaceMark:
    cards = [card for card in (box.places if box else ()) if outline.place in (0, card.place)]
    words = {card.camera or "none" for card in cards if card.camera not in (None, "none")}
    sees = "unsure" if "unsure" in words else next(iter(sorted(words, reverse=True)), "none")
    points = drawn(outline.points)
    x = round(sum(x for x, _ in outline.points) * WIDE / len(outline.points))
    y = round(sum(y for _, y in outline.points) * HIGH / len(outline.points))
    return PlaceMark(outline.zone, outline.place, points, x, y, sees, " ".join(filter(None, map(_sign, cards))))


def _sign(card: CardView) -> str:
    face = face_of(card)
    return face.sign if face else ""
