"""Root at the machine, for a studio that runs under an account of its own: what it makes is that account's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from studio_process import free_port

from dealer_ui.cli import main
from studio.care.signing import signer_beside
from studio.file_owner import give_to_owner

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for others")

ACCOUNT = 65534
CONFIG = """\
[studio]
database = "{folder}/studio.db"
evidence = "{folder}/evidence"

[server]
port = {port}

[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"
"""


def done(*args: object) -> None:
    said = CliRunner().invoke(main, [str(arg) for arg in args])
    assert said.exit_code == 0, said.output


def of_others(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.stat().st_uid != ACCOUNT]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The studio's own, with a database that root has begun."""
    made = tmp_path / "studio"
    made.mkdir()
    os.chown(made, ACCOUNT, ACCOUNT)
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko", "--role", "admin")
    done("staff", "add", "--db", made / "studio.db", *who)
    signer_beside(made / "studio.db", os.urandom)
    return made


def test_the_first_people_are_entered_by_root(folder: Path) -> None:
    assert {"studio.db", "studio.db.pepper", "studio.db.lock"} <= {path.name for path in folder.iterdir()}
    assert of_others(folder) == []


def test_keys_are_exchanged_and_wrapped_by_root(folder: Path, tmp_path: Path) -> None:
    config = tmp_path / "studio.toml"
    config.write_text(CONFIG.format(folder=folder, port=free_port()))
    done("keys", "rotate", "pepper", "--config", config, "--reason", "yearly")
    done("keys", "rotate", "signing", "--config", config, "--reason", "yearly")
    secret = tmp_path / "wrapping"
    secret.write_text("0" * 64)
    secret.chmod(0o600)
    done("keys", "wrap", folder / "studio.db", "--wrapped-by", f"file:{secret}")
    assert {"studio.db.signing", "studio.db.pepper", "studio.db.keys"} <= {path.name for path in folder.iterdir()}
    assert of_others(folder) == []


def test_a_year_is_closed_by_root_and_a_backup_put_back(folder: Path, tmp_path: Path) -> None:
    done("backup", folder / "studio.db", tmp_path / "backup", "--keys-to", tmp_path / "keys")
    done("archive", folder / "studio.db", 2026, "--to", tmp_path / "archive", "--by", "Mika")
    assert of_others(folder) == ["studio.db.backup"]  # which nobody has to write again: it is exchanged
    other = tmp_path / "other"
    other.mkdir()
    os.chown(other, ACCOUNT, ACCOUNT)
    [backup], [keys] = (tmp_path / "backup").iterdir(), (tmp_path / "keys").iterdir()
    done("restore", backup, other / "studio.db", "--keys", keys)
    assert (other / "studio.db.keys").exists()
    assert of_others(other) == []


def test_what_cannot_be_given_away_stays(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    give_to_owner(file, tmp_path / "nothing")
    assert file.stat().st_uid == 0
