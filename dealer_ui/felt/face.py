"""A place on the felt as something to look at: a face, a back, the marks of the two eyes.

A face is drawn only in a state in which it is public; whatever else a view may carry by mistake, a sealed card
gets a back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.cards import Card
from studio.views.shape import CardView, TableView, VouchView

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
    """What one eye says: `eye` is shoe, camera or people; `says` is yes, no, unsure, wait, hand, over or settled."""

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
    """What the shoe and the camera each say of the card in a place; empty for a bare place."""
    if place.state not in _SHOE:
        return ()
    camera = _CAMERA[place.state]
    if camera == "wait" and place.camera in _CAMERA_SAYS:
        camera = _CAMERA_SAYS[place.camera]
    if place.vouch is not None:
        return _vouched(place.vouch, camera)
    return Mark("shoe", _SHOE[place.state]), Mark("camera", camera)


def _vouched(vouch: VouchView, camera: str) -> tuple[Mark, ...]:
    """An eye that was overridden gets no tick; the people who said what the card is are a mark of their own."""
    if not vouch.ruling:
        return Mark("shoe", "unsure"), Mark("camera", camera)
    from_picture = vouch.ruling == "continue"
    shoe, seen = Mark("shoe", "yes" if vouch.shoe else "over"), "yes" if vouch.camera else "over"
    return shoe, Mark("camera", "unsure" if from_picture and not vouch.camera else seen), Mark("people", "settled")


def settled_of(view: TableView) -> tuple[tuple[str, CardView, VouchView], ...]:
    """The open cards of the felt that people vouch for, with the box each lies in."""
    lying = ((box.key, place) for box in view.boxes for place in box.places if face_of(place) is not None)
    return tuple((box, one, one.vouch) for box, one in lying if one.vouch is not None and one.vouch.ruling)
