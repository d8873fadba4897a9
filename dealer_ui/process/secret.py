"""The secret of the PIN hashes: a file beside the database that only its owner reads, made once."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

from studio.care.signing import write_secret
from studio.errors import BadInputError

PEPPER_BYTES: Final = 32


def pepper_beside(database: Path) -> bytes:
    """The pepper of this database; without its file no PIN fits any more."""
    path = database.with_name(f"{database.name}.pepper")
    try:
        if not path.exists():
            write_secret(path, secrets.token_bytes(PEPPER_BYTES))
        pepper = path.read_bytes()
    except OSError as error:
        raise BadInputError(
            f"The secret of the PINs cannot be kept there: {error.strerror}.", where=str(path)
        ) from error
    if len(pepper) != PEPPER_BYTES:
        raise BadInputError("The secret of the PINs is damaged: restore this file from a backup.", where=str(path))
    return pepper
