"""How rows are walked: input in every spelling, refusals, approvals of a choice, rows that are checked, pages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from studio.cli import load, verbs
from studio.cli.ruling import command
from studio.errors import BadInputError, RefusedError
from studio.procedures import (
    AFTERWARDS,
    BY_GAME,
    KINDS,
    NO_ROW,
    PHASES,
    PROCEDURES,
    RULING_BY_KEY,
    RULINGS,
    Approval,
    Refund,
    effective_approval,
    row_of,
    rule,
)
from studio.procedures.check import check_rows
from studio.procedures.circumstance import FLAGS, NUMBERS, WORDS
from studio.procedures.condition import Is, phase
from studio.procedures.page import INDEX, pages
from studio.procedures.row import ProcedureRow
from studio.procedures.rows import (
    andar_bahar,
    blackjack,
    every_table,
    house,
    kkclash,
    poker_room,
    three_knights,
)

DOCS = Path(__file__).parents[2] / "docs" / "procedures"
ROOT = "three_knights", "dropped_card", "dealing"


@pytest.mark.parametrize("yes", ["true", "True", "yes", "YES", "y", "on", "1", " true ", True, 1])
def test_yes_in_every_spelling(yes: object) -> None:
    assert rule(*ROOT, {"identified": yes}).row == "TK8"


@pytest.mark.parametrize("no", ["false", "False", "no", "NO", "n", "off", "0", False, 0])
def test_no_in_every_spelling(no: object) -> None:
    assert rule(*ROOT, {"identified": no}).row == "TK9"


@pytest.mark.parametrize("one", ["1", " 1", 1])
def test_a_number_as_text_or_as_a_number(one: object) -> None:
    assert rule("three_knights", "burn_error", "dealing", {"player1_cards": one}).row == "TK2"


@pytest.mark.parametrize(
    ("game", "kind", "at", "found", "listed"),
    [
        ("chess", "burn_error", "dealing", {}, "three_knights"),
        ("three_knights", "earthquake", "dealing", {}, "burn_error"),
        ("three_knights", "burn_error", "sleeping", {}, "shuffling, burning, betting"),
        ("three_knights", "burn_error", "dealing", {"mood": "good"}, "identified"),
        ("three_knights", "burn_error", "dealing", {"player4_cards": 1}, "player3_cards"),
        ("three_knights", "burn_error", "dealing", {"player1_cards": "two"}, "whole number"),
        ("three_knights", "burn_error", "dealing", {"player1_cards": "-1"}, "whole number"),
        ("three_knights", "burn_error", "dealing", {"player1_cards": True}, "whole number"),
        ("three_knights", "dropped_card", "dealing", {"identified": "perhaps"}, "yes or no"),
        ("three_knights", "wrong_order", "dealing", {"pattern": "zigzag"}, "reversed, other"),
        ("three_knights", "extra_card", "dealing", {"moment": ""}, "street, last"),
    ],
)
def test_what_is_not_known_is_refused_with_what_is_allowed(
    game: str, kind: str, at: str, found: dict[str, object], listed: str
) -> None:
    with pytest.raises(BadInputError, match=listed):
        rule(game, kind, at, found)


values = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.booleans() for name in FLAGS},
        **{name: st.integers(0, 20) for name in NUMBERS},
        **{name: st.sampled_from(words) for name, words in WORDS.items()},
    },
)


@given(st.sampled_from(sorted(BY_GAME)), st.sampled_from(KINDS), st.sampled_from(PHASES), values)
def test_no_incident_is_left_without_a_ruling(game: str, kind: object, at: str, found: dict[str, object]) -> None:
    answer = rule(game, kind.key, at, found)  # type: ignore[attr-defined]
    assert answer.ruling in RULING_BY_KEY
    assert set(answer.options) <= set(RULING_BY_KEY)
    assert answer.choices
    assert answer.row or answer == NO_ROW
    for choice in answer.choices:
        assert effective_approval(choice, answer) in Approval
    if answer.ruling.startswith("void"):
        assert answer.approval in (Approval.PIT_BOSS, Approval.TWO_PEOPLE)
        assert answer.refund is not Refund.NONE


def test_what_is_given_overrides_what_the_phase_implies() -> None:
    assert rule("three_knights", "misplaced_card", "betting").row == "TK10"
    assert rule("three_knights", "misplaced_card", "betting", {"bets_in": True}).row == "TK12"
    assert rule("three_knights", "misplaced_card", "result", {"bets_in": False}).row == "TK10"


@pytest.mark.parametrize(
    ("row", "chosen", "revealed_done", "settled", "needed"),
    [
        ("TK3", "void_round", False, False, "pit_boss"),
        ("TK3", "void_round", True, False, "two_people"),
        ("TK3", "void_round", True, True, "two_people"),
        ("TK3", "continue", False, False, "pit_boss"),
        ("TK3", "continue", True, True, "pit_boss"),
        ("TK12", "move_card", False, False, "pit_boss"),
        ("TK12", "move_card", True, True, "two_people"),
        ("TK11", "swap_hands", True, False, "pit_boss"),
        ("TK11", "swap_hands", True, True, "two_people"),
        ("TK11", "void_round", False, False, "pit_boss"),
        ("TK6", "continue", True, True, "dealer"),
        ("TK9", "void_round", False, False, "pit_boss"),
        ("HG15", "shoe", False, False, "pit_boss"),
        ("HG15", "manual", False, False, "two_people"),
        ("HG14", "reread_all", False, False, "two_people"),
        ("HG14", "void_round", False, False, "pit_boss"),
        ("HG21", "continue", False, False, "dealer"),
        ("HG21", "void_round", True, False, "two_people"),
    ],
)
def test_who_agrees_to_what_was_chosen(row: str, chosen: str, revealed_done: bool, settled: bool, needed: str) -> None:
    found = row_of("three_knights", row)
    assert found is not None
    assert effective_approval(chosen, found, revealed_done=revealed_done, settled=settled) == needed


def test_where_no_row_fits_the_pit_boss_decides() -> None:
    assert effective_approval("continue", None) == "pit_boss"
    assert effective_approval("void_round", None, revealed_done=True) == "two_people"


def test_a_choice_the_row_does_not_allow_is_refused() -> None:
    for chosen in ("replace_deck", "pit_decides"):
        with pytest.raises(RefusedError, match="void_round, continue"):
            effective_approval(chosen, row_of("three_knights", "TK3"))
    with pytest.raises(RefusedError):
        effective_approval("abracadabra", None)


def test_a_row_is_found_by_its_id_and_the_branch_by_its_ruling() -> None:
    assert row_of("three_knights", "HG6b", ruling="void_round") is not row_of("three_knights", "HG6b")
    assert row_of("three_knights", "BJ1") is None


GROUPS = {
    "three_knights": (*three_knights.ROWS, *three_knights.CATCH_ALLS),
    "holdem_bonus": house.ROWS,
    "kkclash": kkclash.ROWS,
    "blackjack": blackjack.ROWS,
    "andar_bahar": andar_bahar.ROWS,
    "nlh": poker_room.BETTING,
    "ofc": poker_room.OPEN_FACE,
    "plo": every_table.ROWS,
}


@pytest.mark.parametrize("game", GROUPS)
def test_our_own_rows_are_in_order(game: str) -> None:
    procedures = BY_GAME[game]
    assert check_rows(GROUPS[game], boxes=procedures.boxes, dealt_after_bets=procedures.dealt_after_bets) == ()


FINE = ProcedureRow("X1", ("early_card",), "betting", (phase("betting"),), "void_round", "Void it.")


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (replace(FINE, kinds=("earthquake",)), "there is no incident 'earthquake'"),
        (replace(FINE, ruling="shrug"), "there is no ruling 'shrug'"),
        (replace(FINE, text=" "), "say in the text"),
        (replace(FINE, ruling="pit_decides"), "name the options"),
        (replace(FINE, options=("continue",)), "comes first"),
        (replace(FINE, options=("void_round", "shrug")), "'shrug' is not a ruling"),
        (replace(FINE, approval=Approval.NONE), "somebody has to approve"),
        (replace(FINE, approval=Approval.DEALER), "takes a pit boss"),
        (replace(FINE, ruling="reshuffle", approval=Approval.NONE), "somebody has to approve"),
        (replace(FINE, ruling="swap_hands", arguments=("player1",)), "two boxes"),
        (replace(FINE, ruling="swap_hands", arguments=("player1", "dealer")), "two boxes"),
        (replace(FINE, afterwards=("dance",)), "'dance'"),
        (replace(FINE, conditions=(Is("mood", "good"),)), "no circumstance 'mood'"),
        (replace(FINE, conditions=(phase("lunch"),)), "no phase 'lunch'"),
    ],
)
def test_a_wrong_row_is_named_with_its_fault(row: ProcedureRow, complaint: str) -> None:
    (sentence, *_) = check_rows((row,), boxes=("player1", "player2"))
    assert sentence.startswith("X1: ")
    assert complaint in sentence


def test_a_row_that_an_earlier_one_always_hides_is_found() -> None:
    narrower = replace(FINE, id="X2", conditions=(phase("betting"), Is("revealed", True)))
    assert check_rows((narrower, FINE), boxes=()) == ()
    assert check_rows((FINE, narrower), boxes=()) == (
        "X2 (betting): X1 before it always rules on early_card; it never does.",
    )


def test_every_kind_and_every_ruling_says_what_it_is() -> None:
    assert len({kind.key for kind in KINDS}) == len(KINDS) == 31
    for kind in KINDS:
        assert kind.label
        assert kind.sentence.endswith(".")
        assert kind.reporters
    for meaning in RULINGS:
        assert meaning.sentence.endswith(".")
        assert meaning.gives_back.endswith(".")
        assert all(step.text.endswith(".") for step in meaning.steps)
        assert [step.key for step in meaning.steps] == [f"{meaning.key}.{n + 1}" for n in range(len(meaning.steps))]
    assert all(sentence.endswith(".") for sentence in AFTERWARDS.values())


def test_every_kind_has_a_row_at_some_table() -> None:
    assert {kind for one in PROCEDURES for row in one.rows for kind in row.kinds} == {kind.key for kind in KINDS}


@pytest.mark.parametrize(
    ("key", "approval", "refund"),
    [
        ("continue", "dealer", "none"),
        ("card_to_discard", "dealer", "none"),
        ("card_is_next_burn", "dealer", "none"),
        ("card_is_next_card", "dealer", "none"),
        ("reuse_card", "dealer", "none"),
        ("move_card", "dealer", "none"),
        ("swap_hands", "pit_boss", "none"),
        ("reread_all", "pit_boss", "none"),
        ("relay_from_discard", "pit_boss", "none"),
        ("reshuffle", "pit_boss", "none"),
        ("reshuffle_and_redeal", "pit_boss", "none"),
        ("void_hand", "pit_boss", "hand"),
        ("void_round", "pit_boss", "all"),
        ("void_shoe", "pit_boss", "all"),
        ("replace_deck", "pit_boss", "none"),
        ("pit_decides", "pit_boss", "none"),
        ("manual", "two_people", "none"),
    ],
)
def test_who_usually_agrees_and_what_goes_back(key: str, approval: str, refund: str) -> None:
    assert (RULING_BY_KEY[key].approval, RULING_BY_KEY[key].refund) == (approval, refund)


def test_the_pages_are_those_the_rows_write() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    assert kept == pages(), "write them anew: python -m studio.procedures.page docs/procedures"
    assert len(kept) == len(KINDS) + 1
    assert INDEX in kept


def ask(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(words))
    return result.exit_code, result.output


BURN = ("--game", "three_knights", "--incident", "burn_error", "--phase", "dealing")


def test_the_command_line_answers_in_one_json_line() -> None:
    code, output = ask(*BURN, "--with", "player1_cards=1", "--json")
    assert code == 0
    assert output.count("\n") == 1
    answer = json.loads(output)
    assert list(answer) == ["row", "ruling", "options", "approval", "refund", "text"]
    assert (answer["row"], answer["ruling"], answer["options"]) == ("TK2", "reshuffle_and_redeal", [])


@pytest.mark.parametrize(
    "words",
    [
        ("--with", "bets_in=no", "--with", "pattern=reversed", "--json"),
        ("--with", "bets_in=no", "pattern=reversed", "--json"),
        ("--json", "--with", "bets_in=false", "pattern=reversed"),
    ],
)
def test_with_takes_one_circumstance_or_many(words: tuple[str, ...]) -> None:
    _, output = ask("--game", "three_knights", "--incident", "wrong_order", "--phase", "dealing", *words)
    assert json.loads(output)["row"] == "TK10"


def test_the_command_line_speaks_plainly_too() -> None:
    code, output = ask("--game", "three_knights", "--incident", "dropped_card", "--phase", "dealing")
    assert code == 0
    assert output.startswith("TK9: void_round\n")
    assert "Approved by: a pit boss" in output
    assert "Every bet of the round goes back" in output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*BURN, "--with", "player1_cards"), "write it as NAME=VALUE"),
        ((*BURN, "--with", "player1_cards=1", "--with", "player1_cards=2"), "given twice"),
        ((*BURN, "--with", "colour=red"), "There is no circumstance 'colour'"),
        (("--game", "whist", "--incident", "burn_error", "--phase", "dealing"), "There is no game 'whist'"),
    ],
)
def test_the_command_line_refuses_in_one_sentence(words: tuple[str, ...], said: str) -> None:
    code, output = ask(*words)
    assert code == 1
    assert said in output
    assert "Traceback" not in output


def test_the_command_is_collected() -> None:
    assert load(verbs["ruling"]) is command
