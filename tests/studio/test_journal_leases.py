"""Leases of tables: who has one writes the table, who lost it writes nothing more of it, whatever became of him."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from patience import wait_until

from studio.errors import BadInputError, StorageError
from studio.journal import Entry, Lease, LeaseLostError, Leases, Reader, Store, Unit, Writer
from studio.journal.chain import check
from studio.journal.keys.wrapping import WrappedBy
from studio.journal.postgres import leases
from studio.journal.postgres.connection import connect
from studio.journal.postgres.keyring import PostgresKeyring
from studio.journal.postgres.leases import PostgresLeases
from studio.money import Transfer, bettor_account, operator_account

ANN, NORTH = bettor_account("north", "ann"), operator_account("north")


def told(lease: Lease | None, table: str = "t1") -> Unit:
    return Unit(entries=(Entry("Said", 7, f'{{"table":"{table}"}}'.encode()),), lease=lease)


def leases_of(store: Store) -> Leases:
    assert store.leases is not None
    return store.leases


def lapse(address: str) -> None:
    with connect(address, reads_only=False) as raw:
        raw.execute("UPDATE lease SET until = clock_timestamp() - interval '1 second'")


def lapsed_and_taken(address: str, store: Store) -> Lease | None:
    """Not at the first try where a commit was under way, or the lease held on: who stands still within one is ended."""
    with suppress(psycopg.errors.LockNotAvailable):
        lapse(address)
    with suppress(StorageError):
        return leases_of(store).take("t1")
    return None


@pytest.fixture
def one(postgres_address: str) -> Iterator[Store]:
    with Store.open(postgres_address, host="one") as store:
        yield store


@pytest.fixture
def two(postgres_address: str) -> Iterator[Store]:
    with Store.open(postgres_address, host="two") as store:
        yield store


def test_a_table_is_one_hosts_until_its_lease_has_lapsed(one: Store, two: Store, postgres_address: str) -> None:
    first = leases_of(one).take("t1")
    assert first == Lease("t1", 1)
    assert leases_of(two).take("t1") is None
    lapse(postgres_address)
    assert leases_of(two).take("t1") == Lease("t1", 2)
    assert leases_of(one).renew([first]) == {first}
    assert leases_of(one).take("t1") is None


def test_a_host_that_is_started_again_has_its_table_at_once_and_its_run_before_has_not(one: Store) -> None:
    first, second = leases_of(one).take("t1"), leases_of(one).take("t1")
    assert second == Lease("t1", 2)
    for lease, kept in ((first, False), (second, True)):
        writer = Writer(one)
        future = writer.submit(told(lease))
        writer.drain()
        assert (future.exception() is None) is kept


def test_who_was_late_and_not_taken_over_holds_on(one: Store, postgres_address: str) -> None:
    lease = leases_of(one).take("t1")
    assert lease is not None
    lapse(postgres_address)
    assert Writer(one).commit(told(lease)).last_seq == 1
    assert leases_of(one).renew([lease]) == frozenset()
    [look] = leases_of(one).look()
    assert look.left_s > 0


def test_of_a_group_only_the_lost_tables_unit_is_refused(one: Store, two: Store, postgres_address: str) -> None:
    lost, held = leases_of(one).take("t1"), leases_of(one).take("t2")
    assert held is not None
    lapse(postgres_address)
    leases_of(one).renew([held])
    assert leases_of(two).take("t1") is not None
    writer = Writer(one)
    money = Transfer("", "d1", "deposit", NORTH, ANN, 1000, "EUR")
    futures = [
        writer.submit(replace(told(lost), transfers=(money,))), writer.submit(told(held, "t2")),
        writer.submit(told(None)),
    ]  # fmt: skip
    writer.drain()
    with pytest.raises(LeaseLostError, match="Another host runs the table t1 now"):
        futures[0].result(timeout=0)
    assert futures[1].result(timeout=0).last_seq == futures[2].result(timeout=0).last_seq - 1
    with one.reader() as reader:
        assert reader.balance(ANN) == 0
    assert check(postgres_address) is None


def test_nobody_takes_a_table_while_a_commit_of_it_is_under_way(one: Store, two: Store, postgres_address: str) -> None:
    lease = leases_of(one).take("t1")
    assert lease is not None
    lapse(postgres_address)
    heads = one.engine.begin()
    assert one.engine.lost([lease]) == frozenset()
    with connect(postgres_address, reads_only=False) as raw:
        raw.execute("SET lock_timeout = '50ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            raw.execute("UPDATE lease SET host = 'two', epoch = epoch + 1")
    one.engine.commit(heads)
    assert leases_of(two).take("t1") == Lease("t1", 2)


def test_a_table_is_handed_to_another_host(one: Store, two: Store) -> None:
    lease = leases_of(one).take("t1")
    assert lease is not None
    leases_of(one).hand_over(lease, "two")
    assert [look.host for look in leases_of(two).look()] == ["two"]
    assert leases_of(one).renew([lease]) == {lease}
    assert leases_of(two).take("t1") == Lease("t1", 3)


HOST = """
import sys, threading
from studio.journal import Entry, LeaseLostError, Store, Unit, Writer
from studio.money import Transfer, bettor_account, operator_account

address, host = sys.argv[1:]
ann, north = bettor_account("north", "ann"), operator_account("north")
with Store.open(address, host=host) as store:
    lease, writer = store.leases.take("t1"), Writer(store)
    for count in range(100_000):
        paid = Transfer("", f"{host}-{count}", "deposit", north, ann, 7, "EUR")
        try:
            seq = writer.commit(Unit((Entry("Paid", count, b'{"table":"t1"}'),), (paid,), lease=lease)).last_seq
        except LeaseLostError:
            print("lost", flush=True)
            break
        print(seq, flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL], ids=["stopped", "killed"])
def test_a_host_that_stood_still_past_its_lease_writes_nothing_more_and_nothing_is_doubled(
    postgres_address: str, how: signal.Signals
) -> None:
    command = [sys.executable, "-c", HOST, postgres_address, "one"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, ExitStack() as stood_still:
        stood_still.callback(process.kill)
        assert process.stdout is not None
        acknowledged = [int(process.stdout.readline()) for _ in range(20)]
        process.send_signal(how)
        with Store.open(postgres_address, host="two") as store:
            tried: list[Lease | None] = []
            wait_until(lambda: tried.append(lapsed_and_taken(postgres_address, store)) or tried[-1])
            lease = tried[-1]
            assert lease is not None
            assert lease.epoch == 2
            taken_at = Writer(store).commit(told(lease)).last_seq
            process.send_signal(signal.SIGCONT)
            rest = [line.strip() for line in process.stdout if line.endswith("\n")]
            Writer(store).commit(told(lease))
    if how is signal.SIGSTOP:
        assert rest.pop() == "lost"
    acknowledged += [int(line) for line in rest if line != "lost"]
    with Reader.open(postgres_address) as reader:
        rows = [row.seq for row in reader.events(kinds=["Paid"])]
        assert set(acknowledged) <= set(rows)
        assert all(seq < taken_at for seq in rows)
        assert reader.balance(ANN) == 7 * len(rows)
    assert check(postgres_address) is None


@pytest.mark.parametrize("still_s", [0, 3_600], ids=["long enough", "not for long"])
def test_who_stands_still_amid_statements_that_go_together_keeps_no_table_from_others(
    postgres_address: str, one: Store, two: Store, still_s: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases_of(one).take("t1")
    lapse(postgres_address)
    monkeypatch.setattr(leases, "STILL_S", still_s)
    with connect(postgres_address, reads_only=False) as still, suppress(psycopg.OperationalError), still.pipeline():
        still.execute("BEGIN")
        held = still.execute("SELECT epoch FROM lease WHERE \"table\" = 't1' FOR SHARE").fetchall()
        assert held == [(1,)]
        if still_s:
            leases_of(two)._line.say("SET lock_timeout = '50ms'")  # as it has one, of ten seconds
            with pytest.raises(StorageError, match="lock timeout"):
                leases_of(two).take("t1")
        else:
            assert leases_of(two).take("t1") == Lease("t1", 2)


def test_who_stands_still_amid_a_commit_of_no_table_keeps_nobody_from_reading_on(
    postgres_address: str, one: Store, two: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    Writer(two).commit(Unit(entries=(Entry("Said", 7, b"{}"),)))
    with suppress(StorageError), one.engine.at_once():
        one.engine.begin()
        with two.reader() as reader:
            before = reader.head()
            written = Writer(two).commit(Unit(entries=(Entry("Said", 8, b"{}"),))).last_seq
            assert reader.head() == before
            monkeypatch.setattr(leases, "STILL_S", 0)
            leases_of(two).take("t1")
            wait_until(lambda: reader.head().seq == written)
    assert check(postgres_address) is None


@pytest.mark.long
def test_a_long_commit_of_a_host_that_does_not_stand_still_is_left_alone(
    postgres_address: str, one: Store, two: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases_of(one).take("t1")
    monkeypatch.setattr(leases, "STILL_S", 2.5)
    with connect(postgres_address, reads_only=False) as busy, busy.pipeline():
        busy.execute("BEGIN")
        busy.execute("SELECT epoch, pg_sleep(3) FROM lease FOR SHARE").fetchall()
        busy.execute("SELECT 1").fetchall()
        assert leases_of(two).take("t2") == Lease("t2", 1)
        busy.execute("COMMIT")


def test_whoever_reads_for_long_is_left_alone(
    postgres_address: str, one: Store, two: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `pg_dump` does, which locks every table against being changed in its form, and then writes for hours."""
    leases_of(one).take("t1")
    monkeypatch.setattr(leases, "STILL_S", 0)
    with connect(postgres_address, reads_only=True) as reads:
        reads.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        reads.execute("LOCK TABLE lease IN ACCESS SHARE MODE")
        assert leases_of(two).take("t2") == Lease("t2", 1)
        assert reads.execute("SELECT count(*) FROM lease").fetchone() == (2,)


def test_whoever_is_no_process_of_the_studio_is_left_alone(
    postgres_address: str, one: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "STILL_S", 0)
    with psycopg.connect(postgres_address, application_name="psql") as owner:
        owner.execute("SELECT pg_current_xact_id()")
        assert leases_of(one).take("t1") == Lease("t1", 1)
        assert owner.execute("SELECT 1").fetchone() == (1,)


def test_leases_come_back_over_a_new_line(postgres_address: str, one: Store) -> None:
    own = PostgresLeases(postgres_address, "one")
    lease = own.take("t1")
    assert lease is not None
    assert own._line._raw is not None
    own._line._raw.close()
    assert own.renew([lease]) == frozenset()
    own.close()


# --- the keys of sealed cards, for whoever goes on -------------------------------------------------------


def test_every_host_finds_a_key_that_one_has_kept(postgres_address: str) -> None:
    one, two = (PostgresKeyring(postgres_address, None) for _ in range(2))
    one.append([("c1", b"k" * 32), ("c2", b"l" * 32)])
    one.append([("c1", b"k" * 32)])
    assert (two.lookup("c1"), two.lookup("c2"), two.lookup("c3")) == (b"k" * 32, b"l" * 32, None)
    one.close()
    two.close()


def test_keys_are_closed_under_what_the_configuration_names(postgres_address: str, tmp_path: Path) -> None:
    secret = tmp_path / "wrapping.key"
    secret.write_text("ab" * 32)
    secret.chmod(0o600)
    wrapped_by = WrappedBy.parse(f"file:{secret}")
    one, two = (PostgresKeyring(postgres_address, wrapped_by) for _ in range(2))
    for keyring in (one, two):
        keyring.ready()
    one.append([("c1", b"k" * 32)])
    assert two.lookup("c1") == b"k" * 32
    with connect(postgres_address, reads_only=True) as raw:
        [[kept]] = raw.execute("SELECT key FROM sealed.card_key").fetchall()
    assert (b"k" * 32).hex() not in kept
    for keyring in (one, two):
        keyring.close()
    bare = PostgresKeyring(postgres_address, None)
    with pytest.raises(BadInputError, match="The keys there are wrapped"):
        bare.ready()
    bare.close()


def test_keys_that_lie_there_in_the_clear_are_not_taken_for_wrapped(postgres_address: str, tmp_path: Path) -> None:
    bare = PostgresKeyring(postgres_address, None)
    bare.append([("c1", b"k" * 32)])
    bare.close()
    secret = tmp_path / "wrapping.key"
    secret.write_text("ab" * 32)
    secret.chmod(0o600)
    wrapped = PostgresKeyring(postgres_address, WrappedBy.parse(f"file:{secret}"))
    with pytest.raises(BadInputError, match="The keys there are not wrapped"):
        wrapped.ready()
    wrapped.close()
