"""The devices a configuration names, put together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

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
from devices.camera.picture.frame import PackedPicture, whole_of
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


class Tap:
    """A frame source that keeps the newest frame for the live picture; the watcher reads through it."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._last: tuple[Pixels | PackedPicture, int] | None = None
        self._drawn: tuple[tuple[Pixels | PackedPicture, int], bytes] | None = None

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
        if isinstance(frame, Gone):
            self._last = None
        elif frame is not None:
            self._last = (frame, now_ms)
        return frame

    def close(self) -> None:
        self._source.close()

    def jpeg(self) -> tuple[bytes, int] | None:
        """The newest frame as JPEG with its time, encoded once however many look; None when the camera gives none."""
        last, drawn = self._last, self._drawn
        if last is None:
            return None
        if drawn is None or drawn[0] is not last:
            if (whole := whole_of(last[0])) is None:
                return None
            good, encoded = cv2.imencode(".jpg", whole, (cv2.IMWRITE_JPEG_QUALITY, 80))
            if not good:
                return None
            drawn = self._drawn = (last, encoded.tobytes())
        return drawn[1], last[1]


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
