"""A studio's own rows: read from a file, checked as they are read, each mistake with its file, line and row."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import BadInputError
from studio.journal.extract.walk import steps
from studio.procedures.own import read_own_rows
from studio.procedures.record import in_force, version_in_force
from studio.procedures.rule import rule_by
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from tests.studio.table_bench import DEAL, PIT, Bench, bench
from tests.studio.test_audit_boxes import told_otherwise

EXAMPLE = Path(__file__).parents[2] / "config" / "example-procedures.toml"

GOOD = """
[[rows]]
id = "OWN1"
kinds = ["exposed_card"]
games = ["holdem_bonus"]
when = "the deal, one card"
if = "phase in dealing; count = 1"
ruling = "pit_decides"
options = ["continue", "void_round"]
text = "The pit boss goes on or voids the round."
"""


def wrong(text: str) -> str:
    with pytest.raises(BadInputError) as caught:
        read_own_rows(text, "house.toml")
    return str(caught.value)


def test_the_example_that_ships_is_read_and_rules() -> None:
    rows = read_own_rows(EXAMPLE.read_text(encoding="utf-8"), EXAMPLE.name)
    assert [row.id for row in rows] == ["OWN1", "OWN2"]
    bonus = in_force("holdem_bonus", rows)
    assert rule_by(bonus, "exposed_card", "dealing").row == "OWN1"
    assert rule_by(bonus, "exposed_card", "dealing", {"count": 2}).row == "HG3"
    assert rule_by(bonus, "malfunction", "dealing").approval == "two_people"
    assert dict(rows[0].words)["ja"].endswith("選ぶ。")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('ruling = "pit_decides"', 'ruling = "burn_it"'), "Row OWN1: there is no ruling 'burn_it'."),
        (('options = ["continue", "void_round"]', ""), "Row OWN1: name the options the pit decides between."),
        (('["exposed_card"]', '["spilled_tea"]'), "Row OWN1: there is no incident 'spilled_tea'."),
        (('["exposed_card"]', "[]"), "Row OWN1: it names no kind of incident."),
        (('["holdem_bonus"]', '["whist"]'), "Row OWN1: there is no game 'whist'."),
        (("phase in dealing", "phase in lunch"), "Row OWN1: There is no phase 'lunch'."),
        (("count = 1", "colour = 1"), "Row OWN1: There is no circumstance 'colour'."),
        (("count = 1", "mars_cards = 1"), "Row OWN1: there is no circumstance 'mars_cards'."),
        (("count = 1", "count = 1; count = 2"), "its conditions on exposed_card can never all hold."),
        (('text = "The', 'approval = "nobody"\ntext = "The'), "There is no approval 'nobody'."),
        (('text = "The', 'approval = "dealer"\ntext = "The'), "pit_decides takes a pit boss, or two people."),
        (('ruling = "pit_decides"\noptions = ["continue", "void_round"]', 'ruling = "void_round"\napproval = "none"'),
         "somebody has to approve void_round."),
        (('text = "The', 'color = "red"\ntext = "The'), "Row OWN1: there is no key 'color'."),
        (('when = "the deal, one card"\n', ""), "Row OWN1: it says nothing under 'when'."),
        (('id = "OWN1"', 'id = "HG3"'), "Row HG3: a row that ships is called so"),
        (('id = "OWN1"', 'id = "our row"'), "its id is up to twelve capital letters"),
        (('text = "The', 'instead_of = ["HG99"]\ntext = "The'), "no row that ships is called so"),
        (('if = "phase in dealing; count = 1"\n', ""), "HG2 (betting, revealed): OWN1 before it always rules"),
        (("phase in dealing; count = 1", "phase in dealing, deciding"),
         "HG3 (dealing, deciding: a down card or a board card before its time): OWN1 before it always rules"),
        (('kinds = ["exposed_card"]', 'kinds = "exposed_card"'), "under 'kinds' stands a list of words."),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_file_its_line_and_its_row(change: tuple[str, str], told: str) -> None:
    assert change[0] in GOOD
    sentence = wrong(GOOD.replace(*change))
    assert sentence.startswith("house.toml, line 2: Row ")
    assert told in sentence


def test_the_line_is_that_of_the_second_row() -> None:
    second = GOOD.replace("OWN1", "OWN2").replace("count = 1", "count = 1; phase = dealing")
    sentence = wrong(GOOD + second)
    assert sentence.startswith("house.toml, line 12: Row OWN2: ")
    assert "OWN1 before it always rules on exposed_card" in sentence


@pytest.mark.parametrize("text", ["", "rows = 3", "title = 'x'\n[[rows]]\nid='A'", "[[rows]\n"])
def test_a_file_that_holds_no_rows_is_refused(text: str) -> None:
    assert wrong(text).startswith("house.toml")


def test_a_row_that_names_the_one_it_replaces_hides_nothing() -> None:
    text = GOOD.replace("phase in dealing; count = 1", "phase in dealing, deciding")
    rows = read_own_rows(text.replace('text = "The', 'instead_of = ["HG3"]\ntext = "The'), "house.toml")
    assert "HG3" not in {row.id for row in in_force("holdem_bonus", rows).rows}


def test_rows_that_look_at_too_much_at_once_are_refused_and_not_waved_through() -> None:
    much = "; ".join(
        f"any(count = {n} | card_number = {n} | rows_open = {n} | dealer_total = {n})" for n in range(0, 40, 8)
    )
    assert "too many circumstances at once" in wrong(GOOD.replace("count = 1", much))


def test_a_table_keeps_the_rows_it_ruled_by_and_the_audit_asks_them_again() -> None:
    rows = read_own_rows(GOOD.replace('["holdem_bonus"]', '["three_knights"]'), "house.toml")
    with bench(own_rows=rows) as table:
        table.open().deposit(10_000)
        table.start().betting(("player1_win", 1000))
        table.deal(*DEAL[:2])
        table.report("exposed_card")
        kept = table.state.incidents.procedures
        assert kept is not None
        assert (table.incident.ruling.row, table.incident.procedures) == ("OWN1", kept.version)
        assert kept.version == version_in_force("three_knights", rows)
        assert "IncidentOpened" in table.kinds()
        table.rule("void_round", PIT)
        (ruled,) = table.rows("IncidentRuled")
        assert ruled.procedures == kept.version  # type: ignore[union-attr]
        assert table.kinds().count("ProceduresInForce") == 1


def test_an_incident_that_says_another_row_than_its_version_is_found() -> None:
    table = Bench()
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000))
    table.tamper = told_otherwise("IncidentOpened", '"row":"EV10"', '"row":"EV9"')
    table.report("malfunction", PIT)
    with pytest.raises(WrongError, match=r"was ruled by row EV9; version [0-9a-f]{12} says EV10"):
        audit(steps(table.store.connection))
    table.close()
