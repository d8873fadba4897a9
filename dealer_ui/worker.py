"""The only place for the thread of one table: one bounded queue in, one message after another."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, TypeVar

import structlog

from studio.errors import StorageError
from studio.people import Actor
from studio.ports import Observation
from studio.tables.command import FreezeTable, Tick
from studio.tables.config import TableConfig
from studio.tables.runtime import TableRuntime

T = TypeVar("T")
QUEUE_MAX: Final = 5_000
BATCH_MAX: Final = 200
SYSTEM: Final = Actor("system", "the system (its queue was full)", frozenset({"technician"}))
_LOG = structlog.get_logger("dealer_ui.worker")

_Task = Callable[[], None]
_Item = _Task | Sequence[Observation]


class TableWorker:
    """Owns a runtime: nobody else touches it while the thread runs.

    Observations wait when the queue is full, they are never dropped; that the queue was full freezes the table.
    """

    def __init__(
        self, runtime: TableRuntime, config: TableConfig, now_ms: Callable[[], int], *, tick_s: float = 0.2
    ) -> None:
        self.runtime = runtime
        self._config = config
        self._now_ms = now_ms
        self._tick_s = tick_s
        self._queue: queue.Queue[_Item | None] = queue.Queue(QUEUE_MAX)
        self._thread = threading.Thread(target=self._run, name=f"table {runtime.key}", daemon=True)
        self._tick_at_ms = 0
        self._overran = False

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        """Come up and run; the writer must be running already."""
        self.runtime.start(self._config, self._now_ms())
        self._thread.start()

    def stop(self) -> None:
        self._queue.put(None)
        self._thread.join(timeout=4)

    def observe(self, seen: Sequence[Observation]) -> None:
        """Hand over what a device said; waits while the queue is full."""
        try:
            self._queue.put_nowait(seen)
        except queue.Full:
            self._overran = True
            self._queue.put(seen)

    def ask(self, act: Callable[[], T]) -> T:
        """Run `act` on the table's thread and give what it gives, or raise what it raises."""
        answer: Future[T] = Future()

        def task() -> None:
            try:
                answer.set_result(act())
            except Exception as error:
                answer.set_exception(error)

        self._queue.put(task)
        return answer.result(timeout=30)

    def _run(self) -> None:
        while True:
            item = self._next()
            if item is None:
                return
            self._tick()
            self._pay()

    def _next(self) -> bool | None:
        """Take what waits: one task, or observations as one batch. False when nothing came, None to stop."""
        try:
            item = self._queue.get(timeout=0.001 if self._owes() else self._tick_s)
        except queue.Empty:
            return False
        batch: list[Observation] = []
        taken = 0
        while item is not None and not callable(item):
            batch.extend(item)
            taken += 1
            if taken >= BATCH_MAX:
                break
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                break
        if batch:
            self.runtime.observe(batch, self._now_ms())
        if item is None:
            return None
        if callable(item):
            item()
        return True

    def _owes(self) -> bool:
        return bool(self.runtime.state.round and self.runtime.state.round.stage in ("settling", "voiding"))

    def _tick(self) -> None:
        now = self._now_ms()
        if now < self._tick_at_ms:
            return
        self._tick_at_ms = now + int(self._tick_s * 1000)
        try:
            if self._overran:
                self._overran = False
                self.runtime.handle(FreezeTable(actor=SYSTEM), now)
            self.runtime.handle(Tick(), now)
        except StorageError as error:
            _LOG.error("the disk takes nothing", table=self.runtime.key, error=str(error))

    def _pay(self) -> None:
        try:
            self.runtime.pay(self._now_ms())
        except StorageError as error:
            _LOG.error("a payment waits for the disk", table=self.runtime.key, error=str(error))
