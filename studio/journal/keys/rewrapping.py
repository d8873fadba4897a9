"""Writes a key file anew: plain to wrapped, from one wrapping key to another, or plain again.

The studio must be stopped. The old file is there, whole, until the new one is; each time a fresh data key is made, so
that who had the old wrapping key opens nothing that comes later.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.errors import BadInputError, SealedError
from studio.journal.keys.keyring import (
    HEADER,
    FileKeyring,
    Lines,
    PlainLines,
    header,
    is_wrapped,
    lines_of,
    write_whole,
)
from studio.journal.keys.wrapping import WrappedBy
from studio.journal.sqlite.file import alone, require_database

_PIECE_BYTES: Final = 1 << 18
_CLOSED_DIGITS: Final = 2 * (12 + 32 + 16)
"""Of a whole line: nonce, key and tag. A shorter one was torn by a kill, and its card was never committed."""


@dataclass(slots=True)
class Rewritten:
    """How many keys are in the new file, and how many torn lines are not."""

    kept: int = 0
    torn: int = 0


def rewrite(db: Path, before: WrappedBy | None, after: WrappedBy | None) -> Rewritten:
    """Write the key file of a stopped studio anew, `BadInputError` and as it was where that cannot be."""
    require_database(db)
    path = db.with_name(f"{db.name}.keys")
    with alone(db):
        try:
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise BadInputError(f"The key file cannot be read: {error.strerror}.", where=str(path)) from error
        try:
            was = lines_of(file, path, before)
        finally:
            os.close(file)
        will, first = header(after) if after is not None else (PlainLines(), "")
        done = Rewritten()
        write_whole(path, _lines(path, was, will, first, done))
    return done


def rewrap_running(keyring: FileKeyring, path: Path, after: WrappedBy) -> Rewritten:
    """The same of a studio at work: keys that come meanwhile are in the new file too.

    `BadInputError`, and everything as it was, where the new wrapping key cannot be had or the disk takes nothing.
    """
    will, first = header(after)
    done, rest, number = Rewritten(), b"", 0
    waiting = [first]

    def carry(file: int, was: Lines) -> Lines:
        nonlocal rest, number
        while piece := old.read(_PIECE_BYTES):
            *whole, rest = (rest + piece).split(b"\n")  # what is not a line yet waits for its end
            for line in whole:
                number += 1
                if line.startswith(HEADER.encode()):
                    continue
                id, key = _key(line.decode("ascii", "replace"), was, number, path)
                done.kept += bool(key)
                done.torn += not key
                if key:
                    waiting.append(f"{id} {will.close(id, key)}\n")
            _write(file, "".join(waiting).encode())
            waiting.clear()
        return will

    try:
        with path.open("rb", buffering=0) as old:
            keyring.rewrap(carry)
    except OSError as error:
        raise BadInputError(f"The key file cannot be written: {error.strerror}.", where=str(path)) from error
    return done


def _write(file: int, data: bytes) -> None:
    while data:
        data = data[os.write(file, data) :]


def standing(db: Path) -> tuple[bool, int]:
    """Whether the key file is wrapped, and its permission bits. May be asked while a studio is running."""
    path = db.with_name(f"{db.name}.keys")
    try:
        return is_wrapped(path), path.stat().st_mode & 0o777
    except OSError as error:
        raise BadInputError(f"The key file cannot be read: {error.strerror}.", where=str(path)) from error


def _lines(path: Path, was: Lines, will: Lines, first: str, done: Rewritten) -> Iterator[str]:
    yield first
    with path.open(encoding="ascii", errors="replace") as old:
        for number, line in enumerate(old, 1):
            if number == 1 and line.startswith(HEADER):
                continue
            id, key = _key(line, was, number, path)
            if key:
                done.kept += 1
                yield f"{id} {will.close(id, key)}\n"
            else:
                done.torn += 1


def _key(line: str, was: Lines, number: int, path: Path) -> tuple[str, bytes]:
    """The id and its key; an empty one of a line that was torn."""
    id, _, closed = line.rstrip("\n").partition(" ")
    try:
        return id, was.open(id, closed)
    except ValueError:
        return id, b""
    except SealedError:
        if len(closed) < _CLOSED_DIGITS:
            return id, b""
        sentence = f"Line {number} does not open: the file was changed. Restore it from a backup first."
        raise BadInputError(sentence, where=str(path)) from None
