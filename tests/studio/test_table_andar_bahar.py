"""Andar Bahar dealt at a table: the joker first, a card at a time to either side; the rows AB under their own ids."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import CONFIG, PIT, PIT_TOO, Bench, bench

from studio.cards import DECK
from studio.tables import command as c
from studio.tables.state.round import Stage
from studio.views import view_table

GAME = "andar_bahar"
BETS = (("andar", 1_000), ("bahar", 500), ("cards_1_5", 200))


@pytest.fixture
def table() -> Iterator[Bench]:
    """The joker is the seven of spades; Ann has bets on both sides and on five cards at most."""
    with bench(CONFIG, game=GAME, window_s=15.0) as made:
        made.deposit(10_000)
        made.open()
        made.do(c.StartRound)
        made.deal("7s")
        yield made.betting(*BETS)


def paid(table: Bench, returns_minor: int) -> None:
    table.finish()
    assert table.round.stage is Stage.SETTLED
    assert table.balance() == 10_000 - 1_700 + returns_minor


def refunded(table: Bench, row: str) -> None:
    table.pay()
    assert (table.round.stage, table.round.void.row) == (Stage.VOIDED, row)
    assert table.balance() == 10_000


def row_of(table: Bench) -> tuple[str, str, str]:
    return table.incident.kind, table.incident.ruling.row, table.incident.phase


def test_the_joker_lies_before_bets_open_and_the_first_of_its_rank_wins() -> None:
    with bench(CONFIG, game=GAME, window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        assert view_table(table.state, table.table.book, 1).now.act.values == {"box": "box.joker", "place": 1}
        table.deal("7s").betting(*BETS)
        assert table.next_slot() == ("andar", 1)  # [AB-4]
        table.deal("Kd", "2c", "7d")
        paid(table, 1_900 + 700)  # [AB-5] [AB-6] [AB-8]


def test_a_row_of_twenty_five_cards_is_dealt_to_its_end(table: Bench) -> None:
    table.deal(*(card for card in DECK if card.rank != "7"), "7h")
    rows = {box.key: box.places for box in view_table(table.state, table.table.book, 1).boxes}
    assert [rows[side][-1].state for side in ("andar", "bahar")] == ["confirmed", "confirmed"]
    assert (len(rows["andar"]), rows["andar"][-1].face) == (25, "7h")
    paid(table, 1_900)


# --- AB1: while no card of the joker's rank has come ----------------------------------------------------


def test_ab1_a_side_that_was_left_out_gets_its_card_in_the_order_drawn(table: Bench) -> None:
    table.deal("Kd")
    table.draw("2c")
    table.lay("andar", 2, "2c")
    assert row_of(table) == ("misplaced_card", "AB1", "dealing")
    table.rule("move_card")
    table.lift("andar", 2)
    table.lay("bahar", 1, "2c")
    assert table.state.incidents.open == ()
    table.deal("9h", "7d")
    paid(table, 1_000 + 700)


@pytest.mark.parametrize("kind", ["wrong_order", "wrong_count", "misplaced_card"])
def test_ab1_said_by_the_dealer_after_further_cards_position_follows_the_order_drawn(table: Bench, kind: str) -> None:
    table.deal("Kd", "2c", "9h").report(kind, next_dealt=True, revealed=True)
    assert row_of(table)[1:] == ("AB1", "dealing")
    table.rule("move_card")
    assert table.state.incidents.open == ()
    table.deal("7d")
    paid(table, 1_000 + 700)


def test_ab1_a_card_drawn_too_soon_is_the_next_one(table: Bench) -> None:
    table.deal("Kd").report("extra_card", revealed=True)
    table.draw("2c")
    assert row_of(table) == ("extra_card", "AB1", "dealing")
    table.rule("card_is_next_card")
    table.lay("bahar", 1, "2c")
    assert table.state.incidents.open == ()
    table.deal("7d")
    paid(table, 1_900 + 700)


# --- AB2, AB3: one has come -----------------------------------------------------------------------------


def test_ab2_the_first_of_the_jokers_rank_in_the_order_drawn_wins_wherever_it_was_laid(table: Bench) -> None:
    table.deal("Kd")
    table.draw("7d")
    table.lay("andar", 2, "7d")
    assert row_of(table) == ("misplaced_card", "AB2", "result")
    assert table.refused_ruling("move_card") == "not_allowed"
    table.rule("move_card", PIT)
    table.lift("andar", 2)
    table.lay("bahar", 1, "7d")
    assert table.state.incidents.open == ()
    paid(table, 1_000 + 700)


def test_ab3_a_card_after_it_has_no_effect(table: Bench) -> None:
    table.deal("7d")
    table.draw("7c")
    table.lay("bahar", 1, "7c")
    assert row_of(table) == ("extra_card", "AB3", "result")
    table.rule("card_to_discard")
    table.lift("bahar", 1)
    assert table.state.incidents.open == ()
    paid(table, 1_900 + 700)


# --- AB4, AB5: the deck is not whole --------------------------------------------------------------------


def test_ab4_a_deck_that_is_short_voids_the_round_and_is_replaced(table: Bench) -> None:
    table.deal("Kd").report("shoe_empty")
    assert row_of(table) == ("shoe_empty", "AB4", "dealing")
    table.rule("void_round", PIT)
    refunded(table, "AB4")
    assert table.state.deck is None


def test_ab4_a_deck_that_holds_a_card_twice_voids_the_round_even_after_the_last_card(table: Bench) -> None:
    table.deal("Kd", "2c")
    table.draw("Kd")
    table.lay("andar", 2, "Kd")
    assert row_of(table) == ("fouled_deck", "AB4", "dealing")
    table.rule("void_round", PIT)
    refunded(table, "AB4")
    assert table.state.deck is None


def test_ab4_over_found_when_the_result_lies_takes_two_people(table: Bench) -> None:
    table.deal("7d").report("fouled_deck")
    assert row_of(table) == ("fouled_deck", "AB4", "result")
    table.rule("void_round", PIT)
    table.approve(PIT_TOO)
    refunded(table, "AB4")


def test_ab5_a_card_that_is_missing_and_was_not_identified_voids_the_round(table: Bench) -> None:
    table.deal("Kd")
    table.draw("2c")
    table.lose("bahar", 1, identified=False)
    assert row_of(table) == ("dropped_card", "AB5", "dealing")
    table.rule("void_round", PIT)
    refunded(table, "AB5")
