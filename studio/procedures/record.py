"""A row as data that is kept, in a table's configuration and in the journal, and which rows are in force at a table.

A studio's own come first, then those that ship. A row that ships and that an own one stands instead of is left out; a
row is hidden by no other accident.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import msgspec

from studio.errors import BadInputError
from studio.procedures.notation import read_conditions, written
from studio.procedures.row import Approval, ProcedureRow
from studio.procedures.rule import Procedures, procedures_of


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


def recorded(rows: Iterable[ProcedureRow]) -> Records:
    """These rows as data, in their order."""
    return tuple(
        RowRecord(
            id=row.id, kinds=row.kinds, when=row.when, conditions=written(row.conditions), ruling=row.ruling,
            text=row.text, options=row.options, approval=str(row.approval or ""), afterwards=row.afterwards,
            arguments=row.arguments, every_game=row.every_game, words=row.words,
        )
        for row in rows
    )  # fmt: skip


def row_from(record: RowRecord) -> ProcedureRow:
    """The row a record describes; `BadInputError` where its conditions or its approval cannot be read."""
    if record.approval and record.approval not in list(Approval):
        raise BadInputError(f"There is no approval '{record.approval}'. There are: {', '.join(Approval)}.")
    return ProcedureRow(
        record.id, record.kinds, record.when, read_conditions(record.conditions), record.ruling, record.text,
        record.options, Approval(record.approval) if record.approval else None, record.afterwards, record.arguments,
        record.every_game, record.words,
    )  # fmt: skip


@cache
def rows_from(records: Records) -> tuple[ProcedureRow, ...]:
    return tuple(map(row_from, records))


@cache
def version_of(records: Records) -> str:
    """Twelve hexadecimal digits that are the same for the same rows in the same order, and for no others."""
    return hashlib.sha256(msgspec.json.encode(records)).hexdigest()[:12]


@cache
def in_force(game: str, own: Records = ()) -> Procedures:
    """The procedures of a game at a table with these rows of its own."""
    ships = procedures_of(game)
    mine = tuple(record for record in own if not record.games or game in record.games)
    if not mine:
        return ships
    replaced = {id for record in mine for id in record.instead_of}
    return replace(ships, rows=(*rows_from(mine), *(row for row in ships.rows if row.id not in replaced)))


@cache
def records_in_force(game: str, own: Records = ()) -> Records:
    """The same rows as data, to be kept."""
    return recorded(in_force(game, own).rows)


@cache
def version_in_force(game: str, own: Records = ()) -> str:
    return version_of(records_in_force(game, own))


@cache
def procedures_kept(game: str, records: Records) -> Procedures:
    """The procedures as they were when these rows were kept."""
    return replace(procedures_of(game), rows=rows_from(records))
