"""The shelf of snapshots: written when there is enough new, read at a start, left aside in any doubt; and made before
the first start of another version, by the rehearsal of its upgrade.
"""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from released_case import CASES, Case, unpacked
from structlog.testing import capture_logs

from dealer_ui.care.snapshot_shelf import SnapshotShelf, no_results, snapshot_duty
from dealer_ui.cli import main
from studio.care.signing import Signer, signer_in, signing_path
from studio.cli.rehearsing import folded
from studio.journal import Reader, Store
from studio.tables.books.commit import Folded
from studio.tables.books.snapshot import program
from studio.tables.config import TableConfig
from studio.views.past.result import RESULT_KINDS

SIGNER = Signer.of(bytes(32))
TABLE = "three-knights-1"
"""It has played three rounds."""


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The night of a release; one new row is worth a snapshot."""
    monkeypatch.setattr("dealer_ui.care.snapshot_shelf.EVERY_ROWS", 1)
    return unpacked(CASES[0], tmp_path)


@pytest.fixture
def reader(case: Case) -> Iterator[Reader]:
    Store.open(case.db).close()
    with Reader.open(case.db) as reader:
        yield reader


@pytest.fixture
def config(reader: Reader) -> TableConfig:
    return folded(reader, TABLE)[0].config


def kept(case: Case) -> list[str]:
    return sorted(path.name for path in case.folder.glob("studio.db.snapshots/*"))


def test_a_table_goes_on_from_its_snapshot_as_it_would_without(case: Case, reader: Reader, config: TableConfig) -> None:
    shelf = SnapshotShelf(case.db, SIGNER)
    assert shelf.read(reader, TABLE) is None
    snapshot_duty(shelf, lambda: reader, [config])()
    assert kept(case) == [f"{TABLE}.{program()[:12]}.snapshot"]
    found = SnapshotShelf(case.db, SIGNER).read(reader, TABLE)
    assert found is not None
    since, results = found
    rows = list(reader.events(table=TABLE))
    assert 0 < since[1] < rows[-1].seq
    assert folded(reader, TABLE, lambda reader, config: since) == folded(reader, TABLE)
    told = list(reader.events(table=TABLE, kinds=RESULT_KINDS))
    whole = no_results(config).after(told)
    assert results.last(9) != whole.last(9)
    later = results.after(row for row in told if row.seq > since[1])
    assert later.past(9) == whole.past(9)
    assert later.last(9)


def test_the_last_two_rounds_are_folded_anew(case: Case, reader: Reader, config: TableConfig) -> None:
    shelf = SnapshotShelf(case.db, SIGNER)
    assert shelf.advance(reader, config)
    assert not shelf.advance(reader, config)
    found = shelf.read(reader, TABLE)
    assert found is not None
    assert len(list(reader.events(found[0][1], TABLE, kinds=("RoundStarted",)))) == 2


def test_a_round_of_more_rows_than_are_folded_in_one_go_is_passed(
    case: Case, reader: Reader, config: TableConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dealer_ui.care.snapshot_shelf.AT_ONCE", 1)
    shelf = SnapshotShelf(case.db, SIGNER)
    assert shelf.advance(reader, config)
    found = shelf.read(reader, TABLE)
    assert found is not None
    assert found[0] == SnapshotShelf(case.db, SIGNER).prepare(reader, config)


def test_a_snapshot_in_doubt_counts_for_nothing(case: Case, reader: Reader, config: TableConfig) -> None:
    shelf = SnapshotShelf(case.db, SIGNER)
    assert shelf.advance(reader, config)
    assert SnapshotShelf(case.db, Signer.of(b"x" * 32)).read(reader, TABLE) is None
    other = case.folder / "other.db"
    Store.open(other, create=True).close()
    with Reader.open(other) as another, capture_logs() as logs:
        assert shelf.read(another, TABLE) is None
    assert [log["why"] for log in logs] == ["The snapshot is of another journal."]
    [name] = kept(case)
    (case.folder / "studio.db.snapshots" / name).write_bytes(b"torn")
    assert shelf.read(reader, TABLE) is None


def test_of_other_versions_the_newest_two_stay(case: Case, reader: Reader, config: TableConfig) -> None:
    folder = case.folder / "studio.db.snapshots"
    folder.mkdir()
    others = [f"{TABLE}.snapshot", *(f"{TABLE}.{digit * 12}.snapshot" for digit in "abc"), "three-knights-10.snapshot"]
    for age, name in enumerate(others):
        (folder / name).write_bytes(b"of another program")
        os.utime(folder / name, (age, age))
    assert SnapshotShelf(case.db, SIGNER).advance(reader, config)
    own = f"{TABLE}.{program()[:12]}.snapshot"
    assert kept(case) == sorted([own, *others[-3:]])


def gone() -> int:
    """The number of a process that was."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_what_a_killed_process_had_begun_to_write_is_cleared(case: Case, reader: Reader, config: TableConfig) -> None:
    folder = case.folder / "studio.db.snapshots"
    folder.mkdir()
    left = [f"{TABLE}.{'a' * 12}.{gone()}.part", f"other-1.{'b' * 12}.{os.getpid()}.part", f"x.{'9' * 10}.part"]
    theirs = [f"{TABLE}.{'a' * 12}.{os.getppid()}.part", f"{TABLE}.{'a' * 12}.1.part", "notes.part"]
    for name in [*left, *theirs]:
        (folder / name).write_bytes(b"half of it")
    held = folder / f"{TABLE}.{'c' * 12}.{gone()}.part"
    with held.open("wb") as unseen:
        fcntl.flock(unseen, fcntl.LOCK_EX)
        assert SnapshotShelf(case.db, SIGNER).advance(reader, config)
    assert kept(case) == sorted([f"{TABLE}.{program()[:12]}.snapshot", *theirs, held.name])


def test_a_part_that_was_cleared_before_it_was_held_is_begun_anew(
    case: Case, reader: Reader, config: TableConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process clears between the two."""
    flock, cleared = fcntl.flock, []

    def late(file: Any, how: int) -> None:
        if not cleared:
            [part] = (case.folder / "studio.db.snapshots").glob("*.part")
            part.unlink()
            cleared.append(part)
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    assert SnapshotShelf(case.db, SIGNER).advance(reader, config)
    assert kept(case) == [f"{TABLE}.{program()[:12]}.snapshot"]


def test_a_start_that_folds_a_long_journal_whole_is_told(
    case: Case, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with capture_logs() as logs:
        assert SnapshotShelf(case.db, SIGNER).read(reader, TABLE) is None
        assert logs == []
        monkeypatch.setattr("dealer_ui.care.snapshot_shelf.LONG_ROWS", 100)
        assert SnapshotShelf(case.db, SIGNER).read(reader, TABLE) is None
    assert [(log["log_level"], log["table"]) for log in logs] == [("warning", TABLE)]


# --- before the first start of another version -----------------------------------------------------------------


def rehearsed(case: Case) -> str:
    done = CliRunner().invoke(main, ["upgrade-rehearsal", str(case.db)])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_rehearsal_keeps_what_the_tables_came_to_for_the_first_start(case: Case) -> None:
    before = case.db.read_bytes()
    assert "What they came to is kept beside DB" in rehearsed(case)
    assert case.db.read_bytes() == before
    assert kept(case) == [f"{TABLE}.{program()[:12]}.snapshot"], "of the others two rounds are folded anew anyway"
    Store.open(case.db).close()
    with Reader.open(case.db) as reader:
        found = SnapshotShelf(case.db, signer_in(case.db)).read(reader, TABLE)
        assert found is not None
        assert folded(reader, TABLE, lambda reader, config: found[0]) == folded(reader, TABLE)


def test_a_rehearsal_says_that_nothing_was_worth_keeping(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer_ui.care.snapshot_shelf.EVERY_ROWS", 5_000)
    said = rehearsed(case)
    assert "What they came to is not kept, for no table has dealt enough to be worth it: the first start" in said
    assert "is kept beside DB" not in said
    assert kept(case) == []


def test_a_rehearsal_says_that_only_a_part_could_be_kept(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table after another, and the disk is full at the second."""
    prepare, asked = SnapshotShelf.prepare, [TABLE]

    def full(self: SnapshotShelf, reader: Reader, config: TableConfig) -> Folded | None:
        if config.key not in asked:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "the shelf")
        return prepare(self, reader, config)

    monkeypatch.setattr(SnapshotShelf, "prepare", full)
    said = rehearsed(case)
    assert "What some came to is kept beside DB, and the rest is not, for the shelf cannot be written (No space" in said
    assert kept(case) == [f"{TABLE}.{program()[:12]}.snapshot"]


def test_what_cannot_be_kept_is_told_and_fails_no_rehearsal(case: Case) -> None:
    folder = case.folder / "studio.db.snapshots"
    folder.write_bytes(b"no folder")
    said = rehearsed(case)
    assert f"is not kept, for {folder} cannot be written (File exists)" in said
    assert "The upgrade will do" in said
    folder.unlink()
    signing_path(case.db).unlink()
    assert "is not kept, for there is no signing key beside DB" in rehearsed(case)
    assert not folder.exists()
    assert not signing_path(case.db).exists()
