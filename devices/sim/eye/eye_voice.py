"""The observations that the seeded eye makes of a felt: the words of the real camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from devices.camera.felt.layout import SlotName
from devices.sim.eye.glance import GlanceReading
from studio.cards import SealedCard, Sealer
from studio.ports import (
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawHand,
    CameraSawStray,
    Observation,
)


@dataclass(frozen=True, slots=True)
class EyeVoice:
    """What one eye says, under its name and with its own sealer."""

    id: str
    sealer: Sealer

    def place(self, name: SlotName, told: GlanceReading | Literal["empty", "hand"], now_ms: int) -> Observation:
        zone, place = name
        if not isinstance(told, GlanceReading):
            saw = CameraSawHand if told == "hand" else CameraSawEmpty
            return saw(device=self.id, at_ms=now_ms, zone=zone, place=place)
        return CameraSawCard(
            device=self.id, at_ms=now_ms, zone=zone, place=place, face=told.face,
            card=self._sealed(told), confidence=told.confidence,
        )  # fmt: skip

    def lost(self, name: SlotName, direction: str, now_ms: int, *, identified: bool) -> CameraLostCard:
        """The card of this place went over the edge of the view."""
        return CameraLostCard(
            device=self.id, at_ms=now_ms, zone=name[0], place=name[1], direction=direction, identified=identified
        )

    def stray(self, x: float, y: float, told: GlanceReading, now_ms: int) -> CameraSawStray:
        return CameraSawStray(
            device=self.id, at_ms=now_ms, x=x, y=y, face=told.face,
            card=self._sealed(told), confidence=told.confidence,
        )  # fmt: skip

    def _sealed(self, told: GlanceReading) -> SealedCard | None:
        return None if told.card is None else self.sealer.card(told.card)
