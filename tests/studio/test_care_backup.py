"""Backups: while the studio writes, with keys apart, whole or not at all; put back over nothing; upgrades rehearsed."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlite_utils import Database
from table_bench import DEAL, Bench

from dealer_ui.verbs.upgrade import command as rehearsal_command
from studio.care.backup import back_up, copy_database
from studio.care.restore import restore
from studio.cli.backup import command, restore_command
from studio.errors import BadInputError, StorageError
from studio.journal import Entry, Store, Unit, Writer
from studio.journal.sqlite.schema import APPLICATION_ID, migrations
from studio.proof.audit.database import verify
from studio.wallets.record import WalletKept, write_wallet

AT_MS = 1_700_000_000_000
NAME = "studio-20231114T221320Z"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A database a studio still holds open, with its secrets beside it and two pictures."""
    folder = tmp_path_factory.mktemp("studio")
    path = folder / "studio.db"
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000)).deal(*DEAL)
    table.finish()
    for end in ("pepper", "signing"):
        (folder / f"studio.db.{end}").write_bytes(bytes(32))
    for digest in ("ab" * 32, "cd" * 32):
        (folder / "evidence" / digest[:2]).mkdir(parents=True)
        (folder / "evidence" / digest[:2] / f"{digest}.img").write_bytes(b"picture")
    yield path
    table.close()


def run(verb: object, *args: object) -> Result:
    return CliRunner().invoke(verb, [str(arg) for arg in args])  # type: ignore[arg-type]


def test_the_sessions_of_operators_wallets_lie_with_the_keys(studio: Path, tmp_path: Path) -> None:
    kept = WalletKept(operator="north", at_ms=AT_MS, asked=(), owed=(), upto=0)
    with_wallet = tmp_path / "here" / "studio.db"
    with_wallet.parent.mkdir()
    with Store.open(with_wallet) as store:
        writer = Writer(store)
        writer.commit(Unit(entries=(Entry("WalletKept", AT_MS, write_wallet(kept)),)))
        writer.close()
    sessions = with_wallet.with_name("studio.db.sessions")
    sessions.write_bytes(b'["north","ann","token",1]\n')
    made = back_up(with_wallet, tmp_path / "disk", tmp_path / "safe", None, AT_MS)
    assert made.keys is not None
    assert "token" not in "".join(path.read_text(errors="replace") for path in made.folder.iterdir())
    back, bare = tmp_path / "back" / "studio.db", tmp_path / "bare" / "studio.db"
    restore(made.folder, back, made.keys)
    assert back.with_name("studio.db.sessions").read_bytes() == sessions.read_bytes()
    assert any("until each bettor is launched again" in one for one in restore(made.folder, bare, None))


def test_a_backup_is_made_while_the_studio_writes_and_comes_back_whole(studio: Path, tmp_path: Path) -> None:
    into, keys = tmp_path / "disk", tmp_path / "safe"
    flags = ["--keys-to", keys, "--evidence", studio.parent / "evidence", "--json"]
    made = json.loads(run(command, studio, into, *flags).stdout)
    assert (made["absent"], made["pictures"]) == ([], 2)
    assert not list(into.glob("**/*.keys"))
    assert not list(keys.glob("**/studio.db"))
    assert [path.stat().st_mode & 0o777 for path in Path(made["keys"]).glob("studio.db.*")] == [0o600] * 3
    back = tmp_path / "new" / "studio.db"
    said = run(restore_command, made["folder"], back, "--keys", made["keys"])
    assert (said.exit_code, "is missing" in said.output) == (0, False)
    assert verify(back) == verify(studio)
    for end in ("keys", "pepper", "signing"):
        assert (back.parent / f"studio.db.{end}").read_bytes() == (studio.parent / f"studio.db.{end}").read_bytes()
    assert json.loads((studio.parent / "studio.db.backup").read_text())["folder"] == made["folder"]


def test_what_a_backup_and_a_restore_write_is_their_owners_alone_whatever_the_umask(
    studio: Path, tmp_path: Path
) -> None:
    before = os.umask(0)
    try:
        made = back_up(studio, tmp_path / "disk", tmp_path / "safe", studio.parent / "evidence", AT_MS)
        assert run(restore_command, made.folder, tmp_path / "new.db", "--keys", made.keys).exit_code == 0
    finally:
        os.umask(before)
    folders = (made.folder, made.keys, tmp_path / "disk" / "pictures")
    assert [f"{folder.stat().st_mode & 0o777:o}" for folder in folders if folder] == ["700"] * 3
    files = (made.folder / "studio.db", tmp_path / "new.db", tmp_path / "new.db.keys")
    assert [f"{path.stat().st_mode & 0o777:o}" for path in files] == ["600"] * 3


def test_a_backup_without_its_keys_says_so_and_what_that_costs(studio: Path, tmp_path: Path) -> None:
    made = run(command, studio, tmp_path / "disk")
    assert "Its keys are not in it" in made.output
    [folder] = (tmp_path / "disk").iterdir()
    said = run(restore_command, folder, tmp_path / "studio.db").output
    assert "studio.db.keys is missing: rounds that were under way" in said
    assert "studio.db.pepper is missing: nobody's PIN fits any more" in said
    assert "studio.db.signing is missing: a new signing key is made" in said


def test_pictures_are_copied_once_and_shared_by_all_backups(studio: Path, tmp_path: Path) -> None:
    evidence = studio.parent / "evidence"
    assert back_up(studio, tmp_path, None, evidence, AT_MS).pictures == 2
    assert back_up(studio, tmp_path, None, evidence, AT_MS + 1000).pictures == 0
    with pytest.raises(BadInputError, match="It is there already"):
        back_up(studio, tmp_path, None, None, AT_MS)


@pytest.mark.parametrize("keys", ["disk", "disk/keys", "."])
def test_keys_never_lie_with_the_database(studio: Path, tmp_path: Path, keys: str) -> None:
    with pytest.raises(BadInputError, match="keys must lie apart"):
        back_up(studio, tmp_path / "disk", tmp_path / keys, None, AT_MS)


def test_a_folder_of_pictures_that_is_not_there_is_told_before_anything_is_copied(studio: Path, tmp_path: Path) -> None:
    said = run(command, studio, tmp_path / "disk", "--evidence", tmp_path / "evidenec")
    assert (said.exit_code, "no folder of pictures" in said.output) == (1, True)
    assert not (tmp_path / "disk").exists()


def test_the_keys_of_another_backup_are_not_put_beside_a_database(studio: Path, tmp_path: Path) -> None:
    made = back_up(studio, tmp_path / "disk", tmp_path / "safe", None, AT_MS)
    copy_database(studio, tmp_path / "other.db")
    with closing(Store.open(tmp_path / "other.db")) as store:
        Writer(store).commit(Unit(entries=(Entry("Noted", AT_MS, b'{"notes": {}}'),)))
    later = back_up(tmp_path / "other.db", tmp_path / "disk", tmp_path / "safe", None, AT_MS)
    said = run(restore_command, later.folder, tmp_path / "new.db", "--keys", made.keys)
    assert (said.exit_code, "keys of another backup" in said.output) == (1, True)
    assert not list(tmp_path.glob("new.db*"))
    assert run(restore_command, later.folder, tmp_path / "new.db", "--keys", later.keys).exit_code == 0


def test_nothing_is_overwritten(studio: Path, tmp_path: Path) -> None:
    made = back_up(studio, tmp_path / "disk", None, None, AT_MS)
    assert "nothing is overwritten" in run(restore_command, made.folder, studio).output
    (tmp_path / "new.db.pepper").write_bytes(b"of another studio")
    assert "nothing is overwritten" in run(restore_command, made.folder, tmp_path / "new.db").output
    assert (tmp_path / "new.db.pepper").read_bytes() == b"of another studio"


def test_a_backup_is_whole_where_nothing_can_be_noted_beside_the_database(studio: Path, tmp_path: Path) -> None:
    """As from a copy on a disk that is only read."""
    read_only = tmp_path / "studio.db"
    copy_database(studio, read_only)
    noted = tmp_path / "studio.db.backup.part"
    noted.mkdir()
    done = run(command, read_only, tmp_path / "disk")
    assert done.exit_code == 0, done.output
    assert "was verified.\n" in done.stdout
    assert "The backup is whole, but doctor will not know of it: " in done.stderr
    assert f"beside {read_only} nothing can be written" in done.stderr


def test_a_copy_that_is_not_sound_is_kept_under_a_name_that_says_so(studio: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.db"
    copy_database(studio, bad)
    with closing(sqlite3.connect(bad)) as edits:
        edits.execute("DROP TRIGGER ledger_refuses_update")
        edits.execute("UPDATE ledger SET amount = amount + 1 WHERE seq = 1")
        edits.commit()
    done = run(command, bad, tmp_path / "disk", "--keys-to", tmp_path / "safe")
    assert done.exit_code == 1
    [kept] = (tmp_path / "disk").iterdir()
    assert kept.suffix == ".unsound"
    assert f"{kept}: The copy is not sound, and is no backup: " in done.output
    assert (kept / "studio.db").exists()
    assert not (tmp_path / "safe").exists()
    assert not (tmp_path / "bad.db.backup").exists()


def test_nothing_counts_as_a_backup_before_it_is_proved(studio: Path, tmp_path: Path) -> None:
    names = []

    def prove(copy: Path) -> None:
        names.append(copy.parent.suffix)

    back_up(studio, tmp_path / "disk", None, None, AT_MS, prove)
    assert names == [".part"]


def test_a_backup_that_was_changed_is_not_put_back(studio: Path, tmp_path: Path) -> None:
    made = back_up(studio, tmp_path / "disk", tmp_path / "safe", None, AT_MS)
    with (made.folder / "studio.db").open("r+b") as file:
        file.seek(5000)
        file.write(b"x")
    assert "not what the manifest says" in run(restore_command, made.folder, tmp_path / "new.db").output
    (made.folder / "manifest.json").write_text("{}")
    assert "manifest is missing or damaged" in run(restore_command, made.folder, tmp_path / "new.db").output
    apart = run(restore_command, made.keys, tmp_path / "new.db").output
    assert "This backup holds studio.db.keys, studio.db.pepper, studio.db.signing, and no studio.db: " in apart
    assert not (tmp_path / "new.db").exists()


@contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """The disk is full for any file that would grow beyond."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [0, 20_000, 100_000])
def test_a_full_disk_leaves_nothing_that_looks_like_a_backup(studio: Path, tmp_path: Path, size: int) -> None:
    with files_at_most(size), pytest.raises(StorageError, match="nothing of it was kept"):
        back_up(studio, tmp_path / "disk", tmp_path / "safe", studio.parent / "evidence", AT_MS)
    assert [path.name for path in (tmp_path / "disk").iterdir() if path.name != "pictures"] == []


def test_a_full_disk_puts_nothing_back(studio: Path, tmp_path: Path) -> None:
    made = back_up(studio, tmp_path / "disk", tmp_path / "safe", None, AT_MS)
    with files_at_most(50_000):
        said = run(restore_command, made.folder, tmp_path / "new" / "studio.db", "--keys", made.keys)
    assert "nothing of it was kept" in said.output
    assert list((tmp_path / "new").iterdir()) == []


KILLED = """
import os, sys
from pathlib import Path
import studio.care.backup as backup

backup.write_manifest = lambda *given: os.kill(os.getpid(), 9)
backup.back_up(Path(sys.argv[1]), Path(sys.argv[2]), None, None, 1_700_000_000_000)
"""


def test_a_kill_in_the_middle_leaves_no_backup_and_the_next_one_clears_up(studio: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, studio, tmp_path], capture_output=True, check=False)
    assert done.returncode == -9
    assert [path.name for path in tmp_path.iterdir()] == [f"{NAME}.part"]
    assert "no whole backup" in run(restore_command, tmp_path / f"{NAME}.part", tmp_path / "new.db").output
    assert back_up(studio, tmp_path, None, None, AT_MS).folder.name == NAME
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def older(path: Path) -> Path:
    """A database as the version before this one left it, with the rows of a night."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrations.apply(Database(connection), stop_before="m003_origin_and_kinds")
    return path


def test_an_upgrade_is_rehearsed_on_a_copy_and_the_original_stays_as_it_was(tmp_path: Path) -> None:
    path = older(tmp_path / "studio.db")
    before = path.read_bytes()
    said = run(rehearsal_command, path, "--folder", tmp_path)
    assert (said.exit_code, "The upgrade will do" in said.output) == (0, True)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["studio.db"]


def test_the_rehearsal_brings_up_every_table_of_a_night(studio: Path, tmp_path: Path) -> None:
    said = run(rehearsal_command, studio, "--folder", tmp_path)
    assert "Its tables come up as they stood: t1." in said.output
    assert "It is verified: 1 rounds" in said.output


def test_the_rehearsal_of_an_unsound_database_fails_in_a_sentence(studio: Path, tmp_path: Path) -> None:
    copy_database(studio, tmp_path / "bad.db")
    with closing(sqlite3.connect(tmp_path / "bad.db")) as edits:
        edits.execute("DROP TRIGGER ledger_refuses_update")
        edits.execute("UPDATE ledger SET amount = amount + 1 WHERE seq = 2")
        edits.commit()
    assert "The upgrade would fail. The copy is not sound" in run(rehearsal_command, tmp_path / "bad.db").output
    shutil.copy(__file__, tmp_path / "no.db")
    assert "Error" in run(rehearsal_command, tmp_path / "no.db").output
    assert "no such database" in run(command, tmp_path / "none.db", tmp_path / "disk").output
