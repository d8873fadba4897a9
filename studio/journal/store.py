"""Opens the studio's database for writing, alone, and refuses a file that is not one.

Beside `<db>` lie `<db>.keys` (the keys of sealed cards) and `<db>.lock` (held as long as a studio has the database
open; an empty file means nothing). Readers open the database by themselves, read-only.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.errors import BadInputError
from studio.journal.keyring import FileKeyring, Keyring, MemoryKeyring
from studio.journal.reader import Reader, connect_read_only, is_file
from studio.journal.schema import UNREADABLE, migrate, require_studio
from studio.journal.wrapping import WrappedBy

IN_MEMORY: Final = ":memory:"
SQLITE_VERSION: Final = sqlite3.sqlite_version
_BUSY_WAIT_S: Final = 5.0
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA journal_size_limit = 67108864",
    "PRAGMA cache_size = -16384",
)


@dataclass(frozen=True, slots=True)
class Store:
    """An open database: the writer's connection, the keyring, and readers on demand."""

    path: str
    connection: sqlite3.Connection
    keyring: Keyring
    gate: AbstractContextManager[object]
    """Held by the writer for a transaction; locks only in memory, where readers share the connection."""
    _held: ExitStack

    @classmethod
    def open(cls, path: str | Path, *, create: bool = True, wrapped_by: WrappedBy | None = None) -> Store:
        """Open or create the database at `path`, or one in memory (`:memory:`).

        `BadInputError` when it is in use by another studio, of a newer version, or no studio's database; without
        `create` also when there is none. Nothing is made beside a file that is refused. `wrapped_by`: where the key
        that wraps the key file comes from; it is asked for when a key is wanted.
        """
        with ExitStack() as held:
            if str(path) == IN_MEMORY:
                connection = held.enter_context(_connected(IN_MEMORY))
                return cls(IN_MEMORY, connection, MemoryKeyring(), threading.RLock(), held.pop_all())
            path = Path(path)
            if not create or (is_file(path) and path.stat().st_size):
                require_database(path)
            held.enter_context(alone(path))
            _keep_to_owner(path)
            connection = held.enter_context(_connected(str(path)))
            keyring = FileKeyring(path.with_name(f"{path.name}.keys"), wrapped_by)
            held.callback(keyring.close)
            return cls(str(path), connection, keyring, contextlib.nullcontext(), held.pop_all())

    def reader(self) -> Reader:
        """A reader for use by one thread, which closes it."""
        if self.path == IN_MEMORY:
            return Reader(self.connection, self.gate, owns_connection=False)
        return Reader.open(self.path)

    def close(self) -> None:
        self._held.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def require_database(path: Path) -> None:
    """`BadInputError` unless a studio's database lies there, of this version or an older one; it is only looked at."""
    try:
        with contextlib.closing(connect_read_only(path)) as connection:
            require_studio(connection, str(path))
    except UNREADABLE as error:
        raise BadInputError(f"The file cannot be used as a database: {error}.", where=str(path)) from error


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold `<db>.lock` for this process; it is released by the system when the process dies."""
    try:
        file = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadInputError(f"The database cannot be opened there: {error.strerror}.", where=str(path)) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadInputError(
            "Another studio is using it: stop that one, or name another file.", where=str(path)
        ) from None
    finally:
        os.close(file)


def _keep_to_owner(path: Path) -> None:
    """The database is its owner's alone, whatever the shell's umask; SQLite gives its WAL the same rights.

    One that belongs to somebody else stays as it is: `studio doctor` tells who can read it.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadInputError(f"The database cannot be opened there: {error.strerror}.", where=str(path)) from error
    try:
        found = os.fstat(file)
        if stat.S_IMODE(found.st_mode) != 0o600 and found.st_uid == os.geteuid():
            os.fchmod(file, 0o600)
    finally:
        os.close(file)


@contextlib.contextmanager
def _connected(name: str) -> Iterator[sqlite3.Connection]:
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
