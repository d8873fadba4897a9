"""Chips at a table that the configuration does not name any more are told of."""

from __future__ import annotations

from poker_bench import PokerBench

from dealer_ui.assembly.care import tables_left


def test_a_table_with_chips_that_nobody_names_is_found() -> None:
    bench = PokerBench().open()
    with bench.store.reader() as reader:
        assert tables_left(reader, {"nlh-1"}) == ()
        assert tables_left(reader, {"blackjack-1"}) == ("nlh-1",)
    for bettor in bench.seats:
        bench.ask("leave", bettor)
    with bench.store.reader() as reader:
        assert tables_left(reader, {"blackjack-1"}) == ()
    bench.close()
