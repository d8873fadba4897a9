"""What the bettors of a table are told by itself: while it is held, and of a round that is void; of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from table_bench import CONFIG, DEAL, PIT, Bench, bench

from studio.procedures import KIND_BY_KEY
from studio.tables import command as c
from studio.tables.state.pit import Freeze
from studio.tables.state.round import RoundVoid, Stage
from studio.tables.state.table import Status, TableState
from studio.value import replace
from studio.views.act import _CLASS, CLASSES, view_messages


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench(CONFIG) as table:
        table.deposit()
        yield table.open()


def told(state: TableState) -> list[tuple[str, str]]:
    return [(one.says.key if one.says else "", one.because) for one in view_messages(state)]


def test_a_table_that_plays_or_waits_tells_nothing(table: Bench) -> None:
    assert told(table.state) == []
    table.start().betting(("player1_win", 1000)).deal(DEAL[0])
    assert told(table.state) == []


def test_a_held_table_says_that_it_paused_and_that_bets_stand_where_there_are_some(table: Bench) -> None:
    table.do(c.FreezeTable)
    assert told(table.state) == [("told.paused", "check")]
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="seen", words="As we saw it.")
    assert told(table.state) == []
    table.start().betting(("player1_win", 1000)).deal(DEAL[0])
    table.do(c.FreezeTable)
    assert told(table.state) == [("told.paused_bets", "check")]


def test_the_class_of_what_holds_it_is_told_and_never_whose_fault_it_was(table: Bench) -> None:
    table.start().betting(("player1_win", 1000)).deal(DEAL[0])
    table.links(up=False, only=("camera",))
    assert told(table.state) == [("told.paused_bets", "device")]


def test_a_round_that_is_void_is_told_until_the_next_one(table: Bench) -> None:
    table.start().betting(("player1_win", 1000)).deal(DEAL[0])
    table.report("exposed_card", slot=("player2", 1), revealed=True)
    assert told(table.state) == [("told.paused_bets", "deal")]
    table.rule("void_round", table.pin(PIT))
    assert table.round.stage is Stage.VOIDING
    assert told(table.state)[0][0] == "told.void.now"
    table.pay()
    assert told(table.state)[0][0] == "told.void.done"
    assert len(told(table.state)) == 1


@pytest.mark.parametrize(("stage", "key"), [(Stage.VOIDING, "now"), (Stage.VOIDED, "done")])
def test_a_void_round_that_pays_says_so(table: Bench, stage: Stage, key: str) -> None:
    table.start()
    paying = replace(table.round, stage=stage, void=RoundVoid("", {"player1_win": Fraction(2)}))
    assert told(replace(table.state, round=paying)) == [(f"told.void_paid.{key}", "")]


def test_a_closed_table_tells_nothing_even_while_it_is_frozen(table: Bench) -> None:
    frozen = replace(table.state.pit, freeze=Freeze("p1"))
    assert told(replace(table.state, status=Status.CLOSED, pit=frozen)) == []


def test_every_kind_that_has_a_class_is_one_there_is() -> None:
    assert set(_CLASS) <= set(KIND_BY_KEY)
    assert set(_CLASS.values()) <= set(CLASSES)
