"""The one writer: one queue, one thread that drains it, one transaction for what has gathered.

Any thread may submit; only the one writer thread drains. A future is answered after the commit and never before.
A unit that fails is undone alone and its future carries the exception: a group is written as one, and where one of
its units does not fit, the group is taken back and written again, each unit apart. When the disk or the database
fails, the whole group is undone, every future carries a `StorageError`, and the next group is tried afresh.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Final

from studio.errors import InvariantError, StorageError
from studio.journal.booking import book
from studio.journal.follow import MovedError
from studio.journal.lease import LeaseLostError
from studio.journal.link import Heads, NumbersSpentError
from studio.journal.purse import Purses
from studio.journal.store import Store
from studio.journal.unit import Receipt, Unit

GROUP_MAX: Final = 64
"""So many units share one commit at most."""

QUEUE_MAX: Final = 10_000
"""So many units may wait; beyond that the disk has not kept up and a submit fails at once."""

_Outcome = Receipt | Exception
_Booked = tuple[_Outcome, Heads]
_Waiting = tuple[Unit, "Future[Receipt]"]


class _DoesNotFitError(Exception):
    """A unit of the group fails, so that those beside it are to be kept without it."""


class Writer:
    def __init__(self, store: Store, *, queue_max: int = QUEUE_MAX) -> None:
        self._engine = store.engine
        self._connection = store.connection
        self._failures: tuple[type[Exception], ...] = (*store.engine.failures, OSError)
        self._gate = store.gate
        self._keyring = store.keyring
        self._purses = Purses()
        self._queue_max = queue_max
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._door = threading.Lock()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many units are queued, about."""
        return self._queue.qsize()

    def submit(self, unit: Unit) -> Future[Receipt]:
        """Queue a unit, from any thread; never blocks."""
        future: Future[Receipt] = Future()
        with self._door:
            if self._closed:
                future.set_exception(StorageError("The studio is closing; nothing more is recorded."))
            elif self._queue.qsize() >= self._queue_max:
                sentence = f"{self._queue_max} commits are waiting for the disk; wait until it has caught up."
                future.set_exception(StorageError(sentence))
            else:
                self._queue.put((unit, future))
        return future

    def drain(self, wait_s: float = 0.0) -> int:
        """Commit what is queued, 64 units at most, after waiting that long for the first; gives how many.

        For the writer's own thread. Exceptions go to the futures.
        """
        group = self._take(wait_s)
        if group:
            self._commit(group)
        return len(group)

    def wake(self) -> None:
        """Have a `drain` that waits for the first come back without one; any thread."""
        self._queue.put(None)

    def commit(self, unit: Unit) -> Receipt:
        """Submit, drain and give the receipt: for a program whose only thread this is."""
        future = self.submit(unit)
        while not future.done():
            self.drain()
        return future.result()

    def close(self) -> None:
        """Take no more units, and commit those that are queued."""
        with self._door:
            self._closed = True
        while self.drain():
            pass

    def _take(self, wait_s: float) -> list[_Waiting]:
        group: list[_Waiting | None] = []
        try:
            group.append(self._queue.get(timeout=wait_s) if wait_s > 0 else self._queue.get_nowait())
            while len(group) < GROUP_MAX:
                group.append(self._queue.get_nowait())
        except queue.Empty:
            pass
        return [waiting for waiting in group if waiting is not None and waiting[1].set_running_or_notify_cancel()]

    def _commit(self, group: Sequence[_Waiting]) -> None:
        outcomes: Sequence[_Outcome]
        with self._gate:
            try:
                outcomes = self._kept([unit for unit, _ in group])
            except BaseException:
                self._roll_back()
                for _, future in group:
                    future.set_exception(StorageError("The writer was stopped; nothing of this commit was kept."))
                raise
        for (_, future), outcome in zip(group, outcomes, strict=True):
            if isinstance(outcome, Receipt):
                future.set_result(outcome)
            else:
                future.set_exception(outcome)

    def _kept(self, units: Sequence[Unit]) -> Sequence[_Outcome]:
        times = 0
        while True:
            try:
                return self._transact(units)
            except self._failures as error:
                self._roll_back()
                times += 1
                if not self._engine.may_try_again(error, times):
                    return [self._engine.storage_error(error) for _ in units]

    def _transact(self, units: Sequence[Unit]) -> list[_Outcome]:
        try:
            return self._written(units, self._together, self._engine.at_once())
        except _DoesNotFitError:
            pass
        except self._failures as error:
            if not self._engine.is_our_fault(error):
                raise
        self._roll_back()
        return self._written(units, self._apart, contextlib.nullcontext())

    def _written(
        self, units: Sequence[Unit], write: Callable[[Unit, Heads], _Booked], said: AbstractContextManager[object]
    ) -> list[_Outcome]:
        """`said`: how the statements of the units are, which tell of a failure when it is left at the latest."""
        if not self._engine.alone:
            self._purses.forget()
        heads = self._engine.begin()
        leases = {unit.lease for unit in units if unit.lease is not None}
        lost = self._engine.lost(leases) if leases else frozenset()
        follows = {unit.follows for unit in units if unit.follows is not None}
        moved = self._engine.moved(follows) if follows else frozenset()
        added: set[str] = set()
        outcomes: list[_Outcome] = []
        keys: list[tuple[str, bytes]] = []
        with said:
            for unit in units:
                if unit.lease is not None and unit.lease in lost:
                    outcomes.append(LeaseLostError(unit.lease.table))
                    continue
                if unit.follows is not None and (unit.follows in moved or unit.follows.book in added):
                    outcomes.append(MovedError())
                    continue
                outcome, heads = write(unit, heads)
                outcomes.append(outcome)
                if isinstance(outcome, Receipt):
                    keys.extend(unit.keys)
                    added |= {unit.follows.book} if unit.follows is not None else set()
        self._keyring.append(keys)
        self._engine.commit(heads)
        return outcomes

    def _together(self, unit: Unit, heads: Heads) -> _Booked:
        try:
            return book(self._connection, unit, heads, self._purses)
        except Exception as error:
            if self._is_the_databases(error):
                raise
            raise _DoesNotFitError from error

    def _apart(self, unit: Unit, heads: Heads) -> _Booked:
        """The same, with a savepoint of its own: whatever it overwrites is kept aside until it is written."""
        self._connection.execute("SAVEPOINT unit")
        try:
            outcome: _Booked = book(self._connection, unit, heads, self._purses)
        except NumbersSpentError:
            self._connection.execute("ROLLBACK TO unit")
            self._connection.execute("RELEASE unit")
            return self._apart(unit, self._engine.more_numbers(heads))
        except Exception as error:
            if self._is_the_databases(error):
                raise
            self._connection.execute("ROLLBACK TO unit")
            outcome = self._our_error(error), heads
        self._connection.execute("RELEASE unit")
        return outcome

    def _is_the_databases(self, error: Exception) -> bool:
        """Whether the disk or the database failed, and not what the unit says."""
        return isinstance(error, self._engine.failures) and not self._engine.is_our_fault(error)

    def _our_error(self, error: Exception) -> Exception:
        if isinstance(error, (*self._engine.failures, UnicodeError, OverflowError)):
            wrapped = InvariantError(f"The database refused the unit, and nothing of it was kept: {error}.")
            wrapped.__cause__ = error
            return wrapped
        return error

    def _roll_back(self) -> None:
        self._purses.forget()
        self._engine.roll_back()
