"""What a batch is told of its table, drawn or not."""

from __future__ import annotations

from bench.table import Bare
from studio.journal import Store
from studio.views.playing import Playing
from studio.views.table import view_table


def test_a_batch_knows_of_its_table_what_the_table_shows() -> None:
    with Store.open(":memory:") as store:
        table = Bare(store)
        told = []
        for step in (lambda: None, table.hands.open, table.hands.start_round, table.hands.finish_round, table.pay):
            step()
            state = table.runtime.state
            told.append(Playing.at(state))
            assert told[-1] == Playing.seen(view_table(state, table.runtime.book, table.runtime.seq))
    assert [one.round for one in told] == ["", "", *["t1-0000001"] * 3]
