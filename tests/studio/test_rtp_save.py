"""`studio rtp --save`: certificates of what is asked, of changed tables, and of a studio's configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from studio.cli.rtp import command
from studio.games import find_game
from studio.proof.certificate.folder import Certificates

KNIGHTS = find_game("three_knights")


def rtp(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_record_and_a_page_are_written(tmp_path: Path) -> None:
    result = rtp("three_knights", "--save", str(tmp_path), "--date", "2026-05-06", "--json")
    assert result.exit_code == 0
    record, page = tmp_path / names(tmp_path)[1], tmp_path / names(tmp_path)[0]
    assert (page.suffix, record.suffix, record.stem) == (".html", ".json", page.stem)
    assert json.loads(record.read_text())["date"] == "2026-05-06"
    assert "2026-05-06" in page.read_text()
    assert len(result.stdout.splitlines()) == len(KNIGHTS.betting.bets)  # lines as ever, the rest on the error stream
    assert record.name in result.stderr


@pytest.mark.parametrize("how", ["object", "file", "toml", "option"])
def test_a_changed_table_is_proved_from_wherever_it_is_written(how: str, tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text('{"six": "even"}')
    (tmp_path / "rules.toml").write_text('six = "even"')
    arguments = {
        "object": ("--rules", '{"six": "even"}'),
        "file": ("--rules", str(tmp_path / "rules.json")),
        "toml": ("--rules", str(tmp_path / "rules.toml")),
        "option": ("--rule", "six=even"),
    }[how]
    assert rtp("three_knights", *arguments, "--save", str(tmp_path / "kept")).exit_code == 0
    found = Certificates.of(tmp_path / "kept").find(KNIGHTS, {"six": "even"})
    assert found is not None
    assert found.highest.percent == 100


def test_a_certificate_names_the_rules_to_prove_it_again(tmp_path: Path) -> None:
    rtp("three_knights", "--rule", "six=commission", "--save", str(tmp_path / "one"))
    [record] = (tmp_path / "one").glob("*.json")
    rtp("three_knights", "--rules", str(record), "--save", str(tmp_path / "two"))
    once, again = (json.loads((tmp_path / folder / record.name).read_text()) for folder in ("one", "two"))
    assert {**once, "seconds": 0} == {**again, "seconds": 0}


CONFIG = """
[[tables]]
key = "a"
title = "A"
game = "three_knights"
[[tables]]
key = "b"
title = "B"
game = "three_knights"
rules = {six = "commission"}
[[tables]]
key = "c"
title = "C"
game = "three_knights"
rules = {six = "commission"}
"""


def test_every_table_of_a_studio_is_proved_once(tmp_path: Path) -> None:
    (tmp_path / "studio.toml").write_text(CONFIG)
    result = rtp("--config", str(tmp_path / "studio.toml"), "--save", str(tmp_path / "kept"))
    assert result.exit_code == 0, result.stderr
    assert [one.suffix for one in sorted((tmp_path / "kept").iterdir())].count(".json") == 2


def test_what_is_proved_already_is_not_proved_again_where_only_the_missing_is_asked(tmp_path: Path) -> None:
    (tmp_path / "studio.toml").write_text(CONFIG)
    asked = ("--config", str(tmp_path / "studio.toml"), "--save", str(tmp_path / "kept"), "--missing", "--json")
    rtp(*asked)
    result = rtp(*asked)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "Nothing is missing: each pay table is proved as it is now.\n"


@pytest.mark.long
def test_a_table_that_returns_more_than_all_is_told_of_at_once(tmp_path: Path) -> None:
    better = "pair_plus=mini_royal 101, straight_flush 41, three_of_a_kind 31, straight 9, flush 9, pair 2"
    result = rtp("three_card_poker", "--rule", better, "--save", str(tmp_path))
    assert "Three Card Poker returns more than 100 % on pair_plus." in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["three_knights", "--rules", "{six}"], "no JSON object", id="no-json"),
        pytest.param(["three_knights", "--rules", "nowhere.json"], "cannot be read", id="no-file"),
        pytest.param(["--rules", '{"six": "even"}'], "belongs to one game", id="no-key"),
        pytest.param(["three_knights", "--config", "studio.toml"], "names the tables itself", id="config-and-key"),
        pytest.param(["--config", "nowhere.toml"], "cannot be read", id="no-config"),
    ],
)
def test_a_bad_request_is_refused_with_a_sentence(arguments: list[str], said: str) -> None:
    result = rtp(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert said in result.stderr
