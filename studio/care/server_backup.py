"""Backs a record in PostgreSQL up, and puts it back: a dump and its manifest, the keys and secrets in another place.

FOLDER/floor-20261126T140000Z/   record.pgdump manifest.json
OTHER/floor-20261126T140000Z/    keys.pgdump studio.pepper studio.factors manifest.json
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from studio.care.backup import copied_pictures, lies_within, own, sync, whole, write_manifest
from studio.care.restore import checked_backup
from studio.errors import BadInputError, StorageError
from studio.journal.place import driver_there

RECORD: Final = "record.pgdump"
KEYS: Final = "keys.pgdump"
SHARED: Final = ("studio.pepper", "studio.factors")
"""Secrets of the whole studio, in the folder that every process reads."""


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where a studio's secrets are: the database of keys, and the folder that every process reads; each may be
    unknown.
    """

    keys: str = ""
    shared: Path | None = None


@dataclass(frozen=True, slots=True)
class ServerBackup:
    """What was written. `absent`: what of the secrets was not there, or not named."""

    folder: Path
    keys: Path | None
    hosts: tuple[str, ...]
    pictures: int
    absent: tuple[str, ...]


def back_up_server(
    address: str, into: Path, keys_to: Path | None, secrets: SecretPlace, evidence: Path | None, at_ms: int
) -> ServerBackup:
    """Dump the record at one moment, while hosts are at work on it; everything is on disk when it returns.

    `BadInputError` when something named is not there; `StorageError` when a disk or the server fails: then nothing is
    left that looks like a backup.
    """
    with driver_there():
        from studio.journal.postgres.dump import dump_keys, dump_record
    if keys_to is not None and lies_within(keys_to, into):
        raise BadInputError("The keys must lie apart from the record: name another folder, best on another disk.")
    if evidence is not None and not evidence.is_dir():
        raise BadInputError("There is no folder of pictures: name the one the studio keeps.", where=str(evidence))
    name = f"{urlsplit(address).path.strip('/') or 'studio'}-{datetime.fromtimestamp(at_ms / 1000, UTC):%Y%m%dT%H%M%SZ}"
    absent: list[str] = []
    try:
        with whole(into / name) as part:
            own(part / RECORD)
            ends = dump_record(address, part / RECORD)
            books = {"books": {end.host: {"journal": end.journal, "ledger": end.ledger} for end in ends}}
            new = copied_pictures(evidence, into / "pictures") if evidence else 0
            write_manifest(part, at_ms, books)
            if keys_to is not None:
                with whole(keys_to / name) as apart:
                    if secrets.keys:
                        own(apart / KEYS)
                        dump_keys(secrets.keys, apart / KEYS)
                    else:
                        absent.append(KEYS)
                    absent += _copy_shared(secrets.shared, apart)
                    write_manifest(apart, at_ms, books)
    except OSError as error:
        sentence = f"The backup was not written ({error.strerror or error}); nothing of it was kept."
        raise StorageError(sentence) from error
    kept = keys_to / name if keys_to else None
    return ServerBackup(into / name, kept, tuple(end.host for end in ends), new, tuple(absent))


def note_server_backup(address: str, backup: ServerBackup, at_ms: int) -> None:
    """Leave word in the database of when and where the last backup went; for `doctor`."""
    with driver_there():
        from studio.journal.postgres.backup_note import BackupNote, note_backup_at
    folder, keys = backup.folder.absolute(), backup.keys.absolute() if backup.keys else ""
    note_backup_at(address, BackupNote(at_ms, socket.gethostname(), str(folder), str(keys)))


def _copy_shared(shared: Path | None, into: Path) -> Sequence[str]:
    absent = []
    for name in SHARED:
        source = shared / name if shared is not None else None
        if source is None or not source.exists():
            absent.append(name)
            continue
        own(into / name)
        shutil.copyfile(source, into / name)
        sync(into / name)
    return absent


def restore_server(backup: Path, address: str, keys: Path | None, secrets: SecretPlace) -> list[str]:
    """Put the record, and its keys and secrets where given, back into empty databases; gives what is missing, in
    sentences. `BadInputError` when something lies there already or the backup is not whole.
    """
    with driver_there():
        from studio.journal.postgres.dump import SEALED, book_ends, put_back, settle_anew
        from studio.journal.postgres.schema import SCHEMA
    manifest = checked_backup(backup, RECORD)
    apart = checked_backup(keys) if keys is not None else None
    if apart is not None and apart.get("books") != manifest["books"]:
        raise BadInputError("These are the keys of another backup: name those of the same name.", where=str(keys))
    _refuse_to_overwrite(keys, secrets)
    put_back(address, backup / RECORD, SCHEMA)
    settle_anew(address)
    found = {end.host: {"journal": [*end.journal], "ledger": [*end.ledger]} for end in book_ends(address)}
    if found != manifest["books"]:
        raise BadInputError("What was put back does not end where the manifest says: take another backup.")
    if keys is not None and secrets.keys and (keys / KEYS).exists():
        put_back(secrets.keys, keys / KEYS, SEALED)
    if keys is not None and secrets.shared is not None:
        _put_shared(keys, secrets.shared)
    return [*_missing(keys, secrets, apart)]


def _refuse_to_overwrite(keys: Path | None, secrets: SecretPlace) -> None:
    if keys is None or secrets.shared is None:
        return
    for name in SHARED:
        if (secrets.shared / name).exists():
            sentence = "Something lies there already, and nothing is overwritten: name another folder."
            raise BadInputError(sentence, where=str(secrets.shared / name))


def _put_shared(keys: Path, shared: Path) -> None:
    shared.mkdir(parents=True, mode=0o700, exist_ok=True)
    for name in SHARED:
        if (keys / name).exists():
            own(shared / name)
            shutil.copyfile(keys / name, shared / name)
            sync(shared / name)


def _missing(keys: Path | None, secrets: SecretPlace, apart: dict[str, Any] | None) -> Sequence[str]:
    held = frozenset(apart["files"]) if apart is not None else frozenset()
    put = held if keys is not None else frozenset()
    sentences = []
    if KEYS not in put or not secrets.keys:
        sentences.append(
            "The keys of sealed cards are not back: rounds under way with cards face down cannot go on; void them."
        )
    if SHARED[0] not in put or secrets.shared is None:
        sentences.append("The secret of the PINs is not back: nobody's PIN fits any more; give every PIN anew.")
    return sentences
