"""The devices a configuration names, put together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import structlog

from dealer_ui.assembly.bootstrap import StudioParts
from dealer_ui.config.file import DeviceSection, StudioConfig
from dealer_ui.config.secret import with_secret
from dealer_ui.floor.floor import LiveFrame
from dealer_ui.process.evidence import EvidenceFolder
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.calibration_file import load
from devices.camera.felt.layout import Layout, layout_for
from devices.camera.pace.load import Flow, flow_of, wait_for
from devices.camera.picture.frame import LiveSource, PackedPicture, ShownFrame
from devices.camera.picture.quadrilateral import Pixels
from devices.camera.source.live import FrameSource, Gone, open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.catalogue import DriverSpec, build_driver, commands_of
from devices.driver import Driver
from devices.link import open_link
from devices.supervisor import Supervisor
from studio.cards import Sealer
from studio.errors import BadInputError
from studio.games import find_game
from studio.ports import Device
from studio.tables.config import TableConfig

_LOG = structlog.get_logger("dealer_ui.assembly.bootstrap")


LOOKED_S: Final = 2.0
"""Frames newer than the watcher's are shown for so long after it last looked: where the felt lies, and with it what is
painted over, is the watcher's to notice, and it looks for that every two seconds."""


class Tap:
    """A frame source that shows its newest frame as the live picture; the watcher reads through it.

    On a full machine the watcher's turn comes late. The picture does not wait for it.
    """

    def __init__(self, source: FrameSource, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._clock_s = clock_s
        self._looked: ShownFrame | None = None
        self._looked_s = 0.0
        self._ahead_ms: float | None = None
        """What the studio's clock is ahead of `clock_s`; unknown before the first grab."""
        self._drawn: tuple[ShownFrame, bytes] | None = None
        self._told_undated = False

    @property
    def url(self) -> str:
        return self._source.url

    @property
    def flow(self) -> Flow:
        return flow_of(self._source)

    def wait(self, timeout_s: float) -> bool:
        return wait_for(self._source, timeout_s)

    def grab(self, now_ms: int) -> Pixels | PackedPicture | Gone | None:
        frame = self._source.grab(now_ms)
        now_s = self._clock_s()
        if not self.flow.dated and not self._told_undated:
            self._told_undated = True
            _LOG.warning(
                "a camera's stream bears no times, or false ones: nobody can tell how old its pictures are; bettors "
                "are not shown them: let it send by RTSP, or MJPEG by HTTP",
                camera=self.url,
            )
        self._ahead_ms = now_ms - now_s * 1000
        if isinstance(frame, Gone):
            self._looked = None
        elif frame is not None:
            self._looked, self._looked_s = ShownFrame(frame, now_s - self.flow.age_ms / 1000), now_s
        return frame

    def close(self) -> None:
        self._source.close()

    def jpeg(self) -> tuple[bytes, int] | None:
        """The newest frame as JPEG, and when it came; None when the camera gives none."""
        if (shown := self._shown()) is None or (came_ms := self._at_ms(shown)) is None:
            return None
        if isinstance(shown.frame, PackedPicture):
            return shown.frame.packed, came_ms
        drawn = self._drawn
        if drawn is None or drawn[0] is not shown:  # encoded once however many look
            good, encoded = cv2.imencode(".jpg", shown.frame, (cv2.IMWRITE_JPEG_QUALITY, 80))
            if not good:
                return None
            drawn = self._drawn = (shown, encoded.tobytes())
        return drawn[1], came_ms

    def came_ms(self) -> int | None:
        """When the newest frame came, whether the watcher has looked at it or not; None while none comes, and before
        the watcher has asked for any.
        """
        newest = self._source.newest() if isinstance(self._source, LiveSource) else self._looked
        return None if newest is None else self._at_ms(newest)

    def _at_ms(self, frame: ShownFrame) -> int | None:
        ahead_ms = self._ahead_ms
        return None if ahead_ms is None else round(frame.came_s * 1000 + ahead_ms)

    def _shown(self) -> ShownFrame | None:
        looked, looked_s = self._looked, self._looked_s
        if looked is None or not isinstance(self._source, LiveSource):
            return looked
        newest = self._source.newest()
        return newest if newest is None or self._clock_s() - looked_s <= LOOKED_S else looked


def configured_parts(config: StudioConfig) -> StudioParts:
    """The devices the configuration names, opened by their links as they come up."""
    taps: dict[str, Tap] = {}
    frames: dict[str, LiveFrame] = {}

    def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Device]:
        found: list[Device] = [_serial(config.device(id), sealer) for id in (table.shoe, table.shuffler) if id]
        if table.camera:
            layout = layout_for(find_game(table.game).felt.zones)
            settings = WatchSettings(
                evidence=evidence, fixed=_calibrated(config.calibration_path(table.camera), layout)
            )
            camera = config.device(table.camera)
            tap = taps[table.key] = Tap(open_source(with_secret(camera.url, camera.secret)))
            frames[table.key] = tap.jpeg
            found.append(Watcher(tap, layout, sealer, id=table.camera, settings=settings))
        return found

    def let_go() -> None:
        for tap in taps.values():
            tap.close()

    def laid(camera: str, layout: Layout) -> Calibration | None:
        return _calibrated(config.calibration_path(camera), layout)

    return StudioParts(devices_of, frames, let_go=let_go, laid=laid)


def _calibrated(path: Path, layout: Layout) -> Calibration | None:
    """The felt as somebody calibrated it.

    None where nobody has, or the file is of no use: then its markers are looked for.
    """
    if not path.exists():
        return None
    try:
        return load(path, layout)
    except BadInputError as error:
        _LOG.warning("a camera looks for its markers instead", why=str(error))
        return None


def _serial(section: DeviceSection, sealer: Sealer) -> Supervisor:
    spec = DriverSpec(section.id, sealer, section.baud, _authorised(section), section.repeat_ms, section.lock_when_idle)
    driver: Driver = build_driver(section.driver, spec)
    return Supervisor(section.id, section.url, open_link=partial(open_link), driver=driver, sealer=sealer)


def _authorised(section: DeviceSection) -> frozenset[str]:
    return commands_of(section.driver) if section.commands else frozenset()
