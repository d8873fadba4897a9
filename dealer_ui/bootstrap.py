"""The only place where a studio is put together: database, writer, tables, devices, consoles, and their threads.

Threads: one a device, one a table, one writer, the server's own. Everything below is handed what it needs.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import structlog
from flask import Flask

from dealer_ui.api import blueprint
from dealer_ui.app import create_app
from dealer_ui.clock import SteadyClock
from dealer_ui.config import DeviceSection, StudioConfig
from dealer_ui.evidence import EvidenceFolder
from dealer_ui.floor import Floor, LiveFrame
from dealer_ui.metrics import metrics_routes
from dealer_ui.staff_desk import STAFF_KINDS
from dealer_ui.worker import TableWorker
from devices.camera.layout import layout_for
from devices.camera.rectify import Pixels
from devices.camera.source import FrameSource, Gone, open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.catalogue import DriverSpec, build_driver
from devices.driver import Driver
from devices.link import open_link
from devices.supervisor import Supervisor
from studio.cards import ByteSource, Sealer
from studio.games import find_game
from studio.journal import Reader, Receipt, Store, Unit, Writer
from studio.people import Argon2PinHasher
from studio.ports import Device
from studio.tables.config import TableConfig
from studio.tables.event import read_body
from studio.tables.runtime import TableRuntime
from studio.views import Results

_LOG = structlog.get_logger("dealer_ui.bootstrap")
COMMIT_TIMEOUT_S: Final = 30.0
PEPPER_BYTES: Final = 32

DeviceFactory = Callable[[TableConfig, Sealer, EvidenceFolder], Sequence[Device]]
"""The devices of one table, on our side of their wires."""


@dataclass(slots=True)
class Studio:
    """A running studio. `start` and `stop` are called once each, by the main thread."""

    config: StudioConfig
    store: Store
    writer: Writer
    floor: Floor
    app: Flask
    clock: SteadyClock
    workers: tuple[TableWorker, ...]
    devices: tuple[tuple[TableWorker, Device], ...]
    _stopping: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Start the writer, the tables and the devices, in that order."""
        self._spawn("writer", self._write)
        for worker in self.workers:
            worker.start()
        for worker, device in self.devices:
            self._spawn(f"device {worker.runtime.key}/{device.id}", partial(self._drive, worker, device))

    def stop(self) -> None:
        """Stop the devices, then the tables, then the writer; nothing acknowledged is lost."""
        self._stopping.set()
        self.app.extensions["console"].closing.set()
        for thread in self._threads[1:]:
            thread.join(timeout=2)
        for worker in self.workers:
            worker.stop()
        self._threads[0].join(timeout=2)
        self.writer.close()
        self.store.close()

    def keep(self, name: str, work: Callable[[threading.Event], None]) -> None:
        """Run something of the rehearsal beside the studio until it stops."""
        self._spawn(name, partial(work, self._stopping))

    def _spawn(self, name: str, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _write(self) -> None:
        while not self._stopping.is_set() or self.writer.waiting or any(w.alive for w in self.workers):
            self.writer.drain(wait_s=0.05)

    def _drive(self, worker: TableWorker, device: Device) -> None:
        """The one thread that owns a device. Our own error there is told, and the device goes on."""
        while not self._stopping.is_set():
            try:
                seen = device.step(self.clock.now_ms())
            except Exception as error:
                _LOG.error("a driver failed", device=device.id, table=worker.runtime.key, exc_info=error)
                self._stopping.wait(1.0)
                continue
            if seen:
                worker.observe(seen)
            else:
                self._stopping.wait(0.002)
        device.close()


@dataclass(frozen=True, slots=True)
class Parts:
    """What a studio is given: the devices of each table, and the last frame of each table's camera."""

    devices_of: DeviceFactory
    frames: Mapping[str, LiveFrame] = field(default_factory=dict)
    byte_source: ByteSource = secrets.token_bytes
    tick_s: float = 0.2


def build_studio(config: StudioConfig, database: Path, parts: Parts) -> Studio:
    """Open the database and put the studio together; nothing runs yet. `BadInputError` when it cannot be used."""
    store = Store.open(database)
    try:
        return _assemble(config, store, database, parts)
    except BaseException:
        store.close()
        raise


def _assemble(config: StudioConfig, store: Store, database: Path, parts: Parts) -> Studio:
    sealer, tick_s = Sealer(parts.byte_source), parts.tick_s
    writer = Writer(store)
    evidence = EvidenceFolder(Path(config.studio.evidence))
    hasher = Argon2PinHasher(pepper=_pepper(database))
    floor = Floor(config, store, writer, evidence, hasher)
    reader = store.reader()
    clock = SteadyClock(reader.newest_ms())
    floor.use_clock(clock.now_ms)
    floor.staff.restore(reader.events(kinds=STAFF_KINDS))
    workers: list[TableWorker] = []
    devices: list[tuple[TableWorker, Device]] = []
    for table in config.tables:
        resolved = config.table_config(table)
        results = _results(reader, table.key)
        runtime = _restored(resolved, floor, writer, store, results)
        worker = TableWorker(runtime, resolved, clock.now_ms, tick_s=tick_s)
        floor.add_table(worker, results, parts.frames.get(table.key))
        workers.append(worker)
        devices.extend((worker, device) for device in parts.devices_of(resolved, sealer, evidence))
    reader.close()
    app = create_app(floor, title=config.studio.title, language=config.studio.language, threads=config.server.threads)
    console = app.extensions["console"]
    app.register_blueprint(blueprint(floor, console.seats, closing=console.closing))
    app.register_blueprint(metrics_routes(lambda: [floor.view(key) for key in floor.tables], lambda: writer.waiting))
    return Studio(config, store, writer, floor, app, clock, tuple(workers), tuple(devices))


def _restored(config: TableConfig, floor: Floor, writer: Writer, store: Store, results: Results) -> TableRuntime:
    """The table as the journal left it."""

    def commit(unit: Unit) -> Receipt:
        return writer.submit(unit).result(timeout=COMMIT_TIMEOUT_S)

    runtime = TableRuntime(config, commit, floor.publish, results.take)
    with store.reader() as reader:
        runtime.restore(reader.events(table=config.key), store.keyring.lookup)
    return runtime


def _results(reader: Reader, table: str) -> Results:
    results = Results()
    for row in reader.events(table=table, kinds=("RoundStarted", "ResultDeclared", "RoundSettled", "RoundRefunded")):
        results.take(read_body(row.body).event, row.at_ms)
    return results


def _pepper(database: Path) -> bytes:
    """The secret of the PIN hashes, in a file beside the database that only its owner reads; made once."""
    path = database.with_name(f"{database.name}.pepper")
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(handle, "wb") as file:
        pepper = secrets.token_bytes(PEPPER_BYTES)
        file.write(pepper)
    return pepper


# --- real devices ---------------------------------------------------------------------------------------


class Tap:
    """A frame source that keeps the newest frame for the live picture; the watcher reads through it."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._last: tuple[Pixels, int] | None = None

    @property
    def url(self) -> str:
        return self._source.url

    def grab(self, now_ms: int) -> Pixels | Gone | None:
        frame = self._source.grab(now_ms)
        if isinstance(frame, Gone):
            self._last = None
        elif frame is not None:
            self._last = (frame, now_ms)
        return frame

    def close(self) -> None:
        self._source.close()

    def jpeg(self) -> tuple[bytes, int] | None:
        """The newest frame as JPEG with its time; None when the camera gives none."""
        last = self._last
        if last is None:
            return None
        good, encoded = cv2.imencode(".jpg", last[0], (cv2.IMWRITE_JPEG_QUALITY, 80))
        return (encoded.tobytes(), last[1]) if good else None


def configured_parts(config: StudioConfig) -> Parts:
    """The devices the configuration names, opened by their links as they come up."""
    taps = {table.key: Tap(open_source(config.device(table.camera).url)) for table in config.tables if table.camera}

    def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Device]:
        found: list[Device] = [_serial(config.device(id), sealer) for id in (table.shoe, table.shuffler) if id]
        if table.camera:
            layout = layout_for(find_game(table.game).zones)
            settings = WatchSettings(evidence=evidence)
            found.append(Watcher(taps[table.key], layout, sealer, id=table.camera, settings=settings))
        return found

    return Parts(devices_of, {key: tap.jpeg for key, tap in taps.items()})


def _serial(section: DeviceSection, sealer: Sealer) -> Supervisor:
    driver: Driver = build_driver(section.driver, DriverSpec(section.id, sealer, section.baud, _authorised(section)))
    return Supervisor(section.id, section.url, open_link=partial(open_link), driver=driver, sealer=sealer)


def _authorised(section: DeviceSection) -> frozenset[str]:
    return frozenset({"lock", "unlock", "cancel_error", "confirm"}) if section.commands else frozenset()
