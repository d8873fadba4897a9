"""The thread of one table: one bounded mailbox in, one message after another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import structlog

from dealer_ui.worker.errand import Take
from dealer_ui.worker.mailbox import QUEUE_MAX, Mailbox
from studio.errors import StorageError
from studio.people import Actor
from studio.ports import Observation
from studio.tables.command import FreezeTable, Tick
from studio.tables.config import TableConfig
from studio.tables.run.runtime import TableRuntime

T = TypeVar("T")
_PAY_S: Final = 0.001
"""How long a table that owes money waits for a message before it pays the next chunk."""
_TICK_LATE_MS: Final = 1_000
"""So long the clock lets messages pass that wait before it."""

_LOG = structlog.get_logger("dealer_ui.worker.thread")


class TableWorker:
    """Owns a runtime: nobody else touches it while the thread runs.

    Observations wait when the queue is full, they are never dropped; that the queue was full freezes the table.
    An error of our own freezes the table and never ends the thread.
    """

    def __init__(
        self, runtime: TableRuntime, config: TableConfig, now_ms: Callable[[], int], *, tick_s: float = 0.2,
        queue_max: int = QUEUE_MAX,
    ) -> None:  # fmt: skip
        self.runtime = runtime
        self.mailbox = Mailbox(queue_max)
        self._config = config
        self._now_ms = now_ms
        self._tick_s = tick_s
        self._thread = threading.Thread(target=self._run, name=f"table {runtime.key}", daemon=True)
        self._tick_at_ms = 0
        self._trouble = ""
        self._pays = True
        self._told = ""

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        """Come up and run; the writer must be running already."""
        self.runtime.start(self._config, self._now_ms())
        self._thread.start()

    def end(self) -> None:
        """Have the thread finish what waits, and take nothing more; nobody waits for that here."""
        self.mailbox.shut()
        if self.alive:
            self.mailbox.end()

    def stop(self, timeout_s: float = 2.0) -> None:
        """Let the thread finish what it is at, and answer everybody who still waits; may come before `start`."""
        self.end()
        if self.alive:
            self._thread.join(timeout_s)
        if not self.alive:
            self.mailbox.turn_away()

    def observe(self, seen: Sequence[Observation]) -> None:
        """Hand over what a device said; waits while the queue is full."""
        self.mailbox.post(seen, lambda: self.freeze("its queue was full"))

    def freeze(self, why: str) -> None:
        """Have the table frozen and the pit called at its next tick, for an error of our own; any thread."""
        self._trouble = self._trouble or why

    def ask(self, act: Callable[[], T], *, first: bool = False) -> T:
        """Run `act` on the table's thread, `first` before all that waits; see `Mailbox.ask`."""
        return self.mailbox.ask(act, first=first)

    def serve(self, operator: str, items: Sequence[Any], take: Take) -> tuple[Any, ...]:
        """Have an operator's items taken on the table's thread, in turn with other operators; see `Mailbox.serve`."""
        return self.mailbox.serve(operator, items, take)

    def serve_one(self, operator: str, act: Callable[[], T]) -> T:
        """One thing that an operator asks, in its turn."""
        [answer] = self.mailbox.serve(operator, (None,), lambda _: (act(),))
        return cast(T, answer)

    # --- the thread -------------------------------------------------------------------------------------

    def _run(self) -> None:
        goes_on = True
        while goes_on:
            seen, task, goes_on = self.mailbox.next(_PAY_S if self._pays and self.runtime.owes else self._tick_s)
            if seen:
                self._guarded("an observation", lambda: self.runtime.observe(seen, self._now_ms()))  # noqa: B023
            if task is not None:
                task()
            self._tick()
            self._pay()

    def _tick(self) -> None:
        """Let the clock tick when it is due.

        A table that lags behind reads its waiting messages before it ticks, so that none of them is refused as late.
        """
        now = self._now_ms()
        lets_pass_ms = _TICK_LATE_MS if self.mailbox.waiting and not self._trouble else 0
        if now < self._tick_at_ms + lets_pass_ms:
            return
        self._tick_at_ms = now + int(self._tick_s * 1000)
        self._pays = True
        if self._trouble:
            self._guarded("a freeze", self._freeze)
        self._guarded("a tick", lambda: self.runtime.handle(Tick(), now))

    def _freeze(self) -> None:
        actor = Actor("system", f"the system ({self._trouble})", frozenset({"technician"}))
        self.runtime.handle(FreezeTable(actor=actor), self._now_ms())
        self._trouble = ""

    def _pay(self) -> None:
        if self._pays:
            self._pays = self._guarded("a payment", lambda: self.runtime.pay(self._now_ms()))

    def _guarded(self, what: str, work: Callable[[], object]) -> bool:
        """Do it; the disk's failure is told, an error of our own freezes the table. False when it failed."""
        try:
            work()
        except StorageError as error:
            self._tell(f"{what} waits for the disk", error)
        except Exception as error:
            self._tell(f"{what} failed by an error of our own", error)
            if not self.runtime.state.pit.freeze.own:
                self.freeze("an error of its own")
        else:
            return True
        return False

    def _tell(self, what: str, error: Exception) -> None:
        """Log it, but not five times a second while it lasts."""
        if (told := f"{what}: {error}") == self._told:
            return
        self._told = told
        trace = None if isinstance(error, StorageError) else error
        _LOG.error(what, table=self.runtime.key, error=str(error), exc_info=trace)
