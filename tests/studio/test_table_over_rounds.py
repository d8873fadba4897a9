"""What is reported and ruled when no round is being dealt: no round that is over changes, and no table sticks.

Found by the state machine of a whole table (tests/simulation/test_whole_table.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, PIT, PIT_TOO, Bench, bench, mark_of

from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        made.deposit(10_000)
        yield made.open()


@pytest.fixture
def settled(table: Bench) -> Bench:
    """A round paid, its cards still on the felt."""
    table.start().betting(("player1_win", 1000)).deal(*DEAL)
    table.do(c.DeclareResult)
    table.pay()
    assert table.round.stage is Stage.SETTLED
    return table


def test_a_burn_error_that_is_told_after_the_round_is_void_has_the_deck_shuffled(table: Bench) -> None:
    table.start().betting(("player1_win", 1000))
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    table.report("burn_error")
    assert table.incident.ruling.row == "TK2"
    table.rule("reshuffle_and_redeal", PIT)
    assert (table.state.incidents.open, table.state.deck) == ((), None)
    table.clear()
    table.load("deck-2")
    table.do(c.StartRound)


def test_a_burn_error_that_is_told_before_the_first_round_holds_nothing_for_good(table: Bench) -> None:
    table.report("burn_error")
    table.rule(table.incident.ruling.ruling if table.incident.ruling.ruling != "pit_decides" else "continue", PIT)
    assert not table.state.held


def test_a_reread_ruled_after_the_round_doubts_no_card_of_it(settled: Bench) -> None:
    settled.report("unread_card")
    settled.rule("reread_all", PIT)
    settled.approve()
    assert settled.state.incidents.open == ()
    assert "CardDoubted" not in settled.kinds()


def test_a_reread_ruled_before_the_first_round_has_nothing_to_read(table: Bench) -> None:
    table.report("unread_card")
    table.rule("reread_all", PIT)
    if table.state.incidents.open:
        table.approve()
    assert table.state.incidents.open == ()
    assert table.state.pit.freeze.by == ""


def test_no_card_of_a_round_that_is_over_is_changed_one_by_one(settled: Bench) -> None:
    outcome, rows = settled.round.outcome, settled.kinds().count("FactStood")
    settled.report("card_mismatch", PIT, slot=("player1", 1))
    assert settled.refused_ruling("camera", PIT) == "round_is_over"
    settled.rule("manual", PIT, "Kd")
    approval = {"actor": settled.pin(PIT_TOO), "incident": settled.incident.id, "asked": mark_of(settled.incident)}
    assert settled.refused(c.ApproveRuling, **approval) == "round_is_over"
    assert (settled.round.outcome, settled.kinds().count("FactStood")) == (outcome, rows)


def test_a_doubt_told_after_the_round_is_closed_for_the_shoe_and_confirms_nothing_anew(settled: Bench) -> None:
    before = settled.kinds().count("CardConfirmed")
    settled.report("card_mismatch", PIT, slot=("player1", 1))
    settled.rule("shoe", PIT)
    if settled.state.incidents.open:
        settled.approve()
    assert settled.state.incidents.open == ()
    assert settled.kinds().count("CardConfirmed") == before


def test_no_hands_of_a_round_that_is_over_change_places(settled: Bench) -> None:
    settled.report("wrong_order", pattern="reversed")
    assert "swap_hands" in settled.incident.ruling.options
    assert settled.refused_ruling("swap_hands", PIT, "player1", "player3") == "round_is_over"


# --- after the result no ruling gives a bet back ---------------------------------------------------------


@pytest.mark.parametrize("paid", [False, True])
def test_a_void_that_could_give_nothing_back_is_refused_and_says_what_to_do(table: Bench, paid: bool) -> None:
    table.start().betting(("player1_win", 1000)).deal(*DEAL)
    table.do(c.DeclareResult)
    if paid:
        table.pay()
    table.report("wrong_order", pattern="other")
    assert (table.incident.ruling.row, table.incident.ruling.options) == (
        "TK12",
        ("void_round", "continue", "move_card"),
    )
    assert table.refused_ruling("void_round", PIT) == "result_declared"
    table.rule("continue", PIT)
    assert table.state.incidents.open == ()


def test_where_a_row_knows_only_a_void_the_record_says_that_no_bet_went_back(settled: Bench) -> None:
    before = settled.balance()
    settled.report("fouled_deck")
    settled.rule("void_round", PIT)
    settled.approve()
    settled.pay()
    assert (settled.state.incidents.open, settled.state.deck, settled.balance()) == ((), None, before)
    [kept] = settled.rows("ExceptionRecorded")
    assert isinstance(kept, e.ExceptionRecorded)
    assert str(kept.after).endswith("settled; no bet went back")


def test_hands_told_reversed_after_the_round_hold_the_table_no_longer_than_a_pit_boss_wants(settled: Bench) -> None:
    """A swap comes too late, and is refused before anybody is asked to agree; the void closes it and pays nothing."""
    before = settled.balance()
    settled.report("wrong_order", pattern="reversed")
    assert settled.incident.ruling.row == "TK11"
    settled.rule("void_round", PIT)
    settled.approve()
    settled.pay()
    assert (settled.state.incidents.open, settled.balance()) == ((), before)
    [kept] = settled.rows("ExceptionRecorded")
    assert isinstance(kept, e.ExceptionRecorded)
    assert str(kept.after).endswith("settled; no bet went back")
