"""Who is signed in at the consoles of a studio on several machines: rows that every process reads and writes.

They are no part of the record: they change and go. A row is found by the digest of a token, and the token is in none.
"""

from __future__ import annotations

from typing import Any, Final

from studio.journal.postgres.line import PostgresLine

_KEEP: Final = """
INSERT INTO console_session (digest, body, seen) VALUES ($1, $2, $3)
ON CONFLICT (digest) DO UPDATE SET body = $2, seen = greatest(console_session.seen, $3)
"""
_FIND: Final = "SELECT body, seen FROM console_session WHERE digest = $1"
_USED: Final = "UPDATE console_session SET seen = greatest(seen, $2) WHERE digest = $1"
_END: Final = "DELETE FROM console_session WHERE digest = $1"
_LAPSE: Final = "DELETE FROM console_session WHERE seen < $1"


class SessionRows:
    """Any thread; a line that broke is made anew. Every method may raise `StorageError` while the database is away."""

    def __init__(self, address: str) -> None:
        self._line = PostgresLine(address)

    def keep(self, digest: str, body: str, seen_ms: int) -> None:
        self._say(_KEEP, (digest, body, seen_ms))

    def find(self, digest: str) -> tuple[str, int] | None:
        """What was kept, and when it was used last."""
        rows = self._say(_FIND, (digest,))
        return (str(rows[0][0]), int(rows[0][1])) if rows else None

    def used(self, digest: str, seen_ms: int) -> None:
        self._say(_USED, (digest, seen_ms))

    def end(self, digest: str) -> None:
        self._say(_END, (digest,))

    def lapse(self, before_ms: int) -> None:
        """What was not used since then is gone."""
        self._say(_LAPSE, (before_ms,))

    def close(self) -> None:
        self._line.close()

    def _say(self, statement: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._line.lock:
            return self._line.say(statement, given)
