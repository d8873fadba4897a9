"""What the journal asks of a database, whichever keeps the record.

    a unit ─► writer ─► booking ─► Database ─┬─ sqlite3, one file
                 │                           └─ a database server
                 └─► Engine: begins, commits and takes back what has gathered

The statements are SQLite's, written once; a connection to anything else says them in its own words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from studio.errors import StorageError
from studio.journal.follow import Follows
from studio.journal.lease import Lease
from studio.journal.link import Heads


class Cursor(Protocol):
    """The rows of one statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchmany(self, size: int, /) -> list[Any]: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...

    def close(self) -> None: ...


class Database(Protocol):
    """Where statements are said. `sqlite3.Connection` is one."""

    def execute(self, sql: str, given: Sequence[Any] = (), /) -> Cursor: ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Cursor: ...

    def close(self) -> None: ...


class Engine(Protocol):
    """The writer's own way into the record. Only the writer's thread uses it."""

    @property
    def connection(self) -> Database: ...

    @property
    def alone(self) -> bool:
        """Whether nobody else changes a balance between two transactions of this one."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What it raises when the disk or the database fails, or a statement does not fit."""

    def begin(self) -> Heads:
        """Begin a transaction that nobody else can write beside; gives where the chains end."""

    def lost(self, leases: Collection[Lease]) -> frozenset[Lease]:
        """Those of these whose table another host has taken; until the transaction is over nobody takes the others."""

    def moved(self, follows: Collection[Follows]) -> frozenset[Follows]:
        """Those whose book has a newer row; until the transaction is over nobody else adds to the books of these."""

    def at_once(self) -> AbstractContextManager[object]:
        """Statements said inside may be sent together; that one does not fit may be raised when it is left."""

    def more_numbers(self, heads: Heads) -> Heads:
        """The same heads, with other numbers to give; where the last were spent."""

    def commit(self, heads: Heads) -> None:
        """When it returns, what was written is on disk, and the chains end so."""

    def may_try_again(self, error: Exception, times: int) -> bool:
        """Whether the same may be kept now, though it failed so often; it is certain that none of it was."""

    def roll_back(self) -> None:
        """Nothing of the transaction is kept; never raises."""

    def is_our_fault(self, error: Exception) -> bool:
        """Whether one of the `failures` is of a statement or a value, as against a disk or a database that fails."""

    def storage_error(self, error: Exception) -> StorageError:
        """What those are told whose units were not kept: after a failure, or an `OSError` of the key file."""
