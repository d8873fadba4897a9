"""`studio doctor` on the clock, the secrets, the backups and the witness: each finding, each way, in a sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from studio.journal import Entry, Store, Unit, Writer
from studio.proof.machine.upkeep import (
    ask,
    backup,
    folders,
    jumped,
    offset,
    readable,
    recorded,
    secrets,
    witness,
    witness_file_why,
)

NOW_MS = 1_700_000_000_000
CHRONY = "A29FC87B,time.example,3,1699999990.1,{},0.0001,0.00002,-1.2,0.0,0.05,0.01,0.001,64.2,Normal\n"
TIMESYNC = "       Server: 10.0.0.1\n       Offset: {}\n        Delay: 1.2ms\n"


@pytest.mark.parametrize(
    ("tool", "printed", "verdict", "sentence"),
    [
        ("chronyc", CHRONY.format("-0.000012345"), "ok", "chrony says the clock is -0.0 ms off."),
        ("chronyc", CHRONY.format("1.5"), "missing", "chrony says the clock is +1.500 s off: let it be set right."),
        ("timedatectl", TIMESYNC.format("+345us"), "ok", "systemd-timesyncd says the clock is +0.3 ms off."),
        ("timedatectl", TIMESYNC.format("-2.5ms"), "ok", "systemd-timesyncd says the clock is -2.5 ms off."),
        ("timedatectl", TIMESYNC.format("+3.2s"), "missing", "systemd-timesyncd says the clock is +3.200 s off"),
        ("chronyc", "506 Cannot talk to daemon", "note", "How far the clock is off cannot be seen here"),
        ("none", "", "note", "How far the clock is off cannot be seen here"),
    ],
)
def test_the_offset_is_told_as_the_time_service_tells_it(tool: str, printed: str, verdict: str, sentence: str) -> None:
    def run(command: Sequence[str]) -> str:
        return printed if command[0] == tool else ""

    found = offset(run)
    assert (found.verdict, found.sentence.startswith(sentence)) == (verdict, True)


def test_a_clock_that_jumps_is_told() -> None:
    assert jumped(0.001).verdict == "ok"
    assert jumped(-3.0).sentence.startswith("The clock jumped by -3.000 s")


def test_a_record_ahead_of_the_clock_is_told(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    assert list(recorded(path, NOW_MS)) == []
    with Store.open(path) as store:
        Writer(store).commit(Unit(entries=(Entry("Noted", NOW_MS, b"{}"),)))
    assert [one.verdict for one in recorded(path, NOW_MS)] == ["ok"]
    [behind] = recorded(path, NOW_MS - 90_000)
    assert behind.sentence.startswith("The newest record is 90 s ahead of this clock")
    path.write_bytes(b"x" * 5000)
    assert [one.verdict for one in recorded(path, NOW_MS)] == ["missing"]


def test_secrets_that_others_may_read_or_that_are_gone_are_told(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    assert list(secrets(path)) == []
    path.touch()
    assert [one.verdict for one in secrets(path)] == ["note", "note"]
    for end in ("pepper", "signing"):
        (tmp_path / f"studio.db.{end}").touch(0o600)
    assert [one.verdict for one in secrets(path)] == ["ok", "ok"]
    (tmp_path / "studio.db.signing").chmod(0o644)
    assert "can be read by others (644): chmod 600" in list(secrets(path))[1].sentence


def test_a_database_that_others_can_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    assert list(readable(path)) == []
    path.touch(0o600)
    assert [one.verdict for one in readable(path)] == ["ok"]
    (tmp_path / "studio.db-wal").touch()
    (tmp_path / "studio.db-wal").chmod(0o640)
    [told] = readable(path)
    assert told.sentence == f"The database can be read by others on this machine: chmod 600 {path}-wal."


def test_a_folder_of_pictures_or_of_a_backup_that_others_can_look_into_is_told(tmp_path: Path) -> None:
    path, evidence, disk, safe = (tmp_path / name for name in ("studio.db", "evidence", "disk/one", "safe"))
    assert list(folders(path, evidence)) == []
    for folder in (evidence, disk, disk.parent / "pictures", safe):
        folder.mkdir(parents=True, mode=0o700)
    (tmp_path / "studio.db.backup").write_text(json.dumps({"at_ms": 1, "folder": str(disk), "keys": str(safe)}))
    assert [one.verdict for one in folders(path, evidence)] == ["ok", "ok"]
    for folder in (evidence, disk.parent / "pictures", safe):
        folder.chmod(0o750)
    said = [one.sentence for one in folders(path, evidence)]
    assert said[0].endswith(f"by others: chmod 700 {evidence}.")
    assert said[1].endswith(f"by others: chmod 700 {disk.parent / 'pictures'} {safe}.")


def test_the_last_backup_is_told_with_its_age(tmp_path: Path) -> None:
    path, note = tmp_path / "studio.db", tmp_path / "studio.db.backup"
    assert backup(path, NOW_MS).verdict == "ok"
    path.touch()
    assert "was never backed up" in backup(path, NOW_MS).sentence
    told = {"at_ms": NOW_MS - 3 * 3_600_000, "folder": str(tmp_path), "keys": "somewhere"}
    note.write_text(json.dumps(told))
    assert "is 3 hours old" in backup(path, NOW_MS).sentence
    assert "is 5 days old" in backup(path, NOW_MS + 5 * 86_400_000).sentence
    note.write_text(json.dumps({**told, "keys": ""}))
    assert "has no keys with it" in backup(path, NOW_MS).sentence
    note.write_text(json.dumps({**told, "folder": str(tmp_path / "gone")}))
    assert "is not there any more" in backup(path, NOW_MS).sentence
    note.write_text("{torn")
    assert backup(path, NOW_MS).verdict == "missing"


def test_a_witness_that_cannot_be_told_is_told(tmp_path: Path) -> None:
    assert witness("w", witness_file_why(tmp_path / "w")).verdict == "ok"
    assert witness("w", witness_file_why(tmp_path / "no" / "w")).verdict == "missing"


def test_a_program_that_is_not_there_or_fails_says_nothing() -> None:
    assert ask(["no-such-program-at-all"]) == ""
    assert ask(["false"]) == ""
    assert ask(["echo", "yes"]) == "yes\n"
