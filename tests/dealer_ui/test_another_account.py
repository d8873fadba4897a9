"""Whoever asks at the machine as another account than the studio's is told so, and not that nothing is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import PATIENCE_S

from dealer_ui.assembly.operators_door import ask_running
from dealer_ui.assembly.operators_order import Order
from dealer_ui.cli import main
from studio.errors import BadInputError

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another account")

AS_NOBODY = "import os; os.setegid(65534); os.seteuid(65534); from dealer_ui.cli import main; main()"
"""The effective account alone, so that Python is still found where root has it."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in (tmp_path, *tmp_path.parents[:2]):
        path.chmod(0o755)
    made = tmp_path / "studio"
    made.mkdir(mode=0o700)
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko", "--role", "admin")
    assert CliRunner().invoke(main, ["staff", "add", "--db", str(made / "studio.db"), *who]).exit_code == 0
    return made


def as_nobody(*args: str) -> str:
    from_root = "from dealer_ui import cli; import studio.cli.verify; "
    told = subprocess.run(
        [sys.executable, "-c", from_root + AS_NOBODY, *args],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert told.returncode == 1
    return told.stderr


@pytest.mark.parametrize("mode", [0o700, 0o755], ids=["a folder of its own", "a file of its own"])
def test_a_record_that_may_not_be_read_is_not_told_as_gone(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    said = as_nobody("verify", str(folder / "studio.db"))
    assert "This account may not read it: run the command as the account the studio runs under, or as root." in said


def test_nobody_else_keeps_operators(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("dealer_ui.assembly.operators_door.socket.socket.connect", refuse)
    with pytest.raises(BadInputError) as told:
        ask_running(folder / "studio.db", Order("list"))
    assert "Only the account the studio runs under, and root, may do this" in str(told.value)
