"""Hands at a fan: its cards are taken up and laid again one by one.

The camera reads a card of a fan only while no other lies on it: whoever covers one waits until it has been told.
"""

from __future__ import annotations

from typing import Final

from devices.sim.felt import SimFelt
from studio.cards import Card
from studio.ports import CardFace
from studio.spoken import Slot
from studio.views import TableView
from studio.views.shape import CardView

Held = tuple[Slot, Card, CardFace]

_CAMERA_MS: Final = 2_000
"""A camera's frames come as fast as they come, however much faster the dealer is."""

_READ: Final = frozenset({"up", "down"})


class FanHand:
    """The cards of fans that are in the dealer's hand, each with the place where it is laid again."""

    def __init__(self, felt: SimFelt) -> None:
        self._felt = felt
        self._held: list[Held] = []
        self._since_ms: int | None = None
        self._covering: tuple[Slot, int] | None = None
        self._squared: Slot | None = None

    @property
    def busy(self) -> bool:
        return bool(self._held)

    @property
    def held(self) -> tuple[Held, ...]:
        return tuple(self._held)

    def holds(self, slot: Slot) -> bool:
        """Whether the card of this place is in the hand."""
        return any(place == slot for place, _, _ in self._held)

    def is_fan(self, slot: Slot) -> bool:
        return any(fan.zone == slot[0] for fan in self._felt.layout.fans)

    def uncovered(self) -> set[Slot]:
        """The places whose card has no other of its fan upon it."""
        top = self._felt.view().top()
        last = {zone: place for zone, place in sorted(top)}
        return {slot for slot in top if not self.is_fan(slot) or slot[1] == last[slot[0]]}

    def put_down(self) -> list[Held]:
        """Let go of the cards in the hand, wherever they are wanted now."""
        held, self._held = self._held, []
        return held

    def lift(self, slot: Slot) -> None:
        """Take up every card of a fan that lies on the one in this place."""
        if not self.is_fan(slot):
            return
        for lying in reversed(self._felt.view().cards):
            if lying.slot is not None and lying.slot[0] == slot[0] and lying.slot[1] > slot[1]:
                self._hold((lying.slot, self._felt.take(*lying.slot), lying.face))

    def lay(self, slot: Slot, card: Card, face: CardFace) -> None:
        """Lay a card in its place; in a fan as its turn comes, with those that belong upon it."""
        if not self.is_fan(slot):
            self._felt.lay(*slot, card, face)
            return
        self.lift(slot)
        self._hold((slot, card, face))

    def step(self, view: TableView, now_ms: int, patience_ms: int) -> bool:
        """Lay the next card once the camera has told the one below it, or has had its time; True while busy."""
        if not self._held:
            return False
        self._since_ms = now_ms if self._since_ms is None else self._since_ms
        slot, card, face = self._held[0]
        if may_cover(view, self._felt, slot) or now_ms - self._since_ms >= max(_CAMERA_MS, patience_ms):
            self._held.pop(0)
            self._felt.lay(*slot, card, face)
            self._since_ms = now_ms if self._held else None
        return True

    def may_lay(self, view: TableView, slot: Slot, now_ms: int, patience_ms: int) -> bool:
        """Whether the next card may be laid there yet; a card below that the camera is unsure of is put straight."""
        if not self.is_fan(slot) or may_cover(view, self._felt, slot):
            self._covering = self._squared = None
            return True
        if self._covering is None or self._covering[0] != slot:
            self._covering = (slot, now_ms)
        under = below(view, slot)
        if under is not None and under.camera == "unsure" and self._squared != slot:
            self._squared = slot
            self._felt.square(slot[0], slot[1] - 1)
        return now_ms - self._covering[1] >= max(_CAMERA_MS, patience_ms)

    def _hold(self, held: Held) -> None:
        self._held = sorted([*self._held, held], key=lambda one: one[0][1])


def below(view: TableView, slot: Slot) -> CardView | None:
    """The place of a fan on which a card in this place comes to lie."""
    zone, place = slot
    return next((one for box in view.boxes if box.key == zone for one in box.places if one.place == place - 1), None)


def may_cover(view: TableView, felt: SimFelt, slot: Slot) -> bool:
    """Whether a card may be laid at `slot`: the card that it will cover, if any, must have been read by the camera."""
    under = below(view, slot)
    return under is None or not felt.count(slot[0], slot[1] - 1) or under.camera in _READ
