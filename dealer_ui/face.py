"""The only place where a place on the felt becomes something to look at: a face, a back, the marks of the two eyes.

A face is drawn only in a state in which it is public; whatever else a view may carry by mistake, a sealed card
gets a back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.cards import Card
from studio.views.shape import CardView

OPEN_STATES: Final = frozenset({"shoe", "confirmed", "unsure", "contradiction"})
BACK_STATES: Final = frozenset({"sealed", "sealed_owed"})

_SHOE: Final = {
    "shoe": "yes", "confirmed": "yes", "unsure": "yes", "contradiction": "yes", "unread": "unsure",
    "sealed": "yes", "sealed_owed": "yes",
}  # fmt: skip
_CAMERA: Final = {
    "shoe": "wait", "confirmed": "yes", "unsure": "unsure", "contradiction": "no", "unread": "wait",
    "sealed": "yes", "sealed_owed": "wait",
}  # fmt: skip
_CAMERA_SAYS: Final = {"confirmed": "yes", "unsure": "unsure", "hand": "hand"}


@dataclass(frozen=True, slots=True)
class Face:
    """`rank` and `suit` as drawn: `10` and one of `c d h s`."""

    rank: str
    suit: str
    red: bool
    sign: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What one eye says: `eye` is shoe or camera, `says` is yes, no, unsure, wait or hand."""

    eye: str
    says: str


def face_of(place: CardView) -> Face | None:
    """The open face of a place, or None.

    >>> face_of(CardView(1, "shoe", "Th"))
    Face(rank='10', suit='h', red=True, sign='10♥')
    >>> face_of(CardView(1, "sealed", "Th")) is None
    True
    """
    if place.state not in OPEN_STATES or place.face is None:
        return None
    return face(place.face)


def face(text: str) -> Face:
    card = Card.parse(text)
    return Face("10" if card.rank == "T" else card.rank, card.suit, card.suit in "dh", card.sign)


def back_of(place: CardView) -> bool:
    """Whether a card lies there whose face nobody may see: sealed, or doubted while it lies face down."""
    return place.state in BACK_STATES or (place.state in OPEN_STATES and place.face is None)


def marks_of(place: CardView) -> tuple[Mark, ...]:
    """What both eyes say of a card that lies there; nothing of a bare place."""
    if place.state not in _SHOE:
        return ()
    camera = _CAMERA[place.state]
    if camera == "wait" and place.camera in _CAMERA_SAYS:
        camera = _CAMERA_SAYS[place.camera]
    return Mark("shoe", _SHOE[place.state]), Mark("camera", camera)
