"""A table as whoever brings an operator's requests sees it: behind the gate, taken at once, or weighed for his wallet.

What would stand is weighed, then taken with the stakes that the wallet gave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from dealer_ui.floor.gate import Gate, OperatorsWord, Why, let_in
from studio.journal import Unit
from studio.money import Answer
from studio.tables.books.taken import TakenStakes, Weighed
from studio.tables.event.table import Decision
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
    word: OperatorsWord

    @property
    def commit(self) -> Callable[[Unit], object]:
        """Under the hold that this host has, or had, of the table."""
        return self.worker.runtime.commit

    def weigh(self, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        runtime = self.worker.runtime
        return self.worker.serve(self.operator, items, lambda some: self._weigh(runtime, some))

    def take(self, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]:
        runtime = self.worker.runtime

        def act(some: Sequence[Any]) -> Sequence[Answer]:
            with taken.at_table():
                return self._take(runtime, some, taken)

        return self.worker.serve(self.operator, items, act)

    def place(self, items: Sequence[Any]) -> tuple[Answer, ...]:
        """Take them with what lies in the bettors' purses here."""
        return self.worker.serve(self.operator, items, lambda some: self._take(self.worker.runtime, some, None))

    def _gate(self, runtime: TableRuntime) -> Gate:
        """The gate, at the very time at which the table will take what it lets in."""
        return Gate(runtime, self.word, max(self.now_ms(), runtime.at_ms))

    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        raise NotImplementedError

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes | None) -> Sequence[Answer]:
        raise NotImplementedError


class BetTable(_Table):
    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        gate = self._gate(runtime)
        return let_in(items, gate.bets(), lambda some: runtime.weigh_bets(some, gate.now_ms))

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes | None) -> Sequence[Answer]:
        gate = self._gate(runtime)
        return let_in(items, gate.bets(), lambda some: runtime.place_bets(some, gate.now_ms, taken))


@dataclass(frozen=True, slots=True)
class DecisionTable(_Table):
    """`rounds`: by its client id, the round that a decision is for, where its sender names one."""

    rounds: Mapping[str, str] = field(default_factory=dict)

    def portions(self, items: Sequence[Any]) -> Iterator[Sequence[Any]]:
        """All at once; where boxes decide in turn, one by one, for each changes what the next may do."""
        if self.worker.runtime.decides_by_box:
            return ((item,) for item in items)
        return iter((items,))

    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        return let_in(items, self._why(runtime), lambda some: runtime.weigh_decisions(some, self.now_ms()))

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes | None) -> Sequence[Answer]:
        return let_in(items, self._why(runtime), lambda some: runtime.take_decisions(some, self.now_ms(), taken))

    def _why(self, runtime: TableRuntime) -> Callable[[Decision], Why | None]:
        gate, round = self._gate(runtime), runtime.state.round
        now = round.id if round is not None else ""

        def why(choice: Decision) -> Why | None:
            late = self.rounds.get(choice.client_id, now) != now and runtime.book.decided(choice) is None
            return _LATE if late else gate.decision(choice)

        return why


_LATE: Final = (
    "round_over", "This decision was for another round, and decides nothing in this one: decide what is asked now.",
)  # fmt: skip


class SeatTable(_Table):
    def _weigh(self, runtime: TableRuntime, items: Sequence[Any]) -> Sequence[Answer | Weighed]:
        return let_in(items, self._gate(runtime).seat, lambda some: runtime.weigh_seats(some, self.now_ms()))

    def _take(self, runtime: TableRuntime, items: Sequence[Any], taken: TakenStakes | None) -> Sequence[Answer]:
        return let_in(items, self._gate(runtime).seat, lambda some: runtime.take_seats(some, self.now_ms(), taken))
