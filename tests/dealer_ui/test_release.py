"""A release installs from its wheel and from its sdist, and its studio runs without the repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from studio_process import StudioProcess, free_port

from scripts.release import ROOT, SUMS, build, held, is_told, version_of
from studio.journal import Reader

STRANGER = ROOT / "tests/studio/stranger.py"
PACKAGES = ("studio/", "devices/", "dealer_ui/")


def test_the_changelog_tells_of_this_version_and_has_room_for_the_next() -> None:
    told = (ROOT / "CHANGELOG.md").read_text()
    assert is_told(version_of(ROOT), told)
    assert re.findall(r"^## (.+)$", told, re.MULTILINE)[0] == "Unreleased"
    assert not is_told("9.9.9", told)


def test_what_is_installed_here_is_this_version() -> None:
    assert version("live-dealer-studio") == version_of(ROOT)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.mark.long
def test_both_hold_all_of_the_program_and_nothing_that_was_only_made_here(built: tuple[Path, Path]) -> None:
    wheel, sdist = built
    ours = {name.as_posix() for name in held(ROOT) if name.as_posix().startswith(PACKAGES)}
    with zipfile.ZipFile(wheel) as file:
        assert {name for name in file.namelist() if name.startswith(PACKAGES)} == ours
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames() if archive.getmember(name).isfile()}
    assert {name for name in names if name.startswith(PACKAGES)} == ours
    assert {"LICENSE", "NOTICE", "CHANGELOG.md", "docs/operating.md", "tests/studio/stranger.py"} <= names
    listed = subprocess.run(["sha256sum", "-c", SUMS], cwd=wheel.parent, capture_output=True, text=True, check=False)
    assert listed.returncode == 0, listed.stdout


def has_settled(db: Path) -> bool:
    with Reader.open(db) as reader:
        return any(True for _ in reader.events(kinds=("RoundSettled",)))


@pytest.mark.night
@pytest.mark.parametrize("which", [0, 1], ids=["wheel", "sdist"])
def test_it_installs_into_an_empty_environment_and_its_studio_plays_a_round_a_stranger_checks(
    built: tuple[Path, Path], tmp_path: Path, which: int
) -> None:
    """Nothing of this checkout is in reach: another interpreter's environment, another folder, no path of ours."""
    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / "bin"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}

    def done(*words: str | Path) -> str:
        run = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout

    done(programs / "pip", "install", "--quiet", built[which])
    place = "import studio, dealer_ui, devices; print(studio.__file__, dealer_ui.__file__, devices.__file__)"
    assert str(ROOT) not in done(programs / "python", "-c", place)
    assert done(programs / "studio", "--version").strip().endswith(version_of(ROOT))
    db, port = tmp_path / "studio.db", free_port()
    asked = ("demo", "--auto", "--json", "--speed", "10", "--seed", "1", "--port", str(port), "--db", str(db))
    with StudioProcess(*asked, port=port, command=(str(programs / "studio"),)) as studio:
        studio.key = json.loads(studio.line())["api_key"]
        studio.once("three-knights-1", lambda _: has_settled(db))
        studio.kill()
    verdict = json.loads(done(programs / "studio", "verify", db, "--json"))
    assert (verdict["ok"], verdict["rounds"] >= 1) == (True, True)
    done(programs / "studio", "export", db, "--out", tmp_path / "night.jsonl")
    key = done(programs / "studio", "care", "public-key", db).strip()
    [journal, _] = json.loads(done(sys.executable, "-I", "-S", STRANGER, tmp_path / "night.jsonl", key))
    assert journal[0] == verdict["events"]
    assert "settled" in done(programs / "studio", "replay", db, "1", "--table", "three-knights-1")
