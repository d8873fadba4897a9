"""One table put together: what the journal holds of it, its thread, its devices and theirs. It may come up and end
while the studio runs.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import structlog

from dealer_ui.care.snapshot_shelf import SnapshotShelf, no_results
from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.floor.floor import Floor, LiveFrame
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.worker.thread import TableWorker
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import Layout, SlotName, layout_for
from devices.camera.pace.lookout import Lookout, LookTurns, Watching
from devices.camera.watch import Watcher
from devices.shoe.idle_lock import IdleLock
from devices.supervisor import Supervisor
from devices.technician.workbench import Post, Workbench
from studio.cards import ByteSource, Sealer
from studio.games import find_game
from studio.journal import Receipt, Store, Unit
from studio.ports import Device
from studio.tables.books.book import Book
from studio.tables.books.commit import Publish
from studio.tables.config import TableConfig
from studio.tables.correction.finished_round import read_dossier
from studio.tables.deal.change import as_changed
from studio.tables.felt.shoe_reading import may_rest
from studio.tables.past.dossier import Dossier
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.table import Status, TableState
from studio.views import ShoeResults
from studio.views.past.result import RESULT_KINDS

_LOG = structlog.get_logger("dealer_ui.assembly.table_room")
IDLE_S: Final = 0.002
"""Between two steps of a device that had nothing to say and knows of nothing to wait for."""
RETRY_S: Final = 1.0
"""After an error of our own, before the same is tried again."""

Submit = Callable[[Unit], Receipt]
"""Makes a unit of one table durable, without a time-out: whether it was kept must be known."""

DeviceFactory = Callable[[TableConfig, Sealer, EvidenceFolder], Sequence[Device]]
"""The devices of one table, on our side of their wires."""


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


@dataclass(slots=True, eq=False)
class TableAtWork:
    """A table that was put together. `start` and `drive` once each; `end` also before them."""

    worker: TableWorker
    devices: tuple[Device, ...]
    bench: Workbench
    now_ms: Callable[[], int]
    turns: LookTurns
    _ending: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.worker.runtime.key

    @property
    def round_lives(self) -> bool:
        """Whether a round is being dealt, as the table has it on record."""
        round = self.worker.runtime.state.round
        return round is not None and round.live

    def drive(self) -> None:
        """Start a thread for each device, once the table runs."""
        for device in self.devices:
            stepped = Lookout(device, self.turns) if isinstance(device, Watching) else device
            name = f"device {self.key}/{device.id}"
            thread = threading.Thread(target=partial(self._drive, stepped), name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def end_devices(self) -> None:
        """Have their threads end; returns at once."""
        self._ending.set()
        for device in self.devices:
            if not self._threads:
                device.close()
            elif isinstance(device, Supervisor):
                device.wake()

    def wait_for_devices(self, left_s: Callable[[], float]) -> None:
        for thread in self._threads:
            thread.join(left_s())

    def _drive(self, device: Device) -> None:
        """The one thread that owns a device. Our own error there freezes the table, and the device goes on."""
        while not self._ending.is_set():
            try:
                seen = device.step(self.now_ms())
            except Exception as error:
                _LOG.error("a driver failed", device=device.id, table=self.key, exc_info=error)
                self.worker.freeze(f"an error at {device.id}")
                self._ending.wait(RETRY_S)
                continue
            if seen:
                self.bench.note(device.id, seen)
                self.worker.observe(seen)
            elif not (isinstance(device, Supervisor) and device.wait()):
                self._ending.wait(IDLE_S)
        device.close()


@dataclass(slots=True, eq=False)
class TableRoom:
    """What every table of a studio is put together from."""

    config: StudioConfig
    parts: StudioParts
    floor: Floor
    store: Store
    shelf: SnapshotShelf
    evidence: EvidenceFolder
    bench: Workbench
    clock: SteadyClock
    sealer: Sealer
    turns: LookTurns = field(default_factory=lambda: LookTurns(len(os.sched_getaffinity(0))))
    """As many cameras look at once as there are cores."""

    def bring(self, table: TableSection, submit: Submit, why_not: Callable[[], str] = lambda: "") -> TableAtWork:
        """The table as the journal left it, on the floor; nothing of it runs yet. `why_not`: a sentence while this host
        must open none of its lines."""
        parts, floor, named = self.parts, self.floor, self.config.table_config(table)
        followers = Followers()
        runtime, results = self._restored(named, _telling(floor, followers), submit)
        resolved = floor.proved(as_changed(named, runtime.state))
        worker = TableWorker(runtime, resolved, self.clock.now_ms, tick_s=parts.tick_s)
        devices = tuple(parts.devices_of(resolved, self.sealer, self.evidence))
        floor.add_table(worker, results)
        for device in devices:
            self._take(device, table, worker, followers, resolved.game)
            if isinstance(device, Supervisor):
                device.open_unless(why_not)
        return TableAtWork(worker, devices, self.bench, self.clock.now_ms, self.turns)

    def _take(self, device: Device, table: TableSection, worker: TableWorker, followers: Followers, game: str) -> None:
        bench, parts = self.bench, self.parts
        if isinstance(device, Watcher):
            device.remember(_seen_last(worker.runtime, self.evidence))
            followers.eyes.append(WatchedCamera(device, bench, partial(parts.laid, device.id), game))
        if isinstance(device, Supervisor):
            self.floor.orders.add(table.key, device)
            if isinstance(device.driver, IdleLock):
                followers.locks.append((device.driver, device.wake))
        post = _post(self.config, table, device.id, worker)
        hidden = partial(self.floor.hidden_since, table.key)
        bench.take(device, replace(post, frame=parts.frames.get(table.key), hidden=hidden))

    def _restored(self, config: TableConfig, publish: Publish, submit: Submit) -> tuple[TableRuntime, ShoeResults]:
        def dossier_of(round: str) -> Dossier:
            with self.store.reader() as reader:
                return read_dossier(reader, config, round)

        with self.store.reader() as reader:
            kept = self.shelf.read(reader, config.key)
            since, results = kept or (None, no_results(config))
            after_seq = since[1] if since else 0
            results = results.after(reader.events(after_seq=after_seq, table=config.key, kinds=RESULT_KINDS))
            runtime = TableRuntime(config, submit, publish, results.take, dossier_of)
            runtime.restore(reader.events(after_seq=after_seq, table=config.key), self.store.keyring.lookup, since)
        return runtime, results


def _post(config: StudioConfig, table: TableSection, id: str, worker: TableWorker) -> Post:
    """The place at which a device stands. Nothing of its line may be seen until the table is closed."""
    role = next((role for role in ("shoe", "shuffler", "camera") if getattr(table, role) == id), "")
    section = config.device(id)
    return Post(
        table=table.key, role=role, driver=section.driver, baud=section.baud,
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

    locks: list[tuple[IdleLock, Callable[[], None]]] = field(default_factory=list)
    """Each with what has its line stepped at once."""
    eyes: list[WatchedCamera] = field(default_factory=list)

    def follow(self, state: TableState) -> None:
        for lock, wake in self.locks:
            if lock.rest(may_rest(state)):
                wake()
        for eye in self.eyes:
            eye.follow(state.config.game)


def _telling(floor: Floor, followers: Followers) -> Publish:
    """Whoever follows a table: its screens, and its devices."""

    def publish(state: TableState, book: Book, seq: int) -> None:
        followers.follow(state)
        floor.publish(state, book, seq)

    return publish


def _seen_last(runtime: TableRuntime, evidence: EvidenceFolder) -> Mapping[SlotName, bytes]:
    """The pictures kept of what lay in each place when the program was last running."""
    kept = {slot: evidence.read(look.evidence) for slot, look in runtime.state.felt.looks.items()}
    return {slot: picture for slot, picture in kept.items() if picture}
