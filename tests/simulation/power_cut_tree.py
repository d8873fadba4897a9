"""A disk of several folders that may lose what was not synced, for commands that make folders and name them.

Played from the calls of a process as in `power_cut`. A folder that was made has its name for certain only once the
folder it lies in was synced; a file that was synced keeps the name it was made with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from power_cut import LEFT_OUT, Call, Lying, Opened, read_calls, written_down

_CALLS: Final = "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,unlink,mkdir,sendfile"
_SENT: Final = re.compile(rb"sendfile\((\d+)<([^>]+)>, \d+<([^>]+)>, \[(\d+)\] => \[\d+\], \d+\) += (\d+)")


def watched(trace: Path) -> list[str]:
    """What to say before a command so that its calls on any file are written to `trace`."""
    strace, *how = written_down(trace, _CALLS)
    return [strace, "--seccomp-bpf", *how]


@dataclass
class Folder:
    """Names of files and folders: as every program sees them, as they lie for certain, and each change since."""

    names: dict[str, Lying | Folder] = field(default_factory=dict)
    safe: dict[str, Lying | Folder] = field(default_factory=dict)
    loose: list[dict[str, Lying | Folder]] = field(default_factory=list)

    def changed(self) -> None:
        self.loose.append(copy(self.names))


def lying(folder: Path) -> Folder:
    """What lies in a folder, all of it synced long ago."""
    found = Folder()
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            found.names[path.name] = lying(path)
        elif not path.name.endswith(LEFT_OUT):
            data = path.read_bytes()
            found.names[path.name] = Lying(bytearray(data), bytearray(data), named=str(path))
    found.safe = copy(found.names)
    return found


@dataclass
class Tree:
    """What lies under `root`."""

    root: Path
    top: Folder
    _opened: Opened = field(default_factory=Opened)
    _syncs: dict[int, tuple[Lying | Folder | None, int]] = field(default_factory=dict)

    def take(self, call: Call) -> None:
        match call.name:
            case "fsync" | "fdatasync" if not call.ended:
                node = self._of(call.path)
                self._syncs[call.thread] = (node, len(node.loose) if node else 0)
            case "fsync" | "fdatasync":
                self._synced(call.path, *self._syncs.pop(call.thread))
            case "openat":
                self._open(call)
            case "pwrite64" | "ftruncate" if isinstance(file := self._of(call.path), Lying):
                file.write(call.number, call.data if call.name == "pwrite64" else None)
            case "write" if self._of(call.path):
                self._opened.write(call)
            case "mkdir" if (place := self._place(call.path)) is not None and call.path not in ("", str(self.root)):
                place.names[Path(call.path).name] = Folder()
                place.changed()
            case "rename" if (node := self._of(call.path)) is not None:
                self._rename(node, call)
            case "unlink" if (place := self._place(call.path)) is not None:
                place.names.pop(Path(call.path).name, None)
                place.changed()

    def _place(self, path: str) -> Folder | None:
        """The folder a path lies in, if that is one of ours."""
        found = self._of(str(Path(path).parent)) if not path.endswith(LEFT_OUT) else None
        return found if isinstance(found, Folder) else None

    def _of(self, path: str) -> Lying | Folder | None:
        if not path or not Path(path).is_relative_to(self.root):
            return None
        node: Lying | Folder | None = self.top
        for part in Path(path).relative_to(self.root).parts:
            node = node.names.get(part) if isinstance(node, Folder) else None
        return node

    def _synced(self, path: str, node: Lying | Folder | None, so_many: int) -> None:
        if isinstance(node, Lying):
            node.sync(so_many)
            place = self._place(path)
            if place is not None and node.named == path:
                place.safe.setdefault(Path(path).name, node)
        elif node is not None and so_many:
            node.safe = node.loose[so_many - 1]
            del node.loose[:so_many]

    def _open(self, call: Call) -> None:
        place, name = self._place(call.path), Path(call.path).name
        self._opened.forget(call.number)
        if place is None:
            return
        if name not in place.names:
            if b"O_CREAT" not in call.flags:
                return
            place.names[name] = Lying(named=call.path)
            place.changed()
        file = place.names[name]
        if isinstance(file, Lying):
            self._opened.open(call, file)

    def _rename(self, node: Lying | Folder, call: Call) -> None:
        before, after = self._place(call.path), self._place(call.to)
        if before is not None and after is not None:
            del before.names[Path(call.path).name]
            after.names[Path(call.to).name] = node
            for place in {id(before): before, id(after): after}.values():
                place.changed()

    # --- what may be found ---------------------------------------------------------------------------------

    def laid_out(self, way: str, to: Path, chance: Random) -> Path:
        """Write down in `to` what is found after the process alone died (`killed`), or the power went: with nothing but
        what was promised (`cut`), or with any part of the rest (`torn`).
        """
        _lay(self.top, way, to, chance)
        return to


def _lay(folder: Folder, way: str, to: Path, chance: Random) -> None:
    to.mkdir(parents=True)
    names = {
        "killed": folder.names, "cut": folder.safe, "torn": chance.choice([folder.safe, *folder.loose]),
    }[way]  # fmt: skip
    for name, node in names.items():
        if isinstance(node, Folder):
            _lay(node, way, to / name, chance)
        else:
            data = {"killed": node.now, "cut": node.safe, "torn": node.torn(chance)}[way]
            (to / name).write_bytes(data)


def calls_of(trace: Path) -> Iterator[Call]:
    """The calls of a command, with the bytes that were sent from a file that nobody changes meanwhile."""
    kept = trace.with_suffix(".kept")
    sent: list[Call] = []
    with trace.open("rb") as lines, kept.open("wb") as without:
        for line in lines:
            found = _SENT.search(line)
            if found is None:
                without.write(line)
                continue
            number, out, source, start, size = found.groups()
            path, given = (bytes.fromhex(one.replace(b"\\x", b"").decode()).decode() for one in (out, source))
            data = Path(given).read_bytes()[int(start) : int(start) + int(size)]
            thread, at, _ = line.split(maxsplit=2)
            sent.append(Call(float(at), int(thread), "write", path, data, int(number)))
    calls = list(read_calls(kept))
    yield from sorted([*calls, *sent], key=lambda call: call.at_s)


def chosen(calls: Sequence[Call], root: Path, so_many: int, chance: Random) -> set[int]:
    """So many of the calls on files under `root`, drawn by chance; all of them where there are no more."""
    ours = [number for number, call in enumerate(calls) if call.path and Path(call.path).is_relative_to(root)]
    return set(chance.sample(ours, min(so_many, len(ours))))
