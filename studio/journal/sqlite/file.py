"""How a studio's file is opened: by its one writer, alone and with its tables brought up to date, or to be read.

Beside `<db>` lies `<db>.lock`, held as long as a studio has the database open; an empty file means nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from studio.errors import BadInputError
from studio.file_owner import give_to_owner
from studio.journal.sqlite.schema import UNREADABLE, migrate, refuse_unknown, require_current, require_studio

CACHE_KIB: Final = 256
"""Of each reader; every thread of the server has one, and the system keeps the file's pages anyway."""
_NOT_ALLOWED: Final = "This account may not read it: run the command as the account the studio runs under, or as root."
_CLOSED: Final = "SELECT 1 FROM journal WHERE kind = 'YearClosed' LIMIT 1"
"""A new year's record has no such row: it begins with that of its books opened."""
_BUSY_WAIT_S: Final = 5.0
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA cache_size = -16384",
)


def require_database(path: Path, *, begun: bool = False) -> None:
    """`BadInputError` unless a studio's database lies there, of this version or an older one; it is only looked at.

    `begun`: one that holds nothing yet will do, as a first start leaves it that was cut off.
    """
    try:
        if begun:
            _take_back(path)
        with contextlib.closing(connect_read_only(path)) as connection:
            refuse_unknown(connection, str(path)) if begun else require_studio(connection, str(path))
    except UNREADABLE as error:
        raise BadInputError(f"The file cannot be used as a database: {error}.", where=str(path)) from error


def require_plain(path: Path) -> None:
    """`BadInputError` where something else than a file lies, as a device or a folder: it would be made its owner's."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return  # nothing is there yet, or it is told as it is opened
    if not stat.S_ISREG(found.st_mode):
        raise BadInputError("What lies there is no file, and holds no record: name another.", where=str(path))


def require_open_year(path: Path) -> None:
    """`BadInputError` for the archive of a closed year: the next year goes on from its last row, and from no other."""
    try:
        with contextlib.closing(connect_read_only(path)) as connection:
            [begun] = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'journal'").fetchone()
            closed = begun and connection.execute(_CLOSED).fetchone()
    except UNREADABLE as error:
        raise BadInputError(f"The file cannot be used as a database: {error}.", where=str(path)) from error
    if closed:
        sentence = "This is the archive of a closed year, and nothing is added to it: name the studio's own database."
        raise BadInputError(sentence, where=str(path))


def _take_back(path: Path) -> None:
    """Let SQLite take back what lies half written in a file, as its journal says that is beside it: only while a record
    is made is there one.
    """
    journal = Path(f"{path}-journal")
    if is_file(journal) and journal.stat().st_size:
        with contextlib.closing(sqlite3.connect(path, timeout=_BUSY_WAIT_S, isolation_level=None)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master")


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold `<db>.lock` for this process; it is released by the system when the process dies."""
    file = _opened(path.with_name(f"{path.name}.lock"), path)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadInputError(
            "Another studio is using it: stop that one, or name another file.", where=str(path)
        ) from None
    finally:
        os.close(file)


def keep_to_owner(path: Path) -> None:
    """The database is its owner's alone, whatever the shell's umask; SQLite gives its WAL the same rights.

    One that belongs to somebody else stays as it is: `studio doctor` tells who can read it.
    """
    file = _opened(path, path)
    try:
        found = os.fstat(file)
        if stat.S_IMODE(found.st_mode) != 0o600 and found.st_uid == os.geteuid():
            os.fchmod(file, 0o600)
    finally:
        os.close(file)


def _opened(file: Path, database: Path) -> int:
    """The file, made where it is not there yet: as the folder's owner's, if root makes it."""
    try:
        is_new = not file.exists()
        opened = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadInputError(f"The database cannot be opened there: {error.strerror}.", where=str(database)) from error
    if is_new:
        give_to_owner(opened, file.absolute().parent)
    return opened


@contextlib.contextmanager
def connected(name: str) -> Iterator[sqlite3.Connection]:
    """The writing connection, with the tables brought up to date."""
    try:
        connection = sqlite3.connect(name, timeout=_BUSY_WAIT_S, isolation_level=None, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise BadInputError(f"The database cannot be opened: {error}.", where=name) from error
    with contextlib.closing(connection):
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            migrate(connection, name)
        except UNREADABLE as error:
            raise BadInputError(f"The file cannot be used as a database: {error}.", where=name) from error
        yield connection


def connect_read_only(path: str | Path) -> sqlite3.Connection:
    """A connection that cannot write; also for a file on a medium that cannot be written."""
    require_readable(Path(path))
    log = Path(f"{path}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    for options in ("mode=ro", "mode=ro&immutable=1"):
        try:
            return _looked_into(f"file:{quote(os.fsencode(path))}?{options}")
        except sqlite3.OperationalError as error:
            if has_log or "immutable" in options:
                raise BadInputError(f"The database cannot be read: {error}.", where=str(path)) from error
        except UNREADABLE as error:
            raise BadInputError(f"The file cannot be read as a database: {error}.", where=str(path)) from error
    raise AssertionError("one of the two ways returns or raises")


def require_readable(path: Path) -> None:
    """`BadInputError` where no file lies there, or this account may not read it: then it may well be there.

    It is not opened to find out: who closes a file lets go of every lock that his process has on it.
    """
    if is_file(path) and os.access(path, os.R_OK, effective_ids=True):
        return
    try:
        path.stat()
        forbidden = is_file(path)
    except PermissionError:
        forbidden = True
    except OSError:
        forbidden = False
    raise BadInputError(
        _NOT_ALLOWED if forbidden else "There is no such database: check its name and its folder.", where=str(path)
    )


def is_file(path: str | Path) -> bool:
    """Whether a file lies there; what cannot even be the name of one (it is too long) names none."""
    try:
        return Path(path).is_file()
    except OSError:
        return False


def _looked_into(uri: str) -> sqlite3.Connection:
    """A connection to a file that turned out to be a database."""
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_master")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: str | Path) -> sqlite3.Connection:
    """A reader's connection, also while a studio writes the file; `BadInputError` when this version cannot read it."""
    connection = connect_read_only(path)
    try:
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        require_current(connection, str(path))
    except UNREADABLE as error:
        connection.close()
        raise BadInputError(f"The file cannot be read as a database: {error}.", where=str(path)) from error
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def snapshot(path: str | Path) -> Iterator[sqlite3.Connection]:
    """The file as it stands now, for several statements; `UNREADABLE` where it is damaged."""
    with contextlib.closing(connect_read_only(path)) as connection:
        require_current(connection, str(path))
        connection.execute("BEGIN")
        yield connection


def read_leniently(connection: sqlite3.Connection) -> None:
    """Bytes that are no text become letters that no row was ever linked with, instead of an error."""
    connection.text_factory = _lenient


def damage(connection: sqlite3.Connection) -> str | None:
    """What SQLite finds damaged in the file, or None."""
    [first] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if first == "ok" else f"SQLite finds the file damaged: {first}."


def _lenient(text: bytes) -> str:
    return text.decode(errors="surrogateescape")
