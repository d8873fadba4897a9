"""Reads a secret that an operator and the studio share, from the file it lies in."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Final

from studio.errors import BadInputError

SECRET_BYTES_LEAST: Final = 16
PREFIX: Final = b"whsec_"


def read_secret(path: Path) -> bytes:
    """The secret of that file, plain or as `whsec_…` in base 64; `BadInputError` where it is none."""
    where = str(path)
    try:
        secret = path.read_bytes().strip()
    except OSError as error:
        raise BadInputError(f"The secret cannot be read: {error.strerror}.", where=where) from error
    if secret.startswith(PREFIX):
        try:
            secret = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
        except binascii.Error:
            raise BadInputError("What follows whsec_ is no base 64: write the secret again.", where=where) from None
    if len(secret) < SECRET_BYTES_LEAST:
        sentence = f"A secret has {SECRET_BYTES_LEAST} bytes at the least: agree on a longer one."
        raise BadInputError(sentence, where=where)
    return secret
