"""The only place for a simulated night: one table, one thread, one clock, from a seed.

Real codecs, drivers and supervisors over in-memory wires, stepped by hand; the camera is the seeded model of
the reader; dealer, pit and bettors are simulated people. The same seed gives the same journal.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from dealer_ui.rehearsal.dealer import Pace, SimDealer
from dealer_ui.rehearsal.pit import SimPit
from dealer_ui.rehearsal.punter import Punters
from dealer_ui.rehearsal.rig import Rig, RigOptions
from devices.sim.eye import EyeModel, SeededEye
from devices.sim.shuffler import ShuffleTimes
from studio.cards import Sealer
from studio.journal import IN_MEMORY, Receipt, Store, Unit, Writer
from studio.people import Actor
from studio.ports import Device
from studio.tables.book import Book
from studio.tables.command import PersonCommand, Tick
from studio.tables.config import TableConfig
from studio.tables.runtime import TableRuntime
from studio.tables.state import TableState
from studio.views import TableView, view_table

START_MS = 1_767_225_600_000
STEP_MS = 40
TICK_MS = 200

DEALER = Actor("d1", "Dewi", frozenset({"dealer"}))
PIT = (Actor("p1", "Made", frozenset({"pit_boss"})), Actor("p2", "Yuki", frozenset({"pit_boss"})))

QUICK = EyeModel(settle_ms_min=80, settle_ms_max=240, hand_ms=200, slide_ms=120, recover_ms=400)


@dataclass(frozen=True, slots=True)
class NightOptions:
    game: str
    seed: int
    eye: EyeModel = QUICK
    bettors: int = 6


class Night:
    """A table with its machines and people, advanced step by step. `on_commit` sees every unit as it is committed."""

    def __init__(self, options: NightOptions, on_commit: Callable[[Unit], None] | None = None) -> None:
        self.options = options
        self.config = TableConfig(key="sim", title="Simulated table", game=options.game, window_s=4)
        self.store = Store.open(IN_MEMORY)
        self.writer = Writer(self.store)
        self.now_ms = START_MS
        self._on_commit = on_commit
        self._view: TableView | None = None
        self.sealer = Sealer(random.Random(f"{options.seed}/seal").randbytes)
        times = ShuffleTimes(loading_ms=300, shuffling_ms=2_000, verifying_ms=500)
        self.rig = Rig(self.config, RigOptions(options.seed, paced=False, eye=options.eye, times=times))
        self.devices: tuple[Device, ...] = tuple(self.rig.devices(self.sealer))
        self.runtime = self._new_runtime()
        rng = random.Random(f"{options.seed}/people")
        pace = Pace(card_ms=200, button_ms=120, bets_ms=4_000, tidy_ms=300, patience_ms=2_500)
        self.dealer = SimDealer(self.rig, self, DEALER, pace, rng)
        self.pit = SimPit(self, PIT, (DEALER.id, DEALER.name), rng)
        self.pit.wait_ms = 400
        self.punters = Punters(self.config, options.bettors, random.Random(f"{options.seed}/punters"))
        self.punters.deposit(self.commit, self.now_ms)
        self.runtime.start(self.config, self.now_ms)
        self.rig.power_on()
        self._tick_at_ms = 0

    @property
    def eye(self) -> SeededEye:
        eye = self.devices[2]
        assert isinstance(eye, SeededEye)
        return eye

    @property
    def state(self) -> TableState:
        return self.runtime.state

    def step(self) -> None:
        """One step of the clock, for machines, devices, table and people in turn."""
        self.now_ms += STEP_MS
        now = self.now_ms
        self.rig.pump(now)
        for device in self.devices:
            if seen := device.step(now):
                self.runtime.observe(seen, now)
        if now >= self._tick_at_ms:
            self._tick_at_ms = now + TICK_MS
            self.command_tick()
        self.runtime.pay(now)
        self.punters.step(self.runtime, now)
        self.dealer.step(now)
        self.pit.step(now)

    def command_tick(self) -> None:
        self.runtime.handle(Tick(), self.now_ms)

    def restart(self) -> None:
        """Kill the program and start it again on the same database; the machines know nothing of it."""
        for device in self.devices:
            device.close()
        self.runtime = self._new_runtime()
        reader = self.store.reader()
        self.runtime.restore(reader.events(table=self.config.key), self.store.keyring.lookup)
        self.runtime.start(self.config, self.now_ms)
        self.devices = tuple(self.rig.devices(self.sealer))

    # --- what simulated people need -------------------------------------------------------------------

    def view(self) -> TableView:
        if self._view is None:
            self._view = view_table(self.runtime.state, self.runtime.book, self.runtime.seq)
        return self._view

    def command(self, command: PersonCommand) -> None:
        self.runtime.handle(command, self.now_ms)

    def commit(self, unit: Unit) -> Receipt:
        receipt = self.writer.commit(unit)
        if self._on_commit is not None:
            self._on_commit(unit)
        return receipt

    def _new_runtime(self) -> TableRuntime:
        return TableRuntime(self.config, self.commit, self._published)

    def _published(self, state: TableState, book: Book, seq: int) -> None:
        self._view = None

    def close(self) -> None:
        for device in self.devices:
            device.close()
        self.writer.close()
        self.store.close()
