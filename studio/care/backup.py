"""Copies a database while a studio is at work on it, whole, with its keys in another place.

A backup is a folder with the database and a manifest; it has that name only once everything in it is written and on
disk. The keys go to a folder of their own, never the same: whoever has both can open cards.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from studio.care.checkpoint import CheckpointHeads, heads
from studio.errors import BadInputError, StorageError
from studio.journal import Reader
from studio.journal.sqlite.carried import require_here
from studio.journal.sqlite.file import connect_read_only, require_database

FORMAT: Final = "studio-backup"
MANIFEST: Final = "manifest.json"
DATABASE: Final = "studio.db"
SECRETS: Final = ("keys", "pepper", "signing")
"""What lies beside a database and is secret, by the end of its name."""
SESSIONS: Final = "sessions"
"""As secret, and there only where an operator keeps his bettors' money himself: what his wallet knows them by."""
FACTORS: Final = "factors"
"""As secret, and there only where somebody has a second factor: what his device knows too."""
PICTURES: Final = "pictures"
UNSOUND: Final = ".unsound"
"""How the folder of a copy ends that was looked through and is not what it should be."""
_CHUNK: Final = 1 << 20

Prove = Callable[[Path], str | None]
"""Looks through a copy; gives what is wrong with it, in a sentence."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What was written, and what was not there to write. `pictures`: how many were new in the backup's folder."""

    folder: Path
    keys: Path | None
    heads: CheckpointHeads
    pictures: int
    absent: tuple[str, ...]


def back_up(
    db: Path, into: Path, keys_to: Path | None, evidence: Path | None, at_ms: int, prove: Prove = lambda copy: None
) -> Backup:
    """Copy the database, and its secrets and pictures where asked; everything is on disk when it returns.

    `BadInputError` when database or pictures are not there, the record was carried into a database and goes on there,
    keys would lie with it, or the copy is not sound, which
    then stays under a name that says so; `StorageError` when a disk fails: then nothing is left that looks like a
    backup.
    """
    if keys_to is not None and lies_within(keys_to, into):
        raise BadInputError("The keys must lie apart from the database: name another folder, best on another disk.")
    if evidence is not None and not evidence.is_dir():
        raise BadInputError("There is no folder of pictures: name the one the studio keeps.", where=str(evidence))
    require_database(db)
    require_here(db)
    name = f"{db.stem}-{datetime.fromtimestamp(at_ms / 1000, UTC):%Y%m%dT%H%M%SZ}"
    try:
        with whole(into / name) as part:
            standing = _copy_database(db, part / DATABASE)
            new = copied_pictures(evidence, into / PICTURES) if evidence else 0
            write_manifest(part, at_ms, {"journal": list(standing.journal), "ledger": list(standing.ledger)})
            _prove(part, prove)
            absent = _copy_keys(db, keys_to / name, standing, at_ms) if keys_to else SECRETS
    except OSError as error:
        raise StorageError(
            f"The backup was not written ({error.strerror or error}); nothing of it was kept."
        ) from error
    except sqlite3.Error as error:
        raise StorageError(f"The backup was not written ({error}); nothing of it was kept.") from error
    return Backup(into / name, keys_to / name if keys_to else None, standing, new, absent)


def _prove(part: Path, prove: Prove) -> None:
    """What is not sound is no backup, and is not thrown away either: it may be the best there is."""
    wrong = prove(part / DATABASE)
    if wrong is not None:
        kept = part.with_suffix(UNSOUND)
        shutil.rmtree(kept, ignore_errors=True)
        part.rename(kept)
        raise BadInputError(f"The copy is not sound, and is no backup: {wrong}", where=str(kept))


def copy_database(db: Path, target: Path) -> None:
    """One consistent copy, for its owner alone; a writer at work is not held up.

    `sqlite3.Error` or `OSError` when the disk or the file fails.
    """
    own(target)
    with (
        contextlib.closing(connect_read_only(db)) as source,
        contextlib.closing(sqlite3.connect(target, isolation_level=None)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
    sync(target)


def own(target: Path) -> None:
    """Make an empty file that its owner alone can read, whatever the umask."""
    file = os.open(target, os.O_CREAT | os.O_WRONLY | os.O_EXCL | os.O_CLOEXEC, 0o600)
    os.fchmod(file, 0o600)
    os.close(file)


def write_manifest(folder: Path, at_ms: int, more: dict[str, Any]) -> None:
    """What lies in the folder, with sizes and digests."""
    files = {path.name: {"bytes": path.stat().st_size, "sha256": sha256_of(path)} for path in sorted(folder.iterdir())}
    plain = {"format": FORMAT, "version": 1, "at_ms": at_ms, "files": files, **more}
    (folder / MANIFEST).write_text(json.dumps(plain, indent=1), encoding="utf-8")
    sync(folder / MANIFEST)


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def sync(path: Path) -> None:
    """The file, or the folder's list of names, is on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def note_backup(db: Path, backup: Backup, at_ms: int) -> None:
    """Leave word beside the database of when and where the last backup went; for `doctor`."""
    path = noted_path(db)
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps({"at_ms": at_ms, "folder": str(backup.folder), "keys": str(backup.keys or "")}))
    sync(part)
    part.replace(path)


def noted_path(db: Path) -> Path:
    return db.with_name(f"{db.name}.backup")


def secret_path(db: Path, end: str) -> Path:
    return db.with_name(f"{db.name}.{end}")


def _copy_database(db: Path, target: Path) -> CheckpointHeads:
    copy_database(db, target)
    with Reader.open(target) as reader:
        return heads(reader)


def _copy_secrets(db: Path, into: Path) -> tuple[str, ...]:
    """After the database, for keys are on disk before the rows that name them. Gives what was not there."""
    absent = []
    for end in (SESSIONS, FACTORS, *SECRETS):  # what is sealed before what opens it, should that be exchanged meanwhile
        source, target = secret_path(db, end), into / f"{DATABASE}.{end}"
        if not source.exists():
            absent += [end] if end in SECRETS else []
            continue
        own(target)
        shutil.copyfile(source, target)
        sync(target)
    return tuple(absent)


def _copy_keys(db: Path, into: Path, standing: CheckpointHeads, at_ms: int) -> tuple[str, ...]:
    """A folder of the secrets, beside a copy that is already on disk. Gives what was not there."""
    with whole(into) as part:
        absent = _copy_secrets(db, part)
        write_manifest(part, at_ms, {"journal": list(standing.journal)})
    return absent


def copied_pictures(evidence: Path, into: Path) -> int:
    """Pictures are named by their content: what is there already is there for good."""
    new = 0
    named = {made(into, mode=0o700)}
    for source in evidence.glob("??/*.img"):
        target = into / source.parent.name / source.name
        if target.exists():
            continue
        named.add(made(target.parent))
        part = target.with_suffix(".part")
        try:
            shutil.copyfile(source, part)
        except FileNotFoundError:
            if source.exists():
                raise
            continue  # its days were over meanwhile, and a row of the record says so
        sync(part)
        part.replace(target)
        new += 1
    for folder in named:
        sync(folder)
    return new


def made(folder: Path, mode: int = 0o777) -> Path:
    """The folder is there, for certain: each that had to be made has its name on the disk, down to this one."""
    if not folder.exists():
        made(folder.parent)
        folder.mkdir(mode=mode, exist_ok=True)
        sync(folder.parent)
    return folder


@contextlib.contextmanager
def whole(folder: Path) -> Iterator[Path]:
    """A folder that gets its name when everything in it is on disk; a leftover of a killed attempt is cleared away."""
    if folder.exists():
        raise BadInputError("It is there already: wait a second, or name another folder.", where=str(folder))
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    made(folder.parent)
    part.mkdir(mode=0o700)
    try:
        yield part
        sync(part)
        part.rename(folder)
        sync(folder.parent)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def lies_within(one: Path, other: Path) -> bool:
    """Whether either lies in the other."""
    one, other = Path(os.path.realpath(one)), Path(os.path.realpath(other))
    return one == other or one in other.parents or other in one.parents
