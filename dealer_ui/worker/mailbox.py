"""The queue into a table's thread: three lanes, bounded, answered, turned away in order at the end.

    first       acts of safety: freeze, call the pit, rule, void, release
    house       what devices said and whatever else people ask, in the order they came
    operators   bets and decisions, the operators taking turns, slice by slice

A lane is looked at only while those before it are empty, so an act waits for one slice at most.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any, Final, TypeVar

from dealer_ui.worker.errand import Errand, Take
from dealer_ui.worker.operator_lane import OperatorLane
from studio.errors import RefusedError
from studio.ports import Observation

T = TypeVar("T")
QUEUE_MAX: Final = 5_000
BATCH_MAX: Final = 200
ANSWER_TIMEOUT_S: Final = 30.0

Task = Callable[[], None]
_Item = Task | Sequence[Observation]


class Mailbox:
    """Observations, tasks and errands for one thread. Observations wait when it is full; the others are refused."""

    def __init__(self, queue_max: int = QUEUE_MAX, operators: OperatorLane | None = None) -> None:
        self._queue_max = queue_max
        self._lock = threading.Lock()
        self._came = threading.Condition(self._lock)
        self._room = threading.Condition(self._lock)
        self._first: deque[Task] = deque()
        self._house: deque[_Item] = deque()
        self._operators = OperatorLane() if operators is None else operators
        self._ending = False
        self.closed = False

    @property
    def waiting(self) -> int:
        """How much waits of devices and people; operators keep no clock waiting."""
        return len(self._first) + len(self._house)

    def post(self, seen: Sequence[Observation], full: Callable[[], None]) -> None:
        """Hand over what a device said; tells `full` and waits while there is no room."""
        with self._lock:
            if len(self._house) >= self._queue_max:
                full()
                self._room.wait_for(lambda: len(self._house) < self._queue_max)
            self._house.append(seen)
            self._came.notify()

    def ask(self, act: Callable[[], T], *, first: bool = False) -> T:
        """Run `act` on the thread that reads this mailbox, and return or raise what it does.

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

        with self._lock:
            self._need_open()
            lane: deque[Any] = self._first if first else self._house
            if len(lane) >= self._queue_max:
                raise _busy()
            lane.append(task)
            self._came.notify()
        return _answered(answer)

    def serve(self, operator: str, items: Sequence[Any], take: Take) -> tuple[Any, ...]:
        """Have the items of an operator's request taken when the operator's turn comes; returns one answer for each
        item.

        `TooOftenError` while too much of that operator waits already; else as `ask`.
        """
        errand = Errand(items, take)
        with self._lock:
            self._need_open()
            self._operators.add(operator, errand)
            self._came.notify()
        return _answered(errand.answer)

    def need_room(self, operator: str, size: int = 1) -> None:
        """`TooOftenError` while nothing more of that operator would be taken in."""
        with self._lock:
            self._operators.need_room(operator, size)

    def next(self, wait_s: float) -> tuple[list[Observation], Task | None, bool]:
        """What the table's thread does next: a batch of observations, the task that follows them, and False when it is
        to stop.

        Waits up to `wait_s` for something to come.
        """
        with self._lock:
            self._came.wait_for(lambda: self._first or self._house or len(self._operators) or self._ending, wait_s)
            if self._first:
                return [], self._first.popleft(), True
            if self._house:
                seen, task = self._batch()
                self._room.notify_all()
                return seen, task, True
            errand = self._turn()
            return [], errand, errand is not None or not self._ending

    def shut(self) -> None:
        """Take no more tasks."""
        with self._lock:
            self.closed = True

    def end(self) -> None:
        """Tell the reading thread to stop once it has read what waits."""
        with self._lock:
            self._ending = True
            self._came.notify()

    def turn_away(self) -> None:
        """Answer the tasks nobody will carry out any more."""
        self.end()
        while True:
            _, task, goes_on = self.next(0)
            if task is not None:
                task()
            if not goes_on:
                return

    def _batch(self) -> tuple[list[Observation], Task | None]:
        """Observations up to the next task of the house, and that task."""
        seen: list[Observation] = []
        while self._house and len(seen) < BATCH_MAX:
            item = self._house.popleft()
            if callable(item):
                return seen, item
            seen.extend(item)
        return seen, None

    def _turn(self) -> Task | None:
        """One slice of the errand whose turn it is."""
        if (due := self._operators.take()) is None:
            return None
        operator, errand = due
        before = errand.left

        def carry_on() -> None:
            errand.carry_on(lambda: _closing() if self.closed else None)
            with self._lock:
                self._operators.put_back(operator, errand, before)

        return carry_on

    def _need_open(self) -> None:
        if self.closed:
            raise _closing()

    def _open_only(self, act: Callable[[], T]) -> T:
        self._need_open()
        return act()


def _answered(answer: Future[T]) -> T:
    try:
        return answer.result(ANSWER_TIMEOUT_S)
    except (TimeoutError, CancelledError):
        if answer.cancel():
            raise _busy() from None
        raise


def _closing() -> RefusedError:
    return RefusedError("closing", "The studio is closing and nothing was done; ask again once it is open.")


def _busy() -> RefusedError:
    return RefusedError("busy", "The table has too much to do and nothing was done; ask again in a moment.")
