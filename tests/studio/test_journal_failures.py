"""When the disk is full or the power goes: nothing acknowledged is lost, nothing is half done, and it goes on."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from studio.errors import StorageError
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.chain import check
from studio.money import Offer, Transfer, bettor_account, operator_account

BIG = b'{"text":"' + b"x" * 50_000 + b'"}'

COMMITS_AND_TELLS = """
import sys
from studio.journal import Entry, Store, Unit, Writer
from studio.money import Offer, Transfer, bettor_account, operator_account

with Store.open(sys.argv[1]) as store:
    writer = Writer(store)
    ann = bettor_account("north", "ann")
    start = store.reader().head().seq
    for count in range(start, start + 100_000):
        money = Transfer("", f"d{count}", "deposit", operator_account("north"), ann, 7, "EUR")
        bet = Offer(f"b{count}", "north", f"c{count}", "ann", "t1", f"r{count}", "ante", 5, "EUR")
        futures = [
            writer.submit(Unit((Entry("Paid", count, b"{}"),), (money,), keys=((f"k{count}", b"k" * 32),))),
            writer.submit(Unit(offers=(bet,), entries_for_bets=lambda bets: [Entry("BetsPlaced", count, b"{}")])),
        ]
        writer.drain()
        print(count, futures[1].result().last_seq, futures[1].result().answers[0].status, flush=True)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(6, marks=pytest.mark.long)])
def test_a_kill_loses_nothing_acknowledged_and_leaves_nothing_half_done(tmp_path: Path, kills: int) -> None:
    path = tmp_path / "studio.db"
    chance = random.Random(20)
    for _ in range(kills):
        acknowledged = _killed_after(path, lines=chance.randrange(1, 60), more_bytes=chance.randrange(0, 9))
        assert check(path) is None
        with Store.open(path) as store, store.reader() as reader:
            assert reader.head().seq >= max(seq for _, seq in acknowledged)
            for count, _ in acknowledged:
                status = reader.bet_status("north", f"c{count}")
                assert status is not None
                assert status.status == "pending"
                assert store.keyring.lookup(f"k{count}") == b"k" * 32
            placed = sum(1 for _ in reader.events(kinds=["BetsPlaced"]))
            paid = sum(1 for _ in reader.events(kinds=["Paid"]))
            assert reader.balance(bettor_account("north", "ann")) == 7 * paid - 5 * placed


def _killed_after(path: Path, *, lines: int, more_bytes: int) -> list[tuple[int, int]]:
    """Run the committing program, kill it without warning at a random point, and give what it had acknowledged."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMITS_AND_TELLS, str(path)], stdout=subprocess.PIPE, bufsize=0, text=False
    )
    assert process.stdout is not None
    with process:
        told = b""
        while told.count(b"\n") < lines:
            told += process.stdout.read(1) or pytest.fail("the committing program ended by itself")
        told += process.stdout.read(more_bytes)
        process.kill()
        told += process.stdout.read()
    whole = [line.split() for line in told.split(b"\n")[:-1]]
    assert all(status == b"accepted" for _, _, status in whole)
    return [(int(count), int(seq)) for count, seq, _ in whole]


def test_a_full_database_keeps_nothing_of_the_group_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store, store.reader() as reader:
        writer = Writer(store)
        writer.commit(Unit(transfers=(_deposit("d0"),)))
        before = reader.head(), reader.ledger_head()
        [pages] = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        small = writer.submit(Unit(entries=(Entry("Small", 1, b"{}"),), transfers=(_deposit("d1"),)))
        large = writer.submit(Unit(entries=(Entry("Large", 1, BIG),)))
        assert writer.drain() == 2
        for future in (small, large):
            with pytest.raises(StorageError, match="disk is full"):
                future.result(timeout=0)
        assert (reader.head(), reader.ledger_head()) == before
        store.connection.execute("PRAGMA max_page_count = 1000000")
        receipt = writer.commit(Unit(entries=(Entry("Large", 1, BIG),), transfers=(_deposit("d1"),)))
        assert receipt.first_seq == before[0].seq + 1
        assert reader.balance(bettor_account("north", "ann")) == 2000
        assert check(path) is None


@pytest.mark.parametrize("more_bytes", [0, 1000, 30_000, 70_000])
def test_a_file_that_may_not_grow_keeps_nothing_of_the_group(tmp_path: Path, more_bytes: int) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store, store.reader() as reader:
        writer = Writer(store)
        writer.commit(Unit(entries=(Entry("Opened", 1, b"{}"),)))
        before = reader.head()
        with _files_at_most(Path(f"{path}-wal").stat().st_size + more_bytes):
            futures = [writer.submit(Unit(entries=(Entry("Large", 1, BIG),))) for _ in range(3)]
            writer.drain()
        for future in futures:
            with pytest.raises(StorageError, match="nothing of this commit was kept"):
                future.result(timeout=0)
        assert reader.head() == before
        assert writer.commit(Unit(entries=(Entry("Large", 1, BIG),))).last_seq == before.seq + 1
        assert check(path) is None


def test_keys_that_the_disk_does_not_take_stop_the_commit(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store, store.reader() as reader:
        writer = Writer(store)
        keys = tuple((f"k{number}", b"k" * 32) for number in range(3000))
        writer.commit(Unit(entries=(Entry("Opened", 1, b"{}"),), keys=keys[:1]))
        with _files_at_most(150_000):
            future = writer.submit(Unit(entries=(Entry("CardDealt", 1, b"{}"),), keys=keys[1:]))
            writer.drain()
        with pytest.raises(StorageError, match="disk is full"):
            future.result(timeout=0)
        assert reader.head().seq == 1
        writer.commit(Unit(entries=(Entry("CardDealt", 1, b"{}"),), keys=keys[1:]))
        assert [store.keyring.lookup(id) for id, _ in keys] == [key for _, key in keys]


def test_a_stop_in_mid_commit_answers_every_future(tmp_path: Path) -> None:
    def stops(_: object) -> list[Entry]:
        raise KeyboardInterrupt

    with Store.open(tmp_path / "studio.db") as store:
        writer = Writer(store)
        writer.commit(Unit(transfers=(_deposit("d0"),)))
        bet = Offer("b1", "north", "c1", "ann", "t1", "r1", "ante", 5, "EUR")
        futures = [
            writer.submit(Unit(entries=(Entry("Said", 1, b"{}"),))),
            writer.submit(Unit(offers=(bet,), entries_for_bets=stops)),
        ]
        with pytest.raises(KeyboardInterrupt):
            writer.drain()
        for future in futures:
            with pytest.raises(StorageError, match="stopped"):
                future.result(timeout=0)
        assert writer.commit(Unit(entries=(Entry("Said", 1, b"{}"),))).last_seq == 2


@contextmanager
def _files_at_most(size: int) -> Iterator[None]:
    """No file of this process may grow beyond `size`: the system answers a write as it does on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _deposit(client_id: str) -> Transfer:
    return Transfer("", client_id, "deposit", operator_account("north"), bettor_account("north", "ann"), 1000, "EUR")
