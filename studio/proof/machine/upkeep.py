"""How a studio is looked after: its clock, its secrets, its backups, its witness.

Programs are asked through `run`, so that a test can answer for them; nothing is changed.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from studio.care.backup import PICTURES, noted_path
from studio.errors import BadInputError
from studio.journal import Reader
from studio.proof.machine.host import HostFinding
from studio.proof.machine.upgrade import is_older, upgrade
from studio.text_file import read_json, read_text

OFFSET_S_MAX: Final = 0.1
JUMP_S_MAX: Final = 0.05
AHEAD_S_MAX: Final = 2.0
BACKUP_DAYS_MAX: Final = 2
DAY_MS: Final = 86_400_000
_SECRETS: Final = {"pepper": "secret of the PINs", "signing": "signing key", "factors": "file of second factors"}

Run = Callable[[Sequence[str]], str]
"""What a program prints; empty when it is not there or fails."""


def examine_upkeep(db: Path, evidence: Path, now_ms: int, run: Run, jump_s: float) -> Iterator[HostFinding]:
    """`evidence`: the folder of pictures. `jump_s`: how far the clock went beyond the steady one meanwhile."""
    yield offset(run)
    yield jumped(jump_s)
    yield from upgrade(db)
    yield from recorded(db, now_ms)
    yield from secrets(db)
    yield from readable(db)
    yield from folders(db, evidence)
    yield backup(db, now_ms)


def offset(run: Run) -> HostFinding:
    """How far the clock is from the time service's, where one says so."""
    if (told := _chrony(run)) is None and (told := _timesync(run)) is None:
        sentence = "How far the clock is off cannot be seen here: no time service answers (chronyc, timedatectl)."
        return HostFinding("clock offset", "note", sentence)
    name, off_s = told
    if abs(off_s) > OFFSET_S_MAX:
        return HostFinding(
            "clock offset", "missing", f"{name} says the clock is {off_s:+.3f} s off: let it be set right."
        )
    return HostFinding("clock offset", "ok", f"{name} says the clock is {off_s * 1000:+.1f} ms off.")


def jumped(jump_s: float) -> HostFinding:
    if abs(jump_s) > JUMP_S_MAX:
        sentence = (
            f"The clock jumped by {jump_s:+.3f} s while it was looked at: something sets it; let it be slewed instead."
        )
        return HostFinding("clock jumps", "missing", sentence)
    return HostFinding("clock jumps", "ok", "The clock runs steadily.")


def recorded(db: Path, now_ms: int) -> Iterator[HostFinding]:
    """The clock against what it once wrote down; nothing of a record that has to be brought up to date first."""
    if not db.exists() or is_older(db):
        return
    try:
        with Reader.open(db) as reader:
            ahead_s = (reader.newest_ms() - now_ms) / 1000
    except BadInputError as error:
        yield HostFinding("record", "missing", f"{error}")
        return
    if ahead_s > AHEAD_S_MAX:
        sentence = f"The newest record is {ahead_s:.0f} s ahead of this clock: it was set back; set it right."
        yield HostFinding("record", "missing", sentence)
    else:
        yield HostFinding("record", "ok", "No record is ahead of this clock.")


def secrets(db: Path) -> Iterator[HostFinding]:
    for end, name in _SECRETS.items():
        path = db.with_name(f"{db.name}.{end}")
        if not path.exists():
            if db.exists() and end != "factors":
                yield HostFinding(
                    end, "note", f"The {name} {path} is not there: it is made at the next start; was it lost?"
                )
        elif (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            yield HostFinding(
                end,
                "missing",
                f"The {name} {path} can be read by others ({mode:o}): chmod 600 {shlex.quote(str(path))}.",
            )
        else:
            yield HostFinding(end, "ok", f"The {name} {path} can be read by its owner alone.")


def readable(db: Path) -> Iterator[HostFinding]:
    """Whether others on this machine can read the record: names of bettors, balances, who signed in from where."""
    parts = [path for end in ("", "-wal", "-shm") if (path := db.with_name(f"{db.name}{end}")).exists()]
    open_to_others = [path for path in parts if stat.S_IMODE(path.stat().st_mode) & 0o077]
    if open_to_others:
        names = shlex.join(map(str, open_to_others))
        yield HostFinding(
            "readable", "missing", f"The database can be read by others on this machine: chmod 600 {names}."
        )
    elif parts:
        yield HostFinding("readable", "ok", "The database can be read by its owner alone.")


def folders(db: Path, evidence: Path) -> Iterator[HostFinding]:
    """Whether others can look into what holds pictures of cards, or a copy of the record or of its keys."""
    backups = []
    with contextlib.suppress(BadInputError, ValueError, KeyError, TypeError):
        told = read_json(read_text(noted_path(db)))
        backups = [Path(str(told["folder"])), Path(str(told["folder"])).parent / PICTURES]
        backups += [Path(str(told["keys"]))] if told["keys"] else []
    for topic, name, looked_at in (("evidence", "pictures", [evidence]), ("backups", "the last backup", backups)):
        there = [path for path in looked_at if path.is_dir()]
        if open_to_others := [path for path in there if stat.S_IMODE(path.stat().st_mode) & 0o077]:
            names = shlex.join(map(str, open_to_others))
            yield HostFinding(
                topic, "missing", f"The folder of {name} can be looked into by others: chmod 700 {names}."
            )
        elif there:
            yield HostFinding(topic, "ok", f"The folder of {name} can be looked into by its owner alone.")


def backup(db: Path, now_ms: int) -> HostFinding:
    path = noted_path(db)
    if not db.exists():
        return HostFinding("backup", "ok", "There is nothing to back up yet.")
    try:
        told = read_json(read_text(path))
        at_ms, folder, keys = int(told["at_ms"]), Path(told["folder"]), str(told["keys"])
    except (BadInputError, ValueError, KeyError, TypeError):
        return HostFinding(
            "backup", "missing", f"{db} was never backed up from here: studio backup DB FOLDER --keys-to OTHER."
        )
    return last_backup(str(folder), (now_ms - at_ms) / DAY_MS, is_there=folder.exists(), has_keys=bool(keys))


def last_backup(folder: str, days: float, *, is_there: bool, has_keys: bool) -> HostFinding:
    """What there is to say of a backup that is so many days old."""
    if not is_there:
        return HostFinding("backup", "missing", f"The last backup, {folder}, is not there any more: make another.")
    if days > BACKUP_DAYS_MAX:
        return HostFinding("backup", "missing", f"The last backup is {days:.0f} days old ({folder}): make another.")
    if not has_keys:
        return HostFinding(
            "backup", "note", f"The last backup ({folder}) has no keys with it: use --keys-to once in a while."
        )
    return HostFinding("backup", "ok", f"The last backup is {days * 24:.0f} hours old ({folder}).")


def witness(name: str, why: str) -> HostFinding:
    """`why` it could not be told anything now; empty when it could."""
    if why:
        return HostFinding("witness", "missing", f"{why} Until it answers, checkpoints wait.")
    return HostFinding("witness", "ok", f"The witness {name} takes checkpoints.")


def ask(command: Sequence[str]) -> str:
    """The real `run`."""
    tool = shutil.which(command[0])
    if tool is None:
        return ""
    try:
        done = subprocess.run([tool, *command[1:]], capture_output=True, text=True, timeout=3, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def witness_file_why(path: Path) -> str:
    if path.is_file() or (not path.exists() and path.parent.is_dir()):
        place = path if path.exists() else path.parent
        return (
            ""
            if os.access(place, os.W_OK)
            else f"Nothing can be written to the witness {path}: allow it, or mount its disk."
        )
    return f"The witness {path} is no file, nor can one be made there: name a file in a folder that is there."


def _chrony(run: Run) -> tuple[str, float] | None:
    """`chronyc -c tracking`: the fifth value is how far the clock is behind the service's."""
    values = run(["chronyc", "-c", "tracking"]).strip().split(",")
    try:
        return "chrony", float(values[4])
    except (IndexError, ValueError):
        return None


def _timesync(run: Run) -> tuple[str, float] | None:
    """`timedatectl timesync-status` has a line `Offset: +1.234ms`."""
    for line in run(["timedatectl", "timesync-status"]).splitlines():
        name, _, said = line.strip().partition(": ")
        if name == "Offset":
            for unit, seconds in (("us", 1e-6), ("ms", 1e-3), ("min", 60.0), ("s", 1.0)):
                if said.endswith(unit):
                    return "systemd-timesyncd", float(said.removesuffix(unit)) * seconds
    return None
