"""`studio rtp`: the shape of its lines, its table, and its refusals."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner, Result

from studio.cli.rtp import command
from studio.games import HOUSE_GAMES, find_game
from studio.games.three_knights import BETS
from studio.proof.returns.rtp import prove_each


def rtp(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_every_bet_is_one_line_of_the_promised_shape() -> None:
    result = rtp("three_knights", "--json")
    assert result.exit_code == 0
    lines = [json.loads(text) for text in result.stdout.splitlines()]
    assert sorted(each["bet"] for each in lines) == sorted(BETS)
    for each in lines:
        assert list(each) == ["game", "bet", "basis", "rtp_percent", "exact", "published_percent", "seconds"]
        assert (each["game"], each["basis"], each["exact"]) == ("three_knights", "stake", True)
        assert each["published_percent"] is None
        assert each["seconds"] >= 0
    assert {each["bet"]: each["rtp_percent"] for each in lines}["player1_tie"] == pytest.approx(33.98216, abs=5e-6)


def test_without_a_key_every_house_game_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each proof itself is held to its figures where its game is tested."""
    tie = next(proof for proof in prove_each(find_game("three_knights"), {}) if proof.bet == "player1_tie")
    monkeypatch.setattr("studio.cli.rtp.prove_each", lambda game, rules, report: [replace(tie, game=game.key)])
    lines = [json.loads(text) for text in rtp("--json").stdout.splitlines()]
    assert {each["game"] for each in lines} == {game.key for game in HOUSE_GAMES}


@pytest.mark.long
def test_a_main_game_is_two_lines_of_initial_and_total_basis() -> None:
    lines = [json.loads(text) for text in rtp("three_card_poker", "--json").stdout.splitlines()]
    assert [(each["bet"], each["basis"]) for each in lines] == [
        ("main", "initial"),
        ("main", "total"),
        ("pair_plus", "stake"),
        ("six_card", "stake"),
    ]


def test_a_key_given_twice_is_proved_once() -> None:
    assert len(rtp("three_knights", "three_knights", "--json").stdout.splitlines()) == len(BETS)


def test_people_get_a_table() -> None:
    result = rtp("three_knights")
    assert result.exit_code == 0
    for words in ("player3_pair_plus", "92.7240", "96.9440", "33.9822", "16.9231"):
        assert words in result.stdout


def test_a_house_option_may_be_tried_out() -> None:
    lines = [json.loads(text) for text in rtp("three_knights", "--rule", "six=even", "--json").stdout.splitlines()]
    assert {each["bet"]: each["rtp_percent"] for each in lines}["player1_win"] == 100


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["roulette"], "no game 'roulette' here: the games are three_knights", id="unknown-game"),
        pytest.param(["three_knights", "--rule", "six=half"], "option six cannot be 'half'", id="bad-value"),
        pytest.param(["three_knights", "--rule", "six"], "write it as NAME=VALUE", id="no-value"),
    ],
)
def test_a_bad_request_is_refused_with_a_sentence(arguments: list[str], said: str) -> None:
    result = rtp(*arguments)
    assert result.exit_code == 1
    assert said in result.stderr
    assert not result.stdout
