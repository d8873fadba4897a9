"""A backup put back where something goes wrong in the middle: a kill, the same again, a studio started meanwhile."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_care_archive import run, settled_year

from studio.care import restore as restoring
from studio.care.backup import Backup, back_up
from studio.cli.backup import restore_command
from studio.errors import BadInputError
from studio.journal import Reader, Store

AT_MS = 1_700_000_000_000
KILLED = """
import os, shutil, sys
from pathlib import Path
from studio.care.restore import restore

copied = shutil.copyfile

def copyfile(source, target):
    if target.name == sys.argv[4]:
        target.write_bytes(source.read_bytes()[:10])
        os.kill(os.getpid(), 9)
    return copied(source, target)

shutil.copyfile = copyfile
restore(*map(Path, sys.argv[1:4]))
"""


@pytest.fixture
def made(tmp_path: Path) -> Backup:
    studio = settled_year(tmp_path / "studio.db")
    studio.with_name("studio.db.pepper").write_bytes(b"p" * 32)
    return back_up(studio, tmp_path / "disk", tmp_path / "safe", None, AT_MS)


@pytest.mark.parametrize("at", ["new.db.part", "new.db.keys.part", "new.db.pepper.part"])
def test_a_restore_that_was_killed_is_begun_again(made: Backup, tmp_path: Path, at: str) -> None:
    db, keys = tmp_path / "new.db", made.keys
    assert keys is not None
    done = subprocess.run([sys.executable, "-c", KILLED, made.folder, db, keys, at], capture_output=True, check=False)
    assert done.returncode == -9, done.stderr
    assert not db.exists()
    again = run(restore_command, made.folder, db, "--keys", keys)
    assert again.exit_code == 0, again.output
    for end in ("keys", "pepper", "signing"):
        assert (tmp_path / f"new.db.{end}").read_bytes() == (keys / f"studio.db.{end}").read_bytes()
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]


def test_no_studio_begins_a_record_where_a_backup_is_put_back(
    made: Backup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system does with a service that has ended, each few seconds."""
    db, copied, started = tmp_path / "new.db", shutil.copyfile, []

    def copyfile(source: Path, target: Path) -> object:
        with pytest.raises(BadInputError, match="Another studio is using it"), Store.open(db):
            started.append("a record of its own")
        return copied(source, target)

    monkeypatch.setattr(restoring.shutil, "copyfile", copyfile)
    restoring.restore(made.folder, db, made.keys)
    assert not started
    with Store.open(db), Reader.open(db) as reader:
        assert reader.head() == made.heads.journal


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_what_the_old_database_left_is_not_taken_for_the_new_ones(made: Backup, tmp_path: Path, end: str) -> None:
    (tmp_path / f"new.db{end}").write_bytes(b"of another")
    assert "nothing is overwritten" in run(restore_command, made.folder, tmp_path / "new.db").output
    assert not (tmp_path / "new.db").exists()
