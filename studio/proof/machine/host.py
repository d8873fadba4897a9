"""The machine itself: what a studio needs of it, what is missing, what is risky.

Nothing is changed, but for one small file written and removed to measure the disk.
"""

from __future__ import annotations

import ctypes.util
import grp
import importlib.util
import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from studio.journal.keys.keyring import is_wrapped

PYTHON_MIN: Final = (3, 11)
FREE_GIB_MIN: Final = 2
SYNC_MS_SLOW: Final = 20
SYNCS: Final = 15
_WAL_RACE: Final = ((3, 7, 0), (3, 51, 2))
_PACKAGES: Final = {
    "cv2": "opencv-python",
    "serial": "pyserial",
    "flask": "Flask",
    "sqlite_utils": "sqlite-utils",
    "PIL": "Pillow",
    "msgspec": "msgspec",
    "cryptography": "cryptography",
    "argon2": "argon2-cffi",
    "waitress": "waitress",
}
_CHROMIUM: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FONT_FOLDERS: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
_SYNCED: Final = "/run/systemd/timesync/synchronized"

Verdict = Literal["ok", "note", "missing"]


@dataclass(frozen=True, slots=True)
class HostFinding:
    """What one check of the machine found. `missing`: the studio cannot work properly. `note`: good to know; nothing is
    broken.
    """

    topic: str
    verdict: Verdict
    sentence: str

    def plain(self) -> Mapping[str, str]:
        return {"topic": self.topic, "verdict": self.verdict, "sentence": self.sentence}


def examine(db: Path, clock_s: Callable[[], float] = time.perf_counter) -> Iterator[HostFinding]:
    """Everything there is to say, one after another."""
    yield from examine_programs()
    yield from disk(db, clock_s)
    yield keys(db)


def examine_programs() -> Iterator[HostFinding]:
    """What is installed here, and the clock."""
    yield python(sys.version_info[:3])
    yield sqlite(sqlite3.sqlite_version_info)
    yield from packages(_PACKAGES)
    yield card_engine(is_there=importlib.util.find_spec("onnxruntime") is not None)
    yield graphics(ctypes.util.find_library("GL"))
    yield fonts([Path(folder).expanduser() for folder in _FONT_FOLDERS])
    yield japanese_font(_japanese_fonts())
    yield chromium(shutil.which)
    yield serial_ports(sorted(str(path) for name in ("ttyUSB*", "ttyACM*") for path in Path("/dev").glob(name)))
    yield clock(_clock_synchronised())


def python(version: Sequence[int]) -> HostFinding:
    said = ".".join(str(part) for part in version)
    if tuple(version) >= PYTHON_MIN:
        return HostFinding("python", "ok", f"Python {said} runs the studio.")
    return HostFinding("python", "missing", f"Python {said} is too old: install Python 3.11 or newer.")


def sqlite(version: Sequence[int]) -> HostFinding:
    said = ".".join(str(part) for part in version)
    first, last = _WAL_RACE
    if first <= tuple(version) <= last:
        sentence = (
            f"SQLite {said} has the WAL-reset race of 3.7.0 to 3.51.2. It needs two connections that write; "
            "the studio writes through one, so nothing has to be done. Let no other program write to the database."
        )
        return HostFinding("sqlite", "note", sentence)
    return HostFinding("sqlite", "ok", f"SQLite {said} keeps the journal.")


def card_engine(*, is_there: bool) -> HostFinding:
    """What runs the card reader's network."""
    if is_there:
        return HostFinding("card_reader", "ok", "The card reader's network runs on onnxruntime.")
    sentence = "onnxruntime is not installed: the card reader takes three times as long on OpenCV; run make setup."
    return HostFinding("card_reader", "note", sentence)


def packages(wanted: Mapping[str, str]) -> Iterator[HostFinding]:
    missing = [name for module, name in wanted.items() if importlib.util.find_spec(module) is None]
    for name in missing:
        yield HostFinding("packages", "missing", f"The package {name} is not installed: run make setup.")
    if not missing:
        yield HostFinding("packages", "ok", "Every package the studio needs is installed.")


def graphics(library: str | None) -> HostFinding:
    if library:
        return HostFinding("graphics", "ok", f"The library that opencv-python wants for pictures is here ({library}).")
    sentence = "libGL is not installed, and opencv-python cannot be loaded without it: install libgl1."
    return HostFinding("graphics", "missing", sentence)


def fonts(folders: Sequence[Path]) -> HostFinding:
    readable = (folder for folder in folders if os.access(folder, os.R_OK | os.X_OK))  # home may be another account's
    found = sum(1 for folder in readable for _ in folder.rglob("*.[to]tf"))
    if found:
        return HostFinding("fonts", "ok", f"{found} fonts are installed for simulated cards on this machine.")
    return HostFinding("fonts", "note", "No font is installed: simulated cards are drawn with a plain one built in.")


def japanese_font(families: Sequence[str] | None) -> HostFinding:
    """`families` are the fonts that have Japanese letters; None where nobody here can say."""
    if families is None:
        sentence = (
            "Whether a Japanese font is installed cannot be seen here: install fontconfig, or open a page in Japanese."
        )
        return HostFinding("japanese", "note", sentence)
    if families:
        return HostFinding("japanese", "ok", f"Japanese can be read on this machine's own screen ({families[0]}).")
    sentence = (
        "No Japanese font is installed: Japanese is empty boxes on this machine's own screen and in the reports "
        "printed from it. Run make setup, or install fonts-vlgothic. A machine that only serves pages to others "
        "needs none; every machine that shows them does."
    )
    return HostFinding("japanese", "note", sentence)


def chromium(which: Callable[[str], str | None]) -> HostFinding:
    for name in _CHROMIUM:
        if path := which(name):
            return HostFinding("chromium", "ok", f"A browser for the tests of the consoles is here ({path}).")
    return HostFinding(
        "chromium", "note", "No Chromium is installed: the browser tests cannot run; a table does not need it."
    )


def _japanese_fonts() -> Sequence[str] | None:
    lists = shutil.which("fc-list")
    if lists is None:
        return None
    try:
        said = subprocess.run(  # noqa: S603 - a fixed command, found on the path
            [lists, ":lang=ja", "family"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return sorted({line.partition(",")[0] for line in said.stdout.splitlines() if line.strip()})


def serial_ports(ports: Sequence[str]) -> HostFinding:
    if not ports:
        return HostFinding("serial", "note", "No serial port is plugged in: a shoe on a cable would be /dev/ttyUSB0.")
    closed = [port for port in ports if not os.access(port, os.R_OK | os.W_OK)]
    if closed:
        group = _group_of(closed[0])
        sentence = (
            f"{', '.join(closed)} may not be opened by this user: add the user to the group {group}, sign in again."
        )
        return HostFinding("serial", "missing", sentence)
    return HostFinding("serial", "ok", f"Serial ports that may be opened: {', '.join(ports)}.")


def clock(synchronised: bool | None) -> HostFinding:
    if synchronised is None:
        sentence = "Whether the clock is synchronised cannot be seen here: make sure that a time service runs."
        return HostFinding("clock", "note", sentence)
    if synchronised:
        return HostFinding("clock", "ok", "The clock is synchronised.")
    sentence = "The clock is not synchronised: switch a time service on, for every record carries the time."
    return HostFinding("clock", "missing", sentence)


def disk(db: Path, clock_s: Callable[[], float]) -> Iterator[HostFinding]:
    """Room and speed of the disk the database lies on."""
    folder = db.parent
    if not folder.is_dir():
        yield HostFinding(
            "disk", "missing", f"The folder {folder} does not exist: create it, or name another database."
        )
        return
    free_gib = shutil.disk_usage(folder).free / 2**30
    room = f"{free_gib:.1f} GiB are free in {folder}"
    if free_gib < FREE_GIB_MIN:
        yield HostFinding("disk", "missing", f"{room}: make room, at least {FREE_GIB_MIN} GiB.")
    else:
        yield HostFinding("disk", "ok", f"{room}.")
    yield _sync(folder, clock_s)


def _sync(folder: Path, clock_s: Callable[[], float]) -> HostFinding:
    try:
        took_ms = sorted(_measured(folder, clock_s))
    except OSError as error:
        return HostFinding("sync", "missing", f"Nothing can be written in {folder} ({error.strerror}): allow it.")
    median_ms, worst_ms = took_ms[len(took_ms) // 2], took_ms[-1]
    said = f"Bytes are safe on the disk after {median_ms:.1f} ms, {worst_ms:.1f} ms at worst of {len(took_ms)}"
    if median_ms > SYNC_MS_SLOW:
        return HostFinding("sync", "note", f"{said}: that is slow, and the console will feel it; use a faster disk.")
    return HostFinding("sync", "ok", f"{said}.")


def _measured(folder: Path, clock_s: Callable[[], float]) -> Iterator[float]:
    path = folder / f".doctor-{os.getpid()}"
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        for _ in range(SYNCS):
            began_s = clock_s()
            os.write(file, bytes(4096))
            os.fsync(file)
            yield (clock_s() - began_s) * 1000
    finally:
        os.close(file)
        path.unlink()


def keys(db: Path) -> HostFinding:
    path = db.with_name(f"{db.name}.keys")
    if not path.exists():
        if not db.exists():
            return HostFinding("keys", "ok", f"There is no database {db} yet; its key file will be made with it.")
        sentence = (
            f"The key file {path} is missing: without it no sealed card in play opens after a restart; restore it."
        )
        return HostFinding("keys", "missing", sentence)
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode != 0o600:
        return HostFinding(
            "keys",
            "missing",
            f"The key file {path} can be read by others ({mode:o}): chmod 600 {shlex.quote(str(path))}.",
        )
    return HostFinding("keys", "ok", f"The key file {path} can be read by its owner alone. {_wrapped(path)}")


def _wrapped(path: Path) -> str:
    try:
        wrapped = is_wrapped(path)
    except OSError:
        return "Whether it is wrapped, this account cannot see."
    if wrapped:
        return "It is wrapped: a copy of it opens nothing without the wrapping key."
    return "It is not wrapped: a copy of it opens cards in play (studio keys wrap)."


def _group_of(port: str) -> str:
    try:
        return grp.getgrgid(os.stat(port).st_gid).gr_name
    except (KeyError, OSError):
        return "dialout"


def _clock_synchronised() -> bool | None:
    """What the system's own time service says; None when there is nobody to ask."""
    if Path(_SYNCED).exists():
        return True
    tool = shutil.which("timedatectl")
    if tool is None:
        return None
    try:
        asked = subprocess.run(  # noqa: S603
            [tool, "show", "-p", "NTPSynchronized", "--value"], capture_output=True, text=True, timeout=3, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {"yes": True, "no": False}.get(asked.stdout.strip())
