"""The only place for the queue into a table's thread: bounded, answered, and turned away in order at the end."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from typing import Final, TypeVar

import structlog

from studio.errors import RefusedError
from studio.ports import Observation

T = TypeVar("T")
QUEUE_MAX: Final = 5_000
BATCH_MAX: Final = 200
ANSWER_TIMEOUT_S: Final = 30.0

Task = Callable[[], None]
_Item = Task | Sequence[Observation]
_LOG = structlog.get_logger("dealer_ui.mailbox")


class Mailbox:
    """Observations and tasks for one thread. Observations wait when it is full; tasks are refused then."""

    def __init__(self, name: str, queue_max: int = QUEUE_MAX) -> None:
        self._name = name
        self._queue: queue.Queue[_Item | None] = queue.Queue(queue_max)
        self._door = threading.Lock()
        self.closed = False

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def post(self, seen: Sequence[Observation], full: Callable[[], None]) -> None:
        """Hand over what a device said; tells `full` and waits while there is no room."""
        try:
            self._queue.put_nowait(seen)
        except queue.Full:
            full()
            self._queue.put(seen)

    def ask(self, act: Callable[[], T]) -> T:
        """Run `act` on the thread that reads this mailbox and give what it gives, or raise what it raises.

        `RefusedError` at once when it is closed or too many wait; `TimeoutError` when it may yet be done.
        """
        answer: Future[T] = Future()

        def task() -> None:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(self._open_only(act))
            except Exception as error:
                answer.set_exception(error)

        with self._door:
            if self.closed:
                raise _closing()
            try:
                self._queue.put_nowait(task)
            except queue.Full:
                raise _busy() from None
        try:
            return answer.result(ANSWER_TIMEOUT_S)
        except (TimeoutError, CancelledError):
            if answer.cancel():
                raise _busy() from None
            raise

    def next(self, wait_s: float) -> tuple[list[Observation], Task | None, bool]:
        """What waits: observations as one batch, the task behind them, and whether to go on."""
        seen: list[Observation] = []
        try:
            item = self._queue.get(timeout=wait_s)
            while item is not None and not callable(item):
                seen.extend(item)
                if len(seen) >= BATCH_MAX:
                    return seen, None, True
                item = self._queue.get_nowait()
        except queue.Empty:
            return seen, None, True
        return seen, item, item is not None

    def shut(self) -> None:
        """Take no more tasks."""
        with self._door:
            self.closed = True

    def end(self, timeout_s: float) -> None:
        """Tell the reading thread to stop once it has read what waits."""
        try:
            self._queue.put(None, timeout=timeout_s)
        except queue.Full:
            _LOG.error("the table's queue was full at the end", table=self._name)

    def turn_away(self) -> None:
        """Answer the tasks nobody will carry out any more."""
        while True:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return
            if callable(item):
                item()

    def _open_only(self, act: Callable[[], T]) -> T:
        if self.closed:
            raise _closing()
        return act()


def _closing() -> RefusedError:
    return RefusedError("closing", "The studio is closing and nothing was done; ask again once it is open.")


def _busy() -> RefusedError:
    return RefusedError("busy", "The table has too much to do and nothing was done; ask again in a moment.")
