"""Hands that put the felt right: square, turn, bring, lay out again, take away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dealer_ui.rehearsal.hand.fan import FanHand
from devices.sim.felt import LyingCard, SimFelt
from studio.cards import Card
from studio.ports import CardFace
from studio.spoken import Slot
from studio.views import TableView

_RIGHT: Final = frozenset({"empty", "awaited", "confirmed", "sealed"})
_WITHOUT_CARD: Final = frozenset({"empty", "awaited"})
_FACE_DOWN: Final = frozenset({"sealed", "sealed_owed"})


class FeltHand:
    """`fallen` are the cards of this round that left the felt, and where each lay; `fan` is what the hand holds."""

    def __init__(self, felt: SimFelt) -> None:
        self.felt = felt
        self.fan = FanHand(felt)
        self.fallen: list[tuple[Slot, Card, CardFace]] = []

    def clear(self) -> None:
        self.felt.clear()
        self.fan.put_down()
        self.fallen.clear()

    def sweep(self) -> None:
        """Take up every card, remembering where it lay."""
        self.fallen += self.fan.put_down()
        for lying in self.felt.view().cards:
            if lying.slot is not None and lying.slot[0] != "discard":
                self.fallen.append((lying.slot, lying.card, lying.face))
        self.felt.clear()

    def drop(self, slot: Slot, direction: str) -> None:
        lying = self.felt.view().top()[slot]
        self.fallen.append((slot, lying.card, lying.face))
        self.felt.drop(*slot, direction)

    def lay_back(self) -> None:
        """What fell or was swept lies again where it lay."""
        for slot, card, face in self.fallen:
            if not self.felt.count(*slot) and not self.fan.holds(slot):
                self.fan.lay(slot, card, face)
        self.fallen.clear()

    def square(self, view: TableView) -> None:
        """Every card that is not confirmed straight and the right side up; one that lies astray where it belongs."""
        lying = self.felt.view().top()
        for box in view.boxes:
            for place in box.places:
                slot = (box.key, place.place)
                if place.state in _RIGHT or self.fan.holds(slot):
                    continue
                if slot not in lying:
                    self._fetch(slot, place.face)
                elif self._lies_right(lying[slot], place.state, box.key):
                    self._show(slot)
                else:
                    self.felt.turn(*slot)

    def straightens(self, slot: Slot) -> bool:
        """Whether a card lies there already, though no machine has told of it: the camera is to look at it anew."""
        if self.felt.count(*slot) and not self.fan.holds(slot):
            self._show(slot)
        return bool(self.felt.count(*slot))

    def reread(self) -> tuple[Slot, ...]:
        """Every card put straight, to be read once more; gives the places, which must be covered for a moment: what the
        camera has told it tells again only then.
        """
        shown = []
        for slot in sorted(self.felt.view().top(), key=lambda slot: slot[1]):
            if slot[0] != "discard" and not self.fan.holds(slot):  # a card taken up from upon another is laid anew
                self._show(slot)
                shown.append(slot)
        return tuple(shown)

    def show(self, view: TableView) -> None:
        """Uncover the cards in fans that the camera could not read."""
        for box in view.boxes:
            for place in box.places:
                slot = (box.key, place.place)
                if self.fan.is_fan(slot) and place.camera == "unsure" and self.felt.count(*slot):
                    self._show(slot)

    def _show(self, slot: Slot) -> None:
        """Put a card straight, with nothing upon it."""
        self.fan.lift(slot)
        self.felt.square(*slot)

    def as_recorded(self, view: TableView) -> None:
        """Every open card in the place the screen shows, and nothing where the screen shows nothing."""
        self.lay_back()
        faces = {(box.key, one.place): one.face for box in view.boxes for one in box.places}
        for box in view.boxes:
            for place in reversed(box.places):
                if place.face is not None:
                    self._bring((box.key, place.place), Card.parse(place.face), faces)
        self.take_away(view)

    def take_away(self, view: TableView) -> None:
        """Cards where the record has none go to the discard; a card that must not show its face is turned."""
        places = {(box.key, card.place): card.state for box in view.boxes for card in box.places}
        for slot, lying in self.felt.view().top().items():
            if view.room is not None and slot[0] == "burn":
                continue  # a card that was burned too early, or twice, waits there for its street
            if places.get(slot) in _WITHOUT_CARD:
                self._discard(slot)
            elif places.get(slot) in _FACE_DOWN and lying.face is CardFace.UP:
                self.felt.turn(*slot)
        for stray in self.felt.view().strays():
            self.felt.lay("discard", 1, self.felt.take_stray(stray.serial), CardFace.DOWN)

    def move_sealed(self, view: TableView) -> None:
        """A card face down where the record has none goes, unseen, where a sealed card is owed and none lies."""
        top = self.felt.view().top()
        places = {(box.key, one.place): one.state for box in view.boxes for one in box.places}
        owed = (slot for slot, state in places.items() if state == "sealed_owed" and slot not in top)
        free = {*_WITHOUT_CARD, "unread"}
        astray = (slot for slot, one in top.items() if one.face is CardFace.DOWN and places.get(slot) in free)
        for due, lies in zip(owed, astray, strict=False):
            self.felt.move(lies, due, face=CardFace.DOWN)

    def one_too_many(self, view: TableView) -> Card | None:
        """Pick up a card that lies where the record has none, else the top card of the discard pile; None when there is
        neither.
        """
        places = {(box.key, card.place): card.state for box in view.boxes for card in box.places}
        for slot in self.felt.view().top():
            if slot[0] != "discard" and places.get(slot, "empty") in _WITHOUT_CARD:
                return self.felt.take(*slot)
        return self.felt.take("discard", 1) if self.felt.count("discard", 1) else None

    def _bring(self, slot: Slot, card: Card, faces: Mapping[Slot, str | None]) -> None:
        lying = self.felt.view().top().get(slot)
        if self.fan.holds(slot):
            return
        if lying is not None and lying.card is card:
            if lying.face is not CardFace.UP:
                self.felt.turn(*slot)
            return
        found = next((one for one in self.felt.view().cards if self._is_spare(one, card, faces)), None)
        if lying is not None:
            self._discard(slot)
        if found is not None:
            self._take_up(found, slot)
            self.fan.lift(slot)
        else:
            self.fan.lay(slot, card, CardFace.UP)

    def _is_spare(self, lying: LyingCard, card: Card, faces: Mapping[Slot, str | None]) -> bool:
        """Whether `lying` is such a card as `card`, and lies where the record does not want it."""
        return lying.card is card and (lying.slot is None or faces.get(lying.slot) != str(card))

    def _fetch(self, slot: Slot, face: str | None) -> None:
        """A recorded card that lies elsewhere: astray, or where no card belongs."""
        for lying in self.felt.view().strays():
            if face is None or lying.card is Card.parse(face):
                self.felt.move_stray(lying.serial, slot, face=CardFace.DOWN if face is None else CardFace.UP)
                return

    def _take_up(self, found: LyingCard, slot: Slot) -> None:
        if found.slot is None:
            self.felt.move_stray(found.serial, slot, face=CardFace.UP)
        else:
            self.felt.move(found.slot, slot, face=CardFace.UP)

    def _discard(self, slot: Slot) -> None:
        self.felt.lay("discard", 1, self.felt.take(*slot), CardFace.DOWN)

    @staticmethod
    def _lies_right(lying: LyingCard, state: str, box: str) -> bool:
        due = CardFace.DOWN if state == "sealed_owed" or box == "burn" else CardFace.UP
        return lying.face is due
