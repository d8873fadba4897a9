"""`studio doctor`: full sentences, each with what to do, and an exit code that says whether anything is missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner

from studio.cli.doctor import command
from studio.proof.machine import host
from studio.proof.machine.host import HostFinding

FINDINGS: dict[str, tuple[Callable[[Path], HostFinding], str, str]] = {
    "new python": (lambda path: host.python((3, 12, 1)), "ok", "3.12.1"),
    "old python": (lambda path: host.python((3, 10, 9)), "missing", "install Python 3.11"),
    "sqlite with the race": (lambda path: host.sqlite((3, 51, 2)), "note", "nothing has to be done"),
    "sqlite without it": (lambda path: host.sqlite((3, 51, 3)), "ok", "3.51.3"),
    "no libGL": (lambda path: host.graphics(None), "missing", "install libgl1"),
    "libGL": (lambda path: host.graphics("libGL.so.1"), "ok", "libGL.so.1"),
    "a slow card reader": (lambda path: host.card_engine(is_there=False), "note", "run make setup"),
    "a card reader": (lambda path: host.card_engine(is_there=True), "ok", "onnxruntime"),
    "no font": (lambda path: host.fonts([path]), "note", "No font"),
    "no Japanese font": (lambda path: host.japanese_font([]), "note", "install fonts-vlgothic"),
    "no Japanese font, nor a screen": (lambda path: host.japanese_font([]), "note", "others needs none"),
    "a Japanese font": (lambda path: host.japanese_font(["VL Gothic"]), "ok", "VL Gothic"),
    "nobody to ask for fonts": (lambda path: host.japanese_font(None), "note", "install fontconfig"),
    "no browser": (lambda path: host.chromium(lambda name: None), "note", "a table does not need it"),
    "a browser": (lambda path: host.chromium(lambda name: f"/bin/{name}"), "ok", "/bin/chromium"),
    "no serial port": (lambda path: host.serial_ports([]), "note", "/dev/ttyUSB0"),
    "clock right": (lambda path: host.clock(synchronised=True), "ok", "is synchronised"),
    "clock wrong": (lambda path: host.clock(synchronised=False), "missing", "switch a time service on"),
    "clock unknown": (lambda path: host.clock(None), "note", "cannot be seen"),
    "no database yet": (lambda path: host.keys(path / "studio.db"), "ok", "made with it"),
    "keys lost": (lambda path: host.keys(_made(path / "studio.db")), "missing", "restore it"),
    "keys open to all": (lambda path: host.keys(_with_keys(path / "studio.db", 0o644)), "missing", "chmod 600"),
    "keys plain": (lambda path: host.keys(_with_keys(path / "studio.db", 0o600)), "ok", "studio keys wrap"),
    "keys wrapped": (lambda path: host.keys(_with_keys(path / "studio.db", 0o600, "#wrapped 1")), "ok", "wrapped:"),
    "keys kept": (lambda path: host.keys(_with_keys(path / "studio.db", 0o600)), "ok", "owner alone"),
}  # fmt: skip


def _made(db: Path) -> Path:
    db.touch()
    return db


def _with_keys(db: Path, mode: int, text: str = "") -> Path:
    keys = db.with_name(f"{db.name}.keys")
    keys.write_text(text)
    keys.chmod(mode)
    return _made(db)


@pytest.mark.parametrize(("look", "verdict", "words"), FINDINGS.values(), ids=FINDINGS)
def test_each_finding_is_a_sentence(
    tmp_path: Path, look: Callable[[Path], HostFinding], verdict: str, words: str
) -> None:
    found = look(tmp_path)
    assert found.verdict == verdict
    assert words in found.sentence
    assert found.sentence.endswith(".")


def test_a_folder_of_fonts_that_cannot_be_looked_into_keeps_nothing_from_being_said(tmp_path: Path) -> None:
    assert host.fonts([tmp_path / ("x" * 300)]).verdict == "note"


def test_a_package_that_is_not_there_is_named_by_its_distribution() -> None:
    [found] = host.packages({"no_such_module_at_all": "no-such-package"})
    assert (found.verdict, "no-such-package" in found.sentence) == ("missing", True)


def test_the_disk_is_measured_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    ticks = count()
    room, sync = host.disk(tmp_path / "studio.db", lambda: next(ticks) / 1000)
    assert room.topic == "disk"
    assert (sync.verdict, "after 1.0 ms" in sync.sentence) == ("ok", True)
    assert list(tmp_path.iterdir()) == []


def test_a_slow_disk_is_told(tmp_path: Path) -> None:
    ticks = count()
    _, sync = host.disk(tmp_path / "studio.db", lambda: next(ticks) / 10)
    assert (sync.verdict, "100.0 ms" in sync.sentence) == ("note", True)


def test_a_folder_that_is_not_there_is_missing(tmp_path: Path) -> None:
    [found] = host.disk(tmp_path / "none" / "studio.db", lambda: 0.0)
    assert found.verdict == "missing"


def test_the_command_prints_a_line_a_finding_and_exits_by_what_is_missing(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--json", "--db", str(tmp_path / "studio.db")])
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert {"python", "sqlite", "disk", "sync", "keys", "clock", "serial", "japanese"} <= {
        one["topic"] for one in found
    }
    assert result.exit_code == int(any(one["verdict"] == "missing" for one in found))
    people = CliRunner().invoke(command, ["--db", str(tmp_path / "none" / "studio.db")])
    assert people.exit_code == 1
    assert "MISSING  The folder" in people.stdout


def test_a_folder_is_no_database_and_nobody_is_told_to_close_it(tmp_path: Path) -> None:
    said = CliRunner().invoke(command, ["--db", str(tmp_path)])
    assert said.exit_code == 1
    assert f"{tmp_path}: This is a folder: name the database's file in it." in said.output
    assert "chmod" not in said.output


def test_what_is_to_be_typed_can_be_typed_as_it_stands(tmp_path: Path) -> None:
    db = tmp_path / "a studio.db"
    assert host.keys(_with_keys(db, 0o644)).sentence.endswith(f": chmod 600 '{db}.keys'.")
