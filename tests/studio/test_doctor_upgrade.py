"""`studio doctor` on a record of another version: what a start will do to it, and the way back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from sqlite_utils import Database

from studio.care.backup import back_up, note_backup
from studio.care.event import ProgramFound
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.sqlite.schema import APPLICATION_ID, migrations
from studio.proof.machine.upgrade import is_older, upgrade
from studio.proof.machine.upkeep import recorded

NOW_MS = 1_700_000_000_000


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A record as a version kept it that knew five of the steps."""
    path = tmp_path / "studio.db"
    with closing(sqlite3.connect(path)) as connection:
        migrations.apply(Database(connection, recursive_triggers=False), stop_before="m006_movements_of_operators")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.commit()
    return path


def kept_by(path: Path, version: str) -> None:
    found = ProgramFound(version=version, digest="0" * 64, changed=(), damaged=(), why="start", at_ms=NOW_MS)
    with Store.open(path) as store:
        body = msgspec.json.encode({"care": found})
        Writer(store).commit(Unit(entries=(Entry("ProgramFound", NOW_MS, body),)))


def said(path: Path, version: str = "2.0.0") -> list[tuple[str, str]]:
    return [(one.verdict, one.sentence) for one in upgrade(path, version)]


def test_each_step_is_told_and_nothing_is_done_to_it(old: Path) -> None:
    before = old.read_bytes()
    [(verdict, steps), (room, _), (_, back)] = said(old)
    assert (verdict, room) == ("note", "ok")
    assert f"The record {old} is an older version's; the first start of 2.0.0 brings it up to date in 3 steps:" in steps
    assert "found in order (ADR 144). A stake may come from an operator's promotion" in steps
    assert back.startswith("No older version reads it afterwards. How long it takes: studio upgrade-rehearsal DB.")
    assert f"There is no way back yet: stop the studio, and make a backup before the start (studio backup {old}" in back
    assert is_older(old)
    assert list(recorded(old, NOW_MS)) == [], "the clock is not held against what cannot be read yet"
    assert old.read_bytes() == before


def test_a_disk_without_room_for_the_step_is_told_before_it(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=0))
    assert ("missing", "That may take 1 MB more beside it, and 0 MB are free: make room before the start.") in said(old)


def test_a_record_of_this_version_and_none_at_all_have_nothing_to_say(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    assert said(path) == []
    kept_by(path, "2.0.0")
    assert said(path) == [("ok", f"The record {path} is this version's: a start changes no table of it.")]
    assert not is_older(path)


def test_the_way_back_is_the_last_backup(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    kept_by(path, "1.0.0")
    [(verdict, sentence)] = said(path)
    assert (verdict, "was kept by version 1.0.0 last; 2.0.0 reads it as it stands" in sentence) == ("note", True)
    assert "There is no way back yet" in sentence
    made = back_up(path, tmp_path / "backups", tmp_path / "apart", None, NOW_MS)
    note_backup(path, made, NOW_MS)
    [(_, sentence)] = said(path)
    assert "set the record and what lies beside it aside, install version 1.0.0 again" in sentence
    assert f"studio restore {made.folder} {path} --keys {made.keys}" in sentence
    made.folder.rename(tmp_path / "elsewhere")
    assert "There is no way back yet" in said(path)[0][1]


def test_what_this_version_cannot_read_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    kept_by(path, "3.0.0")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('studio', 'm999_later', '')"
        )
        connection.commit()
    [(verdict, sentence)] = said(path)
    assert (verdict, "written by a newer version of the studio: install that version" in sentence) == ("missing", True)
    path.write_bytes(b"x" * 5000)
    assert [verdict for verdict, _ in said(path)] == ["missing"]
    assert not is_older(path)
