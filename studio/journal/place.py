"""Where a studio's record lies, and how it is read there: the only place that tells one kind of database from another.

A place is the path of a file, or the address of a database (`postgresql://…`). Its driver is loaded where one is asked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from studio.errors import BadInputError, StorageError
from studio.journal.engine import Database
from studio.journal.sqlite import file
from studio.journal.sqlite.schema import UNREADABLE as _UNREADABLE_FILE

Place = str | Path
_SCHEMES: Final = ("postgresql://", "postgres://")

UNREADABLE: Final[tuple[type[Exception], ...]] = (*_UNREADABLE_FILE, StorageError)
"""What a record that is damaged, or that cannot be reached, raises while it is read."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The record as it stood at one moment. `damage` says what the database itself finds wrong with it, if anything."""

    connection: Database
    damage: Callable[[], str | None]
    books: tuple[str, ...] = ("1 = 1",)
    """For each chain of journal and ledger the condition that picks its rows: of a file there is one."""
    gaps: bool = False
    """Whether numbers may be missing between two rows of a chain."""
    stop: Callable[[], None] = lambda: None
    """Ends, from any thread, what the database is at work on for this snapshot, where that may be long."""


def is_address(place: Place) -> bool:
    """Whether it is a database's address rather than a path."""
    return isinstance(place, str) and place.startswith(_SCHEMES)


def connect_to_read(place: Place) -> Database:
    """A connection for one reader, also while a studio writes; `BadInputError` when this version cannot read it."""
    if is_address(place):
        with driver_there():
            from studio.journal.postgres import connection
        return connection.connect_to_read(str(place))
    return file.connect_to_read(place)


@contextlib.contextmanager
def snapshot(place: Place, *, lenient: bool = False) -> Iterator[Snapshot]:
    """The record as it stands now; a studio may be at work on it. `BadInputError` where there is none of this version.

    `lenient`: text that is none is given as letters nobody ever wrote, not as an error.
    """
    if is_address(place):
        with driver_there():
            from studio.journal.postgres import connection as postgres
        with postgres.snapshot(str(place)) as record:
            yield Snapshot(record, partial(postgres.damage, record), postgres.books(record), gaps=True)
        return
    with file.snapshot(place) as connection:
        if lenient:
            file.read_leniently(connection)
        yield Snapshot(connection, partial(file.damage, connection), stop=connection.interrupt)


@contextlib.contextmanager
def driver_there() -> Iterator[None]:
    """Import PostgreSQL's driver inside; `BadInputError` says what to install where it is not."""
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = (
            f"{error.name} is not installed, which a PostgreSQL database needs: install live-dealer-studio[cluster]."
        )
        raise BadInputError(sentence) from error
