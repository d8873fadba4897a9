"""Which program runs here: its parts as they lie on the disk, each with a digest, and what became of them since.

A part is a folder of ours, a library, or Python itself. The digest of a folder is that of the list `sha256sum` prints
of its files, the digest of the program that of the list of its parts: whoever has `sha256sum` finds the same without
this program. What lies on the disk is looked at, not what is in memory: a file that was exchanged after the start shows
when it is looked at again.
"""

from __future__ import annotations

import base64
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Final

from studio.care.event import PartFound, ProgramAccepted, ProgramFound, read_care
from studio.journal import Row

DISTRIBUTION: Final = "live-dealer-studio"
PACKAGES: Final = ("studio", "devices", "dealer_ui")
INSTALLED: Final = Path(__file__).parent.parent.parent
"""The folder the packages lie in."""

KINDS: Final = ("ProgramFound", "ProgramAccepted")
_MADE_HERE: Final = (".pyc", ".pyo")
"""What Python makes of a source file at its first import; it is no file of an installation."""


@dataclass(frozen=True, slots=True)
class Program:
    """A version and its parts by their names, each with its SHA-256."""

    version: str
    parts: Mapping[str, str]

    @property
    def digest(self) -> str:
        return digest_of(self.parts)


@dataclass(frozen=True, slots=True)
class ProgramKnown:
    """What the record knows: the parts as they were found last, and which program was accepted last."""

    found: ProgramFound | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    accepted: ProgramAccepted | None = None


def look(folder: Path = INSTALLED) -> Program:
    """The program in that folder, the libraries beside it by what their installer wrote down of them, and Python."""
    parts: dict[str, str] = {}
    for file, digest in files(folder):
        parent = file.rpartition("/")[0]
        parts[parent] = f"{parts.get(parent, '')}{digest}  {file}\n"
    own = {name: hashlib.sha256(lines.encode()).hexdigest() for name, lines in parts.items()}
    return Program(installed_version(), MappingProxyType({**own, **dict(_libraries()), **dict([_python()])}))


def files(folder: Path = INSTALLED) -> Iterator[tuple[str, str]]:
    """Every file of the three packages by its name, in order, with its SHA-256."""
    for package in PACKAGES:
        for name in sorted(_names(folder, package), key=lambda name: name.split("/")):
            with (folder / name).open("rb") as file:
                yield name, hashlib.file_digest(file, "sha256").hexdigest()


def _names(folder: Path, package: str) -> Iterator[str]:
    for place, _, names in os.walk(folder / package, followlinks=False):
        inside = os.path.relpath(place, folder).replace(os.sep, "/")
        if "__pycache__" not in inside.split("/"):
            ours = (name for name in names if not name.endswith(_MADE_HERE))
            yield from (f"{inside}/{name}" for name in ours if os.path.isfile(f"{place}/{name}"))


def digest_of(parts: Mapping[str, str]) -> str:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(parts.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[PartFound, ...]:
    """What is new or another, with its digest now, and what is gone, with none."""
    names = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    return tuple(PartFound(part=name, digest=now.get(name, "")) for name in names)


def known(rows: Iterable[Row]) -> ProgramKnown:
    """The fold of the rows of `KINDS`."""
    so_far = ProgramKnown()
    for row in rows:
        match read_care(row.body):
            case ProgramFound() as found:
                so_far = replace(so_far, found=found, parts=with_changes(so_far.parts, found))
            case ProgramAccepted() as accepted:
                so_far = replace(so_far, accepted=accepted)
    return so_far


def with_changes(parts: Mapping[str, str], found: ProgramFound) -> dict[str, str]:
    after = {**parts, **{one.part: one.digest for one in found.changed}}
    return {name: digest for name, digest in after.items() if digest}


def library_files() -> Iterator[tuple[str, bool]]:
    """Each file of each library, and whether it is as the library's installer wrote it down. It takes seconds: whoever
    has tables to run asks for some at a time.
    """
    for record in _records():
        for line in record.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, rest = line.rpartition(",")[0].rpartition(",")
            way, _, told = rest.partition("=")
            name = name.strip('"')
            if way == "sha256" and name:
                path = record.parent.parent / name
                yield f"{record.parent.name}: {name}", _is(path, told)


def _is(path: Path, told: str) -> bool:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return False
    return base64.urlsafe_b64encode(found).rstrip(b"=").decode() == told


def installed_version() -> str:
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return ""


def _records() -> Iterator[Path]:
    """What the installers of the libraries wrote down, ours left out: its files are looked at themselves."""
    ours = DISTRIBUTION.replace("-", "_")
    for place in dict.fromkeys(sys.path):
        for record in sorted(Path(place or ".").glob("*.dist-info/RECORD")):
            if not record.parent.name.startswith(f"{ours}-"):
                yield record


def _libraries() -> Iterator[tuple[str, str]]:
    for record in _records():
        name, _, version = record.parent.name.removesuffix(".dist-info").rpartition("-")
        yield f"library {name} {version}", hashlib.sha256(record.read_bytes()).hexdigest()


def _python() -> tuple[str, str]:
    program = Path(os.path.realpath(sys.executable))
    return f"python {sys.version.split()[0]}", hashlib.sha256(program.read_bytes()).hexdigest()
