"""A table as an operator's teller sees it: what would stand is weighed, then taken with the stakes his wallet gave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from studio.money import Answer
from studio.tables.books.taken import TakenStakes, Weighed
from studio.tables.run.runtime import TableRuntime


class Served(Protocol):
    """A table on a thread of its own (`worker.thread.TableWorker`), or one that has the only thread there is."""

    @property
    def runtime(self) -> TableRuntime: ...

    def serve(
        self, operator: str, items: Sequence[Any], take: Callable[[Sequence[Any]], Sequence[Any]]
    ) -> tuple[Any, ...]:
        """Have an operator's items taken on the table's thread, in his turn."""
        ...


@dataclass(frozen=True, slots=True)
class _Table:
    """Both are served on the table's thread, in the operator's turn."""

    worker: Served
    operator: str
    now_ms: Callable[[], int]

    def weigh(self, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        runtime = self.worker.runtime
        return self.worker.serve(self.operator, items, lambda some: self._weigh(runtime, some))

    def take(self, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]:
        runtime = self.worker.runtime

        def act(some: Sequence[Any]) -> Sequence[Answer]:
            with taken.at_table():
                return self._take(runtime, some, taken)

        return self.worker.serve(self.operator, items, act)

    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        raise NotImplementedError

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]:
        raise NotImplementedError


class BetTable(_Table):
    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        return runtime.weigh_bets(items, self.now_ms())

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]:
        return runtime.place_bets(items, self.now_ms(), taken)


class DecisionTable(_Table):
    def portions(self, items: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """All at once; where boxes decide in turn, one by one, for each changes what the next may do."""
        if self.worker.runtime.decides_by_box:
            return ((item,) for item in items)
        return iter((items,))

    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        return runtime.weigh_decisions(items, self.now_ms())

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]:
        return runtime.take_decisions(items, self.now_ms(), taken)


class SeatTable(_Table):
    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        return runtime.weigh_seats(items, self.now_ms())

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]:
        return runtime.take_seats(items, self.now_ms(), taken)
