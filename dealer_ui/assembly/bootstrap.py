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
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import structlog
from flask import Flask

from dealer_ui.api.door import blueprint
from dealer_ui.assembly.app import create_app
from dealer_ui.assembly.care import caretaker_of
from dealer_ui.assembly.chips_left import warn_of_chips_left
from dealer_ui.assembly.metrics import metrics_routes
from dealer_ui.assembly.people import bring_people
from dealer_ui.assembly.wallet_metrics import WalletCollector
from dealer_ui.assembly.wallets import tellers_of
from dealer_ui.care.caretaker import Caretaker
from dealer_ui.care.snapshot_shelf import SnapshotShelf
from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.desk.deck import DECK_KINDS
from dealer_ui.desk.pit import PIT_KINDS
from dealer_ui.desk.ticket import Tickets
from dealer_ui.desk.ticket_file import TicketFile
from dealer_ui.floor.floor import Floor, LiveFrame
from dealer_ui.floor.watch import PitWatch
from dealer_ui.live.seats import Capacity, open_files
from dealer_ui.pages.play import route as play
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.process.secret import pepper_beside
from dealer_ui.serving.proxy import Proxies
from dealer_ui.teller.look import looks
from dealer_ui.worker.thread import TableWorker
from devices import catalogue
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import Layout, SlotName, layout_for
from devices.camera.pace.lookout import Lookout, Watching
from devices.camera.pace.turn import Turns
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
from studio.views import Results

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
    _turns: Turns = field(default_factory=lambda: Turns(len(os.sched_getaffinity(0))))
    """As many cameras look at once as there are cores."""
    _stopping: threading.Event = field(default_factory=threading.Event)
    _writing: threading.Thread | None = None
    _beside: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Start the writer, the tables and the devices, in that order; `StorageError` when the disk takes nothing."""
        sys.setswitchinterval(SWITCH_S)
        cv2.setNumThreads(1)  # the cameras share the cores among themselves; threads within a picture only wait
        gc.freeze()  # what is there by now stays; looking through it again and again would make a card wait
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
        self.keep("pit", PitWatch(self.floor).run)

    def close_streams(self) -> None:
        """End every live screen, for good; from then on nothing more is told."""
        self.floor.close()
        self.app.extensions["console"].close()

    def stop(self) -> None:
        """Stop the devices, then the tables, then the writer; nothing acknowledged is lost. Also before `start`."""
        self._stopping.set()
        self.close_streams()
        self.floor.tellers.stop()
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

    def keep(self, name: str, work: Callable[[threading.Event], None]) -> None:
        """Run something beside the studio until it stops; what fails is told, and begun again."""

        def run() -> None:
            while not self._stopping.is_set():
                try:
                    return work(self._stopping)
                except Exception as error:
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
class Parts:
    """What a studio is given: the devices of each table, and the last frame of each table's camera.

    `let_go` closes what was opened for them, when the studio could not be put together.
    `quick_pins`: PINs that everybody knows, as the demo's, are not worth the time of a slow hash.
    """

    devices_of: DeviceFactory
    frames: Mapping[str, LiveFrame] = field(default_factory=dict)
    byte_source: ByteSource = secrets.token_bytes
    tick_s: float = 0.2
    quick_pins: bool = False
    let_go: Callable[[], None] = lambda: None
    laid: Callable[[str, Layout], Calibration | None] = lambda camera, layout: None
    """Told that this felt lies before a camera from now on; says how it was calibrated for it by hand, where it was."""


def build_studio(config: StudioConfig, database: Path, parts: Parts) -> Studio:
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


def _assemble(config: StudioConfig, store: Store, database: Path, parts: Parts) -> Studio:
    sealer, tick_s = Sealer(parts.byte_source), parts.tick_s
    writer = Writer(store)
    evidence = EvidenceFolder(Path(config.studio.evidence))
    pepper = pepper_beside(database)
    hasher = (
        Argon2PinHasher(pepper=pepper, cost=1, memory_kib=8) if parts.quick_pins else Argon2PinHasher(pepper=pepper)
    )
    floor = Floor(config, store, writer, evidence, hasher)
    floor.bench = bench = Workbench()
    with store.reader() as reader:
        clock = SteadyClock(reader.newest_ms())
        if clock.behind_ms > BEHIND_MS_MAX:
            _LOG.warning("this machine's clock is behind the record; set it right", behind_s=clock.behind_ms // 1000)
        warn_of_chips_left(reader, {table.key for table in config.tables})
        floor.use_clock(clock.now_ms)
        floor.pit.restore(reader.events(kinds=PIT_KINDS))
        bring_people(floor, reader)
        signer = signer_beside(database, secrets.token_bytes)
        shelf = SnapshotShelf(database, signer)
        care = caretaker_of(floor, signer, shelf, reader)
        floor.decks.restore(reader.events(kinds=DECK_KINDS))
        floor.use_tellers(tellers_of(config, floor, reader, database))
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
                followers.eyes.append(Eye(device, bench, partial(parts.laid, device.id), resolved.game))
            if isinstance(device, Supervisor):
                floor.orders.add(table.key, device)
                followers.locks += [device.driver] if isinstance(device.driver, IdleLock) else []
            bench.take(device, _post(config, table, device.id, worker, parts.frames.get(table.key)))
    room = Capacity.of_files(open_files())
    app = create_app(floor, title=config.studio.title, language=config.studio.language, room=room)
    console = app.extensions["console"]
    kept = TicketFile(database.with_name(f"{database.name}.tickets"))
    tickets = Tickets(lambda: secrets.token_urlsafe(32), clock.now_ms, time.monotonic, kept)
    doors = console.turned_away
    doors.keep_in(database.with_name(f"{database.name}.access"))
    operators = blueprint(floor, console.lanes.operators, tickets=tickets, closing=console.closing, turned_away=doors)
    app.register_blueprint(operators)
    app.register_blueprint(play.routes(console, tickets, floor))
    app.extensions["tickets"] = tickets
    app.extensions["usher"] = replace(
        app.extensions["usher"], operator_of=lambda key: floor.operators.operator_of(key),
        has_ticket=lambda token: tickets.find(token) is not None,
    )  # fmt: skip
    numbers = metrics_routes(
        lambda: [floor.view(key) for key in floor.tables], lambda: writer.waiting, care.owed,
        lambda: doors.counts, key_sha256=config.server.metrics_key_sha256,
        beside=WalletCollector(lambda: looks(floor.tellers, floor.reader()), clock.now_ms),
    )  # fmt: skip
    app.register_blueprint(numbers)
    app.extensions["proxies"] = Proxies(config.server.trusted_proxy)
    return Studio(config, store, writer, floor, bench, app, clock, tuple(workers), tuple(devices), care)


def _post(config: StudioConfig, table: TableSection, id: str, worker: TableWorker, frame: LiveFrame | None) -> Post:
    """Where a device stands. Until its table is closed nothing of its line is shown."""
    role = next((role for role in ("shoe", "shuffler", "camera") if getattr(table, role) == id), "")
    section = config.device(id)
    return Post(
        table=table.key, role=role, driver=section.driver, baud=section.baud, frame=frame,
        hides=lambda: worker.runtime.state.status is not Status.CLOSED,
        calibration=config.calibration_path(id),
    )  # fmt: skip


@dataclass(slots=True)
class Eye:
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
    eyes: list[Eye] = field(default_factory=list)

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
    config: TableConfig, publish: Publish, writer: Writer, store: Store, results: Results, shelf: SnapshotShelf
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


def _results(reader: Reader, table: str, bets: Sequence[str]) -> Results:
    results = Results(bets=bets)
    for row in reader.events(table=table, kinds=_OF_RESULTS):
        results.take(read_body(row.body).event, row.at_ms)
    return results
