"""A camera as a device: frames in, observations of changed places out.

`Watcher.step` never blocks for long and never raises for the world: a missing camera, a dark or shaken picture,
a hand or two cards on each other are observations. On connecting, and after having been blind, the whole felt is
told once as it stands, so that it can be compared with the record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from devices.camera.face.reader import CardReader
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import Layout, SlotName
from devices.camera.observation import CameraTeller
from devices.camera.pace.load import Flow, LoadMeter, WatchLoad, flow_of, wait_for
from devices.camera.picture.frame import BrokenPictureError, DatedSource, PackedPicture, Picture, WholePicture
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.place.fan import FanLife
from devices.camera.place.felt_watch import FeltWatch
from devices.camera.place.memory import memories
from devices.camera.place.zone import WatchTiming
from devices.camera.source.live import FrameSource, Gone
from devices.camera.view.blindness import Blindness
from devices.camera.view.felt_search import FeltFinder
from devices.plug import plug_at
from studio.cards import Sealer
from studio.ports import CameraBlind, CameraSeesAgain, Evidence, LinkDown, LinkUp, Observation

_VAGUE: Final = ("no_picture", "unsharp")
_OF_THE_PICTURE: Final = ("dark", "glare", "colourless", "frozen")
_OTHER_MS: Final = 2_000
"""So long something else must be wrong before it is told: a lamp that flickers is told once."""


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What differs between cameras.

    `fixed` is the felt as it was calibrated by hand (four clicked corners); otherwise its markers are found, again
    whenever the camera was moved. Evidence pictures are kept where `evidence` says, nowhere without it. A `reader`
    given here must not be shared between threads. `clock_s` measures the watcher's own work.
    """

    timing: WatchTiming = field(default_factory=WatchTiming)
    fixed: Calibration | None = None
    evidence: Evidence | None = None
    reader: CardReader | None = None
    clock_s: Callable[[], float] = time.monotonic


class Watcher:
    """A `studio.ports.Device`: one camera over one felt, stepped by the one thread that owns it.

    `recalibrate`, `calibration` and `load` may be used from any thread.
    """

    def __init__(
        self, source: FrameSource, layout: Layout, sealer: Sealer, *, id: str = "camera",
        settings: WatchSettings | None = None,
    ) -> None:  # fmt: skip
        chosen = settings or WatchSettings()
        self._id = id
        self._source = source
        self._layout = layout
        self._reader = chosen.reader or CardReader()
        self._tells = partial(CameraTeller, id, sealer=sealer, evidence=chosen.evidence, model=self._reader.digest)
        self._teller = self._tells(layout=layout)
        self._timing, self._clock_s = chosen.timing, chosen.clock_s
        self._meter = LoadMeter()
        self._finder = FeltFinder(layout, chosen.fixed)
        self._renewed: FeltFinder | None = None
        self._linked: bool | None = None
        self._down_reason = ""
        """The sentence last told of a link that is down."""
        self._framed_ms: int | None = None
        self._blind = ""
        self._other = ("", 0)
        """What is wrong meanwhile instead of what was told, and since when."""
        self._watch: FeltWatch | None = None
        self._calibration: Calibration | None = None
        self._fans = tuple(FanLife(fan, self._timing) for fan in layout.fans)
        self._blindness: Blindness | None = None
        self._failing_ms: int | None = None

    @property
    def id(self) -> str:
        return self._id

    @property
    def layout(self) -> Layout:
        return self._layout

    @property
    def calibration(self) -> Calibration | None:
        """The calibration that is in use; None while the felt is not seen."""
        return self._calibration if self._watch is not None else None

    @property
    def load(self) -> WatchLoad:
        """How far the watcher is behind its camera."""
        return self._meter.figures

    @property
    def flow(self) -> Flow:
        """How its pictures come."""
        return flow_of(self._source)

    @property
    def came_ms(self) -> int | None:
        """When the newest frame came, looked at or not; None where none comes, or its source does not say."""
        return self._source.came_ms() if isinstance(self._source, DatedSource) else None

    def wait(self, timeout_s: float) -> bool:
        """Wait for something to look at, at most so long; False when there is nothing."""
        return wait_for(self._source, timeout_s)

    def recalibrate(self, fixed: Calibration | None, layout: Layout | None = None) -> None:
        """Use this calibration from the next frame on; with None, find the felt by its markers again.

        `layout`: from now on the felt of another game lies there; all its places are reported.
        """
        self._renewed = FeltFinder(layout or self._layout, fixed)

    def remember(self, pictures: Mapping[SlotName, bytes]) -> None:
        """Before the first step: pictures kept before a restart, by place; a covered card is known by them again."""
        self._teller.remember(pictures)
        for life in self._fans:
            life.remember(memories(life.fan, pictures, self._reader.digest))

    def step(self, now_ms: int) -> list[Observation]:
        """Take the newest frame, if there is one, and say what has changed."""
        grabbed = self._grabbed(now_ms)
        if isinstance(grabbed, Gone):
            return self._down(grabbed.reason, now_ms)
        if grabbed is None:
            self._framed_ms = now_ms if self._framed_ms is None else self._framed_ms
            if now_ms - self._framed_ms < self._timing.silent_ms or self._linked is False:
                return []
            reason = f"The camera at {self._source.url} sends no new picture; check the camera and its network."
            return self._down(reason, now_ms)
        begun_s, said = self._clock_s(), list(self._up(now_ms))
        with suppress(BrokenPictureError):  # its thumbnail could be unpacked, and the whole cannot: the next one can
            said.extend(self._look(grabbed, now_ms))
            self._framed_ms = now_ms
        self._meter.judged(self.flow, (self._clock_s() - begun_s) * 1000, now_ms)
        return said

    def close(self) -> None:
        self._source.close()

    def _grabbed(self, now_ms: int) -> Picture | Gone | None:
        """The newest frame; a broken one has not come."""
        grabbed = self._source.grab(now_ms)
        if grabbed is None or isinstance(grabbed, Gone):
            return grabbed
        if not isinstance(grabbed, PackedPicture):
            return WholePicture(grabbed)
        try:
            _ = grabbed.thumb
        except BrokenPictureError:
            return None
        return grabbed

    # --- link ----------------------------------------------------------------------------------------

    def _up(self, now_ms: int) -> Iterator[Observation]:
        if not self._linked:
            self._linked, self._down_reason, self._blind, self._watch, self._failing_ms = True, "", "", None, None
            yield LinkUp(device=self._id, at_ms=now_ms, url=(url := self._source.url), plug=plug_at(url))

    def _down(self, reason: str, now_ms: int) -> list[Observation]:
        if reason == self._down_reason:
            return []
        self._linked, self._down_reason, self._watch = False, reason, None
        return [LinkDown(device=self._id, at_ms=now_ms, url=self._source.url, reason=reason)]

    # --- looking -------------------------------------------------------------------------------------

    def _look(self, picture: Picture, now_ms: int) -> Iterator[Observation]:
        if self._renewed is not None:
            self._take_over(self._renewed)
        if self._calibration is not None and self._calibration.frame_px != picture.size_px:
            self._watch, self._calibration = None, None
            yield from self._lose_sight("resized", now_ms)
        if self._watch is None:
            yield from self._find_felt(picture.whole, picture.thumb, now_ms)
        if self._watch is None or self._blindness is None:
            return
        reason = self._blindness.reason(picture, now_ms, calm=not self._watch.may_look(now_ms))
        if reason:
            self._watch = None
            yield from self._lose_sight(reason, now_ms)
        elif not self._blindness.suspects():
            for news in self._watch.look(picture, now_ms):
                yield from self._teller.tell(news, now_ms)

    def _take_over(self, finder: FeltFinder) -> None:
        self._finder, self._renewed = finder, None
        self._watch, self._blindness, self._failing_ms = None, None, None
        if finder.layout is not self._layout:
            self._layout, self._calibration = finder.layout, None
            self._teller = self._tells(layout=finder.layout)
            self._fans = tuple(FanLife(fan, self._timing) for fan in finder.layout.fans)

    def _find_felt(self, frame: Pixels, thumb: Pixels, now_ms: int) -> Iterator[Observation]:
        """Calibrate; say that the picture cannot be trusted when the felt is not found for a while."""
        if self._blind == "frozen" and self._blindness and self._blindness.frozen(thumb, now_ms):
            return
        found = self._finder.find(frame, thumb)
        if isinstance(found, str):
            self._failing_ms = now_ms if self._failing_ms is None else self._failing_ms
            if now_ms - self._failing_ms >= self._timing.blind_ms:
                yield from self._lose_sight(found, now_ms)
            return
        if self._blind:
            yield CameraSeesAgain(device=self._id, at_ms=now_ms)
        self._blind, self._failing_ms, self._calibration = "", None, found.calibration
        self._watch = FeltWatch(found.calibration, thumb, self._reader, self._timing, self._fans)
        self._blindness = Blindness(found.view, self._timing)

    def _lose_sight(self, reason: str, now_ms: int) -> Iterator[Observation]:
        """Say why nothing is seen; say it anew where something else has kept it so: what was told may be mended."""
        if not self._blind or self._is_other(reason, now_ms):
            self._blind = reason
            yield CameraBlind(device=self._id, at_ms=now_ms, reason=reason)

    def _is_other(self, reason: str, now_ms: int) -> bool:
        """Whether something else than was told has lasted. That no felt is found tells less than how it was lost, but
        of light, and of a picture that stood still."""
        if reason == self._blind or (reason in _VAGUE and self._blind not in _OF_THE_PICTURE):
            self._other = ("", now_ms)
        elif reason != self._other[0]:
            self._other = (reason, now_ms)
        return bool(self._other[0]) and now_ms - self._other[1] >= _OTHER_MS
