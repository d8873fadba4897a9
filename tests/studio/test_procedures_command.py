"""`studio procedures` and `studio ruling --config`: a studio's own rows are checked, asked and printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dealer_ui.config.file import load_config
from studio.cli import load, verbs
from studio.errors import BadInputError
from studio.procedures.record import version_in_force

VERBS = {name: load(place) for name, place in verbs.items()}
ROWS = (Path(__file__).parents[2] / "config" / "example-procedures.toml").read_text(encoding="utf-8")
STUDIO = """
[[tables]]
key = "one"
title = "One"
game = "holdem_bonus"
procedures = "house.toml"

[[tables]]
key = "two"
title = "Two"
game = "holdem_bonus"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "house.toml").write_text(ROWS, encoding="utf-8")
    (tmp_path / "studio.toml").write_text(STUDIO, encoding="utf-8")
    return tmp_path


def told(verb: str, *arguments: str) -> str:
    done = CliRunner().invoke(VERBS[verb], list(arguments))
    assert done.exit_code == 0, done.output
    return done.output


def row_at(folder: Path, table: str) -> str:
    asked = ["--config", str(folder / "studio.toml"), "--table", table, "--incident", "exposed_card"]
    answer = json.loads(told("ruling", *asked, "--phase", "dealing", "--json"))
    return str(answer["row"])


def test_a_table_rules_by_its_own_rows_and_the_one_beside_it_by_those_that_ship(folder: Path) -> None:
    assert (row_at(folder, "one"), row_at(folder, "two")) == ("OWN1", "HG3")


def test_a_file_of_rows_is_checked(folder: Path) -> None:
    assert "2 rows, and each of them can rule." in told("procedures", "check", str(folder / "house.toml"))


def test_a_wrong_file_is_refused_with_its_line(folder: Path) -> None:
    (folder / "house.toml").write_text(ROWS.replace('"void_round"\napproval', '"shrug"\napproval'), encoding="utf-8")
    done = CliRunner().invoke(VERBS["procedures"], ["check", str(folder / "house.toml")])
    assert done.exit_code == 1
    assert "house.toml, line " in done.output
    assert "Row OWN2: there is no ruling 'shrug'." in done.output
    with pytest.raises(BadInputError, match="Row OWN2"):
        load_config(folder / "studio.toml")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--incident", "exposed_card", "--phase", "dealing"], "Say which game is dealt"),
        (["--incident", "x", "--phase", "dealing", "--config", "nowhere.toml"], "cannot be read"),
    ],
)
def test_ruling_says_what_it_needs(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(VERBS["ruling"], arguments)
    assert done.exit_code == 1
    assert sentence in done.output


def test_an_unknown_table_is_refused_with_those_there_are(folder: Path) -> None:
    asked = ["--config", str(folder / "studio.toml"), "--table", "nine", "--incident", "x", "--phase", "dealing"]
    done = CliRunner().invoke(VERBS["ruling"], asked)
    assert "The tables are: one, two." in done.output


def test_the_pages_of_a_table_are_written_with_its_own_rows_and_their_version(folder: Path) -> None:
    told("procedures", "page", str(folder / "pages"), "--config", str(folder / "studio.toml"))
    page = (folder / "pages" / "exposed_card.md").read_text(encoding="utf-8")
    config = load_config(folder / "studio.toml")
    own = config.table_config(config.tables[0]).own_rows
    assert f"Version {version_in_force('holdem_bonus', own)}." in page
    assert "### OWN1: the deal, one card" in page
    assert "1. Dealer: Hands off: leave every card where it lies." in page


def test_the_configuration_gives_the_rows_to_the_table_that_names_them(folder: Path) -> None:
    config = load_config(folder / "studio.toml")
    own = [config.table_config(table).own_rows for table in config.tables]
    assert [[row.id for row in rows] for rows in own] == [["OWN1", "OWN2"], []]


def ruled(game: str, incident: str, phase: str, *given: str) -> dict[str, object]:
    asked = told("ruling", "--game", game, "--incident", incident, "--phase", phase, "--json", *given)
    answer = json.loads(asked)
    assert isinstance(answer, dict)
    return answer


def test_a_void_takes_two_people_once_cards_were_turned() -> None:
    assert ruled("kkclash", "malfunction", "revealing")["approval"] == "pit_boss"
    assert ruled("kkclash", "malfunction", "revealing", "reveal_done=no")["approval"] == "pit_boss"
    assert ruled("kkclash", "malfunction", "revealing", "reveal_done=yes")["approval"] == "two_people"
    assert ruled("kkclash", "malfunction", "result")["approval"] == "two_people"
    asked = ("ruling", "--game", "kkclash", "--incident", "malfunction", "--phase", "revealing")
    assert "ask with --with reveal_done=yes" in told(*asked)
    assert "reveal_done" not in told(*asked, "reveal_done=no")


def test_the_pair_plus_that_is_paid_though_the_round_is_void_is_told_where_there_is_one() -> None:
    for game, said in (("three_card_poker", True), ("kkclash", False), ("holdem_bonus", False), ("nlh", False)):
        asked = (game, "wrong_count", "dealing", "revealed=yes")
        assert ("Pair Plus" in str(ruled(*asked)["text"])) is said, game
        shown = told("ruling", "--game", game, "--incident", "wrong_count", "--phase", "dealing", "revealed=yes")
        assert ("Pair Plus" in shown) is said, game
    assert "a blackjack that was dealt is paid" in str(ruled("blackjack", "unread_card", "dealing")["text"])


@pytest.mark.parametrize(
    ("incident", "phase", "given"),
    [
        ("extra_card", "dealing", ("revealed=no",)),
        ("extra_card", "dealing", ()),
        ("exposed_card", "dealing", ("next_dealt=yes",)),
        ("burn_error", "dealing", ("action=no",)),
        ("early_card", "dealing", ("board=flop",)),
        ("misplaced_card", "dealing", ("board=turn",)),
    ],
)
def test_open_face_has_no_burn_and_no_board_to_rule_on(incident: str, phase: str, given: tuple[str, ...]) -> None:
    answer = ruled("ofc", incident, phase, *given)
    assert answer["row"] in ("HG6", "PK1", "")
    assert "burn" not in str(answer["text"])
    assert "flop" not in str(answer["text"])
