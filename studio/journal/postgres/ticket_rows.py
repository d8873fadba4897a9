"""The tickets of bettors' pages of a studio on several machines: rows that every process reads and writes.

They are no part of the record: they change and go. A row is found by the digest of a token, and the token is in none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from studio.journal.postgres.line import PostgresLine

_KEEP: Final = """
INSERT INTO play_ticket (digest, operator, bettor, body, player, went_on, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_CHANGE: Final = """
UPDATE play_ticket SET player = CASE WHEN player = '' THEN $2 ELSE player END, went_on = greatest(went_on, $3)
WHERE digest = $1 RETURNING digest, operator, bettor, body, player, went_on, expires
"""
_FIND: Final = """
SELECT digest, operator, bettor, body, player, went_on, expires FROM play_ticket WHERE digest = ANY($1)
"""
_OF: Final = """
SELECT digest, operator, bettor, body, player, went_on, expires FROM play_ticket WHERE operator = $1 AND bettor = $2
ORDER BY number
"""
_END: Final = "DELETE FROM play_ticket WHERE digest = ANY($1)"
_LAPSE: Final = "DELETE FROM play_ticket WHERE expires < $1"


class TicketRow(NamedTuple):
    """`body`: what of a ticket never changes, as its desk writes it. `player`: empty until a browser has it."""

    digest: str
    operator: str
    bettor: str
    body: str
    player: str
    went_on_ms: int
    expires_ms: int


class TicketRows:
    """Any thread; a line that broke is made anew. Every method may raise `StorageError` while the database is away."""

    def __init__(self, address: str) -> None:
        self._line = PostgresLine(address)

    def keep(self, row: TicketRow) -> None:
        self._say(_KEEP, tuple(row))

    def change(self, digest: str, player: str, went_on_ms: int) -> TicketRow | None:
        """Bound to that player unless another is there already, in one statement; gives the row as it then is."""
        return next(iter(self._rows(_CHANGE, (digest, player, went_on_ms))), None)

    def find(self, digests: Collection[str]) -> tuple[TicketRow, ...]:
        return self._rows(_FIND, (list(digests),))

    def of(self, operator: str, bettor: str) -> tuple[TicketRow, ...]:
        """The oldest first."""
        return self._rows(_OF, (operator, bettor))

    def end(self, digests: Collection[str]) -> None:
        self._say(_END, (list(digests),))

    def lapse(self, before_ms: int) -> None:
        self._say(_LAPSE, (before_ms,))

    def close(self) -> None:
        self._line.close()

    def _rows(self, statement: str, given: tuple[Any, ...]) -> tuple[TicketRow, ...]:
        return tuple(TicketRow(*row) for row in self._say(statement, given))

    def _say(self, statement: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._line.lock:
            return self._line.say(statement, given)
