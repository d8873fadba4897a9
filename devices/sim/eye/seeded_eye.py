"""The seeded model of the card reader: the camera's observations without a picture.

It looks at the simulated felt directly and says what `devices.camera.watch.Watcher` would say of its
rendered frames, in the same words and with the same meaning (one contract test runs both): on connecting
every place once, then changes only. How late, how unsure and how often blind it is comes from `EyeModel`,
a seeded source and the faults that are switched on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, Literal

from devices.camera.felt.layout import SlotName
from devices.sim.eye.eye_voice import EyeVoice
from devices.sim.eye.fan_eye import FanEye
from devices.sim.eye.glance import EMPTY, HAND, EyeFault, EyeModel, Gaze, GlanceReading, Look, SeededReader
from devices.sim.felt import FeltView, LyingCard, SimFelt
from studio.cards import Card, Sealer
from studio.ports import (
    CameraBlind,
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
    _due_ms: int | None

    def __init__(
        self, felt: SimFelt, sealer: Sealer, rng: random.Random, *, id: str = "camera", model: EyeModel | None = None
    ) -> None:
        self._id = id
        self._felt = felt
        self._voice = EyeVoice(id, sealer)
        self._rng = rng
        self._model = model or EyeModel()
        self._reader = SeededReader(rng, self._model)
        self._line = _Line(id)
        self._fans = {fan.zone: FanEye(fan, self._reader) for fan in felt.layout.fans}
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
        self._fault((zone, place), EyeFault("unsure"))

    def missed(self, zone: str, place: int) -> None:
        """The card that lies there, or comes there next, is not noticed."""
        self._fault((zone, place), EyeFault("missed"))

    def misread(self, zone: str, place: int, card: Card) -> None:
        """The card that lies there, or comes there next, is read as another one when it lies face up."""
        self._fault((zone, place), EyeFault("misread", card))

    def blind(self, reason: str) -> None:
        """The picture cannot be trusted from now on: dark, unsharp, frozen, moved or no_picture."""
        self._line.blind = reason

    def see(self) -> None:
        """The picture can be trusted again."""
        self._line.blind = ""

    def link(self, *, up: bool) -> None:
        """Pull the cable, or plug it in again."""
        self._line.linked = up

    def _next_due_ms(self) -> int | None:
        """When something already seen is due to be told; None when nothing waits. Changes are seen at a step."""
        waiting = (*self._gazes.values(), *self._strays.values(), *(fan.gaze for fan in self._fans.values()))
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
            self._due_ms = self._next_due_ms()
        if self._due_ms is None or now_ms < self._due_ms:
            return told
        lying, tops = {card.serial: card for card in view.cards}, view.top()
        for name, gaze in self._gazes.items():
            if gaze.due_ms is not None and now_ms >= gaze.due_ms:
                gaze.due_ms = None
                told.extend(_observe(self._voice, self._reader, name, gaze, tops.get(name), now_ms))
        for fan in self._fans.values():
            if fan.gaze.due_ms is not None and now_ms >= fan.gaze.due_ms:
                fan.gaze.due_ms = None
                told.extend(fan.observe(self._voice, now_ms))
        told.extend(self._tell_strays(lying, now_ms))
        self._due_ms = self._next_due_ms()
        return told

    def _forget(self) -> None:
        """Know nothing of the felt: every place is told once more as it stands."""
        self._noticed, self._due_ms = None, None
        self._gazes = {slot.name: Gaze() for slot in self._felt.layout.singles}
        for fan in self._fans.values():
            fan.retell()
        self._strays: dict[int, Gaze] = {}
        self._stray_at: dict[int, tuple[float, float]] = {}
        self._departed = max((gone.serial for gone in self._felt.view().departures), default=self._departed)

    # --- noticing ------------------------------------------------------------------------------------

    def _notice(self, view: FeltView, now_ms: int) -> None:
        for gone in view.departures:
            if gone.serial > self._departed and gone.lying.slot is not None:
                zone, _ = gone.lying.slot
                gaze = self._fans[zone].gaze if zone in self._fans else self._gazes[gone.lying.slot]
                gaze.lost = gone.direction
                self._departed = gone.serial
        tops = view.top()
        for name, gaze in self._gazes.items():
            look: Look = HAND if name in view.hands else ("card", tops[name].serial) if name in tops else EMPTY
            self._reader.turn(gaze, look, now_ms)
        for fan in self._fans.values():
            fan.notice(view, now_ms)
        there = {stray.serial: stray for stray in view.strays()}
        for serial in there:
            self._reader.turn(self._strays.setdefault(serial, Gaze()), ("card", serial), now_ms)
        for serial, gaze in self._strays.items():
            if serial not in there:
                self._reader.turn(gaze, EMPTY, now_ms)

    # --- telling -------------------------------------------------------------------------------------

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
                yield self._voice.stray(x, y, reading, now_ms)

    def _fault(self, name: SlotName, fault: EyeFault) -> None:
        zone, place = name
        self._reader.faults[self._felt.layout.slot(zone, place).name] = fault
        if (lying := self._felt.view().top().get(name)) is not None:
            fault.serial = lying.serial
            self._noticed = None
            if zone in self._fans:
                self._fans[zone].look_again(name)
            else:
                self._gazes[name].look = None


def _observe(
    voice: EyeVoice, reader: SeededReader, name: SlotName, gaze: Gaze, lying: LyingCard | None, now_ms: int
) -> Iterator[Observation]:
    """What is new in a place whose look is due."""
    if gaze.lost:
        identified = isinstance(gaze.told, GlanceReading) and gaze.told.face is CardFace.UP
        yield voice.lost(name, gaze.lost, now_ms, identified=identified)
        gaze.lost, gaze.told = "", "empty"
    if gaze.look == HAND or lying is None:
        kind: Literal["empty", "hand"] = "hand" if gaze.look == HAND else "empty"
        if gaze.told != kind:
            gaze.told = kind
            yield voice.place(name, kind, now_ms)
    elif (reading := reader.read(name, gaze, lying, now_ms)) is not None and reading != gaze.told:
        gaze.told = reading
        yield voice.place(name, reading, now_ms)
