"""The only place where a camera becomes a device: frames in, observations of changed places out.

`Watcher.step` never blocks for long and never raises for the world: a missing camera, a dark or shaken picture,
a hand or two cards on each other are observations. On connecting, and after having been blind, the whole felt is
told once as it stands, so that it can be compared with the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2

from devices.camera.blindness import Blindness, why_no_felt
from devices.camera.calibration import Calibration, calibrate
from devices.camera.fan import FanLife
from devices.camera.felt_watch import CardLeft, FeltWatch, News, PlaceNews
from devices.camera.gate import thumbnail
from devices.camera.layout import Layout
from devices.camera.reader import CardReader, Judgement
from devices.camera.rectify import Pixels
from devices.camera.sight import SeenCard
from devices.camera.source import FrameSource, Gone
from devices.camera.stray import StrayLeft, StraySeen
from devices.camera.zone import WatchTiming
from studio.cards import SealedCard, Sealer
from studio.ports import (
    CameraBlind,
    CameraLostCard,
    CameraSawCard,
    CameraSawEmpty,
    CameraSawHand,
    CameraSawStray,
    CameraSeesAgain,
    CameraStrayGone,
    Evidence,
    LinkDown,
    LinkUp,
    Observation,
)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What differs between cameras.

    `calibration` fixes the felt by hand (four clicked corners); otherwise its markers are found, again whenever
    the camera was moved. Evidence pictures are kept where `evidence` says, nowhere without it. A `reader` given
    here must not be shared between threads.
    """

    timing: WatchTiming = field(default_factory=WatchTiming)
    calibration: Calibration | None = None
    evidence: Evidence | None = None
    reader: CardReader | None = None


class Watcher:
    """A `studio.ports.Device`: one camera over one felt, stepped by the one thread that owns it."""

    def __init__(
        self,
        source: FrameSource,
        layout: Layout,
        sealer: Sealer,
        *,
        id: str = "camera",
        settings: WatchSettings | None = None,
    ) -> None:
        chosen = settings or WatchSettings()
        self._id = id
        self._source = source
        self._layout = layout
        self._sealer = sealer
        self._reader = chosen.reader or CardReader()
        self._evidence = chosen.evidence
        self._timing = chosen.timing
        self._fixed = chosen.calibration
        self._linked: bool | None = None
        self._framed_ms: int | None = None
        self._blind = ""
        self._watch: FeltWatch | None = None
        self._fans = tuple(FanLife(fan, self._timing) for fan in layout.fans)
        self._blindness: Blindness | None = None
        self._failing_ms: int | None = None

    @property
    def id(self) -> str:
        return self._id

    def step(self, now_ms: int) -> list[Observation]:
        """Take the newest frame, if there is one, and say what has changed."""
        grabbed = self._source.grab(now_ms)
        if isinstance(grabbed, Gone):
            return self._down(grabbed.reason, now_ms)
        if grabbed is None:
            self._framed_ms = now_ms if self._framed_ms is None else self._framed_ms
            if now_ms - self._framed_ms < self._timing.silent_ms or self._linked is False:
                return []
            reason = f"The camera at {self._source.url} sends no new picture; check the camera and its network."
            return self._down(reason, now_ms)
        self._framed_ms = now_ms
        return [*self._up(now_ms), *self._look(grabbed, now_ms)]

    def close(self) -> None:
        self._source.close()

    # --- link ----------------------------------------------------------------------------------------

    def _up(self, now_ms: int) -> Iterator[Observation]:
        if not self._linked:
            self._linked, self._blind, self._watch, self._failing_ms = True, "", None, None
            yield LinkUp(device=self._id, at_ms=now_ms, url=self._source.url)

    def _down(self, reason: str, now_ms: int) -> list[Observation]:
        if self._linked is False:
            return []
        self._linked, self._watch = False, None
        return [LinkDown(device=self._id, at_ms=now_ms, url=self._source.url, reason=reason)]

    # --- looking -------------------------------------------------------------------------------------

    def _look(self, frame: Pixels, now_ms: int) -> Iterator[Observation]:
        thumb = thumbnail(frame)
        if self._watch is None:
            yield from self._find_felt(frame, thumb, now_ms)
        if self._watch is None or self._blindness is None:
            return
        reason = self._blindness.reason(frame, thumb, now_ms)
        if reason:
            self._watch = None
            yield from self._lose_sight(reason, now_ms)
        elif not self._blindness.suspects():
            for news in self._watch.look(frame, thumb, now_ms):
                yield self._observed(news, now_ms)

    def _find_felt(self, frame: Pixels, thumb: Pixels, now_ms: int) -> Iterator[Observation]:
        """Calibrate; say that the picture cannot be trusted when the felt is not found for a while."""
        if self._blind == "frozen" and self._blindness and self._blindness.reason(frame, thumb, now_ms) == "frozen":
            return
        calibration = self._fixed or calibrate(frame, self._layout)
        bad = why_no_felt(thumb) if calibration is None or self._fixed else ""
        if calibration is None or bad in ("dark", "unsharp"):
            self._failing_ms = now_ms if self._failing_ms is None else self._failing_ms
            if now_ms - self._failing_ms >= self._timing.blind_ms:
                yield from self._lose_sight(bad, now_ms)
            return
        if self._blind:
            yield CameraSeesAgain(device=self._id, at_ms=now_ms)
        self._blind, self._failing_ms = "", None
        self._watch = FeltWatch(calibration, thumb, self._reader, self._timing, self._fans)
        self._blindness = Blindness(calibration, frame, self._timing, printed=self._fixed is None)

    def _lose_sight(self, reason: str, now_ms: int) -> Iterator[Observation]:
        if not self._blind:
            self._blind = reason
            yield CameraBlind(device=self._id, at_ms=now_ms, reason=reason)

    # --- saying --------------------------------------------------------------------------------------

    def _observed(self, news: News, at_ms: int) -> Observation:
        device, layout = self._id, self._layout
        match news:
            case PlaceNews(slot=slot, told="empty"):
                return CameraSawEmpty(device=device, at_ms=at_ms, zone=slot.zone, place=slot.place)
            case PlaceNews(slot=slot, told="hand"):
                return CameraSawHand(device=device, at_ms=at_ms, zone=slot.zone, place=slot.place)
            case PlaceNews(slot=slot, told=Judgement() as said, card=card):
                return CameraSawCard(
                    device=device, at_ms=at_ms, zone=slot.zone, place=slot.place, face=said.face,
                    card=self._sealed(said), confidence=said.confidence, evidence=self._kept(card),
                )  # fmt: skip
            case CardLeft(slot=slot, direction=direction, identified=identified):
                return CameraLostCard(
                    device=device, at_ms=at_ms, zone=slot.zone, place=slot.place, direction=direction,
                    identified=identified,
                )  # fmt: skip
            case StraySeen(x_mm=x_mm, y_mm=y_mm, said=said, card=card):
                return CameraSawStray(
                    device=device, at_ms=at_ms, x=x_mm / layout.width_mm, y=y_mm / layout.height_mm, face=said.face,
                    card=self._sealed(said), confidence=said.confidence, evidence=self._kept(card),
                )  # fmt: skip
            case StrayLeft(x_mm=x_mm, y_mm=y_mm):
                return CameraStrayGone(device=device, at_ms=at_ms, x=x_mm / layout.width_mm, y=y_mm / layout.height_mm)
            case _:
                raise AssertionError(news)

    def _sealed(self, said: Judgement) -> SealedCard | None:
        return None if said.card is None else self._sealer.card(said.card)

    def _kept(self, card: SeenCard | None) -> str:
        if card is None or self._evidence is None:
            return ""
        return self._evidence.keep(cv2.imencode(".jpg", card.crop)[1].tobytes())
