"""Faces that showed for a moment over places that hold, or get, a card face down.

One readable frame is enough. A card that ends face up was dealt or turned so, and showed nothing it should not.
"""

from __future__ import annotations

from dataclasses import dataclass

from devices.camera.face.reader import Judgement, judge
from devices.camera.felt.layout import Slot, SlotName
from devices.camera.picture.frame import Picture
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.fan import FanLife
from devices.camera.place.sight import Score, SeenCard, SeenFan, Sight
from devices.camera.place.zone import Told
from studio.ports import CardFace


@dataclass(frozen=True, slots=True)
class FaceShown:
    """The face of a card that lies, or came to lie, face down in this place was seen."""

    slot: Slot
    said: Judgement
    card: SeenCard


class Flashes:
    """Faces seen while places moved, each until its place is at rest, or covered for long."""

    def __init__(self, sight: Sight, score: Score) -> None:
        self._sight = sight
        self._score = score
        self._coming: dict[SlotName, tuple[FaceShown, bool]] = {}

    def look(self, slot: Slot, told: Told | None, picture: Picture) -> None:
        """Look at a place that moves, and of which `told` was said last."""
        if not self._watches(slot, told):
            return
        card = self._sight.face_over(slot, picture.whole, lifted=isinstance(told, Judgement))
        if card is not None:
            self._note(slot, told, self._said(card), card)

    def look_at_fan(self, life: FanLife, frame: Pixels) -> None:
        """Look at the newest card of a fan that moves."""
        seen = self._sight.fan_at(life.fan, frame)
        if not isinstance(seen, SeenFan) or not life.fan.holds(seen.top.x_mm, seen.top.y_mm):
            return
        said = self._said(seen.top)
        place, told = life.would_be(seen.top.x_mm, seen.first_x_mm, said.card)
        if self._watches(slot := life.fan.slots[place - 1], told):
            self._note(slot, told, said, seen.top)

    def _watches(self, slot: Slot, told: Told | None) -> bool:
        """Whether a face over this place would be news."""
        if slot.pile or slot.name in self._coming:
            return False
        return not isinstance(told, Judgement) or told.face is CardFace.DOWN

    def _said(self, card: SeenCard) -> Judgement:
        return judge(self._score(card.picture), card.height_px)

    def _note(self, slot: Slot, told: Told | None, said: Judgement, card: SeenCard) -> None:
        if said.face is CardFace.UP:
            self._coming[slot.name] = (FaceShown(slot, said, card), isinstance(told, Judgement))

    def settled(self, slot: Slot, told: Told | None) -> FaceShown | None:
        """The face that showed for a moment over a place which now holds `told`; None where that is no news.

        A card that lies face up was dealt or turned so: its face is no news. Where no card lay before, only a card that
        now lies face down can have shown its face.
        """
        shown, lay_down = self._coming.pop(slot.name, (None, False))
        if isinstance(told, Judgement):
            return shown if told.face is CardFace.DOWN or (lay_down and told.face is CardFace.UNSURE) else None
        return shown if lay_down else None
