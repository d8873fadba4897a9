"""What a command draws as a table is there whole, wherever it goes: nobody reads a figure that lacks its end."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.table import Table

from dealer_ui.cli import main
from studio.cli.drawn_table import print_table

SUMS = ("20000.00 EUR", "-9364.00 EUR", "5443.00 EUR", "16079.00 EUR", "40000.00 EUR")
NAMES = ("deposits", "stakes", "returns", "closing", "other_book", "three-knights-1-0000001", "卓の名前")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(monkeypatch: pytest.MonkeyPatch, out: io.StringIO, *, columns: int, rows: int = 1) -> str:
    table = Table(title="operators")
    for name in NAMES:
        table.add_column(name, justify="right" if name in NAMES[:5] else "left")
    for _ in range(rows):
        table.add_row(*SUMS, "north", "words that may\nstand in lines")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", str(columns))
    print_table(table)
    return out.getvalue()


@pytest.mark.parametrize("columns", [1, 20, 80, 500])
def test_what_goes_to_a_file_is_as_wide_as_it_takes(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    said = drawn(monkeypatch, io.StringIO(), columns=columns)
    assert "…" not in said
    for word in (*SUMS, *NAMES, "words", "lines"):
        assert word in said
    assert len({len(line) for line in said.splitlines() if "EUR" in line}) == 1


@pytest.mark.parametrize("columns", [1, 20, 80, 500])
def test_a_terminal_that_is_too_narrow_gets_a_line_for_each_cell(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    said = drawn(monkeypatch, Terminal(), columns=columns, rows=2)
    assert "…" not in said
    for word in (*SUMS, *NAMES, "words", "lines"):
        assert word in said
    if columns < 100:
        assert "  deposits                 20000.00 EUR\n" in said
        assert "\n                           stand in lines\n" in said


def test_a_narrow_terminal_says_that_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, Terminal(), columns=20, rows=0) == "operators\n  none\n"


def test_a_report_is_cut_nowhere(tmp_path: Path) -> None:
    database = str(tmp_path / "studio.db")
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko-with-a-name-of-some-length", "--role", "admin")
    assert CliRunner().invoke(main, ["staff", "add", "--db", database, *who]).exit_code == 0
    said = CliRunner().invoke(main, ["report", "access", "--db", database, "--from", "2020-01-01"])
    assert said.exit_code == 0, said.output
    assert "Aiko-with-a-name-of-some-length" in said.output
    assert "…" not in said.output


@pytest.mark.parametrize("name", ["Ken [/b]", "[red]Ken", "Ken [night]"])
def test_a_name_is_shown_as_it_was_written(tmp_path: Path, name: str) -> None:
    database = str(tmp_path / "studio.db")
    who = ("--id", "a1", "--badge", "100", "--name", name, "--role", "admin")
    assert CliRunner().invoke(main, ["staff", "add", "--db", database, *who]).exit_code == 0
    said = CliRunner().invoke(main, ["staff", "list", "--db", database])
    assert said.exit_code == 0
    assert all(word in said.output for word in name.split())


def test_a_report_is_not_written_beside_the_folder_that_was_named(tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    database = str(tmp_path / "studio.db")
    who = ("--id", "a1", "--badge", "100", "--name", "Aiko", "--role", "admin")
    assert CliRunner().invoke(main, ["staff", "add", "--db", database, *who]).exit_code == 0
    said = CliRunner().invoke(main, ["report", "closing", "--db", database, "--csv", str(folder)])
    assert said.exit_code == 2
    assert "is a directory" in said.output
    assert not list(tmp_path.glob("stick-*"))
