"""The one command `studio`: it has every verb, and ends cleanly when it is told to stop."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from patience import PATIENCE_S

from dealer_ui.cli import main
from studio.cli import verbs


def test_every_verb_of_the_core_is_a_verb_of_studio() -> None:
    listed = main.list_commands(click.Context(main))
    assert set(verbs) <= set(listed)
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "settle" in result.stdout


def test_the_module_does_what_studio_does() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "dealer_ui.cli", "settle", "--help"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert (said.returncode, "settle" in said.stdout, said.stderr) == (0, True, "")


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT], ids=lambda told: told.name)
def test_a_command_told_to_stop_ends_within_five_seconds_with_exit_code_130(told: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "from dealer_ui.cli import main; main()", "settle", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("nonsense\n")
        process.stdin.flush()
        assert "error" in json.loads(process.stdout.readline())
        process.send_signal(told)
        assert process.wait(timeout=PATIENCE_S) == 130
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["operators", "revoke", "--config", "s.toml", "north", "--reason", "r", "--key", ""],
            "What follows --key is empty",
        ),
        (["report", "closing", "--db", "s.db", "--operator="], "What follows --operator= is empty"),
        (["statement", "s.db", "--operator", "demo", "--day", ""], "What follows --day is empty"),
        (["verify", "s.db", "--public-key", ""], "What follows --public-key is empty"),
        (["report", "closing", "--db", "s.db", "--csv", ""], "What follows --csv is empty"),
        (["backup", "s.db", ""], "A word of this command is empty"),
        ([""], "A word of this command is empty"),
    ],
)
def test_a_variable_that_was_never_set_does_not_mean_everything(args: list[str], said: str) -> None:
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 2
    assert f"Error: {said}: write it out, or leave it out." in done.output


@pytest.mark.parametrize(
    "args",
    [
        ["decks", "list", "--db", "DB"],
        ["archive", "DB", "2026", "--to", "x", "--by", "Mika"],
        ["keys", "show", "DB"],
        ["program", "accept", "--db", "DB", "--by", "Mika", "--reason", "new"],
        ["care", "public-key", "DB"],
        ["upgrade-rehearsal", "DB"],
        ["migrate-to-postgres", "DB", "DB"],
    ],
    ids=" ".join,
)
def test_a_command_that_takes_a_file_says_so_of_an_address_as_it_was_written(args: list[str]) -> None:
    address = "postgresql://studio@db:5432/floor"
    done = CliRunner().invoke(main, [address if word == "DB" else word for word in args])
    assert done.exit_code == 2
    assert "This command takes a file: a record in a database is not reached by it." in done.output


def test_a_pin_that_nobody_types_ends_the_command_with_a_sentence(tmp_path: Path) -> None:
    asked = ["--db", str(tmp_path / "studio.db"), "--id", "d1", "--reason", "lost", "--beside", "2001"]
    told = subprocess.run(
        [sys.executable, "-m", "dealer_ui.cli", "staff", "reset-factor", *asked],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
        start_new_session=True,
    )
    assert told.returncode == 1
    assert told.stderr.endswith(
        "Error: What was asked for was not typed, and nothing was done: call the command at a terminal.\n"
    )
    assert "getpass.py" not in told.stderr
