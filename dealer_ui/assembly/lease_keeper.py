"""Which tables this host runs: its own, unless another host has them, and those of hosts that are gone.

A table is taken over once its lease was seen to have lapsed three times in a row, two seconds apart: when the database
itself was away all leases have lapsed, and their hosts are given the time to hold them on.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import structlog

from dealer_ui.assembly.table_room import TableAtWork, TableRoom
from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.config.reach import on_cables, on_network
from dealer_ui.desk.move import arrive
from studio.errors import StorageError, StudioError
from studio.journal import DeviceClashError, Lease, LeaseLook, LeaseLostError, Leases, Receipt, Unit, Writer
from studio.journal.lease import LEASE_S

_LOG: Final = structlog.get_logger("dealer_ui.leases")
LOOK_S: Final = 2.0
RENEW_S: Final = 5.0
LAPSED_LOOKS: Final = 3
DRAINED_LOOKS: Final = 5
"""So many looks later a host that is drained takes a table over: only where nobody else has."""
_ENDS_S: Final = 3.0
LATE: Final = "This host has not held the table on in time: its line stays closed until it is known who runs the table."
LATE_S: Final = 3.0
"""Whoever looks at a table whose commit is not answered in that time is told so."""
_UNANSWERED: Final = "What the table wrote last is not answered yet; it goes on once it is."


@dataclass(slots=True, eq=False)
class Errands:
    """What becomes of single tables beside the looks at leases, each on a thread of its own."""

    _under_way: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def is_busy(self, table: str) -> bool:
        """Until the last errand of a table is over nothing else becomes of it here."""
        with self._lock:
            return self._under_way[table] > 0

    def run(self, name: str, table: str, work: Callable[[], None]) -> None:
        with self._lock:
            self._under_way[table] += 1

        def run() -> None:
            try:
                work()
            finally:
                with self._lock:
                    self._under_way[table] -= 1

        threading.Thread(target=run, name=name, daemon=True).start()


def tried(table: str, act: Callable[[], None]) -> None:
    """What does not come off now is tried again at the next look."""
    try:
        act()
    except (StudioError, TimeoutError) as error:
        _LOG.warning("a table is not moved yet", table=table, why=str(error))


@dataclass(slots=True, eq=False)
class LeaseClock:
    """Until when nobody else can have a table of this host, by this machine's steady clock, which runs on while the
    process stands still. Told on one thread, asked on any."""

    _sure_until_s: dict[Lease, float] = field(default_factory=dict)

    def take(self, leases: Leases, config: StudioConfig, section: TableSection) -> Lease | None:
        """Take a table, with its devices; None where another host has it."""
        asked_s = time.monotonic()
        lease = leases.take(section.key, on_network(config, section))
        if lease is not None:
            self._sure_until_s = {**self._sure_until_s, lease: asked_s + LEASE_S}
        return lease

    def held_on(self, leases: Collection[Lease], asked_s: float) -> None:
        """These, and no others any more."""
        self._sure_until_s = {lease: asked_s + LEASE_S for lease in leases}

    def why_not(self, lease: Lease) -> str:
        """Why the lines of a table held so must not be opened now; empty while nobody else can have it."""
        return "" if time.monotonic() < self._sure_until_s.get(lease, 0.0) else LATE


@dataclass(eq=False)
class LeaseKeeper:
    """`leases` is None where one process runs every table: then they are all its own, for good."""

    room: TableRoom
    writer: Writer
    leases: Leases | None
    running: bool = False
    """Whether tables that are brought are started, too."""
    _held: dict[str, Lease] = field(default_factory=dict)
    _tables: dict[str, TableAtWork] = field(default_factory=dict)
    lease_clock: LeaseClock = field(default_factory=LeaseClock)
    _lapsed: dict[str, int] = field(default_factory=dict)
    _errands: Errands = field(default_factory=Errands)
    _renewed_s: float = float("-inf")
    wake: threading.Event = field(default_factory=threading.Event)
    """Has the thread of `keep` look now, or see that it is to end."""
    _door: threading.Lock = field(default_factory=threading.Lock)
    _told: set[str] = field(default_factory=set)

    @property
    def tables(self) -> tuple[TableAtWork, ...]:
        return tuple(self._tables.values())

    def bring_home(self) -> None:
        """Put together the tables that are this host's own, before anything runs."""
        config = self.room.config
        for table in config.tables:
            if not config.is_home(table):
                continue
            if self.leases is None:
                self._bring(table)
            elif (lease := self.lease_clock.take(self.leases, config, table)) is not None:
                self._held[table.key] = lease
                self._bring(table)
            else:
                _LOG.warning("another host runs this table; it is taken back when that one is gone", table=table.key)

    def start(self) -> None:
        """Have the tables run, driven by `drive`; one of several hosts takes what cannot come up now again later."""
        self.running = True
        for table in self.tables:
            try:
                self._begin(table)
            except StorageError as error:
                if (lease := self._held.get(table.key)) is None:
                    raise
                _LOG.error("a table could not be begun, and is taken again", table=table.key, why=str(error))
                self._lose(lease, "")

    def drive(self) -> None:
        for table in self.tables:
            table.drive()

    # --- beside the studio ------------------------------------------------------------------------------

    def keep(self, stopping: threading.Event) -> None:
        """Hold the leases on, and take over what is nobody's; a thread's whole work."""
        while not stopping.is_set():
            try:
                self.step(time.monotonic())
            except StorageError as error:
                _LOG.warning("leases cannot be looked at", why=str(error))
            self.wake.wait(LOOK_S)
            self.wake.clear()

    def step(self, now_s: float) -> None:
        """One look at every lease; those of this host are held on when it is time."""
        assert self.leases is not None
        looks = self.leases.look()
        hosts = {look.lease.table: look.host for look in looks}
        lost = [held for table, held in tuple(self._held.items()) if all(held != look.lease for look in looks)]
        if now_s - self._renewed_s >= RENEW_S:
            holding = frozenset(self._held.values())
            gone = self.leases.renew(holding)
            lost += gone
            self._renewed_s = now_s
            self.lease_clock.held_on(holding - gone, now_s)
        for lease in {*lost}:
            self._lose(lease, hosts.get(lease.table, ""))
        for look in looks:
            if self._held.get(look.lease.table) == look.lease:
                self._send_on(look.lease)
            else:
                self._look_at(look)

    def _look_at(self, look: LeaseLook) -> None:
        """A table that is not run here: taken where it was handed to this host, or has lapsed for long enough."""
        assert self.leases is not None
        table = look.lease.table
        times = self._lapsed[table] = self._lapsed.get(table, 0) + 1 if look.left_s < 0 else 0
        section = next((one for one in self.room.config.tables if one.key == table), None)
        drained = self.leases.host in self.room.floor.pit.book.moves.drained
        wanted = times >= LAPSED_LOOKS + drained * DRAINED_LOOKS or look.host == self.leases.host
        if section is None or not wanted or self._errands.is_busy(table):
            return
        if not self.room.config.is_home(section) and (ids := on_cables(self.room.config, section)):
            if table not in self._told:
                self._told.add(table)
                _LOG.error("a table cannot move here: its devices are on a local cable", table=table, devices=ids)
            return
        if (lease := self._taken(section)) is not None:
            self._held[table], self._lapsed[table] = lease, 0
            _LOG.warning("a table is taken over", table=table, last=look.host, epoch=lease.epoch)
            self._errands.run(f"take over {table}", table, partial(self._come_up, section, lease))

    def _taken(self, section: TableSection) -> Lease | None:
        assert self.leases is not None
        try:
            return self.lease_clock.take(self.leases, self.room.config, section)
        except DeviceClashError as error:
            if section.key not in self._told:
                self._told.add(section.key)
                _LOG.error("a table cannot be taken over", table=section.key, why=str(error))
            return None

    def _come_up(self, section: TableSection, lease: Lease) -> None:
        """Where that fails it is tried again, here or by whoever has the table by then."""
        try:
            at_work = self._bring(section)
            if self.running:
                self._begin(at_work)
                at_work.drive()
        except Exception as error:
            trace = None if isinstance(error, StudioError) else error
            _LOG.error("a table could not be taken over", table=section.key, why=str(error), exc_info=trace)
            self._lose(lease, "")

    def _send_on(self, lease: Lease) -> None:
        """A table that is run here: handed to whom it is to go to once its round is over, or put on record that it has
        arrived.
        """
        assert self.leases is not None
        table, floor, host = lease.table, self.room.floor, self.leases.host
        sending = floor.pit.book.moves.sent.get(table)
        if (at_work := self._tables.get(table)) is None or self._errands.is_busy(table):
            return
        if sending is not None and sending.to == host:
            self._errands.run(f"arrive {table}", table, partial(tried, table, partial(arrive, floor.pit, table, host)))
        elif (to := floor.leaving.goes_to(table)) and not at_work.round_lives:
            leave = partial(self._hand_over, lease, at_work, to)
            self._errands.run(f"hand over {table}", table, partial(tried, table, leave))

    def _hand_over(self, lease: Lease, table: TableAtWork, to: str) -> None:
        """Asked on the table's own thread: behind that question no round starts there any more."""
        assert self.leases is not None
        if table.worker.ask(lambda: table.round_lives):
            return
        if (gone := self._forget(lease, to)) is not None:
            self._end(gone, partial(self.leases.hand_over, lease, to))

    def _lose(self, lease: Lease, host: str, then: Callable[[], None] = lambda: None) -> None:
        """The table is another host's. Its devices are let go beside: other leases are to be held on meanwhile."""
        if (table := self._forget(lease, host)) is not None:
            self._errands.run(f"let go {lease.table}", lease.table, partial(self._end, table, then))

    def _forget(self, lease: Lease, host: str) -> TableAtWork | None:
        """The table's screens here say that it is another host's, and nothing of it is committed any more."""
        with self._door:
            self._held.pop(lease.table, None)
            table = self._tables.pop(lease.table, None)
        if table is not None:
            _LOG.warning("another host runs this table now", table=lease.table, host=host)
            self.room.floor.lose(lease.table, host)
        return table

    def _end(self, table: TableAtWork, then: Callable[[], None] = lambda: None) -> None:
        table.end_devices()
        table.wait_for_devices(lambda: _ENDS_S)
        table.worker.stop()
        try:
            then()
        except StorageError as error:
            _LOG.warning("a table could not be handed over, and is taken back", table=table.key, why=str(error))

    # --- beneath ----------------------------------------------------------------------------------------

    def _bring(self, section: TableSection) -> TableAtWork:
        """What the table commits is committed under the hold that this host has of it now, and never under another."""
        lease = self._held.get(section.key)
        submit = partial(self._submit, section.key, lease)
        why_not = partial(self.lease_clock.why_not, lease) if lease is not None else lambda: ""
        table = self._tables[section.key] = self.room.bring(section, submit, why_not)
        return table

    def _begin(self, table: TableAtWork) -> None:
        """Undo what was asked of wallets for it and has no end, then have it run."""
        with self.room.store.reader() as reader:
            self.room.floor.tellers.table_up(table.key, table.worker.runtime.commit, reader)
        table.worker.start()

    def _submit(self, table: str, lease: Lease | None, unit: Unit) -> Receipt:
        """Durable when it returns, without a time-out: whether it was kept must be known."""
        if self.leases is not None and (lease is None or self._held.get(table) != lease):
            raise LeaseLostError(table)
        try:
            return _answered(self._tables.get(table), self.writer.submit(replace(unit, lease=lease)))
        except LeaseLostError:
            self.wake.set()
            raise


def _answered(table: TableAtWork | None, kept: Future[Receipt]) -> Receipt:
    """The table is held, on every screen, while it waits for that long."""
    if not wait([kept], LATE_S).done and table is not None:
        table.worker.runtime.wait_for_disk(_UNANSWERED)
    return kept.result()
