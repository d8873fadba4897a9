"""Bets whose unit shares a group with one that fails are written twice, and told of once."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from table_bench import CONFIG, bench

from studio.journal import Receipt, Unit
from studio.money import Offer, Transfer, bettor_account, operator_account
from studio.tables import command as c
from studio.tables.event import table as e

TOO_MUCH = Transfer("", "w1", "withdraw", bettor_account("north", "ann"), operator_account("north"), 10**9, "EUR")


def test_a_bet_stands_once_though_its_group_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with bench(CONFIG) as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        submit = table.writer.submit

        def beside_a_failure(unit: Unit) -> Future[Receipt]:
            future = submit(unit)
            submit(Unit(transfers=(TOO_MUCH,)))
            return future

        with monkeypatch.context() as patched:
            patched.setattr(table.writer, "submit", beside_a_failure)
            offer = Offer("", "north", "one", "ann", "", "", "player1_win", 600, "EUR")
            [answer] = table.table.place_bets((offer,), table.now)
        assert answer.status == "accepted"
        [told] = table.rows("BetsPlaced")
        assert isinstance(told, e.BetsPlaced)
        assert [bet.stake_minor for bet in told.bets] == [600]
        assert table.state.round is not None
        assert table.state.round.stakes.stake_minor == 600
