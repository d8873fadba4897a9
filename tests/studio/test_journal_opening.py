"""Opening: what is refused, with which sentence, and what a reader may do."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from studio.errors import BadInputError
from studio.journal import SQLITE_VERSION, Entry, Reader, Store, Unit, Writer
from studio.journal.sqlite.schema import APPLICATION_ID, migrations


def test_the_database_is_opened_as_the_design_says(tmp_path: Path) -> None:
    with Store.open(tmp_path / "studio.db") as store:
        said = {
            name: store.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")
        }
    assert said == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1}


def test_what_was_committed_is_there_after_opening_again(tmp_path: Path) -> None:
    for expected in (1, 2, 3):
        with Store.open(tmp_path / "studio.db") as store:
            receipt = Writer(store).commit(Unit(entries=(Entry("Opened", expected, b"{}"),)))
            assert receipt.last_seq == expected


def test_a_new_database_is_the_one_an_old_one_is_brought_up_to(tmp_path: Path) -> None:
    whole = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    with closing(sqlite3.connect(tmp_path / "old.db", isolation_level=None)) as old:
        migrations.apply(Database(old, recursive_triggers=False), stop_before="m003_origin_and_kinds")
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    told = []
    for path in (tmp_path / "old.db", tmp_path / "new.db", ":memory:"):
        with Store.open(path) as store:
            names = store.connection.execute("SELECT migration_set, name FROM _sqlite_migrations").fetchall()
            [id] = store.connection.execute("PRAGMA application_id").fetchone()
            told.append((store.connection.execute(whole).fetchall(), names, id))
    assert told[0] == told[1] == told[2]
    assert len(told[0][0]) > 20


@pytest.fixture
def open_umask() -> Iterator[None]:
    """A shell that lets everybody read what it makes."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_database_and_its_log_are_the_owners_alone_whatever_the_umask(tmp_path: Path, open_umask: None) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Noted", 1, b"{}"),)))
        assert {f"{file.name} {file.stat().st_mode & 0o777:o}" for file in tmp_path.iterdir()} >= {
            "studio.db 600", "studio.db-wal 600", "studio.db-shm 600", "studio.db.keys 600",
        }  # fmt: skip
    path.chmod(0o644)
    Store.open(path).close()
    assert path.stat().st_mode & 0o777 == 0o600, "one that an earlier version left open"


def test_a_second_studio_is_told_that_the_database_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    with Store.open(path), pytest.raises(BadInputError, match="Another studio is using it"):
        Store.open(path)
    Store.open(path).close()


def test_another_process_is_told_as_well(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    program = "import sys; from studio.journal import Store; Store.open(sys.argv[1])"
    with Store.open(path):
        done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert "Another studio is using it" in done.stderr


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("shopping list\n" * 100)
    with pytest.raises(BadInputError, match="cannot be read as a database"):
        Store.open(path)
    assert path.read_text() == "shopping list\n" * 100


def test_somebody_elses_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "music.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE album (title TEXT)")
    with pytest.raises(BadInputError, match="not a studio's"):
        Store.open(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("album",)]


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    Store.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('studio', 'm999_later', 'then')"
        )
    for opens in (Store.open, Reader.open):
        with pytest.raises(BadInputError, match="newer version"):
            opens(path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be opened there"):
        Store.open(tmp_path / "nowhere" / "studio.db")


def test_a_folder_in_place_of_the_database_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is no file, and holds no record"):
        Store.open(tmp_path)


@pytest.mark.parametrize("name", ["nothing.db", "notes.txt", "music.db", "empty.db"])
def test_a_reader_refuses_what_it_cannot_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("shopping list\n" * 100)
    (tmp_path / "empty.db").touch()
    with closing(sqlite3.connect(tmp_path / "music.db")) as connection:
        connection.execute("CREATE TABLE album (title TEXT)")
    with pytest.raises(BadInputError):
        Reader.open(tmp_path / name)


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    Store.open(path).close()
    with Reader.open(path) as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader._connection.execute("DELETE FROM balance")


def test_a_name_with_odd_letters_opens_and_reads(tmp_path: Path) -> None:
    path = tmp_path / "night #1 50%?.db"
    with Store.open(path) as store, store.reader() as reader:
        Writer(store).commit(Unit(entries=(Entry("Opened", 1, b"{}"),)))
        assert reader.head().seq == 1


def test_the_version_of_sqlite_is_told() -> None:
    assert sqlite3.sqlite_version == SQLITE_VERSION
