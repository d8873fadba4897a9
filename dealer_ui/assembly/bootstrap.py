"""A studio put together: database, writer, tables, devices, consoles, and their threads.

Threads: one a device, one a table, one writer, the server's own. Everything below is handed what it needs.
"""

from __future__ import annotations

import gc
import secrets
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import structlog
from flask import Flask
from threadpoolctl import threadpool_limits

from dealer_ui.assembly.care import caretaker_beside, caretaker_of, warn_of_chips_left
from dealer_ui.assembly.key_rotation import KeyRotation
from dealer_ui.assembly.lease_keeper import LeaseKeeper
from dealer_ui.assembly.on_wire import HostOnWire, host_on_wire, leads, open_record, secret_home
from dealer_ui.assembly.operator_metrics import operator_collectors
from dealer_ui.assembly.people import bring_people
from dealer_ui.assembly.queue_keeper import QueueKeeper, queues_of
from dealer_ui.assembly.table_room import StudioParts as StudioParts
from dealer_ui.assembly.table_room import TableAtWork, TableRoom
from dealer_ui.assembly.wallets import tellers_of
from dealer_ui.assembly.web import Numbers, tell_numbers, web_of
from dealer_ui.care.caretaker import Caretaker
from dealer_ui.care.snapshot_shelf import SnapshotShelf
from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.relying_party import party_of
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.floor.desks import own_books
from dealer_ui.floor.floor import Floor
from dealer_ui.floor.house import House
from dealer_ui.floor.watch import PitWatch
from dealer_ui.process.beside import keep_at
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.process.factor_file import FactorFile
from dealer_ui.process.secret import peppers_beside
from dealer_ui.serving.tls import tls_of
from dealer_ui.worker.thread import TableWorker
from devices import catalogue
from devices.technician.workbench import Workbench
from studio.cards import Sealer
from studio.care.signing import signer_beside
from studio.journal import Store, Writer
from studio.people import Argon2PinHasher

_LOG = structlog.get_logger("dealer_ui.assembly.bootstrap")
SWITCH_S: Final = 0.001
"""A card passes through five threads: each may wait so long for one busy with pictures (Python's 5 ms add up)."""
STOP_S: Final = 1.5
"""So long the devices together, and then the writer, may take to end."""
BEHIND_MS_MAX: Final = 2_000
"""A machine's clock that is further behind the newest record was set back, and is worth a word."""

WRITES_S: Final = 0.05
"""So long the writer waits for something to write before it looks whether the studio stops."""

RETRY_S: Final = 1.0
"""After an error of our own, before the same is tried again."""

DRIVERS: Final = frozenset(entry.name for entry in catalogue.DRIVERS)
"""What a configuration may name as the driver of a serial device."""


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
    leases: LeaseKeeper
    care: Caretaker
    keys: KeyRotation
    on_wire: HostOnWire | None = None
    """Of a studio on several machines."""
    queues: QueueKeeper | None = None
    """Of several hosts over one record: whose wallets are told from here. Without it, all."""
    _stopping: threading.Event = field(default_factory=threading.Event)
    _writing: threading.Thread | None = None
    _beside: list[threading.Thread] = field(default_factory=list)

    @property
    def tables(self) -> tuple[TableAtWork, ...]:
        """Those that this process runs now."""
        return self.leases.tables

    @property
    def workers(self) -> tuple[TableWorker, ...]:
        return tuple(table.worker for table in self.tables)

    def start(self) -> None:
        """Start the writer, the tables and the devices, in that order; `StorageError` when the disk takes nothing."""
        sys.setswitchinterval(SWITCH_S)
        cv2.setNumThreads(1)  # the cameras share the cores among themselves; threads within a picture only wait
        threadpool_limits(1, "blas")  # and spin for a while after each product of two arrays
        gc.freeze()  # what is there by now stays; looking through it again and again would make a card wait
        if self.on_wire is not None:
            self.on_wire.come_up()
        self._writing = threading.Thread(target=self._write, name="writer", daemon=True)
        self._writing.start()
        with self.store.reader() as reader:
            self.floor.tellers.begin(reader)
            if self.leases.leases is None:
                self.floor.tellers.hold_all(self.floor.commit, reader)
        if self.queues is not None:
            self.queues.look()
        self.leases.start()
        self.floor.tellers.start()
        self.leases.drive()
        if self.leases.leases is not None:
            self.keep("leases", self.leases.keep)
        if self.queues is not None:
            self.keep("wallet queues", self.queues.keep)
        self.keep("care", self.care.work)
        watched: House | None = self.floor
        if self.on_wire is not None:
            self.on_wire.keep_serving(self.keep, self._waiting, lambda: 0, self._tells)
            watched = self.on_wire.watched
            self.keep("tickets", self.app.extensions["tickets"].keep_up)
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
        self.leases.wake.set()
        self.close_streams()
        self.floor.tellers.stop()
        if self.on_wire is not None:
            self.on_wire.stop()
        self._end_tables(time.monotonic() + STOP_S)
        if self._writing is not None:
            self.writer.wake()
            self._writing.join(STOP_S)
        if self._writing is not None and self._writing.is_alive():
            _LOG.error("the disk does not answer; the studio ends without it")
            return
        self.writer.close()
        self.app.extensions["console"].sessions.let_go()
        self.app.extensions["tickets"].let_go()
        self.floor.close_readers()
        if self.on_wire is not None:
            self.on_wire.close_readers()
        self.store.close()

    def _end_tables(self, deadline_s: float) -> None:
        def left_s() -> float:
            return max(0.1, deadline_s - time.monotonic())

        for table in (tables := self.tables):
            table.end_devices()
        for thread in self._beside:
            thread.join(left_s())
        for table in tables:
            table.wait_for_devices(left_s)
            table.worker.end()
        for table in tables:  # all at once: where the record does not answer none of them ends by itself
            table.worker.stop(left_s())

    def _waiting(self) -> int:
        """What waits for the tables, and for the disk."""
        return self.writer.waiting + sum(worker.mailbox.waiting for worker in self.workers)

    def _tells(self) -> tuple[str, ...]:
        """The operators whose wallets are told from here what they are owed."""
        return self.queues.operators if self.queues is not None else ()

    def keep(self, name: str, work: Callable[[threading.Event], None]) -> None:
        """Run something beside the studio until it stops; what fails is told, and begun again."""
        self._spawn(name, lambda: keep_at(name, work, self._stopping, retry_s=RETRY_S))

    def _spawn(self, name: str, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._beside.append(thread)
        thread.start()

    def _write(self) -> None:
        while not self._stopping.is_set() or self.writer.waiting or any(w.alive for w in self.workers):
            try:
                self.writer.drain(wait_s=WRITES_S)
            except Exception as error:
                _LOG.error("the writer failed, and goes on", exc_info=error)


def build_studio(config: StudioConfig, database: Path, parts: StudioParts) -> Studio:
    """Open the database and put the studio together; nothing runs yet. `BadInputError` when it cannot be used."""
    try:
        with ExitStack() as opened:
            store = opened.enter_context(open_record(config, database))
            store.keyring.ready()
            studio = _assemble(config, store, database, parts, opened)
            opened.pop_all()
    except BaseException:
        parts.let_go()
        raise
    return studio


def _assemble(config: StudioConfig, store: Store, database: Path, parts: StudioParts, opened: ExitStack) -> Studio:
    """`opened` closes again what is opened here, where the rest cannot be put together."""
    tls = tls_of(config.server.tls)
    writer = Writer(store)
    evidence = EvidenceFolder(Path(config.studio.evidence))
    on_wire = host_on_wire(config, store)
    home = database if on_wire is None else secret_home(config)
    peppers = peppers_beside(home)
    hasher = (
        Argon2PinHasher(peppers=peppers, cost=1, memory_kib=8) if parts.quick_pins else Argon2PinHasher(peppers=peppers)
    )
    floor = Floor(config, store, writer, evidence, hasher, own_books if on_wire is None else on_wire.keep_books)
    opened.callback(floor.close_readers)
    factors = FactorFile(home.with_name(f"{home.name}.factors"), *peppers.newest_first)
    people, party = config.people, party_of(config)
    floor.staff.second = SecondFactors(
        floor.staff, factors, people.second_factor, passkey_only=people.passkey_only, party=party
    )
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
        care = caretaker_of(floor, signer, shelf, reader) if leads(config) else caretaker_beside(floor, shelf)
        floor.use_tellers(tellers_of(config, floor, reader, database, signer, home))
    room = TableRoom(config, parts, floor, store, shelf, evidence, bench, clock, Sealer(parts.byte_source))
    leases = LeaseKeeper(room, writer, store.leases)
    leases.bring_home()
    if on_wire is not None:
        on_wire.serve(floor)
    app = web_of(floor, database, tls)
    tell_numbers(app, floor, Numbers(lambda: writer.waiting, care.owed, operator_collectors(floor)))
    keys = KeyRotation(database, floor.staff, signer, store.keyring, floor.commit, on_wire is not None)
    queues = queues_of(floor, store, writer)
    return Studio(config, store, writer, floor, bench, app, clock, leases, care, keys, on_wire, queues)
