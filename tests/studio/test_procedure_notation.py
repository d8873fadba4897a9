"""Conditions as text: every row that ships can be written and read back, and what cannot be read says so."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import BadInputError
from studio.procedures import PROCEDURES, rule
from studio.procedures.condition import AtLeast, Below, Is, IsNot, Not, Phase
from studio.procedures.notation import read_conditions, written
from studio.procedures.record import (
    RowRecord,
    in_force,
    procedures_kept,
    recorded,
    records_in_force,
    rows_from,
    version_in_force,
)


@pytest.mark.parametrize("procedures", PROCEDURES, ids=lambda one: one.game)
def test_every_row_that_ships_is_kept_and_read_back_the_same(procedures) -> None:  # type: ignore[no-untyped-def]
    records = recorded(procedures.rows)
    told = msgspec.json.decode(msgspec.json.encode(records), type=tuple[RowRecord, ...])
    assert rows_from(told) == procedures.rows
    assert procedures_kept(procedures.game, told) == procedures


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("", ()),
        ("phase in dealing, deciding; revealed = no", (Phase(("dealing", "deciding")), Is("revealed", False))),
        ("phase not in betting", (Not(Phase(("betting",))),)),
        ("count>2;count<=4;", (AtLeast("count", 3), Below("count", 5))),
        ("pattern != reversed", (IsNot("pattern", "reversed"),)),
        ("player1_cards < 2", (Below("player1_cards", 2),)),
    ],
)
def test_the_notation_is_read_as_it_looks(text: str, conditions: object) -> None:
    assert read_conditions(text) == conditions


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("phase in lunch", "There is no phase 'lunch'"),
        ("revealed", "ends too early"),
        ("revealed = maybe", "yes or no"),
        ("count = many", "whole number"),
        ("count >= yes", "whole number"),
        ("revealed >= yes", "compare it with ="),
        ("moment = noon", "street, last"),
        ("colour = red", "no circumstance 'colour'"),
        ("revealed = no count = 1", "part two conditions with ';'"),
        ("any(revealed = no", "ends too early"),
        ("not revealed = no", "'(' stands here"),
        ("phase revealed", "comes 'in' or '='"),
        ("count ~ 1", "comes one of"),
        ("some box with 2", "'has' stands here"),
    ],
)
def test_what_cannot_be_read_says_what_could_stand_there(text: str, told: str) -> None:
    with pytest.raises(BadInputError, match=told.replace("(", r"\(")):
        read_conditions(text)


@given(st.text(alphabet="phase in()|;=!<>,0123456789 anyotrevld_count", max_size=40))
def test_no_text_does_anything_but_be_read_or_refused(text: str) -> None:
    try:
        conditions = read_conditions(text)
    except BadInputError:
        return
    assert read_conditions(written(conditions)) == conditions


def test_an_own_row_rules_first_and_replaces_the_one_it_names() -> None:
    own = (
        RowRecord(id="H1", kinds=("exposed_card",), when="in the deal", conditions="phase in dealing",
                  ruling="pit_decides", options=("continue", "void_round"), text="The pit decides.",
                  games=("holdem_bonus",), instead_of=("HG3",)),
    )  # fmt: skip
    mine = in_force("holdem_bonus", own)
    assert mine.rows[0].id == "H1"
    assert "HG3" not in {row.id for row in mine.rows}
    assert in_force("kkclash", own) == in_force("kkclash")
    assert rule("holdem_bonus", "exposed_card", "dealing").row == "HG3"
    assert version_in_force("holdem_bonus", own) != version_in_force("holdem_bonus")
    assert version_in_force("holdem_bonus") == version_in_force("holdem_bonus", ())
    assert len(records_in_force("holdem_bonus", own)) == len(mine.rows)
