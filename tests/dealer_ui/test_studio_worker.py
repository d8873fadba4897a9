"""The thread of a table: it answers everybody, freezes the table for an error of our own, and never dies of one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from patience import PATIENCE_S, wait_until

from dealer_ui.worker import mailbox as mailbox_module
from dealer_ui.worker.thread import TableWorker
from studio.errors import InvariantError, RecordAwayError, RefusedError, StorageError
from studio.journal import IN_MEMORY, Receipt, Store, Unit, Writer
from studio.ports import LinkUp
from studio.tables.config import TableConfig
from studio.tables.run.runtime import TableRuntime

CONFIG = TableConfig(key="t1", title="Table 1", game="three_knights")
UP = LinkUp(device="shoe", at_ms=1, url="sim://shoe")


class Table:
    """A worker over a real runtime; `breaks` is raised by every commit while it is set."""

    def __init__(self, queue_max: int = 100) -> None:
        self.store = Store.open(IN_MEMORY)
        self.writer = Writer(self.store)
        self.breaks: Exception | None = None
        self.runtime = TableRuntime(CONFIG, self._commit, lambda *_: None)
        self.worker = TableWorker(self.runtime, CONFIG, lambda: 1_000, tick_s=0.01, queue_max=queue_max)

    def _commit(self, unit: Unit) -> Receipt:
        if self.breaks is not None:
            raise self.breaks
        return self.writer.commit(unit)

    def until(self, holds: Callable[[], bool]) -> None:
        """Not all that is waited for is published: it is looked at again and again."""
        wait_until(holds)

    def kinds(self, *wanted: str) -> list[str]:
        return [row.kind for row in self.store.reader().events(kinds=wanted or None)]

    def close_after(self, holds: Callable[[], bool]) -> None:
        self.until(holds)
        self.close()

    def close(self) -> None:
        self.breaks = None
        self.worker.stop()
        assert not self.worker.alive
        self.writer.close()
        self.store.close()


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    made = Table()
    ticks = iter(range(1_000, 10**9, 50))
    monkeypatch.setattr(made.worker, "_now_ms", lambda: next(ticks))
    yield made
    made.close()


def test_what_is_asked_is_done_on_the_tables_thread_and_answered(table: Table) -> None:
    table.worker.start()
    assert table.worker.ask(lambda: threading.current_thread().name) == "table t1"
    with pytest.raises(RefusedError, match="not now"):
        table.worker.ask(lambda: refuse("not now"))


def test_a_stopped_table_answers_at_once_that_it_is_closing(table: Table) -> None:
    table.worker.start()
    table.worker.stop()
    with pytest.raises(RefusedError) as refused:
        table.worker.ask(lambda: 1)
    assert refused.value.key == "closing"


def test_a_table_never_started_can_be_stopped_and_answers_too(table: Table) -> None:
    table.worker.stop()
    with pytest.raises(RefusedError, match="closing"):
        table.worker.ask(lambda: 1)


def test_those_who_wait_while_the_table_stops_are_answered(table: Table) -> None:
    table.worker.start()
    busy, go_on = threading.Event(), threading.Event()

    def slow() -> str:
        busy.set()
        assert go_on.wait(PATIENCE_S)
        return "done"

    with ThreadPoolExecutor() as people:
        first = people.submit(table.worker.ask, slow)
        assert busy.wait(PATIENCE_S)
        second = people.submit(table.worker.ask, lambda: "too late")
        wait_queued(table.worker, 1)
        stopping = people.submit(table.worker.stop)
        wait_until(lambda: table.worker.mailbox.closed)
        go_on.set()
        assert first.result(PATIENCE_S) == "done"
        with pytest.raises(RefusedError, match="closing"):
            second.result(PATIENCE_S)
        stopping.result(PATIENCE_S)


def test_a_full_queue_refuses_people_and_lets_devices_wait_and_freezes_the_table() -> None:
    table = Table(queue_max=2)
    clock = iter(range(1_000, 10**9, 50))
    table.worker._now_ms = lambda: next(clock)
    table.worker.start()
    busy, go_on = threading.Event(), threading.Event()
    with ThreadPoolExecutor() as others:
        slow = others.submit(table.worker.ask, lambda: (busy.set(), go_on.wait(PATIENCE_S)))
        assert busy.wait(PATIENCE_S)
        table.worker.observe([UP])
        table.worker.observe([UP])
        with pytest.raises(RefusedError) as refused:
            table.worker.ask(lambda: 1)
        assert refused.value.key == "busy"
        waiting = others.submit(table.worker.observe, [UP])
        wait_until(lambda: bool(table.worker._trouble))
        go_on.set()
        slow.result(PATIENCE_S)
        waiting.result(PATIENCE_S)
        table.until(lambda: "its queue was full" in table.runtime.state.pit.freeze.by_name)
    assert table.runtime.state.pit.call.by
    table.close_after(lambda: len(table.kinds("LinkUp")) == 3)


def test_one_who_waited_too_long_and_was_not_begun_is_refused(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox_module, "ANSWER_TIMEOUT_S", 0.01)
    table.worker.start()
    busy, go_on, done = threading.Event(), threading.Event(), []

    def ask_until_begun() -> None:
        while not busy.is_set():  # a busy machine may not begin it in so short a time
            with contextlib.suppress(RefusedError):
                table.worker.ask(lambda: (busy.set(), go_on.wait(PATIENCE_S)))

    with ThreadPoolExecutor() as people:
        first = people.submit(ask_until_begun)
        assert busy.wait(PATIENCE_S)
        with pytest.raises(RefusedError, match="too much to do"):
            table.worker.ask(lambda: done.append(1))
        with pytest.raises(TimeoutError):
            first.result(PATIENCE_S)
        go_on.set()
    monkeypatch.setattr(mailbox_module, "ANSWER_TIMEOUT_S", PATIENCE_S)
    assert table.worker.ask(lambda: list(done)) == []


@pytest.mark.parametrize("what", ["observe", "pay", "handle"])
def test_an_error_of_our_own_freezes_the_table_and_the_thread_goes_on(
    table: Table, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, broken = getattr(table.runtime, what), threading.Event()

    def breaks_once(*given: object) -> object:
        if not broken.is_set():
            broken.set()
            raise InvariantError("This always held.")
        return real(*given)

    monkeypatch.setattr(table.runtime, what, breaks_once)
    table.worker.start()
    table.worker.observe([UP])
    table.until(lambda: table.runtime.state.pit.freeze.by_name == "the system (an error of its own)")
    assert table.worker.ask(lambda: "still here") == "still here"


def test_observations_the_store_refuses_are_kept_alone_and_freeze_the_table(table: Table) -> None:
    refused: list[int] = []

    def refuses_the_first(unit: Unit) -> Receipt:
        if not refused and any(entry.kind == "LinkUp" for entry in unit.entries):
            refused.append(len(unit.entries))
            raise InvariantError("The database refused the unit.")
        return table.writer.commit(unit)

    table.runtime._table._commit_unit = refuses_the_first
    table.worker.start()
    table.worker.observe([UP])
    table.until(lambda: bool(table.runtime.state.pit.freeze.by))
    assert refused
    assert table.kinds() == ["TableConfigured", "LinkUp", "TableFrozen", "PitCalled"]


def test_while_the_disk_is_full_nothing_is_acknowledged_and_observations_wait_for_it(table: Table) -> None:
    table.worker.start()
    table.breaks = StorageError("The disk is full.")
    table.worker.observe([UP])
    table.until(lambda: bool(table.runtime.storage_failed))
    before = table.runtime.seq
    table.worker.observe([UP, UP])
    assert table.worker.ask(lambda: table.runtime.seq) == before
    table.breaks = None
    table.until(lambda: not table.runtime.storage_failed and not table.runtime._backlog)
    told = [kind for kind in table.kinds() if kind != "DeviceProved"]
    assert told == ["TableConfigured", "TableFrozen", "PitCalled", "LinkUp", "DeviceBack", "LinkUp", "LinkUp"]
    assert table.runtime.state.pit.freeze.by_name == "the system (the disk took nothing)"


def test_a_table_already_frozen_comes_back_from_a_full_disk_too(table: Table) -> None:
    table.worker.start()
    table.worker.freeze("a test")
    table.until(lambda: bool(table.runtime.state.pit.freeze.by))
    for _ in range(2):
        table.breaks = StorageError("The disk is full.")
        table.worker.observe([UP])
        table.until(lambda: bool(table.runtime.storage_failed))
        table.breaks = None
        table.until(lambda: not table.runtime.storage_failed)


def test_a_backlog_that_grows_too_long_says_how_much_of_it_was_lost(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.tables.run.runtime.BACKLOG_MAX", 3)
    table.worker.start()
    table.breaks = StorageError("The disk is full.")
    for _ in range(5):
        table.worker.observe([UP])
    assert table.worker.ask(lambda: table.runtime._lost) == 2
    table.breaks = None
    table.until(lambda: bool(table.runtime.state.pit.freeze.by))
    assert "2 observations are lost" in table.runtime.state.pit.freeze.by_name


def refuse(sentence: str) -> None:
    raise RefusedError("no", sentence)


def wait_queued(worker: TableWorker, count: int) -> None:
    wait_until(lambda: worker.mailbox.waiting >= count)


def test_a_table_whose_record_was_away_goes_on_by_itself_and_loses_nothing(table: Table) -> None:
    table.worker.start()
    table.breaks = RecordAwayError("The database cannot be reached.")
    table.worker.observe([UP])
    table.until(lambda: bool(table.runtime.storage_failed))
    table.worker.observe([UP])
    table.breaks = None
    table.until(lambda: not table.runtime.storage_failed and not table.runtime._backlog)
    told = [kind for kind in table.kinds() if kind != "DeviceProved"]
    assert told == ["TableConfigured", "TableFrozen", "TableReleased", "LinkUp", "DeviceBack", "LinkUp"]
    assert not table.runtime.state.held


@pytest.mark.parametrize("then", [StorageError("The disk is full."), RecordAwayError("Away.")], ids=["disk", "lost"])
def test_where_more_is_wrong_than_a_record_that_was_away_the_pit_looks_first(
    table: Table, monkeypatch: pytest.MonkeyPatch, then: StorageError
) -> None:
    if isinstance(then, RecordAwayError):
        monkeypatch.setattr("studio.tables.run.runtime.BACKLOG_MAX", 1)
    table.worker.start()
    table.breaks = RecordAwayError("The database cannot be reached.")
    table.worker.observe([UP])
    table.until(lambda: bool(table.runtime.storage_failed))
    table.breaks = then
    table.worker.observe([UP])
    table.until(lambda: bool(table.runtime._lost) or not table.runtime._table.only_away)
    table.breaks = None
    table.until(lambda: not table.runtime.storage_failed)
    assert table.runtime.state.pit.freeze.by == "system"
    assert table.runtime.state.pit.call.by == "system"
