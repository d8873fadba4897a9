"""Whatever a table owes, it says so at once: the thread that pays does not wait for the clock's next tick."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from blackjack_bench import BLACKJACK, Boxes
from correction_bench import approve, ask, dealt, replaced
from holdem_table import holdem
from poker_bench import PokerBench
from table_bench import CONFIG, PIT, Bench
from test_table_compensation import FLUSH, decide, lost
from test_table_pot import GAME

from studio.tables import command as c
from studio.tables.seats.request import leaving_now
from studio.tables.state.round import Stage


@contextmanager
def a_void_hand() -> Iterator[Bench]:
    """The bets of one box have to go back while the round goes on: `RoundStakes.giving_back`."""
    table = Boxes(BLACKJACK)
    table.deposit()
    table.deposit(bettor="bob")
    table.open()
    table.bet_on({"2:main": 1_000, "3:main": 1_000}).bet_on({"5:main": 1_000}, bettor="bob").no_more_bets().cards("Th")
    table.draw("9h")
    table.lay("5", 1, "9h")
    table.rule("void_hand", PIT)
    assert table.round.stakes.giving_back
    yield table
    table.close()


@contextmanager
def a_case_decided() -> Iterator[Bench]:
    """A prize lost with a void round is to be paid after all."""
    with holdem(GAME, FLUSH) as round:
        decide(lost(round).table)
        yield round.table


@contextmanager
def a_seat_left() -> Iterator[Bench]:
    """A player who left in the middle of a hand gets his chips when it is over."""
    table = PokerBench().open()
    table.hand()
    table.ask("leave", "ann")
    table.wait(0)
    table.acts("fold")
    table.do(c.DeclareResult)
    while table.round.stage is Stage.SETTLING:
        table.table.pay(table.now)
    assert leaving_now(table.state)
    yield table
    table.close()


@contextmanager
def a_correction() -> Iterator[Bench]:
    """Two people put a settled round right."""
    table = dealt(Bench(CONFIG))
    ask(table, replaced(table, "banker", 3, "2d"))
    approve(table)
    yield table
    table.close()


OWED = {
    "a void hand": a_void_hand,
    "a case decided": a_case_decided,
    "a seat left": a_seat_left,
    "a correction": a_correction,
}


@pytest.mark.parametrize("owed", OWED)
def test_a_table_says_that_it_owes_until_all_is_paid(owed: str) -> None:
    with OWED[owed]() as table:
        assert table.table.owes
        steps = 0
        while table.table.owes:
            assert table.table.pay(table.now)
            steps += 1
        assert steps
        assert not table.table.pay(table.now)
        table.check()
