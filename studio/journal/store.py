"""Opens the studio's database for writing, alone, and refuses a file that is not one.

Beside `<db>` lies `<db>.keys`, the keys of sealed cards. Readers open the database by themselves, read-only.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import threading
import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.journal.engine import Database, Engine
from studio.journal.keys.keyring import (
    FileKeyring,
    Keyring,
    MemoryKeyring,
)
from studio.journal.keys.wrapping import WrappedBy
from studio.journal.lease import Leases
from studio.journal.place import Place, driver_there, is_address
from studio.journal.reader import Reader
from studio.journal.sqlite.carried import require_here
from studio.journal.sqlite.engine import SqliteEngine
from studio.journal.sqlite.file import (
    alone,
    connected,
    is_file,
    keep_to_owner,
    require_database,
    require_open_year,
    require_plain,
)

IN_MEMORY: Final = ":memory:"
HOST: Final = "studio"
"""The name of the only host where nobody gives one."""
SQLITE_VERSION: Final = sqlite3.sqlite_version


@dataclass(frozen=True, slots=True)
class Store:
    """An open database: the writer's way into it, the keyring, and readers on demand."""

    path: str
    engine: Engine
    keyring: Keyring
    gate: AbstractContextManager[object]
    """Held by the writer for a transaction; locks only in memory, where readers share the connection."""
    _held: ExitStack
    pooled: Database | None = None
    """What readers of a server's database share."""
    leases: Leases | None = None
    """Of the tables, where several hosts write."""

    @classmethod
    def open(
        cls,
        path: Place,
        *,
        create: bool = True,
        wrapped_by: WrappedBy | None = None,
        host: str = HOST,
        beside: Path | None = None,
        keys: str = "",
    ) -> Store:
        """Open or create the database at `path`, or one in memory (`:memory:`).

        `BadInputError` when it is in use by another studio, of a newer version, or no studio's database; without
        `create` also when there is none. Nothing is made beside a file that is refused. `wrapped_by`: where the key
        that wraps the key file comes from; it is asked for when a key is wanted. In a database of a server each
        `host` writes a book of its own, and the key file lies `beside` a path that names no database; without one
        keys are not kept. `keys`: the address of a database in which they lie instead, for every host. The archive of a
        closed year is refused, and so is a file whose record was carried into a database.
        """
        with ExitStack() as held:
            if is_address(path):
                return _of_server(str(path), held, host, _keyring_of(keys, held, beside, wrapped_by))
            if str(path) == IN_MEMORY:
                engine = SqliteEngine(held.enter_context(connected(IN_MEMORY)))
                return cls(IN_MEMORY, engine, MemoryKeyring(), threading.RLock(), held.pop_all())
            path = Path(path)
            require_plain(path)
            if not create or (is_file(path) and path.stat().st_size):
                require_database(path, begun=create)
                require_open_year(path)
                require_here(path)
            held.enter_context(alone(path))
            keep_to_owner(path)
            engine = SqliteEngine(held.enter_context(connected(str(path))))
            keyring = FileKeyring(path.with_name(f"{path.name}.keys"), wrapped_by)
            held.callback(keyring.close)
            return cls(str(path), engine, keyring, contextlib.nullcontext(), held.pop_all())

    @property
    def connection(self) -> Database:
        return self.engine.connection

    def reader(self) -> Reader:
        """A reader for use by one thread, which closes it."""
        if self.path == IN_MEMORY:
            return Reader(self.connection, self.gate, owns_connection=False)
        if self.pooled is not None:
            return Reader(self.pooled, self.gate, owns_connection=False)
        return Reader.open(self.path)

    def close(self) -> None:
        self._held.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def bring_up_to_date(copy: Path) -> None:
    """Bring the copy of a record up to this version, that of an archive too; `BadInputError` when it cannot be."""
    require_database(copy)
    with connected(str(copy)):
        pass


def _now_s() -> float:
    return time.time_ns() / 1e9


def _of_server(address: str, held: ExitStack, host: str, keyring: Keyring) -> Store:
    with driver_there():
        from studio.journal.postgres.connection import PooledDatabase, pool, without_password
        from studio.journal.postgres.engine import PostgresEngine
        from studio.journal.postgres.leases import PostgresLeases
    engine = PostgresEngine(address, host, lambda: secrets.token_hex(16), threading.Event().wait, _now_s)
    held.callback(engine.close)
    readers = pool(address)
    held.callback(readers.close)
    leases = PostgresLeases(address, host)
    held.callback(leases.close)
    shared = PooledDatabase(readers)
    return Store(without_password(address), engine, keyring, contextlib.nullcontext(), held.pop_all(), shared, leases)


def _keyring_of(keys: str, held: ExitStack, beside: Path | None, wrapped_by: WrappedBy | None) -> Keyring:
    """Of a host that writes a server's database."""
    keyring: Keyring = MemoryKeyring()
    if keys:
        with driver_there():
            from studio.journal.postgres.keyring import PostgresKeyring
        keyring = PostgresKeyring(keys, wrapped_by)
        held.callback(keyring.close)
    elif beside is not None:
        keyring = FileKeyring(beside.with_name(f"{beside.name}.keys"), wrapped_by)
        held.callback(keyring.close)
    return keyring
