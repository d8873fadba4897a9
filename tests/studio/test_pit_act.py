"""What the pit does in seconds: void on its own word, rule for a reading it was shown, give a reason without words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, DEALER, PIT, PIT_TOO, Bench, bench

from studio.people import need_reason
from studio.rounds import CardDealt
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.views import TableView
from studio.views.table import view_table

WHY = {"reason_code": "dealer_error"}


@pytest.fixture
def dealing() -> Iterator[Bench]:
    with bench() as table:
        table.open().deposit(10_000)
        yield table.start().betting(("player1_win", 1000))


@pytest.fixture
def mismatch(dealing: Bench) -> Bench:
    """The shoe read the eight of spades, the camera sees the jack."""
    dealing.draw("8s")
    dealing.lay("player1", 1, DEAL[0])
    return dealing


def view_of(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, table.table.seq)


# --- EV12: the pit voids the round ---------------------------------------------------------------------


def test_ev12_the_pit_voids_a_round_in_one_act_and_the_record_says_that_it_was_its_own_word(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.do(c.VoidRound, dealing.pin(PIT), **WHY)
    dealing.pay()
    assert dealing.round.stage is Stage.VOIDED
    assert dealing.balance() == 10_000
    [opened] = dealing.rows("IncidentOpened")
    [exception] = dealing.rows("ExceptionRecorded")
    assert isinstance(opened, e.IncidentOpened)
    assert isinstance(exception, e.ExceptionRecorded)
    assert (opened.incident, opened.row, opened.reported_by) == ("void_called", "EV12", PIT.id)
    assert (exception.act, exception.asked_by, exception.reason_code) == ("void_round", PIT.id, "dealer_error")


def test_ev12_whatever_else_holds_the_table_is_over_with_the_void(mismatch: Bench) -> None:
    mismatch.do(c.VoidRound, mismatch.pin(PIT), **WHY)
    mismatch.pay()
    assert (mismatch.round.stage, mismatch.balance()) == (Stage.VOIDED, 10_000)
    assert mismatch.open_kinds() == []


def test_ev12_once_the_result_lies_open_another_person_agrees_or_the_round_goes_on(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.do(c.VoidRound, dealing.pin(PIT), **WHY)
    assert dealing.round.stage is Stage.DEALING
    assert dealing.incident.asked is not None
    dealing.do(c.DeclineRuling, PIT_TOO, incident=dealing.incident.id)
    dealing.rule("continue", PIT)
    assert dealing.state.incidents.open == ()
    dealing.do(c.VoidRound, dealing.pin(PIT), **WHY)
    dealing.approve()
    dealing.pay()
    assert (dealing.round.stage, dealing.balance()) == (Stage.VOIDED, 10_000)


def test_ev12_nobody_voids_without_the_right_the_pin_a_reason_or_a_round(dealing: Bench) -> None:
    assert dealing.refused(c.VoidRound, dealing.pin(DEALER), **WHY) == "not_allowed"
    assert dealing.refused(c.VoidRound, PIT, **WHY) == "pin_needed"
    assert dealing.refused(c.VoidRound, dealing.pin(PIT), reason_code="") == "reason_needed"
    assert dealing.state.incidents.open == (), "what is refused opens nothing"
    dealing.deal(*DEAL)
    dealing.do(c.DeclareResult)
    assert dealing.refused(c.VoidRound, dealing.pin(PIT), **WHY) == "result_declared"
    dealing.pay()
    dealing.clear()
    assert dealing.refused(c.VoidRound, dealing.pin(PIT), **WHY) in ("result_declared", "no_round")


# --- the two readings ----------------------------------------------------------------------------------


def test_the_ways_out_of_a_contradiction_carry_what_each_eye_read(mismatch: Bench) -> None:
    [incident] = view_of(mismatch).incidents.open
    assert incident.row.readings == (("shoe", "shoe", "8s"), ("camera", "camera", str(DEAL[0])))


def test_a_ruling_for_a_reading_that_changed_under_the_finger_is_refused(mismatch: Bench) -> None:
    mismatch.lay("player1", 1, "Qd")
    assert mismatch.refused_ruling("camera", PIT, str(DEAL[0])) == "reading_changed"
    assert mismatch.refused_ruling("shoe", PIT, "9s") == "reading_changed"
    mismatch.rule("camera", PIT, "Qd")
    fact = mismatch.round.deal.cards["player1", 1]
    assert isinstance(fact, CardDealt)
    assert str(fact.face) == "Qd"


def test_a_card_the_shoe_could_not_read_is_shown_as_the_camera_reads_it(dealing: Bench) -> None:
    dealing.draw_unread()
    dealing.lay("player1", 1, DEAL[0])
    dealing.wait(1.6)
    [incident] = view_of(dealing).incidents.open
    assert (incident.kind, incident.row.readings) == ("unread_card", (("continue", "camera", str(DEAL[0])),))


def test_no_reading_is_shown_of_a_card_that_is_not_to_be_seen(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.report("exposed_card", PIT, slot=("burn", 1))
    assert [one.row.readings for one in view_of(dealing).incidents.open] == [()]


# --- the reason ----------------------------------------------------------------------------------------


def test_a_coded_reason_is_enough_and_something_else_takes_words() -> None:
    need_reason("camera_view", "")
    need_reason("other", "The lamp fell.")
    with pytest.raises(Exception, match="Choose a reason"):
        need_reason("", "The lamp fell.")
    with pytest.raises(Exception, match="write a few words"):
        need_reason("other", "  ")


def test_an_override_keeps_the_cameras_picture_of_the_card_for_whoever_approves_it(dealing: Bench) -> None:
    dealing.deal(*DEAL[:1])
    look = dealing.state.felt.looks["player1", 1]
    assert look.evidence
    dealing.do(c.OverrideCard, dealing.pin(PIT), box="player1", place=1, card="9c", words="", **WHY)
    assert dealing.incident.scene.evidence == (look.evidence,)
