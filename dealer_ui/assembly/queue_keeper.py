"""Which operators' wallets are told from this host what they are owed: each from one host of the studio at a time.

A row of the leases, `wallet:<operator>`, names that host, as others name the host of a table; whatever it writes of
what is owed carries that hold. Nobody else tells this wallet anything, so what is owed to a bettor stays in order, at
whichever tables he plays.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import structlog

from dealer_ui.assembly.lease_keeper import DRAINED_LOOKS, LAPSED_LOOKS, LOOK_S, RENEW_S
from dealer_ui.floor.floor import Floor
from dealer_ui.teller.tellers import Tellers
from studio.errors import StorageError, StudioError
from studio.journal import Lease, LeaseLook, Leases, Reader, Store, Unit, Writer
from studio.journal.lease import LEASE_S

_LOG: Final = structlog.get_logger("dealer_ui.leases")
SURE_S: Final = LEASE_S - RENEW_S
"""So long after a hold was taken, or held on, nobody else can have it: meanwhile something is sent, and later nothing.
"""


def queue_of(operator: str) -> str:
    """
    >>> queue_of("north")
    'wallet:north'
    """
    return f"wallet:{operator}"


@dataclass(eq=False)
class QueueKeeper:
    """`drained`: whether this host gives away what it has, and takes nothing while another host may. `tables`: those of
    the configuration."""

    tellers: Tellers
    leases: Leases
    writer: Writer
    reader: Callable[[], Reader]
    tables: Callable[[], frozenset[str]]
    drained: Callable[[], bool] = lambda: False
    monotonic: Callable[[], float] = time.monotonic
    _held: dict[str, Lease] = field(default_factory=dict)
    _sure_until_s: dict[str, float] = field(default_factory=dict)
    _lapsed: dict[str, int] = field(default_factory=dict)
    _renewed_s: float = float("-inf")
    _told: dict[str, str] = field(default_factory=dict)

    def keep(self, stopping: threading.Event) -> None:
        """Hold on what is held, and take over what is nobody's; a thread's whole work."""
        while not stopping.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        """A step that is made again where the database does not let it be made now."""
        try:
            self.step(self.monotonic())
        except StorageError as error:
            _LOG.warning("the queues of wallets cannot be looked at", why=str(error))

    @property
    def operators(self) -> tuple[str, ...]:
        """Whose wallets are told from here."""
        return tuple(self._held)

    def step(self, now_s: float) -> None:
        """One look at every queue; those of this host are held on when it is time."""
        if not (names := {queue_of(teller.operator): teller.operator for teller in self.tellers}):
            return
        looks = {look.lease.table: look for look in self.leases.look() if look.lease.table in names}
        lost = frozenset[Lease]()
        if now_s - self._renewed_s >= RENEW_S:
            lost = self.leases.renew(tuple(self._held.values()))
            self._renewed_s = now_s
            self._sure_until_s.update((operator, now_s + SURE_S) for operator in self._held)
        for name, operator in names.items():
            try:
                self._step_of(operator, name, looks.get(name), lost, now_s)
            except StorageError:
                raise
            except StudioError as error:  # what is wrong with one wallet stops no other
                if self._told.get(operator) != (told := str(error)):
                    self._told[operator] = told
                    _LOG.error("a wallet is told nothing from here", operator=operator, exc_info=error)

    def _step_of(self, operator: str, name: str, look: LeaseLook | None, lost: frozenset[Lease], now_s: float) -> None:
        held = self._held.get(operator)
        if held is None:
            self._look_at(operator, name, look, now_s)
        elif held in lost or look is None or look.lease != held:
            self._lose(operator, look)
        else:
            self._undo_left(operator)

    def _look_at(self, operator: str, name: str, look: LeaseLook | None, now_s: float) -> None:
        """Taken where nobody ever had it, where this host had it before, or where it has lapsed for long enough."""
        times = self._lapsed[name] = self._lapsed.get(name, 0) + 1 if look is not None and look.left_s < 0 else 0
        own = look is None or look.host == self.leases.host
        if not own and times < LAPSED_LOOKS + self.drained() * DRAINED_LOOKS:
            return
        lease = self.leases.take(name)
        if lease is None:
            return
        self._sure_until_s[operator] = now_s + SURE_S
        sure = partial(self._is_sure, operator, lease)
        self._held[operator] = lease
        try:
            self.tellers.hold(operator, partial(self._commit_under, lease), self.reader(), sure)
        except StudioError:
            del self._held[operator]  # it is this host's, and is begun again at the next look
            raise
        last = look.host if look is not None else ""
        _LOG.info("a wallet is told from here what it is owed", operator=operator, last=last, epoch=lease.epoch)

    def _undo_left(self, operator: str) -> None:
        """Stakes that were asked for at a table that no configuration names any more are undone: nobody runs it, so
        whoever tells the wallet takes its hold. Where another host does run it, that is not had.
        """
        teller = self.tellers.of(operator)
        left = {stake.facts.table for stake in teller.desk.asked()} - self.tables() if teller is not None else set()
        for table in sorted(left):
            if (lease := self.leases.take(table)) is not None and teller is not None:
                _LOG.warning("stakes of a table that is no more are undone", operator=operator, table=table)
                teller.table_up(table, partial(self._commit_under, lease), self.reader())

    def _lose(self, operator: str, look: LeaseLook | None) -> None:
        del self._held[operator]
        self.tellers.let_go(operator)
        _LOG.warning("another host tells a wallet now", operator=operator, host=look.host if look is not None else "")

    def _is_sure(self, operator: str, lease: Lease) -> bool:
        return self._held.get(operator) == lease and self.monotonic() < self._sure_until_s[operator]

    def _commit_under(self, lease: Lease, unit: Unit) -> int:
        """Durable when it returns, without a time-out: whether it was kept must be known."""
        return self.writer.submit(replace(unit, lease=lease)).result().last_seq


def queues_of(floor: Floor, store: Store, writer: Writer) -> QueueKeeper | None:
    """None where nobody else writes the record: then every wallet is told from here."""
    leases = store.leases
    if leases is None:
        return None
    return QueueKeeper(
        floor.tellers, leases, writer, floor.reader, lambda: frozenset(table.key for table in floor.config.tables),
        lambda: leases.host in floor.pit.book.moves.drained,
    )  # fmt: skip
