"""Who deals: relief between rounds and in one, the plan of the rotation, and a dealer who is stood down."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, DEALER, PIT, PIT_TOO, Bench, bench

from studio.people import Actor
from studio.tables import command as c
from studio.tables.event.change import PlannedTurn

HANA = Actor("d2", "Hana", frozenset({"dealer"}))
ADA = Actor("a1", "Ada", frozenset({"admin"}))


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as found:
        yield found.open()


def turn(dealer: Actor, at_ms: int) -> PlannedTurn:
    return PlannedTurn(dealer=dealer.id, dealer_name=dealer.name, at_ms=at_ms)


def test_between_rounds_the_next_dealer_takes_the_table_over_by_himself(table: Bench) -> None:
    table.wait(60)
    table.do(c.TakeTable, HANA)
    assert (table.state.seat.dealer, table.state.seat.dealer_name, table.state.seat.since_ms) == (
        "d2",
        "Hana",
        table.now,
    )
    assert table.refused(c.TakeTable, HANA) == "yours_already"
    assert table.refused(c.TakeTable, PIT) == "not_allowed"


def test_in_mid_round_he_asks_and_the_pit_makes_the_change(table: Bench) -> None:
    table.start()
    table.do(c.TakeTable, HANA)
    assert (table.state.seat.dealer, table.state.seat.relief_name) == (DEALER.id, "Hana")
    assert table.refused(c.TakeTable, HANA) == "relief_asked"
    assert table.refused(c.ChangeDealer, HANA, dealer="d2", dealer_name="Hana") == "not_allowed"
    table.do(c.ChangeDealer, PIT, dealer="d2", dealer_name="Hana")
    assert (table.state.seat.dealer, table.state.seat.relief) == ("d2", "")


def test_the_pit_may_have_the_round_finished_first(table: Bench) -> None:
    table.start()
    table.do(c.TakeTable, HANA)
    assert table.refused(c.DeclineRelief, DEALER) == "not_allowed"
    table.do(c.DeclineRelief, PIT)
    assert table.refused(c.DeclineRelief, PIT) == "no_relief"
    assert (table.state.seat.dealer, table.state.seat.relief) == (DEALER.id, "")


def test_a_plan_is_in_order_and_its_turn_goes_when_it_is_taken(table: Bench) -> None:
    soon, later = table.now + 60_000, table.now + 120_000
    assert table.refused(c.PlanRotation, DEALER, turns=()) == "not_allowed"
    assert table.refused(c.PlanRotation, PIT, turns=(turn(HANA, later), turn(DEALER, soon))) == "plan_order"
    assert table.refused(c.PlanRotation, PIT, turns=(turn(HANA, table.now),)) == "plan_order"
    many = tuple(turn(HANA, soon + at) for at in range(13))
    assert table.refused(c.PlanRotation, PIT, turns=many) == "plan_too_long"
    table.do(c.PlanRotation, PIT, turns=(turn(HANA, soon), turn(DEALER, later)))
    table.do(c.TakeTable, HANA)
    assert [one.dealer for one in table.state.seat.plan] == [DEALER.id]


def test_a_plan_takes_the_place_of_the_one_its_form_was_begun_for_alone(table: Bench) -> None:
    soon, later = table.now + 60_000, table.now + 120_000
    begun = table.state.seat.plan_mark
    table.do(c.PlanRotation, PIT, turns=(turn(HANA, soon),), about=begun)
    assert table.refused(c.PlanRotation, PIT, turns=(turn(DEALER, later),), about=begun) == "moved_on"
    assert [one.dealer for one in table.state.seat.plan] == [HANA.id]
    table.do(c.PlanRotation, PIT, turns=(turn(DEALER, later),), about=table.state.seat.plan_mark)
    assert [one.dealer for one in table.state.seat.plan] == [DEALER.id]


def test_a_dealer_who_is_stood_down_leaves_a_table_that_says_so_and_starts_no_round(table: Bench) -> None:
    assert table.refused(c.StandDown, DEALER, dealer=DEALER.id, why="barred") == "not_allowed"
    assert table.refused(c.StandDown, ADA, dealer="d2", why="barred") == "not_dealing"
    table.do(c.StandDown, ADA, dealer=DEALER.id, why="barred")
    assert (table.state.seat.dealer, table.state.seat.stood_down) == ("", DEALER.name)
    assert table.state.pit.call.by_name == "Ada"
    assert table.refused(c.StartRound, PIT) == "no_dealer"
    table.do(c.TakeTable, HANA)
    assert table.state.seat.stood_down == ""
    table.start()


def test_seat_and_plan_come_back_after_a_restart(table: Bench) -> None:
    table.do(c.PlanRotation, PIT, turns=(turn(HANA, table.now + 60_000),))
    table.start()
    table.do(c.TakeTable, HANA)
    seat = table.state.seat
    table.restart()
    assert table.state.seat == seat


def override(table: Bench, actor: Actor, *, pit_bosses: int) -> str:
    box, place = "player1", 1
    given = {"box": box, "place": place, "card": "9c", "reason_code": "wrong", "words": "we saw it"}
    return table.refused(c.OverrideCard, table.pin(actor), pit_bosses=pit_bosses, **given)


def test_the_tables_dealer_asks_first_only_where_one_pit_boss_is_on_the_floor(table: Bench) -> None:
    table.deposit(10_000)
    table.start().betting(("player1_win", 1000))
    table.deal(*DEAL[:1])
    assert override(table, DEALER, pit_bosses=2) == "pit_asks"
    assert override(table, HANA, pit_bosses=1) == "not_allowed"
    given = {"box": "player1", "place": 1, "card": "9c", "reason_code": "wrong", "words": "we saw it"}
    table.do(c.OverrideCard, table.pin(DEALER), pit_bosses=1, **given)
    assert table.incident.asked is not None
    assert table.incident.asked.asked_by == DEALER.id
    table.approve(PIT_TOO)
    assert table.rows("ExceptionRecorded")
