"""Values in a file, a line of JSON each, that outlive the program: what is added is there after a kill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


class LineFile(Generic[T]):
    """Read whole when it is opened; a line that a kill cut off is dropped."""

    def __init__(self, path: Path, kind: type[T]) -> None:
        self._path = path
        whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
        self._all = [msgspec.json.decode(line, type=kind) for line in whole.splitlines()]
        if path.exists():
            path.write_bytes(whole + b"\n" if whole else b"")

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)

    def add(self, one: T) -> None:
        self._all.append(one)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(one) + b"\n")

    def clear(self) -> None:
        self._all.clear()
        self._path.unlink(missing_ok=True)
