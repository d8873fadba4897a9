"""A studio put together: database, writer, tables, devices, consoles, and their threads.

Threads: one a device, one a table, one writer, the server's own. Everything below is handed what it needs.
"""

from __future__ import annotations

import gc
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import structlog
from flask import Flask

from dealer_ui.assembly.care import caretaker_of, warn_of_chips_left
from dealer_ui.assembly.key_rotation import KeyRotation
from dealer_ui.assembly.on_wire import HostOnWire, host_on_wire, secret_home
from dealer_ui.assembly.operator_metrics import operator_collectors
from dealer_ui.assembly.people import bring_people
from dealer_ui.assembly.wallets import tellers_of
from dealer_ui.assembly.web import Numbers, tell_numbers, web_of
from dealer_ui.care.caretaker import Caretaker
from dealer_ui.care.snapshot_shelf import SnapshotShelf
from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.floor.desks import own_books
from dealer_ui.floor.floor import Floor, LiveFrame
from dealer_ui.floor.house import House
from dealer_ui.floor.watch import PitWatch
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.process.factor_file import FactorFile
from dealer_ui.process.secret import peppers_beside
from dealer_ui.serving.tls import tls_of
from dealer_ui.worker.thread import TableWorker
from devices import catalogue
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import Layout, SlotName, layout_for
from devices.camera.pace.lookout import Lookout, LookTurns, Watching
from devices.camera.watch import Watcher
from devices.shoe.idle_lock import IdleLock
from devices.supervisor import Supervisor
from devices.technician.workbench import Post, Workbench
from studio.cards import ByteSource, Sealer
from studio.care.signing import signer_beside
from studio.games import find_game
from studio.journal import Reader, Receipt, Store, Unit, Writer
from studio.people import Argon2PinHasher
from studio.ports import Device
from studio.tables.books.book import Book
from studio.tables.books.commit import Publish
from studio.tables.config import TableConfig
from studio.tables.correction.finished_round import read_dossier
from studio.tables.deal.change import as_changed
from studio.tables.event.record import read_body
from studio.tables.felt.shoe_reading import may_rest
from studio.tables.past.dossier import Dossier
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.table import Status, TableState
from studio.views import ShoeResults

_LOG = structlog.get_logger("dealer_ui.assembly.bootstrap")
IDLE_S: Final = 0.002
"""Between two steps of a device that had nothing to say."""
RETRY_S: Final = 1.0
"""After an error of our own, before the same is tried again."""
SWITCH_S: Final = 0.001
"""A card passes through five threads: each may wait so long for one busy with pictures (Python's 5 ms add up)."""
STOP_S: Final = 1.5
"""So long the devices together, and then the writer, may take to end."""
BEHIND_MS_MAX: Final = 2_000
"""A machine's clock that is further behind the newest record was set back, and is worth a word."""

DRIVERS: Final = frozenset(entry.name for entry in catalogue.DRIVERS)
"""What a configuration may name as the driver of a serial device."""

DeviceFactory = Callable[[TableConfig, Sealer, EvidenceFolder], Sequence[Device]]
"""The devices of one table, on our side of their wires."""


@dataclass(slots=True)
class Studio:
    """A running studio. `start` and `stop` are called once each, by the main thread."""

    config: StudioConfig
    store: Store
    writer: Writer
    floor: Floor
    bench: Workbench
    app: Flask
    clock: SteadyClock
    workers: tuple[TableWorker, ...]
    devices: tuple[tuple[TableWorker, Device], ...]
    care: Caretaker
    keys: KeyRotation
    on_wire: HostOnWire | None = None
    """Of a studio on several machines."""
    _turns: LookTurns = field(default_factory=lambda: LookTurns(len(os.sched_getaffinity(0))))
    """As many cameras look at once as there are cores."""
    _stopping: threading.Event = field(default_factory=threading.Event)
    _writing: threading.Thread | None = None
    _beside: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Start the writer, the tables and the devices, in that order; `StorageError` when the disk takes nothing."""
        sys.setswitchinterval(SWITCH_S)
        cv2.setNumThreads(1)  # the cameras share the cores among themselves; threads within a picture only wait
        gc.freeze()  # what is there by now stays; looking through it again and again would make a card wait
        if self.on_wire is not None:
            self.on_wire.come_up()
        self._writing = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writing.start()
        with self.store.reader() as reader:
            self.floor.tellers.begin(reader)
        for worker in self.workers:
            worker.start()
        self.floor.tellers.start()
        for worker, device in self.devices:
            stepped = Lookout(device, self._turns) if isinstance(device, Watching) else device
            self._spawn(f"device {worker.runtime.key}/{device.id}", partial(self._drive, worker, stepped))
        self.keep("care", self.care.work)
        watched: House | None = self.floor
        if self.on_wire is not None:
            self.on_wire.keep_serving(self.keep, self._waiting, lambda: 0)
            watched = self.on_wire.watched
        if watched is not None:
            self.keep("pit", PitWatch(watched).run)
        if (tls := self.app.extensions["tls"]) is not None:
            self.keep("certificate", tls.watch)

    def close_streams(self) -> None:
        """End every live screen, for good; from then on nothing more is told."""
        self.floor.close()
        self.app.extensions["console"].close()

    def stop(self) -> None:
        """Stop the devices, then the tables, then the writer; nothing acknowledged is lost. Also before `start`."""
        self._stopping.set()
        self.close_streams()
        self.floor.tellers.stop()
        if self.on_wire is not None:
            self.on_wire.stop()
        deadline_s = time.monotonic() + STOP_S
        for thread in self._beside:
            thread.join(max(0.1, deadline_s - time.monotonic()))
        for worker in self.workers:
            worker.stop()
        if self._writing is None:
            for _, device in self.devices:
                device.close()
        else:
            self._writing.join(STOP_S)
        if self._writing is not None and self._writing.is_alive():
            _LOG.error("the disk does not answer; the studio ends without it")
            return
        self.writer.close()
        self.floor.close_readers()
        self.store.close()

    def _waiting(self) -> int:
        """What waits for the tables, and for the disk."""
        return self.writer.waiting + sum(worker.mailbox.waiting for worker in self.workers)

    def keep(self, name: str, work: Callable[[threading.Event], None]) -> None:
        """Run something beside the studio until it stops; what fails is told, and begun again."""

        def run() -> None:
            told = ""
            while not self._stopping.is_set():
                try:
                    return work(self._stopping)
                except Exception as error:
                    if told != (told := repr(error)):  # not once a second while it lasts
                        _LOG.error("something beside the studio failed", name=name, exc_info=error)
                    self._stopping.wait(RETRY_S)

        self._spawn(name, run)

    def _spawn(self, name: str, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._beside.append(thread)
        thread.start()

    def _write(self) -> None:
        while not self._stopping.is_set() or self.writer.waiting or any(w.alive for w in self.workers):
            try:
                self.writer.drain(wait_s=0.05)
            except Exception as error:
                _LOG.error("the writer failed, and goes on", exc_info=error)

    def _drive(self, worker: TableWorker, device: Device) -> None:
        """The one thread that owns a device. Our own error there freezes the table, and the device goes on."""
        while not self._stopping.is_set():
            try:
                seen = device.step(self.clock.now_ms())
            except Exception as error:
                _LOG.error("a driver failed", device=device.id, table=worker.runtime.key, exc_info=error)
                worker.freeze(f"an error at {device.id}")
                self._stopping.wait(RETRY_S)
                continue
            if seen:
                self.bench.note(device.id, seen)
                worker.observe(seen)
            else:
                self._stopping.wait(IDLE_S)
        device.close()


@dataclass(frozen=True, slots=True)
class StudioParts:
    """The parts from which a studio is built: the devices of each table, and the newest frame of each table's camera.

    `let_go` closes what was opened for these parts, in case the studio cannot be built. `quick_pins` hashes PINs fast,
    for the demo: PINs that everybody knows are not worth a slow hash.
    """

    devices_of: DeviceFactory
    frames: Mapping[str, LiveFrame] = field(default_factory=dict)
    byte_source: ByteSource = secrets.token_bytes
    tick_s: float = 0.2
    quick_pins: bool = False
    let_go: Callable[[], None] = lambda: None
    laid: Callable[[str, Layout], Calibration | None] = lambda camera, layout: None
    """Told that this felt lies before a camera from now on; says how it was calibrated for it by hand, where it was."""


def build_studio(config: StudioConfig, database: Path, parts: StudioParts) -> Studio:
    """Open the database and put the studio together; nothing runs yet. `BadInputError` when it cannot be used."""
    try:
        with ExitStack() as opened:
            store = opened.enter_context(Store.open(database, wrapped_by=config.keys.source))
            store.keyring.ready()
            studio = _assemble(config, store, database, parts)
            opened.pop_all()
    except BaseException:
        parts.let_go()
        raise
    return studio


def _assemble(config: StudioConfig, store: Store, database: Path, parts: StudioParts) -> Studio:
    tls = tls_of(config.server.tls)
    sealer, tick_s = Sealer(parts.byte_source), parts.tick_s
    writer = Writer(store)
    evidence = EvidenceFolder(Path(config.studio.evidence))
    on_wire = host_on_wire(config)
    home = database if on_wire is None else secret_home(config)
    peppers = peppers_beside(home)
    hasher = (
        Argon2PinHasher(peppers=peppers, cost=1, memory_kib=8) if parts.quick_pins else Argon2PinHasher(peppers=peppers)
    )
    floor = Floor(config, store, writer, evidence, hasher, own_books if on_wire is None else on_wire.keep_books)
    factors = FactorFile(home.with_name(f"{home.name}.factors"), *peppers.newest_first)
    floor.staff.second = SecondFactors(floor.staff, factors, config.people.second_factor)
    floor.bench = bench = Workbench()
    with store.reader() as reader:
        clock = SteadyClock(reader.newest_ms())
        if clock.behind_ms > BEHIND_MS_MAX:
            _LOG.warning("this machine's clock is behind the record; set it right", behind_s=clock.behind_ms // 1000)
        warn_of_chips_left(reader, {table.key for table in config.tables})
        floor.use_clock(clock.now_ms)
        bring_people(floor, reader, signs_out=on_wire is None)
        signer = signer_beside(database, secrets.token_bytes)
        shelf = SnapshotShelf(database, signer)
        care = caretaker_of(floor, signer, shelf, reader)
        floor.use_tellers(tellers_of(config, floor, reader, database, signer))
        results = {
            table.key: _results(reader, table.key, find_game(table.game).betting.bets) for table in config.tables
        }
    workers: list[TableWorker] = []
    devices: list[tuple[TableWorker, Device]] = []
    for table in config.tables:
        followers = Followers()
        named = config.table_config(table)
        runtime = _restored(named, _telling(floor, followers), writer, store, results[table.key], shelf)
        resolved = floor.proved(as_changed(named, runtime.state))
        worker = TableWorker(runtime, resolved, clock.now_ms, tick_s=tick_s)
        floor.add_table(worker, results[table.key], parts.frames.get(table.key))
        workers.append(worker)
        for device in parts.devices_of(resolved, sealer, evidence):
            devices.append((worker, device))
            if isinstance(device, Watcher):
                device.remember(_seen_last(runtime, evidence))
                followers.eyes.append(WatchedCamera(device, bench, partial(parts.laid, device.id), resolved.game))
            if isinstance(device, Supervisor):
                floor.orders.add(table.key, device)
                followers.locks += [device.driver] if isinstance(device.driver, IdleLock) else []
            bench.take(device, _post(config, table, device.id, worker, parts.frames.get(table.key)))
    if on_wire is not None:
        on_wire.serve(floor)
    app = web_of(floor, database, tls)
    tell_numbers(app, floor, Numbers(lambda: writer.waiting, care.owed, operator_collectors(floor)))
    keys = KeyRotation(database, floor.staff, signer, store.keyring, floor.commit)
    return Studio(config, store, writer, floor, bench, app, clock, tuple(workers), tuple(devices), care, keys, on_wire)


def _post(config: StudioConfig, table: TableSection, id: str, worker: TableWorker, frame: LiveFrame | None) -> Post:
    """The place at which a device stands. Nothing of its line may be seen until the table is closed."""
    role = next((role for role in ("shoe", "shuffler", "camera") if getattr(table, role) == id), "")
    section = config.device(id)
    return Post(
        table=table.key, role=role, driver=section.driver, baud=section.baud, frame=frame,
        hides=lambda: worker.runtime.state.status is not Status.CLOSED,
        calibration=config.calibration_path(id),
    )  # fmt: skip


@dataclass(slots=True)
class WatchedCamera:
    """A camera whose felt follows the game of its table: `game` is the one it is laid out for."""

    watcher: Watcher
    bench: Workbench
    laid: Callable[[Layout], Calibration | None]
    game: str

    def follow(self, game: str) -> None:
        """Another game: its places are looked at from the next picture on, on the camera's own thread."""
        if game != self.game:
            layout = layout_for(find_game(game).felt.zones)
            self.watcher.recalibrate(self.laid(layout), layout)
            self.bench.lay_out(self.watcher.id, layout)
            self.game = game


@dataclass(slots=True)
class Followers:
    """The devices that follow how their table stands: locks of shoes, and cameras."""

    locks: list[IdleLock] = field(default_factory=list)
    eyes: list[WatchedCamera] = field(default_factory=list)

    def follow(self, state: TableState) -> None:
        for lock in self.locks:
            lock.rest(may_rest(state))
        for eye in self.eyes:
            eye.follow(state.config.game)


def _telling(floor: Floor, followers: Followers) -> Publish:
    """Whoever follows a table: its screens, and its devices."""

    def publish(state: TableState, book: Book, seq: int) -> None:
        followers.follow(state)
        floor.publish(state, book, seq)

    return publish


def _restored(
    config: TableConfig, publish: Publish, writer: Writer, store: Store, results: ShoeResults, shelf: SnapshotShelf
) -> TableRuntime:
    """The table as the journal left it."""

    def commit(unit: Unit) -> Receipt:
        return writer.submit(unit).result()  # without a time-out: whether it was kept must be known

    def dossier_of(round: str) -> Dossier:
        with store.reader() as reader:
            return read_dossier(reader, config, round)

    runtime = TableRuntime(config, commit, publish, results.take, dossier_of)
    with store.reader() as reader:
        since = shelf.read(reader, config.key)
        rows = reader.events(after_seq=since[1] if since else 0, table=config.key)
        runtime.restore(rows, store.keyring.lookup, since)
    return runtime


def _seen_last(runtime: TableRuntime, evidence: EvidenceFolder) -> Mapping[SlotName, bytes]:
    """The pictures kept of what lay in each place when the program was last running."""
    kept = {slot: evidence.read(look.evidence) for slot, look in runtime.state.felt.looks.items()}
    return {slot: picture for slot, picture in kept.items() if picture}


_OF_RESULTS: Final = (
    "TableConfigured", "RoundStarted", "ResultDeclared", "RoundSettled", "RoundRefunded", "RoundResettled",
)  # fmt: skip


def _results(reader: Reader, table: str, bets: Sequence[str]) -> ShoeResults:
    results = ShoeResults(bets=bets)
    for row in reader.events(table=table, kinds=_OF_RESULTS):
        results.take(read_body(row.body).event, row.at_ms)
    return results
