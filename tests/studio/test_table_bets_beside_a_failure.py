"""Bets and raises whose unit shares a group with one that fails are written twice, and told of once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import pytest
from table_bench import CONFIG, Bench, bench
from test_table_down_rows import holes

from studio.journal import Receipt, Unit
from studio.money import Offer, Transfer, bettor_account, operator_account
from studio.tables import command as c
from studio.tables.event import table as e

TOO_MUCH = Transfer("", "w1", "withdraw", bettor_account("north", "ann"), operator_account("north"), 10**9, "EUR")


@contextmanager
def beside_a_failure(table: Bench) -> Iterator[None]:
    """Behind whatever is submitted in the meantime, a withdrawal that nothing covers stands in the same group."""
    submit = table.writer.submit

    def both(unit: Unit) -> Future[Receipt]:
        future = submit(unit)
        submit(Unit(transfers=(TOO_MUCH,)))
        return future

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(table.writer, "submit", both)
        yield


def test_a_bet_stands_once_though_its_group_is_written_again() -> None:
    with bench(CONFIG) as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        with beside_a_failure(table):
            offer = Offer("", "north", "one", "ann", "", "", "player1_win", 600, "EUR")
            [answer] = table.table.place_bets((offer,), table.now)
        assert answer.status == "accepted"
        [told] = table.rows("BetsPlaced")
        assert isinstance(told, e.BetsPlaced)
        assert [bet.stake_minor for bet in told.bets] == [600]
        assert table.state.round is not None
        assert table.state.round.stakes.stake_minor == 600


def test_a_raise_stands_once_though_its_group_is_written_again() -> None:
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        holes(table).do(c.OpenBetting)
        assert table.state.round is not None
        before_minor = table.state.round.stakes.stake_minor
        with beside_a_failure(table):
            choice = e.Decision(operator="north", bettor="ann", option="play", client_id="p")
            [answer] = table.table.take_decisions((choice,), table.now)
        assert answer.status == "accepted"
        [told] = table.rows("DecisionsTaken")
        assert isinstance(told, e.DecisionsTaken)
        assert [bet.stake_minor for bet in told.bets] == [1000]
        assert table.state.round.stakes.stake_minor == before_minor + 1000
