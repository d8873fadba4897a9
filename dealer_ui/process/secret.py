"""The secret of the PIN hashes: a file beside the database that only its owner reads, made once."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from studio.errors import BadInputError

PEPPER_BYTES: Final = 32


def pepper_beside(database: Path) -> bytes:
    """The pepper of this database; without its file no PIN fits any more."""
    path = database.with_name(f"{database.name}.pepper")
    try:
        if not path.exists():
            _write_whole(path, secrets.token_bytes(PEPPER_BYTES))
        pepper = path.read_bytes()
    except OSError as error:
        raise BadInputError(
            f"The secret of the PINs cannot be kept there: {error.strerror}.", where=str(path)
        ) from error
    if len(pepper) != PEPPER_BYTES:
        raise BadInputError("The secret of the PINs is damaged: restore this file from a backup.", where=str(path))
    return pepper


def _write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing is there, whenever the power goes."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
