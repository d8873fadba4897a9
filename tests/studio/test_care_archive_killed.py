"""`kill -9` at chosen calls while a year is closed: one sound record bears the name at every moment, and goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from test_care_archive import run, settled_year

from studio.cli.archive import command
from studio.cli.verify import command as verify_command
from studio.journal import Reader
from studio.money import bettor_account

NOT_THERE: Final = "strace is not installed: run make setup as root, or install strace."
STUDIO: Final = [sys.executable, "-c", "from dealer_ui.cli import main; main()"]
EXCHANGES: Final = "rename,link"
DECIDING: Final = f"{EXCHANGES},unlink,fsync,fdatasync"
LAST: Final = 82
"""Closing the year makes about so many of them."""
CHOSEN: Final = [
    *((EXCHANGES, number) for number in (1, 2, 3)),
    *(pytest.param(DECIDING, number, marks=pytest.mark.long) for number in range(1, LAST, 3)),
]

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason=NOT_THERE)


def closed_until(calls: str, number: int, db: Path, into: Path) -> bool:
    """Whether the year was closed: its process was killed at that call of those named."""
    killing = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}",
               "-e", f"inject={calls}:signal=KILL:when={number}"]  # fmt: skip
    said = subprocess.run(
        [*killing, *STUDIO, "archive", str(db), "2026", "--to", str(into), "--by", "Mika"],
        capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert said.returncode in (0, -signal.SIGKILL, 128 + signal.SIGKILL), said.stderr
    return said.returncode == 0


@pytest.mark.parametrize(("calls", "number"), CHOSEN)
def test_a_year_that_was_being_closed_is_closed_or_not(calls: str, number: int, tmp_path: Path) -> None:
    db, into = settled_year(tmp_path / "studio.db"), tmp_path / "archive"
    with Reader.open(db) as reader:
        purse, head = reader.balance(bettor_account("north", "ann")), reader.head()
    done = closed_until(calls, number, db, into)
    archived = into / "studio-2026" / "studio.db"
    with Reader.open(db) as reader:
        assert reader.balance(bettor_account("north", "ann")) == purse
        anew = reader.head() != head
    assert anew or not done
    both = run(verify_command, db, *(["--archive", archived] if anew else []))
    assert both.exit_code == 0, both.output
    if not anew:
        put_away(tmp_path)
        assert run(command, db, 2026, "--to", tmp_path / "later", "--by", "Mika").exit_code == 0


def put_away(folder: Path) -> None:
    """As the sentence says of what a killed closing left."""
    shutil.rmtree(folder / "archive", ignore_errors=True)
    (folder / "studio.db.until-2026").unlink(missing_ok=True)
