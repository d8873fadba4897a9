"""The note beside a file whose record was carried into a database: it goes on there, and nothing is added here.

`<db>.carried` is one JSON object. It counts for the record that was carried alone, by the last row of its journal: what
is put under the same name later is another record, and goes on.
"""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from studio.errors import BadInputError
from studio.file_owner import give_to_owner
from studio.journal.link import Head
from studio.journal.sqlite.file import connect_read_only
from studio.journal.sqlite.schema import UNREADABLE

FORM: Final = "studio carried 1"
_ROW: Final = "SELECT 1 FROM journal WHERE seq = ? AND hash = ?"


class CarriedNote(msgspec.Struct, frozen=True):
    """`to`: the address, without a password. `seq` and `hash`: the last row of the journal that was carried."""

    form: str
    to: str
    at_ms: int
    seq: int
    hash: str


_NOTE: Final = msgspec.json.Decoder(CarriedNote)


def note_path(db: Path) -> Path:
    """Beside the file itself, by whichever link it was named."""
    file = db.resolve()
    return file.with_name(f"{file.name}.carried")


def note_carried(db: Path, to: str, at_ms: int, last: Head) -> None:
    """On disk when it returns; `OSError` where nothing can be written beside the file."""
    path = note_path(db)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(msgspec.json.encode(CarriedNote(FORM, to, at_ms, last.seq, last.hash)))
    with part.open("rb") as written:
        os.fsync(written.fileno())
    give_to_owner(part, db)
    part.replace(path)


def require_here(db: Path) -> None:
    """`BadInputError` where this record was carried into a database: two that go on apart are a record of neither."""
    path = note_path(db)
    try:
        note = _NOTE.decode(path.read_bytes())
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError) as error:
        sentence = (
            "What lies there says whether this record was carried into a database, and cannot be read: remove it if the"
            " studio still runs on the file."
        )
        raise BadInputError(sentence, where=str(path)) from error
    if _is_of(note, db):
        day = datetime.fromtimestamp(note.at_ms // 1_000, UTC)
        sentence = (
            f"This record was carried to {note.to} on {day:%Y-%m-%d %H:%M} UTC and goes on there: name that address."
            f" If nothing was dealt there and the studio stays on the file, remove {path}."
        )
        raise BadInputError(sentence, where=str(db))


def _is_of(note: CarriedNote, db: Path) -> bool:
    """Whether the file holds the record that the note is about; one that holds nothing yet does not."""
    try:
        with contextlib.closing(connect_read_only(db)) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'journal'").fetchone():
                return False
            return connection.execute(_ROW, (note.seq, note.hash)).fetchone() is not None
    except UNREADABLE as error:
        raise BadInputError(f"The file cannot be used as a database: {error}.", where=str(db)) from error
