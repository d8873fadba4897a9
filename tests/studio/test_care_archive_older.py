"""An archive that an older version closed: this one checks it, and leaves it as it is."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from older_record import as_kept_before
from test_care_archive import close_year, forged, run, settled_year
from test_damage_sought import add_a_page_nobody_uses

from studio.cli.verify import command
from studio.journal import Entry
from studio.money import Transfer
from studio.tables.event.record import read_body, write_body

BEFORE = "m008_whose_a_movement_is"


@pytest.fixture
def year(tmp_path: Path) -> tuple[Path, Path]:
    """The database that goes on, and the archive of an older version."""
    db = settled_year(tmp_path / "studio.db")
    assert close_year(db, tmp_path / "archive").exit_code == 0
    archived = tmp_path / "archive" / "studio-2026" / "studio.db"
    as_kept_before(archived, BEFORE)
    return db, archived


def test_it_is_checked_by_itself_and_across_both_and_stays_as_it_is(year: tuple[Path, Path]) -> None:
    db, archived = year
    before = hashlib.sha256(archived.read_bytes()).digest()
    alone, both = run(command, archived), run(command, db, "--archive", archived)
    assert (alone.exit_code, "it stays as it is" in alone.output) == (0, True)
    assert (both.exit_code, f"from {archived}, which is sound as well" in both.output) == (0, True)
    assert hashlib.sha256(archived.read_bytes()).digest() == before
    assert [path.name for path in archived.parent.iterdir() if path.name.startswith("studio.db-")] == []


def test_what_a_program_reads_of_it_is_one_object_still(year: tuple[Path, Path]) -> None:
    said = run(command, year[1], "--json")
    assert json.loads(said.stdout)["ok"] is True


def as_closed_by_1_0_0(entries: list[Entry], moved: list[Transfer]) -> None:
    """That version carried no purses, and of a table not how often it had moved on."""
    entries[:] = [one for one in entries if one.kind != "PursesCarried"]
    [at] = [at for at, one in enumerate(entries) if one.kind == "TableCarried"]
    told = read_body(entries[at].body)
    event = msgspec.structs.replace(told.event, moves=0)
    entries[at] = Entry("TableCarried", entries[at].at_ms, write_body(told.table, told.round, event))


def test_the_year_that_the_first_version_began_is_one_history_with_it(tmp_path: Path) -> None:
    db = settled_year(tmp_path / "studio.db")
    assert close_year(db, tmp_path / "archive").exit_code == 0
    following = forged(db, as_closed_by_1_0_0)
    said = run(command, following, "--archive", tmp_path / "archive" / "studio-2026" / "studio.db")
    assert (said.exit_code, "which is sound as well" in said.output) == (0, True), said.output


def test_an_edited_row_of_it_is_found(year: tuple[Path, Path]) -> None:
    with closing(sqlite3.connect(year[1])) as edits:
        edits.execute("DROP TRIGGER ledger_refuses_update")
        edits.execute("UPDATE ledger SET amount = amount + 1 WHERE kind = 'post'")
        edits.commit()
    said = run(command, year[1])
    assert (said.exit_code, "ledger" in said.output) == (1, True)


def test_damage_is_told_of_the_archive_itself(year: tuple[Path, Path]) -> None:
    """Bringing a copy up to date writes its pages anew: what is wrong with the archive's own is told before."""
    add_a_page_nobody_uses(year[1])
    said = run(command, year[1])
    assert said.exit_code == 1
    assert "finds the file damaged" in said.output
    assert str(year[1]) in said.output


def test_no_room_for_a_copy_is_said(year: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(db: Path, copy: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("studio.cli.older.copy_database", full)
    said = run(command, year[1])
    assert said.exit_code == 1
    assert "Where room is short, name another folder in TMPDIR" in said.output


def test_no_room_to_bring_the_copy_up_to_date_is_said_of_the_archive(
    year: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step may write every row anew beside the copy, so the copy itself may fit and that may not."""

    def full(connection: sqlite3.Connection, name: str) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("studio.journal.sqlite.file.migrate", full)
    said = run(command, year[1])
    assert said.exit_code == 1
    assert f"{year[1]}: It is an older version's" in said.output
    assert "disk is full. Where room is short, name another folder in TMPDIR" in said.output
