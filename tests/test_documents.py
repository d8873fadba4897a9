"""What the documents say is held to what is there: links, files, commands, transcripts, and the form of a decision."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dealer_ui.cli import main
from dealer_ui.config.file import load_config

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")),
)
DECISIONS = sorted((ROOT / "docs/decisions").glob("*.md"))
FILE = re.compile(r"`((?:studio|devices|dealer_ui|tests|docs|config|bench|soak|scripts)/[\w/.-]+)`")


@pytest.mark.parametrize("page", PAGES)
def test_a_link_leads_somewhere(page: str) -> None:
    here = ROOT / page
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", here.read_text()):
        assert target.startswith(("http://", "https://")) or (here.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_a_file_that_is_named_exists(page: str) -> None:
    assert [name for name in FILE.findall((ROOT / page).read_text()) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("file", ["config/demo.toml", "config/example-studio.toml"])
def test_a_configuration_we_ship_can_be_read(file: str) -> None:
    config = load_config(ROOT / file)
    assert [table.game for table in config.tables] == ["three_knights"]


# --- commands -----------------------------------------------------------------------------------------


def _commands(group: click.Group, path: str = "studio") -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        if isinstance(found, click.Group):
            yield from _commands(found, f"{path} {name}")
        else:
            yield f"{path} {name}"


def test_every_command_is_told_and_no_other() -> None:
    operating = (ROOT / "docs/operating.md").read_text()
    told = re.findall(r"^\| `(studio [^`]+)`", operating, re.MULTILINE)
    known = list(_commands(main))
    assert [command for command in known if not any(f"{line} ".startswith(f"{command} ") for line in told)] == []
    assert [line for line in told if not any(f"{line} ".startswith(f"{command} ") for command in known)] == []


def _transcripts() -> list[tuple[str, str]]:
    """Commands and what they print; a line that goes on with two blanks belongs to the command."""
    blocks = re.findall(r"^```console\n\$ (.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    return [re.match(r"(.*\n(?:  .*\n)*)([^`]*)", block).groups() for block in blocks]  # type: ignore[union-attr, misc]


@pytest.mark.parametrize(("command", "output"), _transcripts())
def test_a_transcript_of_the_readme_is_what_one_sees(command: str, output: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}
    done = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=True)
    assert [line.rstrip() for line in done.stdout.splitlines()] == output.splitlines()


# --- decisions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("record", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_is_recorded_in_four_parts_and_half_a_page(record: Path) -> None:
    text = record.read_text()
    assert re.match(rf"# {int(record.stem[:4])}\. ", text)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Status", "Context", "Decision", "Consequences"]
    assert len(text.splitlines()) <= 50


def test_every_decision_has_a_number_of_its_own() -> None:
    numbers = [int(record.name[:4]) for record in DECISIONS]
    assert numbers == sorted(set(numbers))


def test_the_guide_for_operators_names_every_reason_for_which_a_seat_is_refused() -> None:
    guide, seating = (
        (ROOT / "docs/operators-interface.md").read_text(),
        (ROOT / "studio/tables/seats/request.py").read_text(),
    )
    reasons = set(re.findall(r'RefusedError\(\s*"(\w+)"', seating)) - {"duplicate"}
    assert len(reasons) > 10
    assert [one for one in sorted(reasons) if f"`{one}`" not in guide] == []
