"""The seeded eye over one fan: it sees the newest card, and keeps what it told of the others.

It counts places and keeps its record as the real camera does, with the same code; only what a look shows is modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from devices.camera.felt.layout import Fan, SlotName
from devices.camera.place.fan import FanRecord
from devices.sim.eye.eye_voice import EyeVoice
from devices.sim.eye.glance import EMPTY, HAND, Gaze, GlanceReading, Look, SeededReader, Told
from devices.sim.felt import FeltView, LyingCard
from studio.cards import Card
from studio.ports import CardFace, Observation

_UNREAD: Final = GlanceReading(CardFace.UNSURE, None, 0.0)


class FanEye:
    """One fan of the felt, as a modelled camera tells it."""

    def __init__(self, fan: Fan, reader: SeededReader) -> None:
        self.fan = fan
        self.gaze = Gaze()
        self._reader = reader
        self._record: FanRecord[GlanceReading] = FanRecord(fan, _UNREAD)
        self._lying: tuple[LyingCard, ...] = ()
        self._serials: tuple[int, ...] = ()
        self._was: dict[int, LyingCard] = {}
        """By place, the card that was looked at there, as it lay."""

    @property
    def _identified(self) -> bool:
        read = self._record.read(self._record.top)
        return read is not None and read.face is CardFace.UP

    def retell(self) -> None:
        """Tell everything once more; what was read and still lies as it did is kept."""
        self.gaze, self._serials = Gaze(), ()
        self._record.retell()

    def look_again(self, name: SlotName) -> None:
        """The card on top of this place is to be read anew."""
        if self._lying and self._lying[-1].slot == name:
            self.gaze.look = None

    def notice(self, view: FeltView, now_ms: int) -> None:
        """Turn to what lies in the fan now."""
        self._lying = tuple(card for card in view.cards if card.slot is not None and card.slot[0] == self.fan.zone)
        serials = tuple(card.serial for card in self._lying)
        look: Look = ("card", serials[-1]) if serials else EMPTY
        if any(zone == self.fan.zone for zone, _ in view.hands):
            look = HAND
        if serials != self._serials:
            self._serials, self.gaze.look = serials, None
        self._reader.turn(self.gaze, look, now_ms)

    def observe(self, voice: EyeVoice, now_ms: int) -> Iterator[Observation]:
        """What is new in the fan, once a look is due. A top card that went over the edge is reported as one that left
        the view.
        """
        zone, top, identified, lost = self.fan.zone, max(1, self._record.top), self._identified, self.gaze.lost
        self.gaze.lost = ""
        for place, told in self._tell(now_ms):
            if told == "empty" and lost and place == top:
                yield voice.lost((zone, place), lost, now_ms, identified=identified)
            elif told is not None:
                yield voice.place((zone, place), told, now_ms)

    def _tell(self, now_ms: int) -> Iterator[tuple[int, Told]]:
        if self.gaze.look == HAND:
            place = max(1, self._record.top)
            if self._record.said(place) != "hand":
                self._record.hand(place)
                yield place, "hand"
        elif not self._lying:
            self._was.clear()
            for place in self._record.bare():
                yield place, "empty"
        else:
            yield from self._tell_top(self._lying[-1], now_ms)

    def _tell_top(self, top: LyingCard, now_ms: int) -> Iterator[tuple[int, Told]]:
        assert top.slot is not None
        reading = self._reader.read(top.slot, self.gaze, top, now_ms)
        if reading is None:
            return
        first_x_mm = min(card.x_mm for card in self._lying)
        card: Card | None = reading.card
        place = self._record.order.place_of(top.x_mm, first_x_mm, card)
        self._was = {at: was for at, was in self._was.items() if at < place} | {place: top}
        yield from self._record.settle(place, top.x_mm, card, reading, still=self._still, back=self._back_of(reading))

    def _back_of(self, reading: GlanceReading) -> Callable[[int], bool]:
        """Whether a covered card that nobody read lies face down under others that do."""
        near_mm = self.fan.pitch_mm / 2

        def back(place: int) -> bool:
            x_mm = self._record.order.x_of(place)
            return any(one.face is CardFace.DOWN and abs(one.x_mm - x_mm) < near_mm for one in self._lying)

        return back if reading.face is CardFace.DOWN else lambda place: False

    def _still(self, place: int) -> bool:
        """Whether a covered card, or one that looks like it, still lies in this place."""
        was, near_mm = self._was.get(place), self.fan.pitch_mm / 2
        return was is not None and any(
            one.card is was.card and one.face is was.face and abs(one.x_mm - was.x_mm) < near_mm for one in self._lying
        )
