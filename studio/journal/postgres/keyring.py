"""The keys of sealed cards in a database of their own, for whichever host has a card's table to go on with.

The role that keeps them there need not see the record, nor the record's role the keys. Each is closed under a data key
where the configuration says by what that one is wrapped; else as it is, as in a key file that is not wrapped.
"""

from __future__ import annotations

import threading
from typing import Any, Final

from studio.errors import BadInputError, StorageError
from studio.journal.keys.keyring import Keys, Lines, PlainLines, check_id
from studio.journal.keys.wrapping import WrappedBy
from studio.journal.postgres.connection import PostgresError, RawConnection, connect, told, without_password
from studio.journal.postgres.engine import require_fit

_MAKES: Final = (
    "SELECT pg_advisory_xact_lock(1279546163)",
    "CREATE SCHEMA IF NOT EXISTS sealed",
    "CREATE TABLE IF NOT EXISTS sealed.wrapping"
    " (one boolean PRIMARY KEY DEFAULT true CHECK (one), written text NOT NULL)",
    'CREATE TABLE IF NOT EXISTS sealed.card_key (id text COLLATE "C" PRIMARY KEY, key text NOT NULL)',
)
_IS_THERE: Final = "SELECT to_regclass('sealed.card_key') IS NOT NULL"
_KEEP: Final = (
    "INSERT INTO sealed.card_key (id, key) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING"
)
_FIND: Final = "SELECT key FROM sealed.card_key WHERE id = $1"
_WRITTEN: Final = "SELECT written FROM sealed.wrapping"
_WRAP: Final = "INSERT INTO sealed.wrapping (written) VALUES ($1) ON CONFLICT DO NOTHING"
_ANY: Final = "SELECT 1 FROM sealed.card_key LIMIT 1"


class PostgresKeyring:
    """See `studio.journal.keys.keyring.Keyring`. Any thread; a line that broke is made anew when it is wanted."""

    def __init__(self, address: str, wrapped_by: WrappedBy | None) -> None:
        self._address = address
        self._where = without_password(address)
        self._wrapped_by = wrapped_by
        self._lock = threading.Lock()
        self._lines: Lines | None = None
        self._raw: RawConnection | None = connect(address, reads_only=False)
        try:
            require_fit(self._raw, self._where)
            with told(), self._raw.transaction():
                if self._raw.execute(_IS_THERE).fetchone() != (True,):
                    for statement in _MAKES:
                        self._raw.execute(statement.encode())
        except BaseException:
            self._raw.close()
            raise

    def ready(self) -> None:
        with self._lock:
            self._how()

    def append(self, keys: Keys) -> None:
        if not keys:
            return
        with self._lock:
            how = self._how()
            for id, _ in keys:
                check_id(id)
            self._say(_KEEP, ([id for id, _ in keys], [how.close(id, key) for id, key in keys]))

    def lookup(self, id: str) -> bytes | None:
        check_id(id)
        with self._lock:
            rows = self._say(_FIND, (id,))
            return self._how().open(id, rows[0][0]) if rows else None

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _how(self) -> Lines:
        if self._lines is None:
            self._lines = self._found_lines()
        return self._lines

    def _found_lines(self) -> Lines:
        written = self._say(_WRITTEN, ())
        if self._wrapped_by is None:
            if written:
                sentence = "The keys there are wrapped: write in the configuration [keys] wrapped_by, by what."
                raise BadInputError(sentence, where=self._where)
            return PlainLines()
        wrapping = self._wrapped_by.fetch()
        if not written:
            if self._say(_ANY, ()):
                sentence = "The keys there are not wrapped: name an empty database of keys, or take wrapped_by away."
                raise BadInputError(sentence, where=self._where)
            self._say(_WRAP, (wrapping.new_data_key()[1],))
            written = self._say(_WRITTEN, ())  # another host may have been first
        return wrapping.data_key(written[0][0])

    def _say(self, statement: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Said twice where the line had broken: each of the statements may be."""
        try:
            return self._said(statement, given)
        except PostgresError as error:
            if not error.lost:
                raise
            self._drop()
            return self._said(statement, given)

    def _said(self, statement: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        if self._raw is None:
            try:
                self._raw = connect(self._address, reads_only=False)
            except BadInputError as error:
                raise StorageError(f"The keys of sealed cards cannot be kept: {error}") from error
        with told():
            cursor = self._raw.execute(statement.encode(), given)
            return cursor.fetchall() if cursor.description else []

    def _drop(self) -> None:
        if self._raw is not None:
            self._raw.close()
            self._raw = None
