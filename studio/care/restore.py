"""Puts a backup back: never over anything, checked first, and saying what is missing."""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from studio.care.backup import (
    DATABASE,
    FACTORS,
    FORMAT,
    MANIFEST,
    SECRETS,
    SESSIONS,
    made,
    own,
    secret_path,
    sha256_of,
    sync,
)
from studio.errors import BadInputError, StorageError
from studio.file_owner import give_to_owner
from studio.journal import Reader
from studio.journal.keys.keyring import is_wrapped
from studio.journal.sqlite.file import alone
from studio.text_file import read_json, read_text

_LOSS: Final = {
    "keys": "rounds that were under way with cards face down cannot go on; void them",
    "pepper": "nobody's PIN fits any more; give every PIN anew",
    "signing": "a new signing key is made; tell everybody who checks its public key",
    SESSIONS: "operators' wallets cannot be told what their bettors are owed until each bettor is launched again",
    FACTORS: "nobody's second factor can be checked any more; have each reset",
}
_MARKS: Final = {SESSIONS: "WalletKept", FACTORS: "SecondFactorEnrolled"}
"""What is needed only where the record has a row of that kind."""
_ALL: Final = (*SECRETS, *_MARKS)
_LOGS: Final = ("-wal", "-journal")
"""What SQLite would take for the log of the database that is put back."""


def restore(backup: Path, db: Path, keys: Path | None) -> list[str]:
    """Put the database, and its secrets where given, back at `db`; gives what is missing, in sentences.

    `BadInputError` when something lies there already or the backup is not whole; then nothing was written.
    """
    _refuse_to_overwrite(db, keys)
    manifest = checked_backup(backup, DATABASE)
    if keys is not None and checked_backup(keys).get("journal") != manifest["journal"]:
        raise BadInputError("These are the keys of another backup: name those of the same name.", where=str(keys))
    try:
        made(db.parent)
    except OSError as error:
        raise _not_put_back(error) from error
    with alone(db):  # a studio that is started meanwhile would begin a record of its own there
        _refuse_to_overwrite(db, keys)
        _put_back(backup, db, keys, manifest["files"][DATABASE]["sha256"])
    needed = (*SECRETS, *_marked(db))
    missing = [f"{db.name}.{end} is missing: {_LOSS[end]}." for end in needed if not secret_path(db, end).exists()]
    if (own_keys := secret_path(db, "keys")).exists() and is_wrapped(own_keys):
        missing.append(f"{own_keys.name} is wrapped: the studio needs the wrapping key too, which is in no backup.")
    return missing


def _put_back(backup: Path, db: Path, keys: Path | None, sha256: str) -> None:
    """The secrets, and then the database, which has its name once all of it is on disk; or nothing."""
    part, put = secret_path(db, "part"), list[Path]()
    try:
        for end in _ALL if keys is not None else ():
            if not (target := secret_path(db, end)).exists():
                put.append(target)
                _put_secret(keys, end, target)
        part.unlink(missing_ok=True)
        own(part)
        give_to_owner(part, db.absolute().parent)
        shutil.copyfile(backup / DATABASE, part)
        sync(part)
        if sha256_of(part) != sha256:
            raise BadInputError("The copy is not what the backup holds: check the disk.", where=str(part))
        part.rename(db)
        sync(db.parent)
    except OSError as error:
        _clear((part, *put, secret_path(db, "lock")))
        raise _not_put_back(error) from error
    except BaseException:
        _clear((part, *put, secret_path(db, "lock")))
        raise


def _not_put_back(error: OSError) -> StorageError:
    return StorageError(f"The backup was not put back ({error.strerror}); nothing of it was kept.")


def _marked(db: Path) -> list[str]:
    with Reader.open(db) as reader:
        return [end for end, kind in _MARKS.items() if any(reader.events(kinds=(kind,), limit=1))]


def _refuse_to_overwrite(db: Path, keys: Path | None) -> None:
    """What a restore has put there that was killed is no other than what this one would put."""
    for path in (db, *(secret_path(db, end) for end in _ALL), *(db.with_name(db.name + end) for end in _LOGS)):
        if path.exists() and not _is_of(keys, path, db):
            raise BadInputError(
                "Something lies there already, and nothing is overwritten: name another place.", where=str(path)
            )


def _is_of(keys: Path | None, path: Path, db: Path) -> bool:
    """Whether this secret beside `db` is, byte for byte, the one in the folder of keys."""
    source = keys / f"{DATABASE}{path.name.removeprefix(db.name)}" if keys is not None and path != db else None
    return source is not None and source.is_file() and path.is_file() and filecmp.cmp(source, path, shallow=False)


def checked_backup(folder: Path, *needed: str) -> dict[str, Any]:
    """The manifest of a backup folder, once every file it names has been checked against it."""
    try:
        plain = read_json(read_text(folder / MANIFEST))
        files = plain["files"] if plain["format"] == FORMAT else None
    except (BadInputError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            "This is no whole backup: its manifest is missing or damaged.", where=str(folder)
        ) from error
    if not isinstance(files, dict) or any(name not in files for name in needed):
        held = ", ".join(sorted(files)) if isinstance(files, dict) else ""
        sentence = (
            f"This backup holds {held or 'nothing'}, and no {needed[0]}: a record of a file is put back as a file,"
        )
        raise BadInputError(f"{sentence} one of a database into a database, keys by --keys.", where=str(folder))
    for name, said in files.items():
        path = folder / Path(name).name
        if not path.is_file() or path.stat().st_size != said["bytes"] or sha256_of(path) != said["sha256"]:
            raise BadInputError("The file is not what the manifest says: take another backup.", where=str(path))
    return dict(plain)


def _put_secret(keys: Path | None, end: str, target: Path) -> None:
    assert keys is not None
    source = keys / f"{DATABASE}.{end}"
    if source.exists():
        part = target.with_name(f"{target.name}.part")
        part.unlink(missing_ok=True)
        own(part)
        give_to_owner(part, target.absolute().parent)
        try:
            shutil.copyfile(source, part)
            sync(part)
            part.rename(target)
        finally:
            part.unlink(missing_ok=True)


def _clear(put: Iterable[Path]) -> None:
    """Undo what this attempt wrote; nothing was there before it."""
    for path in put:
        path.unlink(missing_ok=True)
