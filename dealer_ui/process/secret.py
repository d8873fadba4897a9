"""The secrets of the PIN hashes: a file beside the database that only its owner reads, made once.

The first pepper is the file itself, 32 bytes. Once it was rotated the file is JSON, with every generation that hashes
may still be mixed with.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import msgspec

from studio.care.signing import write_secret
from studio.errors import BadInputError
from studio.people.pin import Peppers

PEPPER_BYTES: Final = 32
FORM: Final = "studio peppers 1"


class PeppersKept(msgspec.Struct, frozen=True):
    """`peppers` by generation, in hexadecimal digits."""

    form: str
    peppers: dict[int, str]

    def __repr__(self) -> str:
        return "PeppersKept(hidden)"


_PEPPERS: Final = msgspec.json.Decoder(PeppersKept)


def pepper_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.pepper")


def peppers_beside(database: Path) -> Peppers:
    """The peppers of this database; without their file no PIN fits any more."""
    path = pepper_path(database)
    try:
        if not path.exists():
            write_secret(path, secrets.token_bytes(PEPPER_BYTES))
        kept = path.read_bytes()
    except OSError as error:
        raise BadInputError(
            f"The secret of the PINs cannot be kept there: {error.strerror}.", where=str(path)
        ) from error
    return _read(kept, path)


def keep_peppers(database: Path, peppers: Peppers) -> None:
    """On disk when it returns; `OSError` where the disk takes nothing."""
    kept = {number: one.hex() for number, one in peppers.by_generation.items()}
    write_secret(pepper_path(database), msgspec.json.encode(PeppersKept(FORM, kept)))


def _read(kept: bytes, path: Path) -> Peppers:
    if len(kept) == PEPPER_BYTES:
        return Peppers({1: kept})
    try:
        told = _PEPPERS.decode(kept)
        read = {number: bytes.fromhex(one) for number, one in told.peppers.items()}
    except (msgspec.MsgspecError, ValueError):
        read = {}
    if not read or any(number < 1 or len(one) != PEPPER_BYTES for number, one in read.items()):
        raise BadInputError("The secret of the PINs is damaged: restore this file from a backup.", where=str(path))
    return Peppers(read)
