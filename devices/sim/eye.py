"""The only place for the seeded model of the card reader: the camera's observations without a picture.

It looks at the simulated felt directly and says what `devices.camera.watch.Watcher` would say of its
rendered frames, in the same words and with the same meaning (one contract test runs both): on connecting
every place once, then changes only. How late, how unsure and how often blind it is comes from `EyeModel`,
a seeded source and the faults that are switched on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from devices.camera.layout import SlotName
from devices.sim.felt import Felt, FeltView, LyingCard
from studio.cards import Card, SealedCard, Sealer
from studio.ports import (
    CameraBlind,
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawHand,
    CameraSawStray,
    CameraSeesAgain,
    CameraStrayGone,
    CardFace,
    LinkDown,
    LinkUp,
    Observation,
)


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

_EMPTY: Final[Look] = ("empty", 0)
_HAND: Final[Look] = ("hand", 0)


@dataclass(frozen=True, slots=True)
class _Reading:
    face: CardFace
    card: Card | None = field(repr=False)
    confidence: float = field(compare=False)


_Told = Literal["empty", "hand"] | _Reading | None


@dataclass(slots=True)
class _Gaze:
    """One place: what is there, when that is due to be told, what was told last."""

    look: Look | None = None
    due_ms: int | None = None
    told: _Told = None
    looks: int = 0
    lost: str = ""


@dataclass(slots=True)
class _Fault:
    """A fault of one place; it binds to the first card it meets and ends with it."""

    kind: Literal["unsure", "missed", "misread"]
    card: Card | None = field(default=None, repr=False)
    serial: int = 0


class _SeededReader:
    """What the reader makes of a card that it looks at: rates, and faults bound to places."""

    def __init__(self, rng: random.Random, model: EyeModel) -> None:
        self._rng = rng
        self._model = model
        self.faults: dict[SlotName, _Fault] = {}

    def read(self, name: SlotName, gaze: _Gaze, lying: LyingCard, now_ms: int) -> _Reading | None:
        """The reading of a place, its faults included; None when the card is not noticed."""
        fault = self._bound(name, lying)
        if fault is None:
            return self.glance(gaze, lying, now_ms)
        if fault.kind == "missed":
            return None
        if fault.kind == "unsure":
            return _Reading(CardFace.UNSURE, None, round(self._rng.uniform(0.2, 0.9), 4))
        return self._sure(lying, fault.card)

    def glance(self, gaze: _Gaze, lying: LyingCard, now_ms: int) -> _Reading | None:
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
            return _Reading(CardFace.UNSURE, None, round(self._rng.uniform(0.2, 0.9), 4))
        return self._sure(lying, None)

    def _sure(self, lying: LyingCard, instead: Card | None) -> _Reading:
        confidence = round(self._rng.uniform(0.985, 0.9999), 4)
        if lying.face is CardFace.DOWN:
            return _Reading(CardFace.DOWN, None, confidence)
        return _Reading(CardFace.UP, instead or lying.card, confidence)

    def _bound(self, name: SlotName, lying: LyingCard) -> _Fault | None:
        fault = self.faults.get(name)
        if fault is None:
            return None
        if fault.serial == 0:
            fault.serial = lying.serial
        if fault.serial != lying.serial:
            del self.faults[name]
            return None
        return fault


class SeededEye:
    """A `studio.ports.Device` over a felt, stepped by whoever owns the clock; it starts no thread."""

    def __init__(
        self, felt: Felt, sealer: Sealer, rng: random.Random, *, id: str = "camera", model: EyeModel | None = None
    ) -> None:
        self._id = id
        self._felt = felt
        self._sealer = sealer
        self._rng = rng
        self._model = model or EyeModel()
        self._reader = _SeededReader(rng, self._model)
        self._url = "sim://felt"
        self._linked, self._told_linked = True, False
        self._blind, self._told_blind = "", ""
        self._departed = 0
        self._forget()

    @property
    def id(self) -> str:
        return self._id

    def close(self) -> None:
        self._linked = self._told_linked = False

    # --- faults, switchable while running -------------------------------------------------------------

    def unsure(self, zone: str, place: int) -> None:
        """The card that lies there, or comes there next, is not read until it is squared or replaced."""
        self._fault((zone, place), _Fault("unsure"))

    def missed(self, zone: str, place: int) -> None:
        """The card that lies there, or comes there next, is not noticed."""
        self._fault((zone, place), _Fault("missed"))

    def misread(self, zone: str, place: int, card: Card) -> None:
        """The card that lies there, or comes there next, is read as another one when it lies face up."""
        self._fault((zone, place), _Fault("misread", card))

    def blind(self, reason: str) -> None:
        """The picture cannot be trusted from now on: dark, unsharp, frozen, moved or no_picture."""
        self._blind = reason

    def see(self) -> None:
        """The picture can be trusted again."""
        self._blind = ""

    def link(self, *, up: bool) -> None:
        """Pull the cable, or plug it in again."""
        self._linked = up

    # --- the device ----------------------------------------------------------------------------------

    @property
    def due_ms(self) -> int | None:
        """When something already seen is due to be told; None when nothing waits. Changes are seen at a step."""
        waiting = (*self._gazes.values(), *self._strays.values())
        return min((gaze.due_ms for gaze in waiting if gaze.due_ms is not None), default=None)

    def step(self, now_ms: int) -> list[Observation]:
        """Look at the felt once and say what has settled since; never raises for the world."""
        told = list(self._line(now_ms))
        if not self._told_linked or self._told_blind:
            return told
        view = self._felt.view()
        self._notice(view, now_ms)
        lying, tops = {card.serial: card for card in view.cards}, view.top()
        for name, gaze in self._gazes.items():
            if gaze.due_ms is not None and now_ms >= gaze.due_ms:
                gaze.due_ms = None
                told.extend(self._tell(name, gaze, tops.get(name), now_ms))
        told.extend(self._tell_strays(lying, now_ms))
        return told

    def _line(self, now_ms: int) -> Iterator[Observation]:
        if self._linked != self._told_linked:
            self._told_linked, self._told_blind = self._linked, ""
            if not self._linked:
                reason = f"The camera at {self._url} gives no picture; check its cable and its power."
                yield LinkDown(device=self._id, at_ms=now_ms, url=self._url, reason=reason)
                return
            yield LinkUp(device=self._id, at_ms=now_ms, url=self._url)
            self._forget()
        if self._linked and self._blind != self._told_blind:
            self._told_blind = self._blind
            if self._blind:
                yield CameraBlind(device=self._id, at_ms=now_ms, reason=self._blind)
            else:
                yield CameraSeesAgain(device=self._id, at_ms=now_ms)
                self._forget()

    def _forget(self) -> None:
        """Know nothing of the felt: every place is told once more as it stands."""
        self._gazes = {slot.name: _Gaze() for slot in self._felt.layout.slots}
        self._strays: dict[int, _Gaze] = {}
        self._stray_at: dict[int, tuple[float, float]] = {}
        self._departed = max((gone.serial for gone in self._felt.view().departures), default=self._departed)

    # --- noticing ------------------------------------------------------------------------------------

    def _notice(self, view: FeltView, now_ms: int) -> None:
        for gone in view.departures:
            if gone.serial > self._departed and gone.lying.slot is not None:
                self._gazes[gone.lying.slot].lost = gone.direction
                self._departed = gone.serial
        tops = view.top()
        for name, gaze in self._gazes.items():
            look: Look = _HAND if name in view.hands else ("card", tops[name].serial) if name in tops else _EMPTY
            self._turn_to(gaze, look, now_ms)
        there = {stray.serial: stray for stray in view.strays()}
        for serial in there:
            self._turn_to(self._strays.setdefault(serial, _Gaze()), ("card", serial), now_ms)
        for serial, gaze in self._strays.items():
            if serial not in there:
                self._turn_to(gaze, _EMPTY, now_ms)

    def _turn_to(self, gaze: _Gaze, look: Look, now_ms: int) -> None:
        if look == gaze.look:
            return
        gaze.look, gaze.looks = look, 0
        wait_ms = self._rng.randint(self._model.settle_ms_min, self._model.settle_ms_max)
        if look == _HAND:
            wait_ms = self._model.hand_ms
        elif gaze.lost:
            wait_ms = self._model.slide_ms
        gaze.due_ms = now_ms + wait_ms

    # --- telling -------------------------------------------------------------------------------------

    def _tell(self, name: SlotName, gaze: _Gaze, lying: LyingCard | None, now_ms: int) -> Iterator[Observation]:
        zone, place = name
        if gaze.lost:
            identified = isinstance(gaze.told, _Reading) and gaze.told.face is CardFace.UP
            yield CameraLostCard(
                device=self._id, at_ms=now_ms, zone=zone, place=place, direction=gaze.lost, identified=identified
            )
            gaze.lost, gaze.told = "", "empty"
        if gaze.look == _HAND or lying is None:
            kind: Literal["empty", "hand"] = "hand" if gaze.look == _HAND else "empty"
            if gaze.told != kind:
                gaze.told = kind
                saw = CameraSawHand if kind == "hand" else CameraSawEmpty
                yield saw(device=self._id, at_ms=now_ms, zone=zone, place=place)
        elif (reading := self._reader.read(name, gaze, lying, now_ms)) is not None and reading != gaze.told:
            gaze.told = reading
            yield CameraSawCard(
                device=self._id, at_ms=now_ms, zone=zone, place=place, face=reading.face,
                card=self._sealed(reading), confidence=reading.confidence,
            )  # fmt: skip

    def _tell_strays(self, lying: dict[int, LyingCard], now_ms: int) -> Iterator[Observation]:
        layout = self._felt.layout
        for serial, gaze in list(self._strays.items()):
            if gaze.due_ms is None or now_ms < gaze.due_ms:
                continue
            gaze.due_ms = None
            if gaze.look == _EMPTY:
                del self._strays[serial]
                if serial in self._stray_at:
                    x, y = self._stray_at.pop(serial)
                    yield CameraStrayGone(device=self._id, at_ms=now_ms, x=x, y=y)
            elif (reading := self._reader.glance(gaze, lying[serial], now_ms)) is not None and reading != gaze.told:
                gaze.told = reading
                x, y = lying[serial].x_mm / layout.width_mm, lying[serial].y_mm / layout.height_mm
                self._stray_at[serial] = (x, y)
                yield CameraSawStray(
                    device=self._id, at_ms=now_ms, x=x, y=y, face=reading.face,
                    card=self._sealed(reading), confidence=reading.confidence,
                )  # fmt: skip

    def _sealed(self, reading: _Reading) -> SealedCard | None:
        return None if reading.card is None else self._sealer.card(reading.card)

    def _fault(self, name: SlotName, fault: _Fault) -> None:
        zone, place = name
        self._reader.faults[self._felt.layout.slot(zone, place).name] = fault
        if (lying := self._felt.view().top().get(name)) is not None:
            fault.serial = lying.serial
            self._gazes[name].look = None
