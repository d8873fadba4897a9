"""A record in PostgreSQL: what only a server can do to it, and what only it can bear."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from cut_line import CutLine
from private_postgres import PostgresServer

from studio.errors import BadInputError, StorageError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.engine import Cursor
from studio.journal.extract.walk import walk
from studio.journal.place import snapshot
from studio.journal.postgres.connection import PostgresDatabase, PostgresError, connect
from studio.journal.postgres.right import grant
from studio.journal.postgres.schema import BLOCK
from studio.money import Offer, Transfer, bettor_account, house_account, operator_account

ANN, NORTH = bettor_account("north", "ann"), operator_account("north")


def deposit(id: str, amount_minor: int = 1000) -> Unit:
    return Unit(transfers=(Transfer("", id, "deposit", NORTH, ANN, amount_minor, "EUR"),), at_ms=5)


def told(kind: str = "Said", table: str = "t1") -> Unit:
    return Unit(entries=(Entry(kind, 7, f'{{"table":"{table}"}}'.encode()),))


def bet(id: str, stake: int = 100, round: str = "r1") -> Unit:
    return Unit(offers=(Offer(f"north/{id}", "north", id, "ann", "t1", round, "ante", stake, "EUR"),))


@pytest.fixture
def line(postgres: PostgresServer) -> Iterator[CutLine]:
    folder = Path(tempfile.mkdtemp(prefix="studio-cut-", dir="/tmp"))
    line = CutLine(folder, postgres.folder)
    yield line
    line.close()
    shutil.rmtree(folder)


def through(line: CutLine, address: str) -> str:
    return address.partition("?")[0] + f"?host={line.path.parent}"


# --- a commit whose answer is lost ---------------------------------------------------------------------


@pytest.mark.parametrize("swallow", [False, True], ids=["the answer is lost", "the commit is lost"])
def test_a_commit_that_is_not_answered_is_asked_for_and_done_once(
    postgres_address: str, line: CutLine, swallow: bool
) -> None:
    with Store.open(through(line, postgres_address)) as store, Reader.open(postgres_address) as reader:
        writer = Writer(store)
        writer.commit(deposit("d1"))
        line.swallow, line.cut_at_commit = swallow, True
        receipt = writer.commit(bet("c1"))
        assert line.cuts == 1
        assert receipt.answers[0].status == "accepted"
        assert [row.seq for row in reader.events(kinds=["LedgerBound"])] == [1, receipt.last_seq]
        assert reader.balance(ANN) == 900
        assert writer.commit(deposit("d2")).last_seq == receipt.last_seq + 1
    assert check(postgres_address) is None


@pytest.mark.parametrize(("answered", "is_lost"), [
    (psycopg.OperationalError("the line is cut"), True), (psycopg.errors.AdminShutdown(), True),
    (psycopg.errors.StatementCompletionUnknown(), True), (psycopg.errors.SerializationFailure(), False),
    (psycopg.errors.DiskFull(), False),
])  # fmt: skip
def test_what_leaves_open_whether_a_commit_was_done_is_asked_for(answered: psycopg.Error, is_lost: bool) -> None:
    """Else the group would be written once more, though it may be kept."""
    assert PostgresError(answered).lost is is_lost
    assert PostgresError(answered).again


def test_a_user_without_the_right_to_write_is_told_what_to_do() -> None:
    refused = PostgresError(psycopg.errors.InsufficientPrivilege("permission denied for table book"))
    assert str(refused) == (
        "The database answered: permission denied for table book. Let the tables' owner give this user the right by "
        "studio prepare, or name another user."
    )


def test_a_backend_that_is_ended_in_mid_group_takes_nothing_with_it(
    postgres: PostgresServer, postgres_address: str
) -> None:
    with Store.open(postgres_address) as store, store.reader() as reader:
        writer = Writer(store)
        writer.commit(deposit("d1"))
        ended: list[str] = []

        def ends(offers: object) -> list[Entry]:
            if not ended:
                ended.append("once")
                [[pid]] = store.connection.execute("SELECT pg_backend_pid()").fetchall()
                postgres.say(f"SELECT pg_terminate_backend({pid})")
            return [Entry("BetsPlaced", 9, b"{}")]

        offer = bet("c1").offers
        futures = [writer.submit(deposit("d2")), writer.submit(Unit(offers=offer, entries_for_bets=ends))]
        writer.drain()
        assert [future.result(timeout=0).last_seq for future in futures] == [2, 3]
        assert reader.balance(ANN) == 1900
    assert check(postgres_address) is None


def test_a_server_that_is_away_is_told_and_play_goes_on_when_it_is_back(
    postgres: PostgresServer, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studio.journal.postgres.engine.AGAIN_S", 0.0)
    with Store.open(postgres_address) as store:
        writer = Writer(store)
        writer.commit(deposit("d1"))
        postgres.stop()
        try:
            future = writer.submit(deposit("d2"))
            writer.drain()
            with pytest.raises(StorageError, match="cannot be reached and nothing of this commit was kept"):
                future.result(timeout=0)
        finally:
            postgres.start()
        monkeypatch.setattr("studio.journal.postgres.engine.AGAIN_S", 60.0)
        writer.commit(deposit("d2"))
        with store.reader() as reader:
            assert reader.balance(ANN) == 2000
    assert check(postgres_address) is None


def test_a_line_that_breaks_again_while_a_commit_is_asked_for_is_made_anew_and_it_is_asked_for_again(
    postgres_address: str, line: CutLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(through(line, postgres_address)) as store, Reader.open(postgres_address) as reader:
        writer, database = Writer(store), store.engine.connection
        assert isinstance(database, PostgresDatabase)
        writer.commit(deposit("d1"))
        execute, broken = database.execute, list[str]()

        def breaks_once(sql: str, given: Sequence[Any] = (), /) -> Cursor:
            if "FROM group_commit WHERE id" in sql and not broken:
                broken.append(sql)
                database.raw.close()
            return execute(sql, given)

        monkeypatch.setattr(database, "execute", breaks_once)
        line.cut_at_commit = True
        receipt = writer.commit(bet("c1"))
        assert (line.cuts, len(broken)) == (1, 1)
        assert reader.balance(ANN) == 900
        assert writer.commit(deposit("d2")).last_seq == receipt.last_seq + 1
    assert check(postgres_address) is None


def test_a_commit_that_can_never_be_asked_for_stops_the_book(
    postgres_address: str, line: CutLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(address: str, *, reads_only: bool) -> None:
        raise BadInputError("The database cannot be reached.")

    monkeypatch.setattr("studio.journal.postgres.engine.ASK_S", 0.0)
    with Store.open(through(line, postgres_address)) as store:
        writer = Writer(store)
        line.cut_at_commit = True
        monkeypatch.setattr("studio.journal.postgres.engine.connect", gone)
        for unit in (deposit("d1"), told()):
            future = writer.submit(unit)
            writer.drain()
            with pytest.raises(StorageError, match="is not known"):
                future.result(timeout=0)
    assert check(postgres_address) is None


COMMITS_AND_TELLS = """
import sys
from studio.journal import Entry, Store, Unit, Writer
from studio.money import Offer, Transfer, bettor_account, operator_account

with Store.open(sys.argv[1]) as store:
    writer = Writer(store)
    ann, north = bettor_account("north", "ann"), operator_account("north")
    start = store.reader().head().seq
    for count in range(start, start + 100_000):
        money = Transfer("", f"d{count}", "deposit", north, ann, 7, "EUR")
        bet = Offer(f"b{count}", "north", f"c{count}", "ann", "t1", f"r{count}", "ante", 5, "EUR")
        futures = [
            writer.submit(Unit((Entry("Paid", count, b"{}"),), (money,))),
            writer.submit(Unit(offers=(bet,), entries_for_bets=lambda bets: [Entry("BetsPlaced", count, b"{}")])),
        ]
        writer.drain()
        print(count, futures[1].result().last_seq, futures[1].result().answers[0].status, flush=True)
"""


@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.long)])
def test_a_killed_host_has_lost_nothing_it_acknowledged_and_left_nothing_half_done(
    postgres_address: str, kills: int
) -> None:
    chance = random.Random(16)
    for _ in range(kills):
        lines = chance.randrange(1, 20)
        with subprocess.Popen(
            [sys.executable, "-c", COMMITS_AND_TELLS, postgres_address], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            acknowledged = [process.stdout.readline().split() for _ in range(lines)]
            process.kill()
            acknowledged += [line.split() for line in process.stdout if line.endswith("\n")]
        assert {status for _, _, status in acknowledged} == {"accepted"}
        assert check(postgres_address) is None
        with Reader.open(postgres_address) as reader:
            assert reader.head().seq >= max(int(seq) for _, seq, _ in acknowledged)
            assert all(reader.bet_status("north", f"c{count}") is not None for count, _, _ in acknowledged)
            placed, paid = (sum(1 for _ in reader.events(kinds=[kind])) for kind in ("BetsPlaced", "Paid"))
            assert reader.balance(ANN) == 7 * paid - 5 * placed


# --- several hosts -------------------------------------------------------------------------------------


def test_two_hosts_write_books_of_their_own_and_share_purses(postgres_address: str) -> None:
    with Store.open(postgres_address, host="one") as one, Store.open(postgres_address, host="two") as two:
        first, second = Writer(one), Writer(two)
        first.commit(deposit("d1", 1000))
        second.commit(bet("c1", 300))
        first.commit(bet("c2", 300, "r2"))
        second.commit(deposit("d2", 50))
        refused = first.commit(bet("c3", 500, "r3")).answers[0]
        assert refused.key == "insufficient_balance"
        house = Transfer("r1", "north/c1", "post", "escrow:r1", house_account("t1"), 300, "EUR")
        first.commit(Unit(transfers=(house,)))
        with one.reader() as reader:
            assert (reader.balance(ANN), reader.balance(NORTH), reader.balance("escrow:r1")) == (450, -1050, 0)
            assert reader.ledger_head().seq >= BLOCK
    assert check(postgres_address) is None
    with snapshot(postgres_address) as seen:
        moved = [posting.transfer.bet for step in walk(seen) for posting in step.postings]
    assert sorted(moved) == ["d1", "d2", "north/c1", "north/c1", "north/c2"]


def test_hosts_that_bet_from_one_purse_at_once_never_both_win_its_last_coin(postgres_address: str) -> None:
    statuses: list[str] = []

    def play(host: str) -> None:
        with Store.open(postgres_address, host=host) as store:
            writer = Writer(store)
            start.wait()
            for number in range(10):
                futures = [writer.submit(bet(f"{host}-{number}-{part}", 100, host)) for part in range(4)]
                writer.drain()
                statuses.extend(future.result(timeout=0).answers[0].status for future in futures)

    start = threading.Barrier(2)
    with Store.open(postgres_address) as store:
        Writer(store).commit(deposit("d1", 2500))
        threads = [threading.Thread(target=play, args=(host,)) for host in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with store.reader() as reader:
            assert statuses.count("accepted") == 25
            assert reader.balance(ANN) == 0
    assert check(postgres_address) is None


def test_hosts_that_open_one_purse_at_once_both_find_their_money_in_it(postgres_address: str) -> None:
    def deposits(host: str) -> None:
        with Store.open(postgres_address, host=host) as store:
            writer = Writer(store)
            together.wait()
            for number in range(120):
                purse = bettor_account("north", f"new-{number}")
                moved = Transfer("", f"{host}-{number}", "deposit", NORTH, purse, 100, "EUR")
                writer.commit(Unit(transfers=(moved,), at_ms=5))

    together = threading.Barrier(2)
    hosts = [threading.Thread(target=deposits, args=(host,)) for host in ("a", "b")]
    for host in hosts:
        host.start()
    for host in hosts:
        host.join()
    with Reader.open(postgres_address) as reader:
        held = {reader.balance(bettor_account("north", f"new-{number}")) for number in range(120)}
    assert held == {200}
    assert check(postgres_address) is None


def test_nobody_reads_past_a_commit_that_is_still_under_way(postgres_address: str) -> None:
    with Store.open(postgres_address, host="one") as one, Store.open(postgres_address, host="two") as two:
        Writer(one).commit(told())
        one.engine.begin()
        Writer(two).commit(told())
        with two.reader() as reader:
            assert reader.head().seq == 1
            one.engine.roll_back()
            assert reader.head().seq == BLOCK


def test_a_host_that_is_at_work_is_not_taken_over_by_its_namesake(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(postgres_address, host="one"):
        with monkeypatch.context() as hurried:
            hurried.setattr("studio.journal.postgres.engine._TAKES_MAX", 1)
            with pytest.raises(BadInputError, match="Another studio writes there as host one"):
                Store.open(postgres_address, host="one")
        Store.open(postgres_address, host="two").close()
    Store.open(postgres_address, host="one").close()


def test_who_was_taken_over_writes_nothing_more(postgres_address: str) -> None:
    with Store.open(postgres_address, host="one") as store:
        writer = Writer(store)
        writer.commit(told())
        with connect(postgres_address, reads_only=False) as other:
            other.execute("UPDATE book SET epoch = epoch + 1")
        future = writer.submit(told())
        writer.drain()
        with pytest.raises(StorageError, match="taken over the book of host one"):
            future.result(timeout=0)
    with Reader.open(postgres_address) as reader:
        assert reader.head().seq == 1


# --- what is written once ------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["journal", "ledger", "bet", "origin"])
@pytest.mark.parametrize("act", ["UPDATE {} SET seq = 9", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_the_record_is_only_added_to(postgres_address: str, table: str, act: str) -> None:
    with connect(postgres_address, reads_only=False) as owner, pytest.raises(psycopg.Error, match="only added to"):
        owner.execute(act.format(table).encode())


def test_the_hosts_role_may_add_and_nothing_else(postgres: PostgresServer, postgres_address: str) -> None:
    database = postgres_address.partition("?")[0].rpartition("/")[2]
    postgres.say("DROP ROLE IF EXISTS hosts")
    postgres.say("CREATE ROLE hosts LOGIN")
    with connect(postgres_address, reads_only=False) as owner:
        grant(owner, "hosts")
    address = postgres.address(database, user="hosts")
    with Store.open(address) as store:
        writer = Writer(store)
        writer.commit(deposit("d1"))
        writer.commit(bet("c1"))
        for statement in ("UPDATE journal SET at = 1", "DELETE FROM ledger", "TRUNCATE bet", "DROP TABLE part"):
            with connect(address, reads_only=False) as host, pytest.raises(psycopg.errors.InsufficientPrivilege):
                host.execute(statement.encode())
    assert check(address) is None


EDITS = {
    "journal": "UPDATE journal SET body = replace(body, 't1', 't2') WHERE seq = 2",
    "ledger": "UPDATE ledger SET amount = amount + 1 WHERE seq = 1",
    "bet": "UPDATE bet SET bettor = 'bob'",
    "balance": "UPDATE part SET amount = amount + 1 WHERE account LIKE 'bettor:%'",
    "book": "UPDATE book SET journal_seq = 2",
    "cut": "DELETE FROM journal WHERE seq = 3",
}


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_what_was_edited_is_found(postgres_address: str, edit: str) -> None:
    with Store.open(postgres_address) as store:
        writer = Writer(store)
        for unit in (deposit("d1"), told(), bet("c1")):
            writer.commit(unit)
    assert check(postgres_address) is None
    with connect(postgres_address, reads_only=False) as owner:
        owner.execute("SET session_replication_role = replica")  # without its triggers
        owner.execute(EDITS[edit].encode())
    found = check(postgres_address)
    assert found is not None
    assert found.table in (edit, "file", "ledger")


# --- addresses and servers that do not do --------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://x@localhost:1/nothing", "cannot be reached"),
        ("postgresql://[", "no address of a database"),
        ("postgresql://localhost/x?nonsense=1", "no address of a database"),
    ],
)
def test_an_address_that_leads_nowhere_is_told(address: str, sentence: str) -> None:
    for opens in (Store.open, Reader.open):
        with pytest.raises(BadInputError, match=sentence):
            opens(address)


def test_a_database_or_user_that_is_not_there_is_told(postgres: PostgresServer) -> None:
    for address in (postgres.address("nowhere"), postgres.address("postgres", user="nobody_here")):
        with pytest.raises(BadInputError, match="no such database or user"):
            Store.open(address)


@pytest.mark.parametrize("reads_only", [False, True])
def test_the_server_is_told_to_notice_soon_that_a_machine_is_gone(postgres_address: str, reads_only: bool) -> None:
    """A server on a socket has no such settings to show; of another they are two hours."""
    with connect(postgres_address, reads_only=reads_only) as raw:
        said = raw.info.options
    assert "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3" in said
    assert ("tcp_user_timeout" in said) is not reads_only, "who reads a long record may let the server wait"


def test_an_address_is_never_told_with_its_password() -> None:
    with pytest.raises(BadInputError) as refused:
        Store.open("postgresql://studio:secret@localhost:1/floor?password=secret")
    assert "secret" not in str(refused.value)


def test_a_server_that_would_lose_what_it_has_answered_is_refused(
    postgres: PostgresServer, postgres_address: str
) -> None:
    database = postgres_address.partition("?")[0].rpartition("/")[2]
    postgres.say(f"ALTER DATABASE {database} SET synchronous_commit = off")
    with pytest.raises(BadInputError, match="synchronous_commit is off"):
        Store.open(postgres_address)


def test_a_database_of_a_newer_version_is_neither_written_nor_read(postgres_address: str) -> None:
    with connect(postgres_address, reads_only=False) as owner:
        owner.execute("INSERT INTO migration (name) VALUES ('p999_from_the_future')")
    for opens in (Store.open, Reader.open):
        with pytest.raises(BadInputError, match="newer version"):
            opens(postgres_address)


def test_a_database_that_holds_no_studio_is_not_read(postgres: PostgresServer) -> None:
    with pytest.raises(BadInputError, match="holds no studio yet"):
        Reader.open(postgres.address("postgres"))


def test_a_host_of_the_version_before_adds_no_row_that_nobody_would_find(postgres_address: str) -> None:
    """It left it to the database to work out whose a row is, and is at work while its tables are brought up to date."""
    with Store.open(postgres_address) as store:
        Writer(store).commit(deposit("d1"))
    columns = "at, round, kind, debit, credit, amount, currency, revision, hash, book"
    row = f"INSERT INTO ledger (seq, bet, {columns}) SELECT seq + 1, 'd2', {columns} FROM ledger"
    refused = pytest.raises(psycopg.errors.FeatureNotSupported, match="older version than its tables")
    with connect(postgres_address, reads_only=False) as raw, refused:
        raw.execute(row.encode())
