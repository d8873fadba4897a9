"""Connections to PostgreSQL: how they are made, what is said over them, and what their failures mean.

Statements come in SQLite's words and leave in PostgreSQL's; rows come back as SQLite would give them, whole numbers
as `int`. No error of the driver leaves this file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import RawCursor, RawServerCursor
from psycopg.adapt import Buffer, Loader
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout

from studio.errors import BadInputError, StorageError
from studio.journal.engine import Cursor
from studio.journal.postgres.schema import require_current
from studio.journal.postgres.words import said

CONNECT_S: Final = 5
READERS_MAX: Final = 8
"""So many of this process' threads read at once; the others wait a moment."""
_WAIT_S: Final = 10.0
_RECONNECT_S: Final = 3.0
"""So long one try to open a connection is repeated, ever more slowly; whoever reads next begins another. With five
minutes, the pool's own, nobody could read for a minute after the server had been away for one."""
_SEEN_GONE: Final = tuple(f"-c tcp_keepalives_{what}" for what in ("idle=5", "interval=2", "count=3"))
"""The server notices within a quarter of a minute that a machine is gone, not after two hours: until then a host that
lost its power could not be started again, for its book would be held."""
_WRITES: Final = ("-c idle_in_transaction_session_timeout=10s", "-c tcp_user_timeout=10s")
_PAGE: Final = 2_000
_OURS: Final = ("21", "22", "23", "42", "44", "P0")
"""Classes of errors that a statement or a value brings about; of the others the server or the line does."""
_AGAIN: Final = ("08", "40", "53", "55", "57", "58")
"""Classes after which the same may well succeed: a lost line, two that met, a server that is full or going down."""
_NO_SPACE: Final = "53100"
_NO_RIGHT: Final = "42501"
_ASK_FOR_RIGHT: Final = " Let the tables' owner give this user the right by studio prepare, or name another user."
_UNSURE: Final = "40003"
"""An engine of several machines says so where it does not know itself whether a commit was done."""

RawConnection = psycopg.Connection[tuple[Any, ...]]
_Done = TypeVar("_Done")


class PostgresError(StorageError):
    """What the server or the line to it answered. `lost`: nobody knows whether it was done."""

    def __init__(self, error: psycopg.Error) -> None:
        self.state = error.sqlstate or ""
        follows = isinstance(error, psycopg.errors.PipelineAborted)  # the statement before it failed, and is to be told
        self.lost = not follows and (not self.state or self.state[:2] in ("08", "57") or self.state == _UNSURE)
        self.again = self.lost or self.state[:2] in _AGAIN
        self.ours = follows or self.state[:2] in _OURS
        self.no_space = self.state == _NO_SPACE
        said_by = error.diag.message_primary or next(iter(str(error).strip().splitlines()), "nothing")
        do = _ASK_FOR_RIGHT if self.state == _NO_RIGHT else ""
        super().__init__(f"The database answered: {said_by.rstrip('.')}.{do}")


class _WholeNumber(Loader):
    """Sums of whole numbers are whole numbers."""

    def load(self, data: Buffer) -> int:
        return int(bytes(data))


def without_password(address: str) -> str:
    """How an address may be told.

    >>> without_password("postgresql://studio:secret@db/floor")
    'postgresql://studio@db/floor'
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return "postgresql:"
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}{at}{host}", query=""))


def connect(address: str, *, reads_only: bool) -> RawConnection:
    """A new connection; `BadInputError` says what of the address, the password or the server does not do."""
    settings = ["-c search_path=studio,pg_catalog", "-c timezone=UTC", "-c lock_timeout=10s", *_SEEN_GONE]
    settings += () if reads_only else _WRITES
    try:
        connection = psycopg.connect(
            address, autocommit=True, cursor_factory=RawCursor, connect_timeout=CONNECT_S, options=" ".join(settings),
            application_name="studio", keepalives_idle=5, keepalives_interval=2, keepalives_count=3,
            tcp_user_timeout=10_000,
        )  # fmt: skip
    except psycopg.ProgrammingError as error:
        sentence = "It is no address of a database: write postgresql://USER@HOST:PORT/DATABASE."
        raise BadInputError(sentence, where=without_password(address)) from error
    except psycopg.Error as error:
        raise _unreachable(error, address) from error
    try:
        (adapt_to_read if reads_only else adapt)(connection)
    except psycopg.Error as error:  # it went down in that very moment
        connection.close()
        raise _unreachable(error, address) from error
    return connection


def adapt(connection: RawConnection) -> None:
    connection.adapters.register_loader("numeric", _WholeNumber)
    connection.adapters.register_dumper(int, Int8Dumper)


def adapt_to_read(connection: RawConnection) -> None:
    """Said once it is there: an address with `target_session_attrs=read-write` takes no session that begins so."""
    adapt(connection)
    connection.execute("SET default_transaction_read_only = on")


def _unreachable(error: psycopg.Error, address: str) -> BadInputError:
    where, said_by = without_password(address), str(error)
    if "password" in said_by or "authentication" in said_by or "no pg_hba.conf entry" in said_by:
        return BadInputError("The database does not let this user in: check the user and the password.", where=where)
    if "does not exist" in said_by:
        why = said_by.strip().splitlines()[-1].rpartition("FATAL:")[2].strip()
        return BadInputError(
            f"The server has no such database or user ({why}): create it, or name another.", where=where
        )
    why = said_by.strip().splitlines()[0]
    return BadInputError(f"The database cannot be reached ({why}): check the address, and that it runs.", where=where)


class PostgresDatabase:
    """One connection as a `studio.journal.engine.Database`. `streams`: long results come in pages, in a transaction."""

    def __init__(self, raw: RawConnection, *, streams: bool = False) -> None:
        self.raw = raw
        self._streams = streams
        self._cursors: list[RawServerCursor[tuple[Any, ...]]] = []

    def execute(self, sql: str, given: Sequence[Any] = (), /) -> Cursor:
        with told():
            if not self._streams:
                return self.raw.execute(said(sql).encode(), given or None, prepare=None if given else False)
            cursor = RawServerCursor(self.raw, f"c{len(self._cursors)}")
            self._cursors.append(cursor)
            return _Told(cursor.execute(said(sql).encode(), given))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Cursor:
        with told():
            cursor = self.raw.cursor()
            cursor.executemany(said(sql).encode(), rows)
            return cursor

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """What is said inside goes over the line together and is answered together: one way there and back."""
        with told(), self.raw.pipeline():
            yield

    def close(self) -> None:
        for cursor in self._cursors:
            with contextlib.suppress(psycopg.Error):
                cursor.close()
        with contextlib.suppress(psycopg.Error):
            self.raw.close()


class PooledDatabase:
    """Many threads' reading over a few connections: each statement borrows one and gives it back with its rows."""

    def __init__(self, pool: ConnectionPool[RawConnection]) -> None:
        self._pool = pool

    def execute(self, sql: str, given: Sequence[Any] = (), /) -> Cursor:
        try:
            return self._read(sql, given)
        except PostgresError as error:
            if not error.lost:
                raise
            return self._read(sql, given)  # a connection that had gone stale; reading twice does nothing twice

    def _read(self, sql: str, given: Sequence[Any]) -> Cursor:
        try:
            with told(), self._pool.connection(timeout=_WAIT_S) as raw:
                return raw.execute(said(sql).encode(), given)
        except PoolTimeout as error:
            raise StorageError("The database cannot be reached: wait until it is there again.") from error

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Cursor:
        raise NotImplementedError("A reader writes nothing.")

    def close(self) -> None:
        """The connections are everybody's."""


class _Told:
    """A cursor on the server whose failures are told as ours."""

    def __init__(self, cursor: RawServerCursor[tuple[Any, ...]]) -> None:
        self._cursor = cursor

    @property
    def rowcount(self) -> int:
        return self._cursor.rowcount

    def fetchone(self) -> Any:
        return self._with(self._cursor.fetchone)

    def fetchmany(self, size: int, /) -> list[Any]:
        return self._with(lambda: self._cursor.fetchmany(size))

    def fetchall(self) -> list[Any]:
        return self._with(self._cursor.fetchall)

    def __iter__(self) -> Iterator[Any]:
        while page := self.fetchmany(_PAGE):
            yield from page

    def close(self) -> None:
        self._with(self._cursor.close)

    def _with(self, do: Callable[[], _Done]) -> _Done:
        with told():
            return do()


@contextlib.contextmanager
def told() -> Iterator[None]:
    """What the driver raises is told as a `PostgresError`."""
    try:
        yield
    except PoolTimeout:
        raise
    except psycopg.Error as error:
        raise PostgresError(error) from error


def pool(address: str) -> ConnectionPool[RawConnection]:
    """Connections to read with, opened as they are needed; `BadInputError` when the first does not come."""
    connect(address, reads_only=True).close()
    return ConnectionPool(
        address, min_size=0, max_size=READERS_MAX, open=True, configure=adapt_to_read, max_idle=60.0, timeout=_WAIT_S,
        reconnect_timeout=_RECONNECT_S,
        kwargs={"autocommit": True, "cursor_factory": RawCursor, "connect_timeout": CONNECT_S,
                "options": "-c search_path=studio,pg_catalog -c timezone=UTC",
                "application_name": "studio"},
    )  # fmt: skip


def connect_to_read(address: str) -> PostgresDatabase:
    """One reader's own connection; `BadInputError` when this version cannot read the database."""
    raw = connect(address, reads_only=True)
    try:
        with told():
            require_current(raw, without_password(address))
    except BaseException:
        raw.close()
        raise
    return PostgresDatabase(raw)


@contextlib.contextmanager
def snapshot(address: str) -> Iterator[PostgresDatabase]:
    """The database as it stands now, for several statements whose rows come in pages."""
    with contextlib.closing(PostgresDatabase(connect(address, reads_only=True), streams=True)) as database:
        with told():
            require_current(database.raw, without_password(address))
            database.raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield database


def books(database: PostgresDatabase) -> tuple[str, ...]:
    """Each host's stream of rows, as the condition that picks it."""
    return tuple(
        f"book = {int(book)}" for (book,) in database.execute("SELECT book FROM book ORDER BY book").fetchall()
    )


def damage(database: PostgresDatabase) -> str | None:
    """What of the books does not fit their last rows, or None."""
    row = database.execute(_MISFIT).fetchone()
    return None if row is None else f"The book of {row[0]} does not end with the last row of its {row[1]}."


_MISFIT: Final = """
WITH ends AS (
    SELECT book, host, 'journal' AS chain, journal_seq AS seq, journal_hash AS hash FROM book
    UNION ALL SELECT book, host, 'ledger', ledger_seq, ledger_hash FROM book
), lasts AS (
    SELECT book, 'journal' AS chain, max(seq) AS seq FROM journal GROUP BY book
    UNION ALL SELECT book, 'ledger', max(seq) FROM ledger GROUP BY book
)
SELECT host, ends.chain FROM ends
LEFT JOIN lasts ON lasts.book = ends.book AND lasts.chain = ends.chain
LEFT JOIN origin ON origin.book = ends.book AND origin.chain = ends.chain
WHERE ends.seq <> coalesce(lasts.seq, origin.seq, 0)
OR ends.hash <> coalesce(
    CASE ends.chain WHEN 'journal' THEN (SELECT hash FROM journal WHERE seq = lasts.seq)
        ELSE (SELECT hash FROM ledger WHERE seq = lasts.seq) END, origin.hash, repeat('0', 64)
)
LIMIT 1
"""
