"""What the first start of this version will do to a record that an older one kept, and the way back from it.

The record is only looked at: also one that no command of this version can read yet.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from studio.care.backup import noted_path
from studio.care.event import ProgramFound, read_care
from studio.care.program import installed_version
from studio.errors import BadInputError
from studio.journal.sqlite.file import connect_read_only, is_file
from studio.journal.sqlite.schema import UNREADABLE, pending, require_studio
from studio.proof.machine.host import HostFinding
from studio.text_file import read_json, read_text

_LAST: Final = "SELECT body FROM journal WHERE kind = 'ProgramFound' ORDER BY seq DESC LIMIT 1"
TOPIC: Final = "upgrade"


def upgrade(db: Path, version: str = "") -> Iterator[HostFinding]:
    """`version`: of the program that will be started; the installed one where none is named."""
    if not is_file(db) or not db.stat().st_size:
        return
    version = version or installed_version()
    try:
        with contextlib.closing(connect_read_only(db)) as connection:
            require_studio(connection, str(db))
            steps, before = pending(connection), _kept_by(connection)
    except UNREADABLE as error:
        yield HostFinding(TOPIC, "missing", f"The record {db} cannot be read: {error}.")
    except BadInputError as error:
        yield HostFinding(TOPIC, "missing", str(error))
    else:
        yield from _told(db, version, before, steps)


def is_older(db: Path) -> bool:
    """Whether the record has to be brought up to date before this version can read it."""
    with contextlib.suppress(BadInputError, *UNREADABLE), contextlib.closing(connect_read_only(db)) as connection:
        require_studio(connection, str(db))
        return bool(pending(connection))
    return False


def _told(db: Path, version: str, before: str, steps: tuple[str, ...]) -> Iterator[HostFinding]:
    kept = f"The record {db} was kept by version {before} last" if before else f"The record {db} is an older version's"
    if steps:
        many = "one step" if len(steps) == 1 else f"{len(steps)} steps"
        sentence = f"{kept}; the first start of {version} brings it up to date in {many}: {' '.join(steps)}"
        yield HostFinding(TOPIC, "note", sentence)
        yield _room(db)
        rehearsed = "No older version reads it afterwards. How long it takes: studio upgrade-rehearsal DB."
        yield HostFinding(TOPIC, "note", f"{rehearsed} {_way_back(db, before)}")
    elif before and before != version:
        sentence = f"{kept}; {version} reads it as it stands, and its first start changes no table of it."
        yield HostFinding(TOPIC, "note", f"{sentence} {_way_back(db, before)}")
    else:
        yield HostFinding(TOPIC, "ok", f"The record {db} is this version's: a start changes no table of it.")


def _room(db: Path) -> HostFinding:
    """A step may write every row of the record anew, beside it, before it counts."""
    needed_mb, free_mb = -(-db.stat().st_size // 10**6), shutil.disk_usage(db.parent).free // 10**6
    if needed_mb < free_mb:
        return HostFinding(TOPIC, "ok", f"That may take {needed_mb:,} MB more beside it, and {free_mb:,} MB are free.")
    sentence = (
        f"That may take {needed_mb:,} MB more beside it, and {free_mb:,} MB are free: make room before the start."
    )
    return HostFinding(TOPIC, "missing", sentence)


def _way_back(db: Path, before: str) -> str:
    """What to do where the new version will not do; the rows it wrote are lost by it."""
    older = f"version {before}" if before else "the older version"
    try:
        told = read_json(read_text(noted_path(db)))
        folder, keys = Path(str(told["folder"])), str(told["keys"])
    except (BadInputError, ValueError, KeyError, TypeError):
        folder, keys = None, ""
    if folder is None or not folder.is_dir():
        return (
            f"There is no way back yet: stop the studio, and make a backup before the start"
            f" (studio backup {db} FOLDER --keys-to OTHER)."
        )
    back = f"studio restore {folder} {db}" + (f" --keys {keys}" if keys else "")
    return (
        f"The way back: set the record and what lies beside it aside, install {older} again, and {back};"
        f" what was dealt after that backup is not in it, so make another with the studio stopped."
    )


def _kept_by(connection: sqlite3.Connection) -> str:
    """The version that was started on it last; empty where none has told."""
    row = connection.execute(_LAST).fetchone()
    found = read_care(bytes(row[0], "utf-8") if isinstance(row[0], str) else row[0]) if row else None
    return found.version if isinstance(found, ProgramFound) else ""
