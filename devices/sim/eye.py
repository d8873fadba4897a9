"""The only place for the seeded model of the card reader: the camera's observations without a picture.

It looks at the simulated felt directly and says what `devices.camera.watch.Watcher` would say of its
rendered frames, in the same words and with the same meaning (one contract test runs both): on connecting
every place once, then changes only. How late, how unsure and how often blind it is comes from `EyeModel`,
a seeded source and the faults that are switched on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, Literal

from devices.camera.layout import SlotName
from devices.sim.felt import Felt, FeltView, LyingCard
from devices.sim.glance import EMPTY, HAND, EyeModel, Fault, Gaze, Look, Reading, SeededReader
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

__all__ = ["EyeModel", "SeededEye"]

_URL: Final = "sim://felt"


class _Line:
    """Whether the camera gives a picture, and whether it can be trusted: what is so, and what was told."""

    def __init__(self, id: str) -> None:
        self.linked, self.blind = True, ""
        self._id = id
        self._told_linked, self._told_blind = False, ""

    @property
    def open(self) -> bool:
        return self._told_linked and not self._told_blind

    def cut(self) -> None:
        self.linked = self._told_linked = False

    def changes(self, now_ms: int) -> Iterator[Observation]:
        if self.linked != self._told_linked:
            self._told_linked, self._told_blind = self.linked, ""
            if not self.linked:
                reason = f"The camera at {_URL} gives no picture; check its cable and its power."
                yield LinkDown(device=self._id, at_ms=now_ms, url=_URL, reason=reason)
            else:
                yield LinkUp(device=self._id, at_ms=now_ms, url=_URL)
        if self.linked and self.blind != self._told_blind:
            self._told_blind = self.blind
            if self.blind:
                yield CameraBlind(device=self._id, at_ms=now_ms, reason=self.blind)
            else:
                yield CameraSeesAgain(device=self._id, at_ms=now_ms)


class SeededEye:
    """A `studio.ports.Device` over a felt, stepped by whoever owns the clock; it starts no thread."""

    _noticed: FeltView | None

    def __init__(
        self, felt: Felt, sealer: Sealer, rng: random.Random, *, id: str = "camera", model: EyeModel | None = None
    ) -> None:
        self._id = id
        self._felt = felt
        self._sealer = sealer
        self._rng = rng
        self._model = model or EyeModel()
        self._reader = SeededReader(rng, self._model)
        self._line = _Line(id)
        self._departed, self._noticed = 0, None
        self._forget()

    @property
    def id(self) -> str:
        return self._id

    def close(self) -> None:
        self._line.cut()

    # --- faults, switchable while running -------------------------------------------------------------

    def unsure(self, zone: str, place: int) -> None:
        """The card that lies there, or comes there next, is not read until it is squared or replaced."""
        self._fault((zone, place), Fault("unsure"))

    def missed(self, zone: str, place: int) -> None:
        """The card that lies there, or comes there next, is not noticed."""
        self._fault((zone, place), Fault("missed"))

    def misread(self, zone: str, place: int, card: Card) -> None:
        """The card that lies there, or comes there next, is read as another one when it lies face up."""
        self._fault((zone, place), Fault("misread", card))

    def blind(self, reason: str) -> None:
        """The picture cannot be trusted from now on: dark, unsharp, frozen, moved or no_picture."""
        self._line.blind = reason

    def see(self) -> None:
        """The picture can be trusted again."""
        self._line.blind = ""

    def link(self, *, up: bool) -> None:
        """Pull the cable, or plug it in again."""
        self._line.linked = up

    @property
    def due_ms(self) -> int | None:
        """When something already seen is due to be told; None when nothing waits. Changes are seen at a step."""
        waiting = (*self._gazes.values(), *self._strays.values())
        return min((gaze.due_ms for gaze in waiting if gaze.due_ms is not None), default=None)

    def step(self, now_ms: int) -> list[Observation]:
        """Look at the felt once and say what has settled since; never raises for the world."""
        told = list(self._line.changes(now_ms))
        if any(isinstance(change, LinkUp | CameraSeesAgain) for change in told):
            self._forget()
        if not self._line.open:
            return told
        view = self._felt.view()
        if view is not self._noticed:
            self._noticed = view
            self._notice(view, now_ms)
        if (due_ms := self.due_ms) is None or now_ms < due_ms:
            return told
        lying, tops = {card.serial: card for card in view.cards}, view.top()
        for name, gaze in self._gazes.items():
            if gaze.due_ms is not None and now_ms >= gaze.due_ms:
                gaze.due_ms = None
                told.extend(self._tell(name, gaze, tops.get(name), now_ms))
        told.extend(self._tell_strays(lying, now_ms))
        return told

    def _forget(self) -> None:
        """Know nothing of the felt: every place is told once more as it stands."""
        self._noticed = None
        self._gazes = {slot.name: Gaze() for slot in self._felt.layout.slots}
        self._strays: dict[int, Gaze] = {}
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
            look: Look = HAND if name in view.hands else ("card", tops[name].serial) if name in tops else EMPTY
            self._reader.turn(gaze, look, now_ms)
        there = {stray.serial: stray for stray in view.strays()}
        for serial in there:
            self._reader.turn(self._strays.setdefault(serial, Gaze()), ("card", serial), now_ms)
        for serial, gaze in self._strays.items():
            if serial not in there:
                self._reader.turn(gaze, EMPTY, now_ms)

    # --- telling -------------------------------------------------------------------------------------

    def _tell(self, name: SlotName, gaze: Gaze, lying: LyingCard | None, now_ms: int) -> Iterator[Observation]:
        zone, place = name
        if gaze.lost:
            yield _left(self._id, name, gaze, now_ms)
            gaze.lost, gaze.told = "", "empty"
        if gaze.look == HAND or lying is None:
            kind: Literal["empty", "hand"] = "hand" if gaze.look == HAND else "empty"
            if gaze.told != kind:
                saw = CameraSawHand if kind == "hand" else CameraSawEmpty
                gaze.told = kind
                yield saw(device=self._id, at_ms=now_ms, zone=zone, place=place)
        elif (reading := self._reader.read(name, gaze, lying, now_ms)) is not None and reading != gaze.told:
            gaze.told = reading
            yield CameraSawCard(
                device=self._id, at_ms=now_ms, zone=zone, place=place, face=reading.face,
                card=_sealed(self._sealer, reading), confidence=reading.confidence,
            )  # fmt: skip

    def _tell_strays(self, lying: dict[int, LyingCard], now_ms: int) -> Iterator[Observation]:
        layout = self._felt.layout
        for serial, gaze in list(self._strays.items()):
            if gaze.due_ms is None or now_ms < gaze.due_ms:
                continue
            gaze.due_ms = None
            if gaze.look == EMPTY:
                del self._strays[serial]
                if serial in self._stray_at:
                    x, y = self._stray_at.pop(serial)
                    yield CameraStrayGone(device=self._id, at_ms=now_ms, x=x, y=y)
            elif (reading := self._reader.glance(gaze, lying[serial], now_ms)) is not None and reading != gaze.told:
                gaze.told = reading
                x, y = lying[serial].x_mm / layout.width_mm, lying[serial].y_mm / layout.height_mm
                self._stray_at[serial] = (x, y)
                card = _sealed(self._sealer, reading)
                yield CameraSawStray(
                    device=self._id, at_ms=now_ms, x=x, y=y, face=reading.face, card=card, confidence=reading.confidence
                )

    def _fault(self, name: SlotName, fault: Fault) -> None:
        zone, place = name
        self._reader.faults[self._felt.layout.slot(zone, place).name] = fault
        if (lying := self._felt.view().top().get(name)) is not None:
            fault.serial = lying.serial
            self._gazes[name].look = self._noticed = None


def _left(device: str, name: SlotName, gaze: Gaze, now_ms: int) -> CameraLostCard:
    """The card of this place went over the edge of the view."""
    identified = isinstance(gaze.told, Reading) and gaze.told.face is CardFace.UP
    return CameraLostCard(
        device=device, at_ms=now_ms, zone=name[0], place=name[1], direction=gaze.lost, identified=identified
    )


def _sealed(sealer: Sealer, reading: Reading) -> SealedCard | None:
    return None if reading.card is None else sealer.card(reading.card)
