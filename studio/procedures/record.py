"""A row as data that is kept: in a table's configuration and in the journal, with its version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache

import msgspec

from studio.errors import BadInputError
from studio.procedures.notation import read_conditions, written
from studio.procedures.row import Approval, Row


class RowRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row as it is written down. `conditions` in the notation; `words`: its text by language, beside the English.

    Of a studio's own: `games` it serves (none: all), and the rows that ship which it stands `instead_of`.
    """

    id: str
    kinds: tuple[str, ...]
    when: str
    conditions: str
    ruling: str
    text: str
    options: tuple[str, ...] = ()
    approval: str = ""
    afterwards: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    every_game: bool = False
    words: tuple[tuple[str, str], ...] = ()
    games: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()


Records = tuple[RowRecord, ...]


def recorded(rows: Iterable[Row]) -> Records:
    """These rows as data, in their order."""
    return tuple(
        RowRecord(
            id=row.id, kinds=row.kinds, when=row.when, conditions=written(row.conditions), ruling=row.ruling,
            text=row.text, options=row.options, approval=str(row.approval or ""), afterwards=row.afterwards,
            arguments=row.arguments, every_game=row.every_game, words=row.words,
        )
        for row in rows
    )  # fmt: skip


def row_from(record: RowRecord) -> Row:
    """The row a record describes; `BadInputError` where its conditions or its approval cannot be read."""
    if record.approval and record.approval not in list(Approval):
        raise BadInputError(f"There is no approval '{record.approval}'. There are: {', '.join(Approval)}.")
    return Row(
        record.id, record.kinds, record.when, read_conditions(record.conditions), record.ruling, record.text,
        record.options, Approval(record.approval) if record.approval else None, record.afterwards, record.arguments,
        record.every_game, record.words,
    )  # fmt: skip


@cache
def rows_from(records: Records) -> tuple[Row, ...]:
    return tuple(map(row_from, records))


@cache
def version_of(records: Records) -> str:
    """Twelve hexadecimal digits that are the same for the same rows in the same order, and for no others."""
    return hashlib.sha256(msgspec.json.encode(records)).hexdigest()[:12]
