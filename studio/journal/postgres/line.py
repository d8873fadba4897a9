"""A line to the server for what is said now and then, made anew where it broke."""

from __future__ import annotations

import threading
from typing import Any

import psycopg

from studio.errors import BadInputError, StorageError
from studio.journal.postgres.connection import PostgresError, RawConnection, connect, told


class PostgresLine:
    """`lock` is held by whoever says something. `StorageError` while the database is away."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._raw: RawConnection | None = None
        self.lock = threading.RLock()

    def say(self, statement: str, given: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if self._raw is None or self._raw.closed:
            self._raw = _connected(self._address)
        try:
            with told():
                cursor = self._raw.execute(statement.encode(), given)
                return cursor.fetchall() if cursor.description else []
        except PostgresError as error:
            if error.lost:
                self.close()
            raise

    def close(self) -> None:
        if self._raw is not None:
            self._raw.close()
            self._raw = None


def _connected(address: str) -> RawConnection:
    try:
        return connect(address, reads_only=False)
    except BadInputError as error:
        raise StorageError(str(error)) from error
    except psycopg.Error as error:
        raise PostgresError(error) from error
