"""A simulated night: one table, one thread, one clock, from a seed.

Real codecs, drivers and supervisors over in-memory wires, stepped by hand; the camera is the seeded model of
the reader; dealer, pit and bettors are simulated people. The same seed gives the same journal.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dealer_ui.rehearsal.machine.rig import Rig, RigOptions
from dealer_ui.rehearsal.person.at_table import AtTable
from dealer_ui.rehearsal.person.dealer import DealerPace, SimDealer
from dealer_ui.rehearsal.person.pit import SimPit
from dealer_ui.rehearsal.person.punter import OPERATOR, Punters
from dealer_ui.rehearsal.poker import Guests
from devices.sim.eye.seeded_eye import EyeModel, SeededEye
from devices.sim.wire.shuffler import ShuffleTimes
from studio.cards import Sealer
from studio.errors import RefusedError, StorageError
from studio.games import find_game
from studio.jackpot import PotTerms
from studio.journal import IN_MEMORY, Reader, Receipt, Store, Unit, Writer
from studio.people import Actor
from studio.ports import Device
from studio.settlement.clawback import WALLET
from studio.tables.books.book import Book
from studio.tables.command import Tick
from studio.tables.config import PayProof, TableConfig
from studio.tables.declaration import Command
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.table import TableState
from studio.views import TableView, view_table

if TYPE_CHECKING:
    from dealer_ui.rehearsal.wallet.night_wallet import NightWallet

START_MS = 1_767_225_600_000
STEP_MS = 50
TICK_MS = 200
WHOLE_JOURNAL_MAX = 5_000
"""A journal of so many rows is folded from its first row at a restart."""

DEALER = Actor("d1", "Dewi", frozenset({"dealer"}))
PIT = (Actor("p1", "Made", frozenset({"pit_boss"})), Actor("p2", "Yuki", frozenset({"pit_boss"})))

QUICK = EyeModel(settle_ms_min=80, settle_ms_max=240, hand_ms=200, slide_ms=120, recover_ms=400)


UNPAID = PayProof(certificate="none", highest_bet="", highest_percent=0)
"""Nobody is paid in a simulated night: it deals on pay tables that are still being changed."""


POT = PotTerms(key="first5", currency="EUR", seed_minor=1_000_000, reset_minor=500_000)
"""What the simulated tables feed whose game has a bet for it."""


@dataclass(frozen=True, slots=True)
class OwnWallet:
    """A wallet that the bettors' operator keeps himself, his balances in the database `till`.

    `faults`: the share of calls to it in which something is wrong.
    """

    dialect: str
    faults: float = 0.0
    till: str = IN_MEMORY


@dataclass(frozen=True, slots=True)
class NightOptions:
    game: str
    seed: int
    eye: EyeModel = QUICK
    bettors: int = 6
    database: str = IN_MEMORY
    shoe: str = "angel_eye"
    lock_when_idle: bool = False
    whim: float = 0.0
    """The share of rulings in which the pit boss chooses any one allowed."""
    key: str = "sim"
    """Of the table."""
    rules: Mapping[str, Any] = field(default_factory=dict)
    """What the house wants otherwise than the game does by itself."""
    wallet: OwnWallet | None = None
    """The operator's own; None where his bettors' purses lie in the studio."""


def _bettors(config: TableConfig, options: NightOptions) -> Punters | Guests:
    """Who plays: against the house, or among themselves."""
    chance = random.Random(f"{options.seed}/punters")
    return (Guests if find_game(config.game).peers else Punters)(config, options.bettors, chance)


class Night:
    """A table with its machines and people, advanced step by step; `beside` another, on its database."""

    def __init__(self, options: NightOptions, beside: Night | None = None) -> None:
        self.options = options
        self.config = TableConfig(
            key=options.key, title="Simulated table", game=options.game, window_s=4, proof=UNPAID,
            pot=POT if find_game(options.game).pot.bet else None, rules=dict(options.rules),
            claw_back={OPERATOR: WALLET} if options.wallet else {},
        )  # fmt: skip
        self._readers: list[Reader] = []
        self.store: Store = beside.store if beside else Store.open(options.database)
        self.writer: Writer = beside.writer if beside else Writer(self.store)
        self._beside = beside
        self.now_ms = START_MS
        self._kept: tuple[TableState, int] | None = None
        self.disk_full = False
        """While it is, nothing can be committed."""
        self._view: TableView | None = None
        self.sealer = Sealer(random.Random(f"{options.seed}/seal").randbytes)
        times = ShuffleTimes(loading_ms=300, shuffling_ms=2_000, verifying_ms=500)
        machines = RigOptions(options.seed, paced=False, eye=options.eye, times=times, shoe=options.shoe)
        self.rig = Rig(self.config, replace(machines, lock_when_idle=options.lock_when_idle))
        self.devices: tuple[Device, ...] = tuple(self.rig.devices(self.sealer))
        self.runtime = self._new_runtime()
        rng = random.Random(f"{options.seed}/people")
        pace = DealerPace(card_ms=200, button_ms=120, bets_ms=4_000, tidy_ms=300, patience_ms=2_500)
        self.dealer = SimDealer(self.rig, self, DEALER, pace, rng)
        self.people = PIT
        self.pit = SimPit(self, PIT, (DEALER.id, DEALER.name), rng)
        self.pit.wait_ms, self.pit.whim = 400, options.whim
        self.pit.sees = self.rig.lies_open
        self.pit.told = self.dealer.carry_out
        self.punters = _bettors(self.config, options)
        self.wallet = self._new_wallet(options.wallet) if options.wallet else None
        if beside is None and self.wallet is None:
            self.commit(Unit(transfers=self.punters.deposits()))
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

    @property
    def at_table(self) -> AtTable:
        """What bettors play at."""
        return self.wallet or self.runtime

    def step(self) -> None:
        """One step of the clock, for machines, devices, table and people in turn."""
        self._run_machines()
        if self.wallet is not None:
            self.wallet.step(self.now_ms)
        self.punters.step(self.at_table, self.now_ms)
        self._let_staff_act()

    def wait(self, ms: int) -> int:
        """Let the night go on without its bettors, who wait for an answer; gives how long, to a round's end at most."""
        began_ms = self.now_ms
        while self.now_ms - began_ms < ms and (self.state.round is None or not self.state.round.over):
            self._run_machines()
            self._let_staff_act()
        return self.now_ms - began_ms

    def _run_machines(self) -> None:
        self.now_ms += STEP_MS
        now = self.now_ms
        self.rig.pump(now)
        for device in self.devices:
            if seen := device.step(now):
                self.runtime.observe(seen, now)
        if now >= self._tick_at_ms:
            self._tick_at_ms = now + TICK_MS
            with suppress(StorageError):
                self.runtime.handle(Tick(), now)
        with suppress(StorageError):
            self.runtime.pay(now)

    def _let_staff_act(self) -> None:
        self.dealer.step(self.now_ms)
        self.pit.step(self.now_ms)

    def keep(self, state: TableState, seq: int) -> None:
        """Remember what the journal folds to up to `seq`, between two rounds: a long night restarts from there."""
        self._kept = (state, seq) if seq > WHOLE_JOURNAL_MAX else None

    def restart(self) -> None:
        """Kill the program and start it again on the same database; the machines know nothing of it."""
        for device in self.devices:
            device.close()
        self.runtime = self._new_runtime()
        after_seq = self._kept[1] if self._kept else 0
        with self.store.reader() as reader:
            rows = reader.events(table=self.config.key, after_seq=after_seq)
            self.runtime.restore(rows, self.store.keyring.lookup, self._kept)
        self._view = None
        with suppress(StorageError):
            self.runtime.start(self.config, self.now_ms)
        self.devices = tuple(self.rig.devices(self.sealer))
        if self.wallet is not None:
            self.wallet.begin()

    # --- what simulated people need -------------------------------------------------------------------

    def view(self) -> TableView:
        if self._view is None:
            self._view = view_table(self.runtime.state, self.runtime.book, self.runtime.seq)
        return self._view

    def command(self, command: Command) -> None:
        try:
            self.runtime.handle(command, self.now_ms)
        except StorageError as error:
            raise RefusedError("storage", str(error)) from error

    def commit(self, unit: Unit) -> Receipt:
        if self.disk_full:
            raise StorageError("The disk of this simulation is full: make room, then go on.")
        return self.writer.commit(unit)

    def _new_wallet(self, own: OwnWallet) -> NightWallet:
        from dealer_ui.rehearsal.wallet.night_wallet import NightWallet, WalletTerms  # only where an operator has one

        chance = random.Random(f"{self.options.seed}/wallet")
        free_bets = find_game(self.config.game).peers is None
        terms = WalletTerms(OPERATOR, self.config.currency, own.dialect, own.faults, chance, own.till, free_bets)
        wallet = NightWallet(self, self.reader(), self.punters.names, terms)
        wallet.begin()
        if isinstance(self.punters, Punters):
            self.punters.free = wallet.free
        return wallet

    def _new_runtime(self) -> TableRuntime:
        return TableRuntime(self.config, self.commit, self._published)

    def _published(self, state: TableState, book: Book, seq: int) -> None:
        self._view = None

    def reader(self) -> Reader:
        """A reader of the record, closed with the night."""
        self._readers.append(self.store.reader())
        return self._readers[-1]

    def close(self) -> None:
        for device in self.devices:
            device.close()
        for reader in self._readers:
            reader.close()
        if self.wallet is not None:
            self.wallet.till.close()
        if self._beside is None:
            self.writer.close()
            self.store.close()
