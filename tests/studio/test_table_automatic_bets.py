"""A bet the house places by itself: both or neither, under the limits, once whatever is sent again [UTH-3]."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import CONFIG, PIT, Bench, bench

from studio.money import Answer, Offer
from studio.tables import command as c
from studio.tables.config import Limit
from studio.views import view_table

ULTIMATE = {"game": "ultimate_holdem", "window_s": 15.0}


def opened(table: Bench, *, deposit_minor: int = 10_000) -> Bench:
    table.deposit(deposit_minor)
    table.open()
    table.do(c.StartRound)
    table.do(c.OpenBetting)
    return table


@pytest.fixture
def ultimate() -> Iterator[Bench]:
    with bench(CONFIG, **ULTIMATE) as table:
        yield opened(table)


def offer(client_id: str = "c1", bet: str = "ante", stake_minor: int = 1_000, bettor: str = "ann") -> Offer:
    return Offer("", "north", client_id, bettor, "", "", bet, stake_minor, "EUR")


def answered(table: Bench, *offers: Offer) -> tuple[Answer, ...]:
    return table.table.place_bets(offers, table.now)


def told(table: Bench, *offers: Offer) -> list[str]:
    return [answer.key or answer.status for answer in answered(table, *offers)]


def out(table: Bench, bettor: str = "ann") -> dict[str, int]:
    return dict(table.table.book.conduct.stakes(("north", bettor)))


def test_an_ante_has_its_blind_beside_it(ultimate: Bench) -> None:
    [answer] = answered(ultimate, offer())
    assert (answer.status, answer.client_id, answer.bet_id) == ("accepted", "c1", "north/c1")
    assert [(bet.bet_id, bet.bet, bet.stake_minor) for bet in ultimate.table.book.bets] == [
        ("north/c1", "ante", 1_000),
        ("north/c1/blind", "blind", 1_000),
    ]
    assert ultimate.balance() == 8_000
    assert ultimate.table.book.by_bet == {"ante": (1, 1_000), "blind": (1, 1_000)}


def test_a_purse_that_covers_only_one_of_both_takes_neither(ultimate: Bench) -> None:
    ultimate.deposit(1_999, bettor="bob")
    [answer] = answered(ultimate, offer(bettor="bob"))
    assert (answer.client_id, answer.key) == ("c1", "insufficient_balance")
    assert "20.00 EUR" in answer.sentence
    assert ultimate.balance("bob") == 1_999
    assert ultimate.table.book.bets == []


def test_an_ante_sent_again_is_a_duplicate_and_adds_no_blind(ultimate: Bench) -> None:
    assert told(ultimate, offer(), offer()) == ["accepted", "duplicate"]
    assert told(ultimate, offer()) == ["duplicate"]
    ultimate.restart()
    assert told(ultimate, offer()) == ["duplicate"]
    assert told(ultimate, offer(stake_minor=500)) == ["client_id_reused"]
    assert out(ultimate) == {"ante": 1_000, "blind": 1_000}


def test_an_ante_of_an_earlier_round_is_no_ante_of_this_one() -> None:
    with bench(CONFIG, **ULTIMATE) as table:
        opened(table)
        assert told(table, offer()) == ["accepted"]
        table.report("malfunction", PIT)
        table.rule("void_round", PIT)
        table.pay()
        table.clear()
        table.load("deck-2")
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        assert told(table, offer(), offer("c2", "trips")) == ["duplicate", "needs_ante"]
        assert table.balance() == 10_000


def test_a_second_ante_has_a_blind_of_its_own(ultimate: Bench) -> None:
    assert told(ultimate, offer("c1"), offer("c2", stake_minor=500)) == ["accepted", "accepted"]
    assert out(ultimate) == {"ante": 1_500, "blind": 1_500}


def test_nobody_places_the_blind_himself(ultimate: Bench) -> None:
    [answer] = answered(ultimate, offer(bet="blind"))
    assert (answer.key, answer.sentence) == (
        "placed_by_house",
        "The house places blind itself beside ante, with the same stake: bet on ante alone.",
    )


def test_a_raise_is_staked_by_a_decision_alone(ultimate: Bench) -> None:
    [answer] = answered(ultimate, offer(bet="play"))
    assert answer.key == "staked_by_decision"
    assert "choose it when the table asks" in answer.sentence


def test_a_side_bet_falls_with_the_ante_it_was_sent_with(ultimate: Bench) -> None:
    ultimate.deposit(1_500, bettor="bob")
    offers = (offer("a", bettor="bob"), offer("t", "trips", 500, bettor="bob"))
    assert told(ultimate, *offers) == ["insufficient_balance", "needs_ante"]
    assert ultimate.balance("bob") == 1_500
    assert told(ultimate, offer("a", stake_minor=500, bettor="bob"), offers[1]) == ["accepted", "accepted"]
    assert out(ultimate, "bob") == {"ante": 500, "blind": 500, "trips": 500}


def test_one_ante_that_stands_is_enough_for_a_side_bet(ultimate: Bench) -> None:
    offers = (offer("a", stake_minor=6_000), offer("b", stake_minor=1_000), offer("t", "trips", 500))
    assert told(ultimate, *offers) == ["insufficient_balance", "accepted", "accepted"]


def test_a_blind_counts_where_the_table_may_be_full() -> None:
    with bench(CONFIG, **ULTIMATE, max_bets_per_round=3) as table:
        opened(table)
        assert told(table, offer("c1"), offer("c2"), offer("t", "trips")) == ["accepted", "table_full", "accepted"]


LINES = {
    "its own": ({"ante": 5_000, "blind": 900}, 900),
    "that of the ante": ({"ante": 2_000}, 2_000),
    "that of every bet": ({}, 1_000),
}


@pytest.mark.parametrize(("lines", "most_minor"), LINES.values(), ids=LINES)
def test_the_limit_of_a_blind_is(lines: dict[str, int], most_minor: int) -> None:
    limits = {bet: Limit(least_minor=100, most_minor=most) for bet, most in {"*": 1_000, **lines}.items()}
    with bench(CONFIG, **ULTIMATE, limits=limits) as table:
        opened(table)
        assert told(table, offer("c1", stake_minor=most_minor + 1), offer("c2", stake_minor=most_minor)) == [
            "over_limit", "accepted",
        ]  # fmt: skip
        assert told(table, offer("c3", stake_minor=100)) == ["over_limit"]


def test_the_limits_shown_of_a_raise_follow_from_the_ante() -> None:
    with bench(CONFIG, **ULTIMATE, limits={"*": Limit(least_minor=100, most_minor=1_000)}) as table:
        shown = view_table(table.state, table.table.book, 1).game.limits
        assert shown == {"ante": (100, 1_000), "blind": (100, 1_000), "play": (100, 4_000), "trips": (100, 1_000)}


@pytest.mark.parametrize(
    ("least_minor", "most_minor", "shown"),
    [(1, 1_000, (1, 500)), (1, 1, (1, 1)), (3, 7, (1, 3))],
    ids=["from one minor unit on", "one minor unit", "odd ones"],
)
def test_an_insurance_has_limits_however_low_those_of_the_bet_are(
    least_minor: int, most_minor: int, shown: tuple[int, int]
) -> None:
    """Half of one minor unit is nothing. [BJ-10]"""
    limits = {"*": Limit(least_minor=least_minor, most_minor=most_minor)}
    with bench(CONFIG, game="blackjack", window_s=15.0, limits=limits) as table:
        view = view_table(table.state, table.table.book, 1)
        assert view.game.limits["1:insurance"] == shown


def test_nothing_is_left_of_a_round_that_was_void(ultimate: Bench) -> None:
    assert told(ultimate, offer()) == ["accepted"]
    ultimate.report("malfunction", PIT)
    ultimate.rule("void_round", PIT)
    ultimate.pay()
    assert ultimate.balance() == 10_000
