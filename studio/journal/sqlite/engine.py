"""The writer's transaction in a SQLite file, and what its failures mean."""

from __future__ import annotations

import contextlib
import errno
import sqlite3
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

from studio.errors import InvariantError, StorageError
from studio.journal.booking import read_heads
from studio.journal.follow import Follows
from studio.journal.lease import Lease
from studio.journal.link import Heads

_NEWER: Final = "SELECT 1 FROM journal WHERE kind IN ({}) AND seq > ? LIMIT 1"
_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_OUR_CODES: Final = (
    sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE,
    sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISUSE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SqliteEngine:
    """See `studio.journal.engine.Engine`."""

    connection: sqlite3.Connection
    alone: bool = True
    failures: tuple[type[Exception], ...] = (sqlite3.Error,)

    def begin(self) -> Heads:
        self.connection.execute("BEGIN IMMEDIATE")
        return read_heads(self.connection)

    def lost(self, leases: Collection[Lease]) -> frozenset[Lease]:
        return frozenset()

    def moved(self, follows: Collection[Follows]) -> frozenset[Follows]:
        return frozenset(one for one in follows if self._has_newer(one))

    def _has_newer(self, one: Follows) -> bool:
        newer = _NEWER.format(", ".join("?" * len(one.kinds)))
        return self.connection.execute(newer, (*one.kinds, one.after)).fetchone() is not None

    def at_once(self) -> AbstractContextManager[object]:
        return contextlib.nullcontext()

    def more_numbers(self, heads: Heads) -> Heads:
        raise InvariantError("The numbers of SQLite's rows are spent.")

    def commit(self, heads: Heads) -> None:
        self.connection.execute("COMMIT")

    def may_try_again(self, error: Exception, times: int) -> bool:
        return False

    def roll_back(self) -> None:
        """SQLite may have done so by itself; on a failing disk the attempt may fail as well."""
        with contextlib.suppress(sqlite3.Error):
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def is_our_fault(self, error: Exception) -> bool:
        code = getattr(error, "sqlite_errorcode", None)
        return code is None or code & 0xFF in _OUR_CODES

    def storage_error(self, error: Exception) -> StorageError:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith("SQLITE_FULL") or getattr(error, "errno", None) in _NO_SPACE:
            sentence = "The disk is full and nothing of this commit was kept: make room, then go on."
        else:
            sentence = f"The disk or the database failed and nothing of this commit was kept ({error}): check the disk."
        wrapped = StorageError(sentence)
        wrapped.__cause__ = error
        return wrapped
