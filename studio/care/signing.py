"""The key a studio signs with: Ed25519, in a file of its own beside the database.

`<db>.signing` is read by its owner alone. Whoever checks needs the public key, 64 hexadecimal digits, and must have
had it before: a key that comes with the thing it signs proves nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from studio.errors import BadInputError
from studio.journal.reader import is_file
from studio.text_file import read_text

KEY_BYTES: Final = 32
_PUBLIC: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, repr=False)
class Signer:
    """Signs for a studio."""

    _private: Ed25519PrivateKey

    @classmethod
    def of(cls, secret: bytes) -> Signer:
        return cls(Ed25519PrivateKey.from_private_bytes(secret))

    @property
    def public_key(self) -> str:
        return self._private.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        return self._private.sign(text.encode()).hex()


def signing_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.signing")


def signer_beside(database: Path, random_bytes: Callable[[int], bytes]) -> Signer:
    """The signer of this database; its key is made once. `BadInputError` when the file is damaged or unreadable."""
    path = signing_path(database)
    try:
        if not path.exists():
            write_secret(path, random_bytes(KEY_BYTES))
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        secret = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"The signing key cannot be kept there: {error.strerror}.", where=str(path)) from error
    return _signer(secret, path)


def _signer(secret: bytes, path: Path) -> Signer:
    if len(secret) != KEY_BYTES:
        raise BadInputError("The signing key is damaged: restore this file from a backup.", where=str(path))
    return Signer.of(secret)


def signer_in(database: Path) -> Signer:
    """The signer of this database where it has one; `BadInputError` otherwise."""
    path = signing_path(database)
    try:
        secret = path.read_bytes()
    except OSError as error:
        if not is_file(database):
            raise BadInputError("There is no such database.", where=str(database)) from error
        sentence = f"The signing key cannot be read ({error.strerror}): sign where the studio runs."
        raise BadInputError(sentence, where=str(path)) from error
    return _signer(secret, path)


def is_signed(text: str, public_key: str, signature: str) -> bool:
    """Whether the signature is that key's, of this very text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def read_public_keys(given: str) -> frozenset[str]:
    """Public keys, one a line in a file of that name, or the one that is written out; `#` begins a remark."""
    text = given
    if not _PUBLIC.fullmatch(given.strip().lower()):
        text = read_text(Path(given), what="The public key")
    words = [line.partition("#")[0].strip().lower() for line in text.splitlines()]
    keys = [word for word in words if word]
    if not keys or not all(_PUBLIC.fullmatch(key) for key in keys):
        raise BadInputError("A public key is 64 hexadecimal digits, one key a line.", where=given)
    return frozenset(keys)


def write_secret(path: Path, data: bytes) -> None:
    """Write a small file that only its owner reads. Whenever the power goes, all of it is there or nothing of it."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
