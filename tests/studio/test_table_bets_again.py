"""A bet that is sent again is the same bet, whatever has become full or closed meanwhile; each offer has its answer."""

from __future__ import annotations

import pytest
from table_bench import CONFIG, PIT, Bench, bench

from studio.errors import RefusedError
from studio.money import Offer
from studio.tables import command as c
from studio.tables.config import Limit


def offer(client_id: str, stake_minor: int = 600, bettor: str = "ann", bet: str = "player1_win") -> Offer:
    return Offer("", "north", client_id, bettor, "", "", bet, stake_minor, "EUR")


def placed(table: Bench, *offers: Offer) -> list[tuple[str, str]]:
    return [(answer.status, answer.key) for answer in table.table.place_bets(offers, table.now)]


LIMITED = {"limits": {"*": Limit(least_minor=100, most_minor=1_000)}}


def test_an_accepted_bet_sent_again_is_a_duplicate_though_the_limit_is_used_up() -> None:
    with bench(CONFIG, **LIMITED) as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        assert placed(table, offer("one")) == [("accepted", "")]
        assert placed(table, offer("one"), offer("two")) == [("duplicate", ""), ("refused", "over_limit")]
        assert table.balance() == 100_000 - 600


def test_an_accepted_bet_sent_again_is_a_duplicate_though_the_table_is_full() -> None:
    with bench(CONFIG, max_bets_per_round=1) as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        assert placed(table, offer("one"), offer("two")) == [("accepted", ""), ("refused", "table_full")]
        assert placed(table, offer("one")) == [("duplicate", "")]


def test_an_accepted_bet_sent_again_is_a_duplicate_though_the_bets_are_closed_or_the_table_held() -> None:
    with bench() as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        assert placed(table, offer("one")) == [("accepted", "")]
        table.do(c.FreezeTable)
        assert placed(table, offer("one"), offer("two")) == [("duplicate", ""), ("refused", "held")]
        table.do(c.ReleaseTable, table.pin(PIT), reason_code="seen", words="x")
        table.wait(15)
        assert placed(table, offer("two"), offer("one")) == [("refused", "closed"), ("duplicate", "")]
        with pytest.raises(RefusedError, match="Bets are closed"):
            placed(table, offer("two"))


def test_a_client_id_used_for_another_bet_is_refused() -> None:
    with bench() as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        assert placed(table, offer("one")) == [("accepted", "")]
        for other in (offer("one", 700), offer("one", bettor="bob"), offer("one", bet="player2_win")):
            assert placed(table, other) == [("refused", "client_id_reused")]


def test_each_offer_of_a_batch_has_its_own_answer_though_ids_repeat() -> None:
    with bench(CONFIG, **LIMITED) as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        batch = (
            offer("a"),
            offer("b", 5_000),
            offer("a", 300),
            offer("c", 50),
            offer("d", bet="no_such"),
            offer("e", 200),
        )
        assert placed(table, *batch) == [
            ("accepted", ""), ("refused", "over_limit"), ("refused", "client_id_reused"), ("refused", "below_limit"),
            ("refused", "unknown_bet"), ("accepted", ""),
        ]  # fmt: skip


def test_a_restarted_table_knows_the_bets_of_its_round() -> None:
    with bench() as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        assert placed(table, offer("one")) == [("accepted", "")]
        table.restart()
        assert placed(table, offer("one")) == [("duplicate", "")]


def test_a_bet_that_comes_twice_in_a_batch_is_one_bet() -> None:
    with bench(CONFIG, **LIMITED) as table:
        table.open().deposit()
        table.start().do(c.OpenBetting)
        assert placed(table, offer("one"), offer("one")) == [("accepted", ""), ("duplicate", "")]
        assert table.balance() == 100_000 - 600
