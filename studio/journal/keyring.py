"""The only place where the keys of sealed cards are kept: in a file beside the database, never in it.

`<db>.keys` is read by its owner alone and only ever appended to, one line a key: the sealed id, a blank, the key in
hex. Lines are on disk before the transaction that carries their ids commits, so no committed card lacks its key. A
kill or a full disk may tear the last line; its id was never committed, and a line break ends it before the next. Keys
are searched in the file, newest first, and not held in memory.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from studio.errors import BadInputError, InvariantError

Keys = Sequence[tuple[str, bytes]]


class Keyring(Protocol):
    """Where keys are kept until they are asked for."""

    def append(self, keys: Keys) -> None:
        """Keep the keys for good before returning; `OSError` when the disk does not take them all."""
        ...

    def lookup(self, id: str) -> bytes | None: ...

    def close(self) -> None: ...


class MemoryKeyring:
    """Keys of a studio that lives in memory only."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    def append(self, keys: Keys) -> None:
        self._keys.update(keys)

    def lookup(self, id: str) -> bytes | None:
        return self._keys.get(id)

    def close(self) -> None:
        self._keys.clear()


class FileKeyring:
    """Keys in a file; one thread appends, any thread looks up."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise BadInputError(f"The key file cannot be opened: {error.strerror}.", where=str(path)) from error
        if stat.S_IMODE(os.fstat(self._file).st_mode) != 0o600:
            os.fchmod(self._file, 0o600)
        self._end_torn_line()
        _sync_folder(path.parent)

    def append(self, keys: Keys) -> None:
        if not keys:
            return
        lines = "".join(f"{id} {key.hex()}\n" for id, key in keys).encode()
        self._end_torn_line()
        while lines:
            lines = lines[os.write(self._file, lines) :]
        os.fdatasync(self._file)

    def lookup(self, id: str) -> bytes | None:
        return _find(self._file, id)

    def close(self) -> None:
        os.close(self._file)

    def _end_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")
            os.fsync(self._file)


def read_keys(path: Path, ids: Collection[str]) -> dict[str, bytes]:
    """Those keys of the file that are in it, by their ids; the file is only read, also beside a running studio."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise BadInputError(f"The key file cannot be read: {error.strerror}.", where=str(path)) from error
    try:
        found = ((id, _find(file, id)) for id in ids)
        return {id: key for id, key in found if key is not None}
    finally:
        os.close(file)


def _find(file: int, id: str) -> bytes | None:
    check_id(id)
    size = os.fstat(file).st_size
    if size == 0:
        return None
    needle = f"\n{id} ".encode()
    with mmap.mmap(file, size, prot=mmap.PROT_READ) as held:
        at = held.rfind(needle)
        if at < 0 and held[: len(needle) - 1] != needle[1:]:
            return None
        start = at + len(needle)
        end = held.find(b"\n", start)
        return bytes.fromhex(held[start : end if end >= 0 else size].decode())


def check_id(id: str) -> None:
    """`InvariantError` for an id that would not stay one word of one line."""
    if not id or not id.isascii() or any(letter.isspace() for letter in id):
        raise InvariantError("The id of a sealed card is not one plain word.")


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
