"""A day on which nothing happened is reported, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dealer_ui.cli import main
from studio.journal import Store
from studio.reports import KINDS


@pytest.mark.parametrize("kind", [one.key for one in KINDS])
def test_a_day_on_which_nothing_happened_has_every_report(tmp_path: Path, kind: str) -> None:
    database = tmp_path / "studio.db"
    with Store.open(database):
        pass
    told = CliRunner().invoke(main, ["report", kind, "--db", str(database), "--day", "2026-01-31"])
    assert told.exit_code == 0, told.output
    assert "2026-01-31" in told.output
