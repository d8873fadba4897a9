"""The course of a soak: which lives the studio has, and what is done with its database between two of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
import msgspec

from soak.books import what_is_wrong
from soak.figure import Life
from soak.life import LifePlan, Living, Place
from soak.process import StudioGoneError

CYCLE_S_MAX: Final = 4 * 3600.0
"""A longer soak goes through all of it again."""
_SHARES: Final = (("quiet", 0.12), *(("killed", 0.06) for _ in range(5)), ("idle", 0.10), ("long", 0.48))
_CLOCKS_S: Final = (0.0, 3_600.0, -7_200.0, 0.0, 86_400.0, -86_400.0)
"""So far the machine's clock is wrong when the studio comes up, life by life."""
FIRST_YEAR: Final = 2001
_LEVEL: Final = re.compile(r"\[(warning|error|critical)\s*\] (.*?)(?: +[a-z_]+=|$)")
_OURS: Final = re.compile(r"error of our own|a driver failed|the writer failed|beside the studio failed")
STUDIO: Final = (sys.executable, "-c", "from dealer_ui.cli import main; main()")


def planned(lasts_s: float) -> tuple[LifePlan, ...]:
    """All lives of a soak of so long; its checks between them take some of the time."""
    cycles = max(1, round(lasts_s / CYCLE_S_MAX))
    kinds = [(kind, share * lasts_s / cycles) for _ in range(cycles) for kind, share in _SHARES]
    return tuple(
        LifePlan(kind=kind, lasts_s=s, clock_s=_CLOCKS_S[number % len(_CLOCKS_S)])
        for number, (kind, s) in enumerate(kinds)
    )


def go_on(place: Place, lives: tuple[LifePlan, ...], tell: Callable[[str], None]) -> None:
    """Live what has not been lived yet; each life is kept when it is over and its database was looked through."""
    for number, plan in enumerate(lives):
        if number < len(place.book.lives):
            continue
        tell(f"life {number + 1} of {len(lives)}: {plan.kind}, {plan.lasts_s:.0f} s")
        life = _lived(place, plan, number)
        for line in (*life.wrong, *life.notes):
            tell(f"  {line}")
        place.book.lives.add(life)


def _lived(place: Place, plan: LifePlan, number: int) -> Life:
    from_byte = place.log.stat().st_size if place.log.exists() else 0
    backup = place.folder / f"backup-{number}"
    living = Living(place, plan)
    try:
        life = living.live((lambda: _backed_up(place, backup)) if plan.kind == "long" else None)
    except StudioGoneError as error:
        return _gone(place, plan, number, [f"WRONG: {error}", *_in_the_log(place, from_byte)[0]])
    wrong = [*life.wrong, *what_is_wrong(place.database, place.promises)]
    ours, told = _in_the_log(place, from_byte)
    notes = [*life.notes, *told]
    if plan.kind == "long":
        notes += _restored(place, backup)
    if plan.kind == "quiet" and not wrong:
        notes += _year_closed(place, number)
    wrong += [*ours, *(note for note in notes if note.startswith("WRONG"))]
    return msgspec.structs.replace(life, wrong=wrong, notes=[one for one in notes if one not in wrong])


def _gone(place: Place, plan: LifePlan, number: int, wrong: list[str]) -> Life:
    return Life(
        number=number,
        kind=plan.kind,
        lasted_s=0.0,
        counted_s=0.0,
        rounds=0,
        rows=0,
        bytes=0,
        kinds=[],
        wrong=wrong,
        notes=[],
    )


def upgrade(place: Place, released: Path) -> None:
    """Begin on a copy of this database; `ClickException` when a rehearsal says that it does not come up."""
    place.database.parent.mkdir(exist_ok=True)
    for path in released.parent.glob(f"{released.name}*"):
        if path.is_file() and not path.name.endswith((".lock", ".door")):
            shutil.copy2(path, place.database.with_name(path.name.replace(released.name, place.database.name, 1)))
    code, said = _studio("upgrade-rehearsal", str(place.database))
    if code != 0:
        raise click.ClickException(f"The database does not come up: {said}")


# --- what is done with the database ----------------------------------------------------------------------------


def _studio(*arguments: str) -> tuple[int, str]:
    """A verb of the command line; its exit code, and the last thing it said."""
    done = subprocess.run([*STUDIO, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, (done.stderr or done.stdout).strip().splitlines()[-1:][
        0
    ] if done.stderr or done.stdout else ""


def _backed_up(place: Place, into: Path) -> list[str]:
    """While the studio is at work."""
    code, said = _studio("backup", str(place.database), str(into / "db"), "--keys-to", str(into / "keys"))
    return [] if code == 0 else [f"WRONG: a backup of the running studio failed: {said}"]


def _restored(place: Place, backup: Path) -> list[str]:
    """The backup is put back elsewhere, verified, and thrown away."""
    into = place.folder / "restored"
    try:
        for found in sorted(backup.glob("db/*")) or [backup / "db"]:
            keys = next(iter(sorted(backup.glob("keys/*"))), backup / "keys")
            code, said = _studio("restore", str(found), str(into / "studio.db"), "--keys", str(keys))
            return [f"backed up at work, restored and verified: {said}" if code == 0 else f"WRONG: restore: {said}"]
    finally:
        shutil.rmtree(into, ignore_errors=True)
        shutil.rmtree(backup, ignore_errors=True)
    return []


def _year_closed(place: Place, number: int) -> list[str]:
    """The year is closed and archived; the archive and the old file are thrown away once both were verified."""
    into, year = place.folder / f"archive-{number}", FIRST_YEAR + number
    code, said = _studio("archive", str(place.database), str(year), "--to", str(into), "--by", "Soak")
    if code != 0:
        return [f"the year was not closed: {said}"]
    place.promises.clear()
    shutil.rmtree(into, ignore_errors=True)
    place.database.with_name(f"{place.database.name}.until-{year}").unlink(missing_ok=True)
    return ["the year was closed, archived and gone on from"]


# --- what it said -----------------------------------------------------------------------------------------------


def _in_the_log(place: Place, from_byte: int) -> tuple[list[str], list[str]]:
    with place.log.open("rb") as file:
        file.seek(from_byte)
        return counted_log(file.read().decode(errors="replace").splitlines())


def counted_log(lines: list[str]) -> tuple[list[str], list[str]]:
    """Errors of our own, each once, and how often everything was said."""
    ours = dict.fromkeys(f"the log: {line[:300]}" for line in lines if _OURS.search(line))
    said = Counter(f"{found[1]}: {found[2]}" for line in lines if (found := _LEVEL.search(line)))
    return list(ours)[:10], [f"log: {what} {often}x" for what, often in said.most_common(12)]
