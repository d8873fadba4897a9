"""When the record was last backed up, as it is told in the database itself."""

from __future__ import annotations

from contextlib import closing
from typing import Final, NamedTuple

from studio.journal.postgres.connection import RawConnection, connect, told

_NOTE: Final = """
INSERT INTO last_backup (at, machine, folder, keys) VALUES ($1, $2, $3, $4)
ON CONFLICT (one) DO UPDATE SET at = $1, machine = $2, folder = $3, keys = $4
"""
_NOTED: Final = "SELECT at, machine, folder, keys FROM last_backup"


class BackupNote(NamedTuple):
    """`machine`: where the folders are; `keys` is empty where they were not copied."""

    at_ms: int
    machine: str
    folder: str
    keys: str


def note_backup_at(address: str, note: BackupNote) -> None:
    """`BadInputError` or `StorageError` where it cannot be told there."""
    with closing(connect(address, reads_only=False)) as raw, told():
        raw.execute(_NOTE, tuple(note))


def backup_noted(raw: RawConnection) -> BackupNote | None:
    row = raw.execute(_NOTED).fetchone()
    return BackupNote(*row) if row is not None else None
