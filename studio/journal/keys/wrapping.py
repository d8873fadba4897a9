"""What the key file is wrapped with: a wrapping key from a file, the environment or a command.

The wrapping key closes one data key, in the first line of the key file; the data key closes every card's key, each
bound to its id (AES-256-GCM both times). Nothing here prints a key, and no error repeats what was read.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import shlex
import stat
import subprocess
from dataclasses import dataclass
from typing import Final, NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from studio.errors import BadInputError, SealedError

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_OF_THE_FILE: Final = b"studio key file 1"
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")
_ASKED_S: Final = 30.0
_BYTES_MAX: Final = 4096
_WANTED: Final = "a wrapping key is 32 random bytes, written as 64 hexadecimal digits or as 44 signs of base64"


class _Secret:
    """Encrypts under a key that is neither printed nor pickled."""

    __slots__ = ("_aead",)

    def __init__(self, key: bytes) -> None:
        self._aead = AESGCM(key)

    def _close(self, plain: bytes, bound_to: bytes) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._aead.encrypt(nonce, plain, bound_to)

    def _open(self, closed: bytes, bound_to: bytes) -> bytes:
        """`InvalidTag` or `ValueError` when it does not fit."""
        return self._aead.decrypt(closed[:_NONCE_BYTES], closed[_NONCE_BYTES:], bound_to)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce__(self) -> NoReturn:
        raise SealedError("A key is not pickled.")


class DataKey(_Secret):
    """Closes and opens the keys of one file."""

    __slots__ = ()

    def close(self, id: str, key: bytes) -> str:
        return self._close(key, id.encode()).hex()

    def open(self, id: str, closed: str) -> bytes:
        """`SealedError` when the line was changed, or is another card's."""
        try:
            return self._open(bytes.fromhex(closed), id.encode())
        except (InvalidTag, ValueError):
            raise SealedError(f"The key of sealed {id} was changed in the key file: restore that file.") from None


class WrappingKey(_Secret):
    """Closes and opens the data key of a file."""

    __slots__ = ()

    def new_data_key(self) -> tuple[DataKey, str]:
        """A fresh one, and how it is written in the file."""
        key = AESGCM.generate_key(KEY_BYTES * 8)
        return DataKey(key), self._close(key, _OF_THE_FILE).hex()

    def data_key(self, written: str) -> DataKey:
        """`BadInputError` when this wrapping key is another one."""
        try:
            return DataKey(self._open(bytes.fromhex(written), _OF_THE_FILE))
        except (InvalidTag, ValueError):
            sentence = "The wrapping key does not fit this key file: bring the one it was wrapped with."
            raise BadInputError(sentence) from None


@dataclass(frozen=True, slots=True)
class WrappedBy:
    """Where a wrapping key comes from: `file:/path`, `env:NAME`, `command:PROGRAM ARGUMENT …`."""

    kind: str
    place: str

    @classmethod
    def parse(cls, text: str) -> WrappedBy:
        """
        >>> WrappedBy.parse("file:/etc/studio/wrapping.key")
        WrappedBy(kind='file', place='/etc/studio/wrapping.key')
        """
        kind, _, place = text.partition(":")
        if kind not in _SOURCES or not place.strip() or (kind == "command" and not _splits(place)):
            sentence = "Say where the wrapping key comes from: file:/PATH, env:NAME or command:PROGRAM ARGUMENTS."
            raise BadInputError(sentence)
        return cls(kind, place.strip())

    def fetch(self) -> WrappingKey:
        """The wrapping key, asked for now; `BadInputError` says what to do where there is none."""
        return WrappingKey(self._decoded(_SOURCES[self.kind](self.place)))

    def _decoded(self, text: bytes) -> bytes:
        said = text.strip().decode("ascii", "replace")
        key = b""
        if _HEX.fullmatch(said):
            key = bytes.fromhex(said)
        elif len(said) == 44:
            try:
                key = base64.b64decode(said, validate=True)
            except (binascii.Error, ValueError):
                key = b""
        if len(key) != KEY_BYTES:
            raise BadInputError(f"What came from {self} is no wrapping key: {_WANTED}.")
        return key

    def __str__(self) -> str:
        """Without the arguments of a command: a careless one could hold a secret."""
        place = shlex.split(self.place)[0] if self.kind == "command" else self.place
        return {"file": f"the file {place}", "env": f"the variable {place}", "command": f"the command {place}"}[
            self.kind
        ]


def _splits(place: str) -> bool:
    try:
        return bool(shlex.split(place))
    except ValueError:
        return False


def _of_file(place: str) -> bytes:
    try:
        file = os.open(place, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "its name cannot be used"
        raise BadInputError(f"The wrapping key cannot be read: {why}.", where=place) from None
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise BadInputError("The wrapping key is to be a file: name one.", where=place)
        if stat.S_IMODE(found.st_mode) & 0o077:
            mode = f"{stat.S_IMODE(found.st_mode):o}"
            raise BadInputError(f"The wrapping key can be read by others ({mode}): chmod 600 it.", where=place)
        if found.st_uid not in (0, os.geteuid()):
            raise BadInputError("The wrapping key belongs to another account: chown it to the studio's.", where=place)
        return os.read(file, _BYTES_MAX)
    finally:
        os.close(file)


def _of_environment(place: str) -> bytes:
    if place not in os.environ:
        raise BadInputError(f"The variable {place} with the wrapping key is not set: set it for this account.")
    return os.environb[place.encode()]


def _of_command(place: str) -> bytes:
    """What the command at `place` prints. Its error stream is not repeated: whoever runs the command by hand reads it
    there.
    """
    [program, *arguments] = shlex.split(place)
    try:
        done = subprocess.run(  # noqa: S603 - the studio's own configuration names it
            [program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=_ASKED_S, check=False
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "its name cannot be used"
        raise BadInputError(f"The command {program} for the wrapping key cannot be started: {why}.") from None
    except subprocess.TimeoutExpired:
        sentence = f"The command {program} gave no wrapping key within {_ASKED_S:.0f} s: run it by hand and see why."
        raise BadInputError(sentence) from None
    if done.returncode != 0:
        sentence = (
            f"The command {program} for the wrapping key ended with {done.returncode}: run it by hand and see why."
        )
        raise BadInputError(sentence)
    return done.stdout[:_BYTES_MAX]


_SOURCES: Final = {"file": _of_file, "env": _of_environment, "command": _of_command}
