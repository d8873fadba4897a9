"""A unit that follows a row is kept while that row is the newest of its book, whoever else writes there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from patience import PATIENCE_S
from private_postgres import place_of

from studio.journal import Entry, Follows, MovedError, Receipt, Store, Unit, Writer
from studio.journal.chain import check

SAID = frozenset({"Said"})
ROUNDS = 12


def said(after: int, kind: str = "Said", book: str = "staff") -> Unit:
    entry = Entry(kind, 7, json.dumps({"after": after}).encode())
    return Unit(entries=(entry,), follows=Follows(book, frozenset({kind}), after))


@pytest.fixture(params=["file", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with Store.open(place_of(request, tmp_path), host="one") as store:
        yield store


def test_it_is_kept_behind_that_row_alone(store: Store) -> None:
    writer = Writer(store)
    first = writer.commit(said(0))
    for behind in (0, first.last_seq - 1):
        with pytest.raises(MovedError):
            writer.commit(said(behind))
    assert writer.commit(said(first.last_seq)).first_seq == first.last_seq + 1
    assert writer.commit(said(0, "Whispered", "pit"))  # another book


def test_of_one_group_the_first_is_kept_and_what_does_not_follow_is_kept_beside_it(store: Store) -> None:
    writer = Writer(store)
    asked = [writer.submit(unit) for unit in (said(0), said(0), Unit(entries=(Entry("Other", 7, b"{}"),)))]
    writer.drain()
    assert isinstance(asked[0].result(), Receipt)
    assert isinstance(asked[1].exception(), MovedError)
    assert isinstance(asked[2].result(), Receipt)
    with closing(store.reader()) as reader:
        assert [row.kind for row in reader.events()] == ["Said", "Other"]


def test_two_hosts_that_decide_at_one_moment_never_both_add_behind_one_row(postgres_address: str) -> None:
    wrong: list[Exception] = []
    start = threading.Barrier(3)

    def add(host: str) -> None:
        try:
            with Store.open(postgres_address, host=host) as store, closing(store.reader()) as reader:
                writer, kept = Writer(store), 0
                start.wait(PATIENCE_S)
                while kept < ROUNDS:
                    newest = max((row.seq for row in reader.events(kinds=SAID)), default=0)
                    try:
                        writer.commit(said(newest))
                        kept += 1
                    except MovedError:
                        continue
        except Exception as error:
            wrong.append(error)

    hosts = [threading.Thread(target=add, args=(f"host-{number}",)) for number in range(3)]
    for host in hosts:
        host.start()
    for host in hosts:
        host.join(4 * PATIENCE_S)
    assert wrong == []
    with Store.open(postgres_address, host="last") as store, closing(store.reader()) as reader:
        rows = [(row.seq, json.loads(row.body)["after"]) for row in reader.events(kinds=SAID)]
    assert [after for _, after in rows] == [0, *(seq for seq, _ in rows[:-1])]
    assert len(rows) == 3 * ROUNDS
    assert check(postgres_address) is None
