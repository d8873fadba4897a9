"""The file looks through itself while its rows are read: the same findings in the same order, and nothing runs on."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from table_bench import DEAL, Bench

from studio.errors import BadInputError
from studio.journal.chain import check
from studio.journal.damage import damage_sought
from studio.proof.audit import database
from studio.proof.audit.database import verify


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
    def broken(*_: object) -> None:
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
