"""Which rows are in force at a table: a studio's own first, then those that ship.

A row that ships and that an own one stands instead of is left out; a row is hidden by no other accident.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from studio.procedures.record import Records, recorded, rows_from, version_of
from studio.procedures.rule import Procedures, procedures_of


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
