"""The sessions by which operators' wallets know their bettors, of a studio on several machines: rows that every table
host reads and writes.

They are no part of the record: they change and go. What is kept of a session is closed by whoever keeps it.
"""

from __future__ import annotations

from typing import Any, Final

from studio.journal.postgres.line import PostgresLine

_KEEP: Final = """
INSERT INTO wallet_session AS kept (operator, bettor, closed, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (operator, bettor) DO UPDATE SET closed = $3, at = greatest(kept.at, $4)
"""
"""The last one that comes counts: a host whose clock is behind has the newer session all the same."""
_FIND: Final = "SELECT closed FROM wallet_session WHERE operator = $1 AND bettor = $2"
_LAPSE: Final = "DELETE FROM wallet_session WHERE at < $1"


class WalletSessionRows:
    """Any thread; a line that broke is made anew. Every method may raise `StorageError` while the database is away."""

    def __init__(self, address: str) -> None:
        self._line = PostgresLine(address)

    def keep(self, operator: str, bettor: str, closed: str, at_ms: int) -> None:
        self._say(_KEEP, (operator, bettor, closed, at_ms))

    def find(self, operator: str, bettor: str) -> str | None:
        rows = self._say(_FIND, (operator, bettor))
        return str(rows[0][0]) if rows else None

    def lapse(self, before_ms: int) -> None:
        """What was opened before then is gone."""
        self._say(_LAPSE, (before_ms,))

    def close(self) -> None:
        self._line.close()

    def _say(self, statement: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._line.lock:
            return self._line.say(statement, given)
