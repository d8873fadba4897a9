"""The power goes while a studio is backed up, and while its key file gets another wrapping key.

Nothing sound is lost, and what was said to be done is there.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import pytest
from power_cut import NOT_THERE, Call
from power_cut_tree import Tree, calls_of, chosen, lying, watched
from table_bench import DEAL, Bench

from studio.care.restore import restore
from studio.care.signing import signer_beside
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.keys.keyring import read_keys
from studio.journal.keys.rewrapping import rewrite
from studio.journal.keys.wrapping import WrappedBy
from studio.proof.audit.database import verify

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason=NOT_THERE)

STUDIO: Final = [sys.executable, "-c", "from dealer_ui.cli import main; main()"]
SEALED: Final = re.compile(r'"card":\["([0-9a-f]{16})"')
WAYS: Final = ("killed", "cut", "torn")
PICTURE: Final = f"{'ab' * 32}.img"
EVERY: Final = 10_000


@dataclass
class Watched:
    """A command and its calls, on what lay under `root` before it."""

    root: Path
    before: Path
    calls: list[Call]
    sealed: set[str]

    def moments(self, so_many: int, chance: Random) -> Iterator[Tree]:
        """The disk at so many of the calls, and after the last."""
        tree = Tree(self.root, lying(self.before))
        wanted = chosen(self.calls, self.root, so_many, chance)
        for number, call in enumerate(self.calls):
            if number in wanted:
                yield tree
            tree.take(call)
        yield tree


def with_a_record(root: Path) -> Path:
    """A studio in the middle of a round, with what lies beside a record."""
    (root / "studio").mkdir(parents=True)
    path = root / "studio" / "studio.db"
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000)).deal(*DEAL[:9])
    table.close()
    signer_beside(path, Random(7).randbytes)
    return path


def run(root: Path, *words: str | Path) -> Watched:
    before, trace = root.with_name("before"), root.with_name("trace")
    shutil.copytree(root, before)
    subprocess.run([*watched(trace), *STUDIO, *map(str, words)], check=True, capture_output=True)
    record = before / "studio" / "studio.db"
    with Reader.open(record) as reader:
        sealed = {id for row in reader.events() for id in SEALED.findall(row.body.decode())}
    assert len(sealed) > 4
    made = Watched(root, before, list(calls_of(trace)), sealed)
    *_, last = made.moments(0, Random(0))
    found = last.laid_out("killed", root.with_name("played"), Random(0))
    for path in (one for one in found.rglob("*") if one.is_file()):
        assert path.read_bytes() == (root / path.relative_to(found)).read_bytes(), f"{path} was played otherwise"
    return made


# --- a backup ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def backed_up(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    root = tmp_path_factory.mktemp("backup") / "disk"
    db, pictures = with_a_record(root), root / "studio" / "evidence" / "ab"
    pictures.mkdir(parents=True)
    (pictures / PICTURE).write_bytes(Random(3).randbytes(3_000))
    to = ["--keys-to", root / "apart" / "keys", "--evidence", pictures.parent]
    return run(root, "backup", db, root / "far" / "backups", *to)


@pytest.mark.parametrize("so_many", [3, pytest.param(EVERY, marks=pytest.mark.night)])
def test_whatever_bears_the_name_of_a_backup_is_a_whole_one(backed_up: Watched, tmp_path: Path, so_many: int) -> None:
    chance, whole = Random(so_many), 0
    for number, tree in enumerate(backed_up.moments(so_many, chance)):
        for way in WAYS:
            found = tree.laid_out(way, tmp_path / f"{number}-{way}", chance)
            check_record(found / "studio" / "studio.db", backed_up.sealed)
            whole += check_backups(found, backed_up.sealed)
            shutil.rmtree(found)
    assert whole >= len(WAYS)


def test_a_backup_that_was_said_to_be_made_is_there_after_a_power_cut(backed_up: Watched, tmp_path: Path) -> None:
    *_, last = backed_up.moments(0, Random(0))
    found = last.laid_out("cut", tmp_path / "left", Random(0))
    assert check_backups(found, backed_up.sealed) == 1
    assert len(list((found / "apart" / "keys").iterdir())) == 1
    original = backed_up.before / "studio" / "evidence" / "ab" / PICTURE
    assert (found / "far" / "backups" / "pictures" / "ab" / PICTURE).read_bytes() == original.read_bytes()


def check_record(database: Path, sealed: set[str]) -> None:
    assert verify(database).ok
    assert sealed <= read_keys(database.with_name(f"{database.name}.keys"), sealed).keys()


def check_backups(found: Path, sealed: set[str]) -> int:
    """How many there are; each is put back, verified, and opens every card with the keys of its name."""
    backups = [path for path in (found / "far" / "backups").glob("studio-*") if path.suffix != ".part"]
    for backup in backups:
        keys, put_back = found / "apart" / "keys" / backup.name, found / "again" / "studio.db"
        assert restore(backup, put_back, keys if keys.exists() else None) is not None
        assert verify(put_back).ok
        if keys.exists():
            check_record(put_back, sealed)
        shutil.rmtree(put_back.parent)
    return len(backups)


# --- another wrapping key ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rewrapped(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    base = tmp_path_factory.mktemp("rewrap")
    db = with_a_record(base / "disk")
    for name in ("old", "new"):
        (base / name).write_text(Random(name).randbytes(32).hex())
        (base / name).chmod(0o600)
    rewrite(db, None, key_of(base, "old"))
    return run(
        base / "disk", "keys", "rewrap", db, "--wrapped-by", f"file:{base / 'old'}", "--to", f"file:{base / 'new'}"
    )


def key_of(base: Path, name: str) -> WrappedBy:
    return WrappedBy.parse(f"file:{base / name}")


def opened_by(found: Path, base: Path, sealed: set[str]) -> list[str]:
    """Which of both wrapping keys opens every card."""
    fits = []
    for name in ("old", "new"):
        with contextlib.suppress(BadInputError):
            if sealed <= read_keys(found / "studio" / "studio.db.keys", sealed, key_of(base, name)).keys():
                fits.append(name)
    return fits


@pytest.mark.parametrize("so_many", [3, pytest.param(EVERY, marks=pytest.mark.night)])
def test_every_key_is_there_under_one_wrapping_key_or_the_other(
    rewrapped: Watched, tmp_path: Path, so_many: int
) -> None:
    chance, seen = Random(1), set()
    for number, tree in enumerate(rewrapped.moments(so_many, chance)):
        for way in WAYS:
            found = tree.laid_out(way, tmp_path / f"{number}-{way}", chance)
            [fits] = opened_by(found, rewrapped.root.parent, rewrapped.sealed)
            assert verify(found / "studio" / "studio.db").ok
            seen.add(fits)
            shutil.rmtree(found)
    assert seen == {"old", "new"}


def test_the_old_wrapping_key_may_be_thrown_away_once_it_is_said_to_be_done(rewrapped: Watched, tmp_path: Path) -> None:
    *_, last = rewrapped.moments(0, Random(0))
    found = last.laid_out("cut", tmp_path / "left", Random(0))
    assert opened_by(found, rewrapped.root.parent, rewrapped.sealed) == ["new"]
