"""A record is opened in a file: what else lies there is left as it is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from dealer_ui.cli import main
from studio.errors import BadInputError
from studio.journal import Store


@pytest.mark.parametrize("made", [os.mkfifo, os.mkdir], ids=["a device", "a folder"])
def test_what_is_no_file_is_no_record_and_stays_as_it_is(made: object, tmp_path: Path) -> None:
    """As root `/dev/null` became root's alone, and nobody else on the machine could use it."""
    path = tmp_path / "there"
    made(path)  # type: ignore[operator]
    path.chmod(0o666)
    with pytest.raises(BadInputError, match="is no file, and holds no record"), Store.open(path):
        pass
    adding = ["staff", "add", "--db", str(path), "--id", "a", "--badge", "1", "--name", "x", "--role", "dealer"]
    assert CliRunner().invoke(main, adding).exit_code != 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o666
    assert [one.name for one in tmp_path.iterdir()] == ["there"]
