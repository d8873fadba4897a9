"""The record of an older version, for a command that only looks: a copy is brought up to date, and the record stays as
it is, as an archive must.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from studio.care.backup import copy_database
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.place import Place, is_address
from studio.journal.sqlite.file import connect_read_only, damage
from studio.journal.sqlite.schema import UNREADABLE
from studio.journal.store import bring_up_to_date
from studio.proof.machine.upgrade import is_older


@contextlib.contextmanager
def of_this_version(db: Place) -> Iterator[Place]:
    """The record itself where this version reads it, else a copy, for as long as it is looked at; that is said on the
    error stream.

    `BadInputError` where SQLite finds the record damaged, or no copy of it can be brought up to date.
    """
    if is_address(db) or not is_older(Path(db)):
        yield db
        return
    _need_whole(Path(db))
    with TemporaryDirectory(prefix="studio-") as folder:
        copy = Path(folder) / "studio.db"
        try:
            copy_database(Path(db), copy)
            bring_up_to_date(copy)
        except (BadInputError, OSError, *UNREADABLE) as error:
            why = (error.sentence if isinstance(error, BadInputError) else str(error)).removesuffix(".")
            sentence = (
                f"It is an older version's, and no copy of it can be brought up to date in {folder}: {why}."
                " Where room is short, name another folder in TMPDIR."
            )
            raise BadInputError(sentence, where=str(db)) from error
        sentence = f"{db} was kept by an older version: a copy is brought up to date and looked at; it stays as it is."
        click.echo(sentence, err=True)
        yield copy


@contextlib.contextmanager
def reading(db: Place) -> Iterator[Reader]:
    """A reader of the record, whichever version kept it."""
    with of_this_version(db) as record, Reader.open(record) as reader:
        yield reader


def _need_whole(db: Path) -> None:
    """What is damaged is told of the record itself: bringing a copy up to date may write it anew."""
    try:
        with contextlib.closing(connect_read_only(db)) as connection:
            found = damage(connection)
    except UNREADABLE as error:
        raise BadInputError(f"The file cannot be read as a database: {error}.", where=str(db)) from error
    if found:
        raise BadInputError(found, where=str(db))
