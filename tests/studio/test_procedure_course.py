"""The steps of carrying a ruling out: in order, with who owes the next one, each ticked as the table sees it done."""

from __future__ import annotations

import pytest

from studio.procedures import KINDS, PROCEDURES, RULING_BY_KEY, Approval
from studio.procedures.course import Matter, course, course_of, every_step
from studio.procedures.step import Sign, Who
from studio.spoken import Places
from studio.tables import command as c
from studio.views import view_table
from studio.views.shape import IncidentView, ProcedureView, TableView
from tests.studio.table_bench import DEAL, DOWN, PIT, PIT_TOO, UP, Bench, bench


def dealing(table: Bench) -> None:
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000))


def looked(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, table.table.seq)


def due(table: Bench) -> tuple[object, object]:
    """Where the headline sends the next card."""
    return looked(table).now.act.values["box"], looked(table).now.act.values["place"]


def shown(table: Bench) -> IncidentView:
    return next(one for one in looked(table).incidents.open if one.holds)


def ticked(procedure: ProcedureView) -> list[str]:
    return [f"{step.state} {step.key}" for step in procedure.steps]


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_the_course_of_every_row_says_who_does_each_step(kind: str) -> None:
    for procedures in PROCEDURES:
        for row in procedures.rows:
            if kind in row.kinds:
                steps = course_of(row, kind)
                assert all(step.text.endswith(".") and step.key for step in steps)
                assert len({step.key for step in steps}) == len(steps)


def test_a_step_has_one_text_wherever_it_stands() -> None:
    steps = every_step()
    assert len({step.key for step in steps}) == len(steps)


def test_two_people_are_two_steps_of_two_persons() -> None:
    steps = course(Matter("card_mismatch", "manual", Approval.TWO_PEOPLE))
    assert [step.who for step in steps[1:3]] == [Who.PIT_BOSS, Who.SECOND]


def test_a_table_without_a_shuffler_counts_its_deck_by_hand() -> None:
    steps = course(Matter("burn_error", "reshuffle_and_redeal", Approval.PIT_BOSS, shuffler=False))
    assert [step.key for step in steps[3:5]] == ["by_hand.shuffle", "by_hand.verify"]


def test_an_unverified_deck_lies_in_the_shuffler_and_nobody_clears_the_felt_for_it() -> None:
    steps = course(Matter("deck_unverified", "reshuffle", Approval.PIT_BOSS, holds=False))
    assert Sign.FELT_CLEAR not in {step.sign for step in steps}


def test_every_ruling_ends_in_steps() -> None:
    assert all(one.steps for one in RULING_BY_KEY.values())


def test_an_exposed_card_is_owed_by_the_pit_boss_and_then_by_the_dealer_until_the_felt_is_clear() -> None:
    with bench() as table:
        dealing(table)
        table.deal(*DEAL[:2])
        table.report("malfunction", PIT)
        procedure = shown(table).procedure
        assert procedure.owed == "pit_boss"
        assert procedure.since_ms == table.now
        assert ticked(procedure)[:2] == ["done stop", "now decide.pit_boss"]
        table.rule("void_round", PIT)
        following = looked(table).incidents.following
        assert following is not None
        assert (following.row, following.procedure.owed) == ("EV10", "dealer")
        assert ticked(following.procedure)[2:] == ["now void_round.1", "now void_round.2"]
        table.clear()
        assert looked(table).incidents.following is None


def test_a_second_person_is_owed_from_when_the_first_has_asked() -> None:
    with bench() as table:
        dealing(table)
        table.deal(*DEAL[:2])
        table.lay("player2", 1, "5h")
        assert shown(table).kind == "card_mismatch"
        table.wait(7)
        table.do(
            c.RuleIncident, table.pin(PIT), incident=shown(table).id, ruling="manual", arguments=("5h",),
            reason_code="drill", words="As both of us see it.",
        )  # fmt: skip
        procedure = shown(table).procedure
        assert (procedure.owed, procedure.since_ms) == ("second", table.now)
        assert ticked(procedure)[1:3] == ["done decide.ask", "now decide.approve"]
        table.do(c.ApproveRuling, table.pin(PIT_TOO), incident=shown(table).id, asked=shown(table).asked.mark)
        assert not table.state.held


def test_cards_are_laid_back_one_by_one_in_the_order_read_and_each_is_ticked() -> None:
    with bench() as table:
        dealing(table)
        table.deal(*DEAL)
        table.clear()
        table.wait(3.1)
        table.rule("relay_from_discard", PIT)
        places = shown(table).procedure.places
        assert [(one.zone, one.place) for one in places[:6]] == [
            ("burn", 1), ("burn", 2), ("burn", 3), ("burn", 4), ("player1", 1), ("player2", 1),
        ]  # fmt: skip
        for number in range(1, 5):
            table.lay("burn", number, face=DOWN)
        table.lay("player1", 1, DEAL[0])
        procedure = shown(table).procedure
        assert [one.done for one in procedure.places] == [True] * 5 + [False] * 11
        assert next((one.zone, one.place) for one in procedure.places if one.next) == ("player2", 1)
        assert due(table) == ("box.player2", 1)
        table.wait(4)
        assert shown(table).procedure.since_ms == table.state.felt.looks["player1", 1].at_ms
        table.lay("player3", 1, DEAL[2], face=UP)  # out of turn: the one before it is still owed
        assert due(table) == ("box.player2", 1)


def test_every_card_read_again_is_owed_in_the_order_dealt() -> None:
    with bench() as table:
        dealing(table)
        table.deal(*DEAL[:6])
        table.report("unread_card")
        table.rule("reread_all", PIT)
        table.approve()
        assert looked(table).now.act.values["places"] == Places((("burn", 1),))
        assert [(one.zone, one.place) for one in shown(table).procedure.places[4:10]] == [
            ("player1", 1), ("player2", 1), ("player3", 1), ("banker", 1), ("player1", 2), ("player2", 2),
        ]  # fmt: skip
