"""Rehearses an upgrade: a copy is migrated, verified and folded, each step timed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from studio.care.backup import copy_database
from studio.errors import BadInputError, StorageError
from studio.journal import Reader
from studio.journal.sqlite.file import require_database
from studio.journal.sqlite.schema import UNREADABLE
from studio.journal.store import bring_up_to_date
from studio.proof.audit.database import verify
from studio.tables.books.commit import Folded
from studio.tables.config import TableConfig
from studio.tables.event.record import read_body
from studio.tables.event.table import TableConfigured
from studio.tables.fold.table import evolve
from studio.tables.state.table import TableState

Seconds = Callable[[], float]
Prepare = Callable[[Reader, TableConfig], Folded | None]
"""Folds a table as far as it is to be kept, for the first start."""


def rehearse(db: Path, copy: Path, now_s: Seconds, prepare: Prepare) -> Iterator[tuple[str, float]]:
    """Each step as it was done, in a sentence, and how long it took; `BadInputError` at the first that fails."""
    require_database(db)
    began_s = now_s()
    try:
        copy_database(db, copy)
    except (sqlite3.Error, OSError) as error:
        raise StorageError(f"The copy cannot be made: {error}.") from error
    yield f"The copy is made, {copy.stat().st_size / 2**20:.0f} MiB.", now_s() - began_s
    began_s = now_s()
    try:
        bring_up_to_date(copy)
    except UNREADABLE as error:
        raise BadInputError(f"The copy cannot be brought up to date: {error}.") from error
    yield "The copy is brought up to this version; this is how long the first start takes longer.", now_s() - began_s
    began_s = now_s()
    verdict = verify(copy)
    if verdict.first_wrong is not None:
        raise BadInputError(f"The copy is not sound after it: {verdict.first_wrong.sentence}")
    yield f"It is verified: {verdict.rounds} rounds, {verdict.events} rows of the journal.", now_s() - began_s
    began_s = now_s()
    with Reader.open(copy) as reader:
        tables = [key for (key,) in reader.read(TABLES, ()) if folded(reader, key, prepare)]
    yield f"Its tables come up as they stood: {', '.join(tables) or 'there are none'}.", now_s() - began_s


TABLES: Final = "SELECT DISTINCT \"table\" FROM journal WHERE kind = 'TableConfigured' ORDER BY 1"


def nothing_kept(reader: Reader, config: TableConfig) -> None:
    """Each table is folded from its first row on."""


def folded(reader: Reader, key: str, prepare: Prepare = nothing_kept) -> tuple[TableState, int]:
    """Fold a table to its last row, as a start does; gives its newest time too."""
    configured = None
    for row in reader.events(table=key, kinds=("TableConfigured",), rare=True):
        configured = read_body(row.body).event
    assert isinstance(configured, TableConfigured)
    state, seq = prepare(reader, configured.config) or (TableState(configured.config), 0)
    at_ms = 0
    for row in reader.events(after_seq=seq, table=key):
        state, at_ms = evolve(state, read_body(row.body).event, row.at_ms), row.at_ms
    return state, at_ms
