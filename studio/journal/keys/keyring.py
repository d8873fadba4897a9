"""The key file: the keys of sealed cards, in a file beside the database, never in it.

`<db>.keys` is read by its owner alone and only ever appended to, one line a key: the sealed id, a blank, the key in
hex. A wrapped file begins with a line of its own, and each key is closed under the data key that this line holds:

    #wrapped 1 <data key, closed under the wrapping key>
    <id> <key, closed under the data key>

Lines are on disk before the transaction that carries their ids commits, so no committed card lacks its key. A
kill or a full disk may tear the last line; its id was never committed, and a line break ends it before the next. Keys
are searched in the file, newest first, and not held in memory.
"""

from __future__ import annotations

import mmap
import os
import stat
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol

from studio.errors import BadInputError, InvariantError
from studio.file_owner import give_to_owner
from studio.journal.keys.wrapping import (
    DataKey,
    WrappedBy,
)

Keys = Sequence[tuple[str, bytes]]
HEADER: Final = "#wrapped 1 "
_HEADER_BYTES_MAX: Final = 512


class Keyring(Protocol):
    """Keeps the keys of sealed cards until somebody asks for one by its card's id."""

    def ready(self) -> None:
        """`BadInputError` says why no key could be kept or found now; asked before a table comes up."""
        ...

    def append(self, keys: Keys) -> None:
        """Keep the keys for good before returning; `OSError` when the disk does not take them all."""
        ...

    def lookup(self, id: str) -> bytes | None: ...

    def close(self) -> None: ...


class MemoryKeyring:
    """Keys of a studio that lives in memory only."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    def ready(self) -> None:
        pass

    def append(self, keys: Keys) -> None:
        self._keys.update(keys)

    def lookup(self, id: str) -> bytes | None:
        return self._keys.get(id)

    def close(self) -> None:
        self._keys.clear()


class Lines(Protocol):
    """How the keys of a file are written."""

    def close(self, id: str, key: bytes) -> str: ...

    def open(self, id: str, closed: str) -> bytes: ...


class PlainLines:
    """As hex, for whoever can read the file."""

    def close(self, id: str, key: bytes) -> str:
        return key.hex()

    def open(self, id: str, closed: str) -> bytes:
        return bytes.fromhex(closed)


Carry = Callable[[int, Lines], Lines]
"""Told a file to write to, and how the lines of the old one are written; gives how those of the new one are."""


class FileKeyring:
    """Keys in a file; one thread appends, any thread looks up.

    `wrapped_by`: where the wrapping key comes from. It is asked for when the first key is wanted, so that whoever
    only works on the database beside needs none; a file that is made is wrapped from the start.
    """

    def __init__(self, path: Path, wrapped_by: WrappedBy | None = None) -> None:
        self._path = path
        self._wrapped_by = wrapped_by
        self._lines: Lines | None = None
        self._lock = threading.RLock()
        if wrapped_by is not None and not (path.exists() and path.stat().st_size):
            write_whole(path, [header(wrapped_by)[1]])
        try:
            is_new = not path.exists()
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise BadInputError(f"The key file cannot be opened: {error.strerror}.", where=str(path)) from error
        if stat.S_IMODE(os.fstat(self._file).st_mode) != 0o600:
            os.fchmod(self._file, 0o600)
        if is_new:
            give_to_owner(self._file, path.absolute().parent)
        self._end_torn_line()
        _sync_folder(path.parent)

    def ready(self) -> None:
        self._how()

    def append(self, keys: Keys) -> None:
        if not keys:
            return
        with self._lock:
            how = self._how()
            lines = "".join(f"{id} {how.close(id, key)}\n" for id, key in keys).encode()
            self._end_torn_line()
            while lines:
                lines = lines[os.write(self._file, lines) :]
            os.fdatasync(self._file)

    def lookup(self, id: str) -> bytes | None:
        with self._lock:
            closed = _find(self._file, id)
            return None if closed is None else self._how().open(id, closed)

    @property
    def is_wrapped(self) -> bool:
        return wrapped_data_key(self._file) is not None

    def rewrap(self, carry: Carry) -> None:
        """Write the file anew while keys come in. `carry` writes into a new file what it has not read yet of the old
        one, and gives how its lines are written: called once while keys are appended, and once more while none is.
        """
        part = self._path.with_name(f"{self._path.name}.part")
        part.unlink(missing_ok=True)
        file = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            _keep_owner(file, self._path)
            carry(file, self._how())
            with self._lock:
                will = carry(file, self._how())
                os.fsync(file)
                part.replace(self._path)
                self._file, file, self._lines = file, self._file, will
                _sync_folder(self._path.parent)
        finally:
            os.close(file)  # the old one, once the new one took its place
            part.unlink(missing_ok=True)

    def _how(self) -> Lines:
        if self._lines is None:
            self._lines = lines_of(self._file, self._path, self._wrapped_by)
        return self._lines

    def close(self) -> None:
        os.close(self._file)

    def _end_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")
            os.fsync(self._file)


def lines_of(file: int, path: Path, wrapped_by: WrappedBy | None) -> Lines:
    """How the lines of this key file are written, plain or wrapped; `BadInputError` when that is not what `wrapped_by`
    says.
    """
    written = wrapped_data_key(file)
    if written is None:
        if wrapped_by is not None:
            sentence = "The key file is not wrapped: stop the studio and run studio keys wrap, or take wrapped_by away."
            raise BadInputError(sentence, where=str(path))
        return PlainLines()
    if wrapped_by is None:
        sentence = (
            "The key file is wrapped: say where its wrapping key comes from, in the configuration "
            '([keys] wrapped_by = "file:/PATH") or with --wrapped-by.'
        )
        raise BadInputError(sentence, where=str(path))
    return wrapped_by.fetch().data_key(written)


def header(wrapped_by: WrappedBy) -> tuple[DataKey, str]:
    """A fresh data key, and the first line of a file that is wrapped with it."""
    key, written = wrapped_by.fetch().new_data_key()
    return key, f"{HEADER}{written}\n"


def wrapped_data_key(file: int) -> str | None:
    """The closed data key of a wrapped file; None for a plain one."""
    first = os.pread(file, _HEADER_BYTES_MAX, 0).partition(b"\n")[0]
    if not first.startswith(b"#"):
        return None
    return first.decode("ascii", "replace").removeprefix(HEADER)


def is_wrapped(path: Path) -> bool:
    """`OSError` where it cannot be read."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return wrapped_data_key(file) is not None
    finally:
        os.close(file)


def read_keys(path: Path, ids: Collection[str], wrapped_by: WrappedBy | None = None) -> dict[str, bytes]:
    """The keys with these ids, as far as the file has them. It is opened for reading alone, so a studio may be running
    on it.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise BadInputError(f"The key file cannot be read: {error.strerror}.", where=str(path)) from error
    try:
        how = lines_of(file, path, wrapped_by)
        found = ((id, _find(file, id)) for id in ids)
        return {id: how.open(id, closed) for id, closed in found if closed is not None}
    finally:
        os.close(file)


def _find(file: int, id: str) -> str | None:
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
        return held[start : end if end >= 0 else size].decode()


def check_id(id: str) -> None:
    """`InvariantError` for an id that would not stay one word of one line."""
    if id.split() != [id] or not id.isascii() or id.startswith("#"):
        raise InvariantError("The id of a sealed card is not one plain word.")


def write_whole(path: Path, lines: Iterable[str]) -> None:
    """The file is there with all of these lines, for its owner alone, or as it was and `BadInputError`."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(file, "w", encoding="ascii") as opened:
            _keep_owner(file, path)
            opened.writelines(lines)
            opened.flush()
            os.fsync(file)
        part.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise BadInputError(f"The key file cannot be written: {error.strerror}.", where=str(path)) from error
    finally:
        part.unlink(missing_ok=True)


def _keep_owner(file: int, path: Path) -> None:
    """Give the new key file the owner of the one it replaces, for when root replaces it for the studio's account."""
    os.fchmod(file, 0o600)
    if not path.exists():
        give_to_owner(file, path.absolute().parent)
    elif (found := path.stat()).st_uid != os.geteuid():
        os.fchown(file, found.st_uid, found.st_gid)


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
