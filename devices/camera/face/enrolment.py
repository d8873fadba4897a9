"""Enrols a deck: each card is shown once, and from then on no other design is believed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from devices.camera.face.deck import BACK, NAMES, DeckLooks
from devices.camera.face.likeness import likeness, print_of
from devices.camera.face.reader import CardReader, judge
from devices.camera.outline.search import cards_in_picture
from devices.camera.picture.quadrilateral import CARD_PX, Pixels, rectify
from studio.errors import RefusedError
from studio.ports import CardFace

LOOKS_MAX: Final = 4
"""More looks of one card are not kept; the last ones count."""

_AS_LARGE: Final = 0.5
_TOO_ALIKE: Final = 0.995


@dataclass(frozen=True, slots=True, eq=False)
class ShownCard:
    """What was taken of a card that was shown: its name, and whether the reader named it by itself."""

    name: str
    read: bool
    picture: Pixels


@dataclass(slots=True)
class Enrolment:
    """A deck being shown, card by card, the back last or first; not thread-safe.

    A card that the reader cannot name by itself is shown again with its name (`NAMES`: "As" … "Kh", "back").
    """

    reader: CardReader
    deck_name: str
    _looks: dict[str, list[Pixels]] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[str, ...]:
        """What was not shown yet, in the order of `NAMES`."""
        return tuple(name for name in NAMES if name not in self._looks)

    def show_picture(self, picture: Pixels, name: str = "") -> ShownCard:
        """Enrol the one card in a picture taken anywhere; `RefusedError` when no card is found, or several."""
        outlines = cards_in_picture(picture)
        largest = max((float(cv2.contourArea(one.quad)) for one in outlines), default=0.0)
        found = [one.quad for one in outlines if cv2.contourArea(one.quad) > _AS_LARGE * largest]
        if len(found) != 1:
            many = f"{len(found)} cards are" if found else "No card is"
            raise RefusedError("not_one_card", f"{many} in the picture; show one card alone on a plain cloth.")
        return self.show(rectify(picture, found[0]), name)

    def show(self, card: Pixels, name: str = "") -> ShownCard:
        """Take a rectified card; without a name the reader must be sure of it."""
        if card.shape != (CARD_PX[1], CARD_PX[0], 3):
            raise RefusedError("not_rectified", "The picture is not a flattened card; give what `rectify` makes.")
        if name and name not in NAMES:
            raise RefusedError("no_such_card", f"{name} is no card; write it as in As, Td, 9h, or back.")
        said = name or self._read(card)
        if not said:
            raise RefusedError("unread", "The card cannot be read by itself; show it again and say which card it is.")
        kept = self._looks.setdefault(said, [])
        kept.append(np.ascontiguousarray(card))
        del kept[:-LOOKS_MAX]
        return ShownCard(said, not name, card)

    def forget(self, name: str) -> None:
        """Take back what was shown of a card, as after a slip."""
        self._looks.pop(name, None)

    def finish(self) -> DeckLooks:
        """The enrolled deck; refused while cards are missing, or when two of them are the same picture."""
        if self.missing:
            few = ", ".join(self.missing[:6]) + (" …" if len(self.missing) > 6 else "")
            raise RefusedError("incomplete", f"{len(self.missing)} of 53 were not shown yet ({few}); show them.")
        twins = self._twins()
        if twins:
            one, other = twins
            raise RefusedError("twins", f"{one} and {other} were shown the same card; show both again.")
        return DeckLooks(self.deck_name, {name: tuple(self._looks[name]) for name in NAMES})

    def _read(self, card: Pixels) -> str:
        said = judge(self.reader.scores([card])[0], float(CARD_PX[1]))
        if said.face is CardFace.DOWN:
            return BACK
        return str(said.card) if said.card else ""

    def _twins(self) -> tuple[str, str] | None:
        """Two names whose first looks cannot be told apart."""
        prints = [print_of(self._looks[name][0]) for name in NAMES]
        for number, one in enumerate(prints[:-1]):
            alike = likeness(one, prints[number + 1 :]).min(axis=0)
            if alike.max() > _TOO_ALIKE:
                return NAMES[number], NAMES[number + 1 + int(alike.argmax())]
        return None
