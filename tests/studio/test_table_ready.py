"""At Blackjack the cards come as soon as every bettor with a bet has said that he bets no more [BJ-2]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from blackjack_bench import Boxes, boxes
from table_bench import PIT, bench

from studio.errors import RefusedError
from studio.tables import command as c
from studio.tables.bets.readiness import Readiness
from studio.views import view_table

ANN, BOB = "ann", "bob"


@pytest.fixture
def table() -> Iterator[Boxes]:
    with boxes() as made:
        made.deposit(bettor=BOB)
        yield made


def ready(table: Boxes, bettor: str, operator: str = "north") -> Readiness:
    return table.table.say_ready(operator, bettor, table.now)


def refused(table: Boxes, bettor: str) -> str:
    with pytest.raises(RefusedError) as error:
        ready(table, bettor)
    assert error.value.sentence.endswith(".")
    return error.value.key


def test_the_window_is_over_when_the_last_one_has_said_so(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor=BOB)
    assert ready(table, ANN) == Readiness(table.round.id, 1, 2)
    assert table.round.window.closes_at_ms is not None
    assert ready(table, BOB) == Readiness(table.round.id, 2, 2, closed=True)
    assert table.round.window.closes_at_ms is None
    table.cards("8h Th 7c 8s 9c")


def test_said_twice_it_is_said_once(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor=BOB)
    assert ready(table, ANN) == ready(table, ANN) == Readiness(table.round.id, 1, 2)
    assert Counter(table.kinds())["BettorReady"] == 1


def test_a_further_bet_takes_it_back_and_a_new_bettor_is_waited_for(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor=BOB)
    ready(table, ANN)
    table.bet_on({"3:perfect_pair": 100})
    assert ready(table, BOB) == Readiness(table.round.id, 1, 2)
    table.deposit(bettor="cid")
    table.bet_on({"6:main": 1_000}, bettor="cid")
    assert ready(table, ANN) == Readiness(table.round.id, 2, 3)
    assert ready(table, "cid").closed


def test_who_may_not_say_so_is_told_why(table: Boxes) -> None:
    assert refused(table, ANN) == "closed"
    table.bet_on({"3:main": 1_000})
    assert refused(table, BOB) == "no_bet"
    table.do(c.FreezeTable, PIT)
    assert refused(table, ANN) == "held"


def test_after_the_window_it_is_too_late(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000})
    ready(table, ANN)
    assert refused(table, ANN) == "closed"


def test_a_restart_forgets_nobody(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor=BOB)
    ready(table, ANN)
    table.restart()
    assert table.round.window.ready == {("north", ANN)}


def test_a_screen_counts_who_has_said_so(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor=BOB)
    ready(table, ANN)
    bets = view_table(table.state, table.table.book, 1).bets
    assert (bets.ready, bets.bettors) == (1, 2)


def test_a_window_for_everybody_runs_to_its_end() -> None:
    with bench() as knights:
        knights.open()
        knights.deposit()
        knights.start()
        knights.do(c.OpenBetting)
        knights.bet()
        with pytest.raises(RefusedError) as error:
            knights.table.say_ready("north", ANN, knights.now)
        assert error.value.key == "waits_for_nobody"


def test_what_was_said_of_a_round_before_ends_no_window_of_a_later_one(table: Boxes) -> None:
    table.bet_on({"3:main": 1_000})
    with pytest.raises(RefusedError) as late:
        table.table.say_ready("north", ANN, table.now, "bj-0000009")
    assert late.value.key == "round_over"
    assert table.round.window.closes_at_ms is not None
    assert table.table.say_ready("north", ANN, table.now, table.round.id).closed
