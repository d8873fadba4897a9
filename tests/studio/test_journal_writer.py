"""The writer: what is committed together, what is answered when, and what a failing unit leaves behind."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from private_postgres import place_of

from studio.errors import InvariantError, StorageError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.sqlite.schema import LEDGER_COLUMNS
from studio.money import Offer, Transfer, bettor_account, house_account, operator_account

ANN = bettor_account("north", "ann")
NORTH = operator_account("north")


@pytest.fixture(params=["file", "memory", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with Store.open(place_of(request, tmp_path)) as store:
        yield store


@pytest.fixture
def writer(store: Store) -> Iterator[Writer]:
    writer = Writer(store)
    yield writer
    writer.close()


@pytest.fixture
def reader(store: Store) -> Iterator[Reader]:
    with store.reader() as reader:
        yield reader


def told(kind: str, at_ms: int = 1, body: bytes = b'{"round":"r1","table":"t1"}') -> Unit:
    return Unit(entries=(Entry(kind, at_ms, body),))


def deposit(client_id: str, amount_minor: int = 1000, account: str = ANN, currency: str = "EUR") -> Transfer:
    return Transfer("", client_id, "deposit", NORTH, account, amount_minor, currency)


def test_events_come_back_as_they_were_given_and_in_order(writer: Writer, reader: Reader) -> None:
    receipt = writer.commit(
        Unit(entries=(Entry("Opened", 5, b'{"table":"t1"}'), Entry("Said", 6, b'{"a":"\xc3\xa9"}')))
    )
    assert (receipt.first_seq, receipt.last_seq) == (1, 2)
    assert [(row.seq, row.at_ms, row.kind, row.body) for row in reader.events()] == [
        (1, 5, "Opened", b'{"table":"t1"}'),
        (2, 6, "Said", b'{"a":"\xc3\xa9"}'),
    ]
    assert reader.head().seq == 2


def test_events_are_picked_by_table_round_kind_place_and_count(writer: Writer, reader: Reader) -> None:
    for table, round, kind in [("t1", "r1", "A"), ("t2", "r2", "A"), ("t1", "r3", "B"), ("t1", "r3", "A")]:
        writer.commit(told(kind, body=f'{{"round":"{round}","table":"{table}"}}'.encode()))
    assert [row.seq for row in reader.events(table="t1")] == [1, 3, 4]
    assert [row.seq for row in reader.events(round="r3")] == [3, 4]
    assert [row.seq for row in reader.events(kinds=["A"], table="t1")] == [1, 4]
    assert [row.seq for row in reader.events(after_seq=2)] == [3, 4]
    assert [row.seq for row in reader.events(limit=2)] == [1, 2]
    assert list(reader.events(limit=0)) == list(reader.events(kinds=[])) == []


def test_events_of_a_rare_kind_are_the_same_and_are_found_by_their_kind(tmp_path: Path) -> None:
    asked: list[str] = []
    with Store.open(tmp_path / "studio.db") as store, store.reader() as reader:
        writer = Writer(store)
        for kind, table in (("Rare", "t1"), ("Often", "t1"), ("Rare", "t2"), ("Rare", "t1")):
            writer.commit(told(kind, body=f'{{"table":"{table}"}}'.encode()))
        look = reader.read
        plan = lambda sql, given: [row[3] for row in look(f"EXPLAIN QUERY PLAN {sql}", given)]  # noqa: E731
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Reader, "read", lambda self, sql, given: asked.extend(plan(sql, given)) or look(sql, given))
            assert [row.seq for row in reader.events(table="t1", kinds=("Rare",), rare=True)] == [1, 4]
    assert any("journal_kind" in line for line in asked), asked


def test_more_events_than_one_page_come_back_whole(writer: Writer, reader: Reader) -> None:
    writer.commit(Unit(entries=tuple(Entry("Tick", at_ms, b"{}") for at_ms in range(1234))))
    assert [row.at_ms for row in reader.events()] == list(range(1234))
    assert len(list(reader.events(limit=700))) == 700


def test_a_future_is_answered_by_the_commit_and_not_before(writer: Writer) -> None:
    future = writer.submit(told("Opened"))
    assert not future.done()
    assert writer.drain() == 1
    assert future.result(timeout=0).last_seq == 1


def test_a_group_holds_at_most_64_units(writer: Writer) -> None:
    for _ in range(100):
        writer.submit(told("Tick"))
    assert [writer.drain(), writer.drain(), writer.drain()] == [64, 36, 0]


def test_drain_waits_for_a_unit_of_another_thread(writer: Writer) -> None:
    futures = []
    thread = threading.Thread(target=lambda: futures.append(writer.submit(told("Opened"))))
    thread.start()
    assert writer.drain(wait_s=30.0) == 1
    thread.join()
    assert futures[0].result(timeout=0).first_seq == 1


def test_where_all_units_fit_nothing_is_kept_aside_for_any_of_them(tmp_path: Path) -> None:
    said: list[str] = []
    with Store.open(tmp_path / "studio.db") as store:
        assert isinstance(store.connection, sqlite3.Connection)
        store.connection.set_trace_callback(said.append)
        writer = Writer(store)
        futures = [writer.submit(told(kind)) for kind in ("First", "Second")]
        writer.drain()
        assert [future.result().first_seq for future in futures] == [1, 2]
        assert not [statement for statement in said if "SAVEPOINT" in statement]
        futures = [writer.submit(told("Broken", body=b"[1]")), writer.submit(told("Third"))]
        writer.drain()
        assert isinstance(futures[0].exception(), InvariantError)
        assert futures[1].result().first_seq == 3
        assert said.count("SAVEPOINT unit") == 2


def test_a_failing_unit_spoils_no_other_of_its_group(writer: Writer, reader: Reader) -> None:
    good = writer.submit(told("Before"))
    bad = writer.submit(told("Broken", body=b"[1]"))
    worse = writer.submit(Unit(entries=(Entry("Paid", 1, b"{}"),), transfers=(_return_of(ANN, 5),) * 2))
    after = writer.submit(told("After"))
    writer.drain()
    assert (good.result().last_seq, after.result().last_seq) == (1, 2)
    for future in (bad, worse):
        with pytest.raises(InvariantError):
            future.result()
    assert [row.kind for row in reader.events()] == ["Before", "After"]
    assert reader.ledger_head().seq == 0
    assert reader.balance(ANN) == 0


@pytest.mark.parametrize("body", [b"", b"x", b"[]", b'"a"', b"{", b'{\n"a":1}', b"\xff"], ids=repr)
def test_a_body_that_is_no_canonical_object_is_our_own_wrong(writer: Writer, body: bytes) -> None:
    with pytest.raises(InvariantError):
        writer.commit(told("Broken", body=body))


def test_a_cancelled_unit_is_not_written(writer: Writer, reader: Reader) -> None:
    writer.submit(told("Gone")).cancel()
    writer.commit(told("Kept"))
    assert [row.kind for row in reader.events()] == ["Kept"]


def test_a_full_queue_fails_at_once_and_says_so(store: Store) -> None:
    writer = Writer(store, queue_max=1)
    first, second = writer.submit(told("A")), writer.submit(told("B"))
    with pytest.raises(StorageError, match="waiting for the disk"):
        second.result(timeout=0)
    writer.close()
    assert first.result(timeout=0).last_seq == 1


def test_a_closed_writer_has_committed_its_queue_and_takes_no_more(writer: Writer) -> None:
    queued = writer.submit(told("Last"))
    writer.close()
    assert queued.result(timeout=0).last_seq == 1
    with pytest.raises(StorageError, match="closing"):
        writer.submit(told("Late")).result(timeout=0)


def test_money_without_an_event_is_bound_by_a_row_that_no_reader_sees(
    store: Store, writer: Writer, reader: Reader
) -> None:
    receipt = writer.commit(Unit(transfers=(deposit("d1"),)))
    assert (receipt.first_seq, receipt.last_seq) == (1, 1)
    assert list(reader.events()) == []
    assert [row.kind for row in reader.events(kinds=["LedgerBound"])] == ["LedgerBound"]


@pytest.mark.parametrize("table", ["journal", "ledger", "bet"])
@pytest.mark.parametrize("verb", ["UPDATE", "DELETE", "REPLACE"])
def test_the_database_refuses_to_change_what_was_written(tmp_path: Path, table: str, verb: str) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        writer = Writer(store)
        bet = Offer("b1", "north", "c1", "ann", "t1", "r1", "ante", 10, "EUR")
        writer.commit(Unit(entries=(Entry("Paid", 1, b"{}"),), transfers=(deposit("d1"),)))
        writer.commit(Unit(offers=(bet,)))
    columns = {
        "journal": "seq, at, kind, body, ledger_seq, hash",
        "ledger": LEDGER_COLUMNS,
    }.get(table, "*")
    statement = {
        "UPDATE": f"UPDATE {table} SET seq = seq",
        "DELETE": f"DELETE FROM {table}",
        "REPLACE": f"REPLACE INTO {table}{f' ({columns})' if columns != '*' else ''} SELECT {columns} FROM {table}",
    }[verb]
    outside = sqlite3.connect(path)
    try:
        with pytest.raises(sqlite3.IntegrityError, match=r"only added to|grows by one row"):
            outside.execute(statement)
    finally:
        outside.close()


def _return_of(account: str, amount_minor: int) -> Transfer:
    return Transfer("r1", "b1", "return", house_account("t1"), account, amount_minor, "EUR")


def test_the_fields_of_a_transfer_and_of_an_offer_are_their_columns_in_order(tmp_path: Path) -> None:
    """Rows are written straight from the values: a field that changed its place would change what a column says."""
    with Store.open(tmp_path / "studio.db") as store:
        columns = {
            table: [name for _, name, *_ in store.connection.execute(f"PRAGMA table_info({table})")]
            for table in ("ledger", "bet")
        }
    moved = [name.removesuffix("_minor") for name in Transfer.__struct_fields__]
    assert columns["ledger"] == ["seq", "at", *moved, "hash", "held_for", "brought_by"]
    offered = [name.removesuffix("_minor") for name in Offer.__struct_fields__]
    known = {"bet_id": "id"}
    assert columns["bet"] == ["seq", *(known.get(name, name) for name in offered[: len(columns["bet"]) - 1])]
