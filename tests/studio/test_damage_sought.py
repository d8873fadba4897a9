"""The file looks through itself while its rows are read: the same findings in the same order, and nothing runs on."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from table_bench import DEAL, Bench

from studio.errors import BadInputError
from studio.journal.chain import check
from studio.journal.damage import damage_sought
from studio.proof.audit import database
from studio.proof.audit.database import verify

PAGE = 4096


@pytest.fixture
def night(tmp_path: Path) -> Path:
    path = tmp_path / "studio.db"
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000)).deal(*DEAL)
    table.finish()
    table.close()
    return path


def lose_an_index_entry(path: Path) -> None:
    """Each row is as it was written; one index of the bets does not know all of them."""
    with closing(sqlite3.connect(path)) as connection:
        [page] = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'bet' AND sql NOT NULL"
        ).fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size + 3)  # the number of cells on the page
        file.write((0).to_bytes(2, "big"))


def put(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def begin_of(path: Path, tree: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (tree,)).fetchone()
    return (int(page) - 1) * PAGE


def free_some_pages(path: Path) -> int:
    """Where the first page of the list of free ones begins."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE large (a)")
        connection.execute("INSERT INTO large VALUES (zeroblob(40000))")
        connection.execute("DROP TABLE large")
    return (int.from_bytes(path.read_bytes()[32:36], "big") - 1) * PAGE


def add_a_page_nobody_uses(path: Path) -> None:
    pages = path.stat().st_size // PAGE
    put(path, pages * PAGE, bytes(PAGE))
    put(path, 28, (pages + 1).to_bytes(4, "big"))


def use_a_page_twice(path: Path) -> None:
    """The last page of the journal is that of the bets now."""
    put(path, begin_of(path, "journal") + 8, (begin_of(path, "bet") // PAGE + 1).to_bytes(4, "big"))


def free_a_page_in_use(path: Path) -> None:
    put(path, free_some_pages(path) + 8, (begin_of(path, "ledger") // PAGE + 1).to_bytes(4, "big"))


def lead_the_free_list_in_a_circle(path: Path) -> None:
    first = free_some_pages(path)
    put(path, first, (first // PAGE + 1).to_bytes(4, "big"))


def forget_when(path: Path) -> None:
    """A row has no time, though each must have one."""
    must, may = "at INTEGER NOT NULL,", "at INTEGER,"
    for statements in (
        [f"UPDATE sqlite_master SET sql = replace(sql, '{must}', '{may}') WHERE name = 'journal'"],
        ["DROP TRIGGER journal_refuses_update", "UPDATE journal SET at = NULL WHERE seq = 3"],
        [f"UPDATE sqlite_master SET sql = replace(sql, '{may}', '{must}') WHERE name = 'journal'"],
    ):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (add_a_page_nobody_uses, "never used"),
        (use_a_page_twice, "2nd reference to page"),
        (free_a_page_in_use, "2nd reference to page"),
        (lead_the_free_list_in_a_circle, "reelist: 2nd reference to page"),
        (forget_when, "NULL value in journal.at"),
    ],
)
def test_each_kind_of_damage_is_told_in_the_words_of_the_database(
    night: Path, harm: Callable[[Path], None], said: str
) -> None:
    """The first three are seen in the whole file alone: no table shows them."""
    harm(night)
    with damage_sought(night) as damage:
        assert said in f"{damage()}"
    assert check(night) is not None


def test_a_sound_file_says_nothing_of_damage(night: Path) -> None:
    with damage_sought(night) as damage:
        assert damage() is None
    assert verify(night).ok


def test_what_no_row_shows_is_found_by_the_file_itself(night: Path) -> None:
    lose_an_index_entry(night)
    wrong = check(night)
    assert wrong is not None
    assert (wrong.table, wrong.seq) == ("file", 0)
    assert verify(night).first_wrong == wrong


def test_damage_comes_before_whatever_the_sense_made_of_the_rows(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(database, "audit", broken)
    with pytest.raises(AssertionError):
        verify(night)
    lose_an_index_entry(night)
    wrong = verify(night).first_wrong
    assert wrong is not None
    assert wrong.table == "file"


def test_whoever_leaves_without_asking_leaves_nothing_running(night: Path) -> None:
    with pytest.raises(KeyboardInterrupt), damage_sought(night):
        raise KeyboardInterrupt
    assert not [thread for thread in threading.enumerate() if thread.name == "damage"]


def test_what_is_no_database_is_said_by_whoever_asks(tmp_path: Path) -> None:
    with damage_sought(tmp_path / "none.db") as damage, pytest.raises(BadInputError):
        damage()
