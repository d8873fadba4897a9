"""Reads how far operators have heard of their rounds, and what they have still to hear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from studio.journal.reader import Reader
from studio.wallets.notice import HEARING_KINDS, Hearing, HearingsKept, read_hearing

_KEPT: Final = "SELECT coalesce(max(seq), 0) FROM journal WHERE kind = 'HearingsKept'"
_NEWEST: Final = "SELECT coalesce(max(seq), 0) FROM round_end WHERE operator = ?"
_TABLES: Final = """
WITH RECURSIVE at (name) AS (
    SELECT (SELECT min("table") FROM round_end WHERE operator = ?1)
    UNION ALL SELECT (SELECT min("table") FROM round_end WHERE operator = ?1 AND "table" > name) FROM at
    WHERE name IS NOT NULL
)
SELECT name FROM at WHERE name IS NOT NULL
"""
"""From one table to the next, however many rounds there are of each."""
_UNHEARD: Final = """
SELECT count(*) FROM round_end INDEXED BY round_end_table WHERE operator = ? AND "table" = ? AND seq > ?
"""


def hearings(reader: Reader) -> Mapping[str, Hearing]:
    """How far each operator who is told of his rounds has heard."""
    [[kept]] = reader.read(_KEPT, ())
    found: dict[str, Hearing] = {}
    for row in reader.events(after_seq=max(int(kept) - 1, 0), kinds=HEARING_KINDS):
        event = read_hearing(row.body)
        if isinstance(event, HearingsKept):
            found = dict(event.hearings)
        elif event.operator in found:
            found[event.operator] = found[event.operator].heard(event.upto)
    return found


def newest_end(reader: Reader, operator: str) -> int:
    """The row by which a round of his bettors came to an end last; 0 when none has."""
    return int(reader.read(_NEWEST, (operator,))[0][0])


def tables_of(reader: Reader, operator: str) -> Sequence[str]:
    """The tables at which rounds of his bettors have come to an end."""
    return [str(table) for (table,) in reader.read(_TABLES, (operator,))]


def unheard(reader: Reader, operator: str, hearing: Hearing) -> int:
    """How many ends of rounds he has still to hear of."""
    return sum(
        int(reader.read(_UNHEARD, (operator, table, hearing.at(table)))[0][0]) for table in tables_of(reader, operator)
    )
