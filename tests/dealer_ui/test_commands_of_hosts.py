"""Commands given at a stopped host: nothing is done to a file that the studio's record has moved on from, or that is
another host's, and said to be done."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from running_studio import House

from dealer_ui.cli import main

CONFIG = """
[studio]
database = "{database}"
evidence = "{evidence}"

[operators.north]
key_sha256 = "{digest}"

[[tables]]
key = "t1"
title = "One"
game = "three_knights"
host = "a"

[cluster]
nats = ["nats://127.0.0.1:4222"]
host = "{host}"
desk = "a"
secret_file = "secret"
{record}
"""
POSTGRES = 'postgres = "postgresql://studio@127.0.0.1:1/floor"\nshared = "shared"'
WHY = ("--reason", "left")
OF_DESK = {
    "operators revoke": ("operators", "revoke", "north", *WHY),
    "operators add": ("operators", "add", "south", *WHY),
    "operators list": ("operators", "list"),
    "decks receive": (
        "decks", "receive", "--deck", "D9", "--design", "x", "--back", "blue", "--seal", "1", "--place", "safe",
        "--badge", "2001", "--second-badge", "1001",
    ),
}  # fmt: skip
OF_HOST = {
    "keys rotate": ("keys", "rotate", "signing", *WHY),
    "care retention": ("care", "retention"),
    "care retention --dry-run": ("care", "retention", "--dry-run"),
}


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A studio of one process that was stopped: its file stays when its record is carried over."""
    with House(tmp_path) as found:
        found.staff()
    return found


def said(house: House, folder: Path, words: tuple[str, ...], host: str, record: str) -> str:
    """What the command says that refuses, and has changed nothing."""
    path = folder / "studio.toml"
    evidence = folder / "evidence"
    path.write_text(
        CONFIG.format(database=house.database, evidence=evidence, digest="0" * 64, host=host, record=record)
    )
    before = house.database.read_bytes()
    done = CliRunner().invoke(main, [*words, "--config", str(path)])
    assert done.exit_code == 1, done.output
    assert house.database.read_bytes() == before
    return done.output


@pytest.mark.parametrize("words", [*OF_DESK.values(), *OF_HOST.values()], ids=[*OF_DESK, *OF_HOST])
def test_nothing_is_done_to_a_file_whose_record_was_carried_over(
    house: House, tmp_path: Path, words: tuple[str, ...]
) -> None:
    told = said(house, tmp_path, words, "a", POSTGRES)
    assert "The record is in PostgreSQL" in told
    assert ("deletes by itself" in told) == (words[0] == "care")
    assert ("no table host runs on this machine" in told) == (words[0] != "care"), "nobody asked one that runs"


@pytest.mark.parametrize("words", OF_DESK.values(), ids=OF_DESK)
def test_what_the_desk_keeps_is_not_done_to_another_hosts_file(
    house: House, tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert "The host a keeps this" in said(house, tmp_path, words, "b", 'record = "a.db"')
