"""How the seeded eye judges what it looks at: its delays and rates, and faults of one card."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from devices.camera.felt.layout import SlotName
from devices.sim.felt import LyingCard
from studio.cards import Card
from studio.ports import CardFace


@dataclass(frozen=True, slots=True)
class EyeModel:
    """How the reader behaves: times in milliseconds, rates as fractions of the cards that come to rest.

    An unsure card is looked at once more after `recover_ms`, and read then at `recover_rate`; a missed card
    is not told at all until something moves it.
    """

    settle_ms_min: int = 250
    settle_ms_max: int = 600
    hand_ms: int = 700
    slide_ms: int = 400
    recover_ms: int = 1_500
    unsure_rate: float = 0.0
    recover_rate: float = 0.8
    missed_rate: float = 0.0

    def faster(self, speed: float) -> EyeModel:
        """The same eye on a table whose every wait is divided by `speed`."""
        times = ("settle_ms_min", "settle_ms_max", "hand_ms", "slide_ms", "recover_ms")
        return replace(self, **{name: max(1, round(getattr(self, name) / speed)) for name in times})


Look = tuple[Literal["empty", "hand", "card"], int]
"""What is in a place, before it is read: the number is the serial of the card."""

EMPTY: Final[Look] = ("empty", 0)
HAND: Final[Look] = ("hand", 0)


@dataclass(frozen=True, slots=True)
class GlanceReading:
    face: CardFace
    card: Card | None = field(repr=False)
    confidence: float = field(compare=False)


Told = Literal["empty", "hand"] | GlanceReading | None


@dataclass(slots=True)
class Gaze:
    """One place: what is there, when that is due to be told, what was told last."""

    look: Look | None = None
    due_ms: int | None = None
    told: Told = None
    looks: int = 0
    lost: str = ""


@dataclass(slots=True)
class EyeFault:
    """A fault of one place; it binds to the first card it meets and ends with it."""

    kind: Literal["unsure", "missed", "misread"]
    card: Card | None = field(default=None, repr=False)
    serial: int = 0


class SeededReader:
    """What the reader makes of a card that it looks at: rates, and faults bound to places."""

    def __init__(self, rng: random.Random, model: EyeModel) -> None:
        self._rng = rng
        self._model = model
        self.faults: dict[SlotName, EyeFault] = {}

    def turn(self, gaze: Gaze, look: Look, now_ms: int) -> None:
        """Turn to what is in a place now; it is due to be told when it has settled."""
        if look == gaze.look:
            return
        gaze.look, gaze.looks = look, 0
        wait_ms = self._rng.randint(self._model.settle_ms_min, self._model.settle_ms_max)
        if look == HAND:
            wait_ms = self._model.hand_ms
        elif gaze.lost:
            wait_ms = self._model.slide_ms
        gaze.due_ms = now_ms + wait_ms

    def read(self, name: SlotName, gaze: Gaze, lying: LyingCard, now_ms: int) -> GlanceReading | None:
        """The reading of a place, its faults included; None when the card is not noticed."""
        fault = self._bound(name, lying)
        if fault is None:
            return self.glance(gaze, lying, now_ms)
        if fault.kind == "missed":
            return None
        if fault.kind == "unsure":
            return GlanceReading(CardFace.UNSURE, None, round(self._rng.uniform(0.2, 0.9), 4))
        return self._sure(lying, fault.card)

    def glance(self, gaze: Gaze, lying: LyingCard, now_ms: int) -> GlanceReading | None:
        gaze.looks += 1
        drawn = self._rng.random()
        if gaze.looks == 1 and drawn < self._model.missed_rate:
            return None
        doubtful = (
            self._model.missed_rate + self._model.unsure_rate if gaze.looks == 1 else 1 - self._model.recover_rate
        )
        if lying.face is CardFace.UP and drawn < doubtful:
            if gaze.looks == 1:
                gaze.due_ms = now_ms + self._model.recover_ms
            return GlanceReading(CardFace.UNSURE, None, round(self._rng.uniform(0.2, 0.9), 4))
        return self._sure(lying, None)

    def _sure(self, lying: LyingCard, instead: Card | None) -> GlanceReading:
        confidence = round(self._rng.uniform(0.985, 0.9999), 4)
        if lying.face is CardFace.DOWN:
            return GlanceReading(CardFace.DOWN, None, confidence)
        return GlanceReading(CardFace.UP, instead or lying.card, confidence)

    def _bound(self, name: SlotName, lying: LyingCard) -> EyeFault | None:
        fault = self.faults.get(name)
        if fault is None:
            return None
        if fault.serial == 0:
            fault.serial = lying.serial
        if fault.serial != lying.serial:
            del self.faults[name]
            return None
        return fault
