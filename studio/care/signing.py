"""The key a studio signs with: Ed25519, in a file of its own beside the database.

`<db>.signing` is read by its owner alone. Whoever checks needs the public key, 64 hexadecimal digits, and must have
had it before: a key that comes with the thing it signs proves nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from studio.errors import BadInputError
from studio.file_owner import give_to_owner
from studio.journal.sqlite.file import require_readable
from studio.text_file import read_text

KEY_BYTES: Final = 32
_PUBLIC: Final = re.compile(r"[0-9a-f]{64}")


class Signer:
    """Signs for a studio. One key signs; while it takes another's place the one before signs beside it where that is
    asked for. Whoever holds a signer signs with the new key from the moment it is taken.
    """

    __slots__ = ("_keys",)

    def __init__(self, *keys: Ed25519PrivateKey) -> None:
        self._keys = keys

    def __repr__(self) -> str:
        return f"Signer({self.public_key})"

    @classmethod
    def of(cls, *secrets: bytes) -> Signer:
        """Of the newest secret first."""
        return cls(*map(Ed25519PrivateKey.from_private_bytes, secrets))

    @property
    def public_key(self) -> str:
        return self.public_keys[0]

    @property
    def public_keys(self) -> tuple[str, ...]:
        """The newest first; of the one before too, while it signs beside."""
        return tuple(key.public_key().public_bytes_raw().hex() for key in self._keys)

    def sign(self, text: str) -> str:
        return self._keys[0].sign(text.encode()).hex()

    def signatures(self, text: str) -> tuple[str, ...]:
        """One by each key that signs now, the newest first."""
        return tuple(key.sign(text.encode()).hex() for key in self._keys)

    def take(self, *secrets: bytes) -> None:
        """Sign with these from now on."""
        self._keys = tuple(map(Ed25519PrivateKey.from_private_bytes, secrets))


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
    return Signer.of(*_split(secret, path))


def _split(kept: bytes, path: Path) -> tuple[bytes, ...]:
    """The keys of a file, the newest first: one, or two while one takes the other's place."""
    if len(kept) not in (KEY_BYTES, 2 * KEY_BYTES):
        raise BadInputError("The signing key is damaged: restore this file from a backup.", where=str(path))
    return tuple(kept[at : at + KEY_BYTES] for at in range(0, len(kept), KEY_BYTES))


def handing_over(before: str, after: str) -> str:
    """What the old key signs when a new one takes its place, both public: who trusts the old may trust the new."""
    return f"studio-signing-key 1\n{before}\n{after}"


def change_signing_key(database: Path, signer: Signer, fresh: bytes) -> None:
    """A new key signs from now on, and the one before beside it until it is dropped; on disk when it returns."""
    path = signing_path(database)
    before = _split(path.read_bytes(), path)[0]
    write_secret(path, fresh + before)
    signer.take(fresh, before)


def drop_signing_key(database: Path, signer: Signer) -> None:
    """The key before the one that signs is gone for good."""
    path = signing_path(database)
    newest = _split(path.read_bytes(), path)[0]
    write_secret(path, newest)
    signer.take(newest)


def keep_signing_key_before(database: Path, signer: Signer) -> None:
    """The key that signed before an exchange signs again, alone; the newest is gone for good."""
    path = signing_path(database)
    before = _split(path.read_bytes(), path)[-1]
    write_secret(path, before)
    signer.take(before)


def signer_in(database: Path) -> Signer:
    """The signer of this database where it has one; `BadInputError` otherwise."""
    path = signing_path(database)
    try:
        secret = path.read_bytes()
    except OSError as error:
        require_readable(database)
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
    """Write a small file that only its owner reads. Whenever the power goes, all of it is there or nothing of it; once
    this returns, all of it. Where it cannot be written, nothing is left of it.
    """
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            give_to_owner(handle, path if path.exists() else path.absolute().parent)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """The names in it are on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
