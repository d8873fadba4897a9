"""The last rows about a table, newest first: found by the table, so that nobody else's rows push them out of sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.journal.reader import Reader, Row

_ROW: Final = "SELECT seq, at, kind, CAST(body AS BLOB)"
_OF_LAST: Final = """{row} FROM (
    SELECT seq, at, kind, body FROM journal WHERE "table" = ? ORDER BY seq DESC LIMIT ?
) AS newest WHERE kind IN ({marks}) ORDER BY seq DESC LIMIT ?
"""
_OF_RARE: Final = '{row} FROM journal WHERE kind IN ({marks}) AND +"table" = ? ORDER BY seq DESC LIMIT ?'


def latest(reader: Reader, table: str, kinds: Sequence[str], *, among: int, limit: int) -> list[Row]:
    """So many rows of these kinds at most, among the last `among` rows of the table."""
    sql = _OF_LAST.format(row=_ROW, marks=", ".join("?" * len(kinds)))
    return [Row(*row) for row in reader.read(sql, (table, among, *kinds, limit))]


def latest_of_few(reader: Reader, table: str, kinds: Sequence[str], *, limit: int) -> list[Row]:
    """So many rows at most, however long ago, of kinds of which there are few at all tables together."""
    sql = _OF_RARE.format(row=_ROW, marks=", ".join("?" * len(kinds)))
    return [Row(*row) for row in reader.read(sql, (*kinds, table, limit))]
