"""A whole round of Three Knights at a table, from the burn to the money, and the doors that are shut on the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, Bench, bench

from studio.tables import command as c
from studio.tables.state import Stage, phase_of


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        yield made.open()


def test_a_round_goes_from_the_burn_to_the_money(table: Bench) -> None:
    table.deposit(10_000)
    table.start()
    assert phase_of(table.state) == "betting"
    table.betting(("player1_tie", 1000), ("player2_win", 500))
    assert table.balance() == 8500
    table.deal(*DEAL)
    table.do(c.DeclareResult)
    assert table.round.stage is Stage.SETTLING
    table.pay()
    assert table.round.stage is Stage.SETTLED
    assert table.balance() == 8500 + 9000
    assert table.house() == 1500 - 9000
