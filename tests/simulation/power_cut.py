"""What a disk may hold after the power went, at any call of a process that was watched.

`strace` writes down what a process does to the files of a folder. That is played again on a disk of our own, which
forgets what a disk may forget: whatever was written and not yet synced, whole or in sectors, in any order; names that
were given, exchanged or taken away in a folder not yet synced. A file that was synced keeps the name it was made with,
as on ext4, XFS and Btrfs. The file of SQLite's shared memory is no record and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

SECTOR: Final = 512
NOT_THERE: Final = "strace is not installed: run make setup as root, or install strace."
_CALLS: Final = "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink"
LEFT_OUT: Final = ("-shm", ".lock", ".door")
_LINE: Final = re.compile(rb"(\d+) +(\d+\.\d+) (?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)", re.DOTALL)
_TEXT: Final = re.compile(rb'"((?:\\x[0-9a-f]{2})*)"')
_BACK: Final = re.compile(rb"\) += (\d+)[^\"]*$")
_FILE: Final = re.compile(rb"^(\d+)<((?:\\x[0-9a-f]{2})+)>(\(deleted\))?")


def watched(trace: Path, folder: Path, names: Sequence[str]) -> list[str]:
    """What to say before a command so that its calls on the files `names` of `folder` are written to `trace`."""
    paths = [folder, *(folder / name for name in names)]
    return [*written_down(trace, _CALLS), *(part for path in paths for part in ("-P", str(path)))]


def written_down(trace: Path, calls: str) -> list[str]:
    """What to say before a command so that these calls of it are written to `trace`, with every byte."""
    how = ["-f", "-y", "-ttt", "-qq", "-xx", "-s", str(1 << 24), "-o", str(trace), "-e", f"trace={calls}"]
    return ["strace", *how]


@dataclass(frozen=True)
class Call:
    """One call as it was begun or, with `ended`, as it came back: a sync has happened only then."""

    at_s: float
    thread: int
    name: str
    path: str = ""
    data: bytes = b""
    number: int = 0
    """The place of a write, the size of a cut, or the file's number."""
    to: str = ""
    flags: bytes = b""
    ended: bool = True


def read_calls(trace: Path) -> Iterator[Call]:
    """Calls in the order they were made, a sync once as it begins and once as it is over; without those that failed."""
    begun: dict[bytes, Call] = {}
    with trace.open("rb") as lines:
        for line in lines:
            found = _LINE.fullmatch(line.rstrip(b"\n"))
            if found is None:
                continue  # a signal, or the end of the process
            thread, at, resumed, name, rest = found.groups()
            call = begun.pop(thread) if resumed else _parsed(float(at), int(thread), name.decode(), rest)
            unfinished = rest.endswith(b"<unfinished ...>")
            back = _BACK.search(rest[-4096:])
            if call.name.endswith("sync") and not resumed and (unfinished or back):
                yield call
            if unfinished:
                begun[thread] = call
            elif back:
                number = int(back[1]) if call.name == "openat" else call.number
                yield replace(call, at_s=float(at), number=number, ended=True)


def _parsed(at_s: float, thread: int, name: str, rest: bytes) -> Call:
    texts = [_plain(text) for text in _TEXT.findall(rest)]
    if name in ("rename", "unlink", "openat", "mkdir"):
        paths = [text.decode(errors="surrogateescape") for text in texts]
        to = paths[1] if name == "rename" else ""
        return Call(at_s, thread, name, paths[0], to=to, flags=rest.rpartition(b'"')[2], ended=False)
    file = _FILE.match(rest)
    assert file is not None, rest[:200]
    path = "" if file[3] else _plain(file[2]).decode(errors="surrogateescape")
    number = int(file[1])
    if name in ("pwrite64", "ftruncate"):
        last = re.search(rb", (\d+)(?:\)| <unfinished)[^\"]*$", rest)
        assert last is not None, rest[-200:]
        number = int(last[1])
    return Call(at_s, thread, name, path, texts[0] if texts else b"", number, ended=False)


def _plain(text: bytes) -> bytes:
    return bytes.fromhex(text.replace(b"\\x", b"").decode())


@dataclass
class Lying:
    """One file: what every program reads of it, what lies on the disk for certain, and what was done to it since."""

    now: bytearray = field(default_factory=bytearray)
    safe: bytearray = field(default_factory=bytearray)
    loose: list[tuple[int, bytes | None]] = field(default_factory=list)
    """The place and the bytes of each write since the last sync; without bytes, the size it was cut to."""
    named: str = ""

    def write(self, place: int, data: bytes | None) -> None:
        _apply(self.now, place, data)
        self.loose.append((place, data))

    def sync(self, so_many: int) -> None:
        for place, data in self.loose[:so_many]:
            _apply(self.safe, place, data)
        del self.loose[:so_many]

    def torn(self, chance: Random) -> bytes:
        """As a disk may hold it that wrote some sectors and others not."""
        held = bytearray(self.safe)
        for place, data in self.loose:
            if data is None:
                if chance.random() < 0.5:
                    _apply(held, place, None)
                continue
            for start in range(0, len(data), SECTOR):
                if chance.random() < 0.5:
                    _apply(held, place + start, data[start : start + SECTOR])
        return bytes(held)


def _apply(held: bytearray, place: int, data: bytes | None) -> None:
    size = place if data is None else place + len(data)
    if len(held) < size:
        held.extend(bytes(size - len(held)))
    if data is None:
        del held[place:]
    else:
        held[place : place + len(data)] = data


@dataclass
class Opened:
    """The files a process has opened, by their numbers."""

    _files: dict[int, tuple[Lying, bool, int]] = field(default_factory=dict)
    """With each, whether it is written at its end, else where its next byte goes."""

    def open(self, call: Call, file: Lying) -> None:
        if b"O_TRUNC" in call.flags:
            file.write(0, None)
        self._files[call.number] = (file, b"O_APPEND" in call.flags, 0)

    def write(self, call: Call) -> None:
        if call.number not in self._files:
            return
        file, at_end, place = self._files[call.number]
        place = len(file.now) if at_end else place
        file.write(place, call.data)
        self._files[call.number] = (file, at_end, place + len(call.data))

    def forget(self, number: int) -> None:
        self._files.pop(number, None)


Names = dict[str, Lying]


@dataclass
class Disk:
    """A folder on a disk that may lose what was not synced."""

    folder: Path
    names: Names = field(default_factory=dict)
    safe_names: Names = field(default_factory=dict)
    loose_names: list[Names] = field(default_factory=list)
    """How the folder stood after each change of a name since it was last synced."""
    _syncs: dict[int, tuple[Lying | None, int]] = field(default_factory=dict)
    _opened: Opened = field(default_factory=Opened)

    def take(self, call: Call) -> None:
        match call.name:
            case "fsync" | "fdatasync" if not call.ended:
                file = self._of(call.path)
                self._syncs[call.thread] = (file, len(file.loose) if file else len(self.loose_names))
            case "fsync" | "fdatasync":
                self._synced(*self._syncs.pop(call.thread))
            case "openat":
                self._open(call)
            case "pwrite64" if file := self._of(call.path):
                file.write(call.number, call.data)
            case "ftruncate" if file := self._of(call.path):
                file.write(call.number, None)
            case "write" if self._of(call.path):
                self._opened.write(call)
            case "rename":
                self._rename(call.path, call.to)
            case "unlink" if self._ours(call.path):
                self.names.pop(call.path, None)
                self.loose_names.append(copy(self.names))

    def _ours(self, path: str) -> bool:
        return Path(path).parent == self.folder and not path.endswith(LEFT_OUT)

    def _of(self, path: str) -> Lying | None:
        return self.names.get(path)

    def _synced(self, file: Lying | None, so_many: int) -> None:
        if file is not None:
            file.sync(so_many)
            if self.names.get(file.named) is file:
                self.safe_names.setdefault(file.named, file)
        elif so_many:
            self.safe_names = self.loose_names[so_many - 1]
            del self.loose_names[:so_many]

    def _open(self, call: Call) -> None:
        if not self._ours(call.path):
            return
        if call.path not in self.names:
            if b"O_CREAT" not in call.flags:
                return
            self.names[call.path] = Lying(named=call.path)
            self.loose_names.append(copy(self.names))
        self._opened.open(call, self.names[call.path])

    def _rename(self, name: str, to: str) -> None:
        if self._ours(name) and name in self.names:
            self.names[to] = self.names.pop(name)
            self.loose_names.append(copy(self.names))

    # --- what may be found ---------------------------------------------------------------------------------

    def killed(self) -> dict[str, bytes]:
        """Where the process alone died: what every other program read."""
        return {Path(name).name: bytes(file.now) for name, file in self.names.items()}

    def cut(self) -> dict[str, bytes]:
        """Where the power went and the disk kept what it had promised, and nothing else."""
        return {Path(name).name: bytes(file.safe) for name, file in self.safe_names.items()}

    def torn(self, chance: Random) -> dict[str, bytes]:
        """Where the power went and the disk had begun, in an order of its own."""
        names = chance.choice([self.safe_names, *self.loose_names])
        return {Path(name).name: file.torn(chance) for name, file in names.items()}
