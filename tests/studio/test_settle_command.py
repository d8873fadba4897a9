"""`studio settle`: the shapes of its lines, and what it makes of lines that are wrong."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from patience import PATIENCE_S

from dealer_ui.cli import main
from studio.cli import load, verbs
from studio.cli.settle import command

CARDS = {
    "player1": ["Js", "3h", "6d"],
    "player2": ["2c", "3c", "7d"],
    "player3": ["Kc", "8d", "8h"],
    "banker": ["Qs", "Th", "9d"],
}


def line(**changes: Any) -> dict[str, Any]:
    return {"game": "three_knights", "cards": CARDS, "bettors": [], **changes}


def settle(*lines: object, as_json: bool = True) -> Result:
    text = "".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in lines)
    return CliRunner().invoke(command, ["--json"] if as_json else [], input=text)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(text) for text in result.stdout.splitlines()]


def test_the_printed_tie_is_settled_with_one_payout_for_every_bet_given() -> None:
    bets = {"player1_tie": 1000, "player1_win": 500, "player2_win": 300, "player2_lose": 7}
    result = settle(line(bettors=[{"id": "a", "bets": bets, "folded": False}, {"id": "b", "bets": {}}]))
    assert result.exit_code == 0
    (answer,) = answers(result)
    assert list(answer) == ["game", "outcome", "payouts"]
    assert answer["game"] == "three_knights"
    assert answer["payouts"] == [
        {"id": "a", "bet": "player1_tie", "stake": 1000, "returns": 9000},
        {"id": "a", "bet": "player1_win", "stake": 500, "returns": 500},
        {"id": "a", "bet": "player2_win", "stake": 300, "returns": 0},
        {"id": "a", "bet": "player2_lose", "stake": 7, "returns": 14},
    ]
    assert answer["outcome"]["player1"]["class"] == answer["outcome"]["banker"]["class"] == "single_knight_nine"
    assert [answer["outcome"][f"player{n}"]["result"] for n in (1, 2, 3)] == ["tie", "lose", "lose"]


def test_a_file_of_rounds_may_begin_with_a_byte_order_mark() -> None:
    result = settle("\ufeff" + json.dumps(line()), line())
    assert (result.exit_code, len(answers(result))) == (0, 2)


def test_rules_and_bettors_may_be_left_out_and_cards_may_be_one_string() -> None:
    joined = {box: "".join(cards) for box, cards in CARDS.items()}
    result = settle({"game": "three_knights", "cards": joined})
    assert result.exit_code == 0
    assert answers(result)[0]["payouts"] == []


def test_a_house_option_changes_the_payout_and_odd_amounts_are_rounded_down() -> None:
    bettors = [{"id": "a", "bets": {"player2_lose": 33}}]
    result = settle(line(rules={"six": "commission"}, bettors=bettors))
    assert answers(result)[0]["payouts"] == [{"id": "a", "bet": "player2_lose", "stake": 33, "returns": 64}]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        pytest.param("nonsense", "not a round written as one JSON object", id="no-json"),
        pytest.param("[1, 2]", "not a round written as one JSON object", id="no-object"),
        pytest.param("[" * 100_000, "not a round written as one JSON object", id="nested-deep"),
        pytest.param({"game": "roulette"}, "no game 'roulette' here: the games are three_knights", id="unknown-game"),
        pytest.param({"cards": CARDS}, "game", id="no-game"),
        pytest.param(line(colour="red"), "unknown field `colour`", id="unknown-field"),
        pytest.param(line(cards={**CARDS, "banker": ["Js", "Th", "9d"]}), "card Js is given 2 times", id="card-twice"),
        pytest.param(line(cards={**CARDS, "banker": ["Qs", "Th"]}), "banker has 2 cards", id="short-box"),
        pytest.param(line(cards={**CARDS, "dealer": ["As", "Ad", "Ac"]}), "no box 'dealer'", id="unknown-box"),
        pytest.param(line(cards={**CARDS, "banker": ["Xs", "Th", "9d"]}), "'Xs' is not a card", id="no-card"),
        pytest.param(line(cards={**CARDS, "banker": [1, 2, 3]}), "cards of banker cannot be read", id="numbers"),
        pytest.param(line(cards={}), "player1 has 0 cards", id="no-cards"),
        pytest.param(line(rules={"six": "half"}), "option six cannot be 'half'", id="bad-rule"),
        pytest.param(line(rules={"seven": "even"}), "no house option 'seven'", id="unknown-rule"),
        pytest.param(line(bettors=[{"id": "a", "bets": {"ante": 5}}]), "no bet 'ante'", id="unknown-bet"),
        pytest.param(line(bettors=[{"id": "a", "bets": {"player1_win": 0}}]), "stake of a on player1_win is 0", id="0"),
        pytest.param(line(bettors=[{"id": "a", "bets": {"player1_win": -5}}]), "is -5", id="negative-stake"),
        pytest.param(line(bettors=[{"id": "a", "bets": {"player1_win": 1.5}}]), "Expected `int`", id="fraction"),
        pytest.param(line(bettors=[{"id": "a", "bets": {"player1_win": "5"}}]), "Expected `int`", id="text-stake"),
        pytest.param(line(bettors=[{"id": "a", "bets": {"player1_win": True}}]), "Expected `int`", id="true-stake"),
        pytest.param(
            line(bettors=[{"id": "a", "bets": {"player1_win": 5}, "folded": True}]), "'fold'", id="folded-here"
        ),
    ],
)
def test_a_bad_line_is_answered_with_a_sentence_and_the_rest_goes_on(bad: object, said: str) -> None:
    result = settle(line(), bad, line())
    assert result.exit_code == 1
    first, wrong, last = answers(result)
    assert list(wrong) == ["error"]
    assert said in wrong["error"]
    assert wrong["error"].startswith("Line 2: ")
    assert first == last
    assert first["game"] == "three_knights"


def test_bytes_that_are_no_text_are_a_bad_line_too() -> None:
    result = CliRunner().invoke(command, ["--json"], input=b"\xff\xfe\x00\n" + json.dumps(line()).encode())
    assert result.exit_code == 1
    assert [next(iter(answer)) for answer in answers(result)] == ["error", "game"]


def test_without_json_people_get_a_table_and_errors_on_the_error_stream() -> None:
    result = settle(line(bettors=[{"id": "[red]ann", "bets": {"player1_tie": 1000}}]), "nonsense", as_json=False)
    assert result.exit_code == 1
    for words in ("Three Knights", "Single Knight Nine", "[red]ann", "player1_tie", "1000", "9000"):
        assert words in result.stdout
    assert "Line 2: " in result.stderr


BOARDS = {
    "a": {"top": ["Qh", "Qd", "2c"], "middle": "Ks Kc Kd 3h 4d", "bottom": "2h 3c 4s 5d 6h"},
    "b": {"top": "As Ad 9c", "middle": "2d 3d 5c 8s 9s", "bottom": "Th Td 7s 7c Jd"},
}


def test_an_open_face_hand_is_settled_in_points() -> None:
    [answer] = answers(settle({"game": "ofc", "cards": {"rows": BOARDS}}))
    assert (answer["game"], answer["outcome"]["points"], answer["payouts"]) == ("ofc", {"a": 6, "b": -6}, [])
    assert answer["outcome"]["seats"]["b"]["fouled"] is True
    assert answer["outcome"]["seats"]["a"]["fantasy"] == 14
    shown = settle({"game": "ofc", "cards": {"rows": BOARDS}}, as_json=False).output
    assert "b fouled" in shown
    assert "-6" in shown


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bettors": [{"id": "x", "bets": {"ante": 1}}]}, "no bets with the house"),
        ({"cards": {}}, "Give the rows of each seat"),
        ({"cards": {"rows": BOARDS, "fantasy": ["z"]}}, "names seats of this hand"),
        ({"cards": {"rows": BOARDS, "board": []}}, "has no box 'board'"),
        ({"cards": {"rows": {**BOARDS, "b": {**BOARDS["b"], "top": 5}}}}, "top row of b cannot be read"),
        ({"cards": {"rows": BOARDS}, "rules": {"strict": True}}, "has no rule 'strict'"),
        ({"cards": {"rows": BOARDS}, "rules": {"royalties": "some"}}, "is one of none, usual"),
    ],
)
def test_an_open_face_hand_that_cannot_be_settled_is_refused(changes: dict[str, Any], said: str) -> None:
    [answer] = answers(settle({"game": "ofc", **changes}))
    assert said in answer["error"]


def test_nothing_to_settle_is_no_error() -> None:
    assert settle("", "  ").exit_code == 0


def test_a_standard_input_that_is_closed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(click.ClickException, match=r"^The standard input is closed: give the rounds there"):
        main.main(["settle"], standalone_mode=False)


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    program = "from studio.cli.settle import command; command()"
    with subprocess.Popen(
        [sys.executable, "-c", program, "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for sent, key in ((json.dumps(line()), "game"), ("nonsense", "error"), (json.dumps(line()), "game")):
            process.stdin.write(sent + "\n")
            process.stdin.flush()
            assert next(iter(json.loads(process.stdout.readline()))) == key
        process.stdin.close()
        assert process.wait(timeout=PATIENCE_S) == 1


@pytest.mark.parametrize("verb", verbs)
def test_each_verb_of_the_core_is_found_under_its_own_name(verb: str) -> None:
    assert load(verbs[verb]).name == verb


HOLES = {"shark": ["As", "Kd"], "king": ["2c", "7h"], "board": ["3s", "4s", "9d", "Jh", "Qc"]}
THREE = {"player": ["Qs", "9d", "4h"], "dealer": ["Kc", "8d", "2h"]}
SEVEN = {"player": ["Qs", "9d"], "dealer": ["Kc", "8d"], "board": ["3s", "4s", "9c", "Jh", "2c"]}
BOXES: dict[str, Any] = {"dealer": ["9c", "Td"], "hands": [{"box": box, "cards": ["9s", "8d"]} for box in (1, 2, 3, 4)]}


def one(game: str, cards: Mapping[str, Any], bets: dict[str, int], **more: Any) -> dict[str, Any]:
    return {"game": game, "cards": cards, "bettors": [{"id": "a", "bets": bets, **more}]}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param(one("kkclash", HOLES, {"shark": 5, "king": 5}), "both shark and king", id="shark-and-king"),
        pytest.param(one("three_card_poker", THREE, {"pair_plus": 5}), "pair_plus stands only beside ante", id="pair+"),
        pytest.param(one("three_card_poker", THREE, {"play": 5}), "play stands only beside ante", id="play-alone"),
        pytest.param(
            one("three_card_poker", THREE, {"ante": 5, "play": 5}, folded=True),
            "put nothing on play",
            id="fold",
        ),
        pytest.param(one("holdem_bonus", SEVEN, {"first5": 5}), "first5 stands only beside ante", id="first5-alone"),
        pytest.param(one("holdem_bonus", SEVEN, {"ante": 5, "turn": 5}), "turn stands only beside flop", id="no-flop"),
        pytest.param(one("ultimate_holdem", SEVEN, {"blind": 5}), "blind stands only beside ante", id="blind-alone"),
        pytest.param(one("ultimate_holdem", SEVEN, {"trips": 5}), "trips stands only beside ante", id="trips-alone"),
        pytest.param(one("blackjack", BOXES, {"1:perfect_pair": 5}), "stands only beside 1:main", id="pair-alone"),
        pytest.param(one("blackjack", BOXES, {"1:main": 4, "1:insurance": 2}), "not decided", id="insurance-no-ace"),
        pytest.param(one("blackjack", BOXES, {"5:main": 4}), "5:main is not decided", id="empty-box"),
        pytest.param(one("blackjack", BOXES, {f"{n}:main": 4 for n in (1, 2, 3, 4)}), "3 boxes at most", id="boxes"),
    ],
)
def test_bets_that_no_table_takes_beside_each_other_are_refused(asked: dict[str, Any], said: str) -> None:
    result = settle(asked, line())
    assert result.exit_code == 1
    wrong, right = answers(result)
    assert list(wrong) == ["error"]
    assert said in wrong["error"]
    assert right["game"] == "three_knights"


def test_a_bettor_given_in_two_parts_is_one_bettor() -> None:
    parts = [{"id": "a", "bets": {"ante": 5}}, {"id": "a", "bets": {"play": 5, "six_card": 1}}]
    asked = {"game": "three_card_poker", "cards": THREE, "bettors": parts}
    other = [{"id": "a", "bets": {"shark": 5}}, {"id": "a", "bets": {"king": 5}}]
    twice = [parts[0], {**parts[1], "folded": True}]
    result = settle(asked, {"game": "kkclash", "cards": HOLES, "bettors": other}, {**asked, "bettors": twice})
    taken, both, unsure = answers(result)
    assert [each["bet"] for each in taken["payouts"]] == ["ante", "play", "six_card"]
    assert "both shark and king" in both["error"]
    assert "once as folded and once not" in unsure["error"]


def test_two_bettors_may_bet_against_each_other_and_raises_stand_in_their_order() -> None:
    bettors = [{"id": "a", "bets": {"shark": 5}}, {"id": "b", "bets": {"king": 5}}]
    raises = {"ante": 5, "flop": 10, "river": 5, "bonus": 1, "first5": 1}
    play = {"ante": 5, "blind": 5, "play": 20, "trips": 1}
    folded = one("ultimate_holdem", SEVEN, {"ante": 5, "blind": 5, "trips": 1}, folded=True)
    result = settle(
        {"game": "kkclash", "cards": HOLES, "bettors": bettors},
        one("holdem_bonus", SEVEN, raises),
        one("ultimate_holdem", SEVEN, play),
        folded,
    )
    assert result.exit_code == 0
    assert [len(answer["payouts"]) for answer in answers(result)] == [2, 5, 4, 3]


@pytest.mark.parametrize(
    "number", ["9" * 16, "9" * 4300, "9" * 4301, "-" + "9" * 4300], ids=["17", "4300", "4301", "negative"]
)
def test_a_number_of_any_length_is_answered_with_a_short_sentence(number: str) -> None:
    asked = (
        one("kkclash", HOLES, {"shark": 424242}),
        {**one("holdem_bonus", SEVEN, {"ante": 5}), "rules": {"first5_pot": 424242}},
        {**one("kkclash", HOLES, {}), "rules": {"shark": 42424242}},
        one("blackjack", {**BOXES, "hands": [{"box": 424242, "cards": ["9s", "8d"]}]}, {}),
    )
    lines = [json.dumps(each).replace("42424242", number).replace("424242", number) for each in asked]
    told = answers(settle(*lines))
    assert len(told) == len(lines)
    for answer in told:
        assert list(answer) == ["error"]
        assert len(answer["error"]) < 900
