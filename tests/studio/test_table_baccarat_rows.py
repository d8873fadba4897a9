"""Baccarat at a table: a shoe opened by its first card, the last round after the cut card, and its rows carried out."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from table_bench import CONFIG, PIT, PIT_TOO, Bench

from studio import ports
from studio.cards import Card
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.views import TableView, view_table

STAKE = 1_000


def table_of(**rules: object) -> Bench:
    """An open Baccarat table with a full shoe."""
    proof = msgspec.structs.replace(CONFIG.proof, highest_bet="banker")
    return Bench(msgspec.structs.replace(CONFIG, game="baccarat", proof=proof, rules=rules))


@pytest.fixture
def table() -> Iterator[Bench]:
    made = table_of().open()
    made.deposit()
    begin(made, first="2h", burned="9h 9h")
    made.betting(("player", STAKE))
    yield made
    made.check()
    audit(steps(made.store.connection))
    made.close()


def begin(table: Bench, *, first: str = "", burned: str = "") -> None:
    table.do(c.StartRound)
    if first:
        table.deal(first)
        table.burn([Card.parse(card) for card in burned.split()])


def next_round(table: Bench) -> None:
    table.finish()
    begin(table)
    table.betting(("player", STAKE))


def rows_of(table: Bench) -> list[str]:
    return [one.row for one in table.rows("IncidentOpened") if isinstance(one, e.IncidentOpened)]


def put(table: Bench, card: str, slot: tuple[str, int]) -> None:
    """The shoe reads a card and it is laid there, whatever was due."""
    table.draw(card)
    table.lay(*slot, card)


# --- the deal -------------------------------------------------------------------------------------------


def test_a_new_shoe_turns_its_first_card_and_burns_as_many_as_it_counts(table: Bench) -> None:  # [PB-2] [PB-3]
    assert sorted(table.round.deal.cards) == [("burn", 1), ("burn", 2), ("first", 1)]
    table.deal("Ks", "7c", "9d", "Qh")
    assert table.balance() == 99_000
    next_round(table)
    assert table.balance() == 100_000
    assert not table.round.deal.cards


def test_screens_show_the_places_of_a_new_shoe_only_while_it_is_opened(table: Bench) -> None:
    assert [box.key for box in view(table).boxes] == ["player", "banker", "first", "burn"]
    table.deal("Ks", "7c", "9d", "Qh")
    next_round(table)
    assert [box.key for box in view(table).boxes] == ["player", "banker"]


def view(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, 0)


def test_the_felt_says_the_points_of_either_hand(table: Bench) -> None:
    table.deal("Ks", "7c", "9d")
    hands = {box.key: box.hand.values["n"] for box in view(table).boxes if box.hand}
    assert hands == {"player": 9, "banker": 7}


def test_the_third_card_is_asked_for_by_the_rule_and_no_other_card_is_taken(table: Bench) -> None:  # [PB-9] [PB-11]
    table.deal("Ks", "4c", "2d", "Qh")
    assert table.next_slot() == ("player", 3)
    table.deal("6c")
    assert table.next_slot() == ("banker", 3)
    table.deal("2c")
    table.finish()
    assert table.round.stage is Stage.SETTLED


def test_after_the_round_of_the_cut_card_one_more_is_dealt(table: Bench) -> None:  # [PB-4]
    table.say(ports.CutCardOut(device=table.config.shoe, at_ms=table.now))
    assert view(table).shoe.rounds_left == 1
    table.deal("Ks", "7c", "9d", "Qh")
    next_round(table)
    assert view(table).shoe.rounds_left == 0
    table.deal("Ks", "7c", "9d", "Qh")
    table.finish()
    assert table.refused(c.StartRound) == "shoe_short"


@pytest.mark.parametrize(("decks", "count"), [("8", 416), ("6", 312)])
def test_the_shuffler_verifies_as_many_decks_as_the_house_fills_in(decks: str, count: int) -> None:
    bench = table_of(decks=decks, after_cut="none_more").open()
    assert bench.state.shoe.cards == count
    bench.verify_deck("another", count=count - 1)
    assert "another" not in bench.state.approved
    begin(bench, first="Ah", burned="9h")
    bench.betting()
    bench.say(ports.CutCardOut(device=bench.config.shoe, at_ms=bench.now))
    bench.deal("Ks", "7c", "9d", "Qh")
    bench.finish()
    assert bench.refused(c.StartRound) == "shoe_short"
    bench.close()


# --- BC2: the card that goes back ----------------------------------------------------------------------


def pushed_back(table: Bench, card: str = "5s") -> None:
    """A card is drawn after the last one, seen by nobody, and pushed back."""
    table.deal("Ks", "7c", "9d", "Qh")
    table.draw(card)
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC2", "card_is_next_card")
    table.rule("card_is_next_card")
    assert table.open_kinds() == []


def test_bc2_a_card_nobody_saw_is_the_first_of_the_next_round_and_its_second_reading_is_no_card_more(
    table: Bench,
) -> None:
    pushed_back(table)
    drawn = table.state.deck.drawn if table.state.deck else 0
    next_round(table)
    table.deal("5s")
    assert [str(fact.face) for fact in table.round.deal.cards.values()] == ["5s"]
    assert table.state.deck
    assert table.state.deck.drawn == drawn
    assert table.open_kinds() == []
    table.deal("7c", "3d", "Qh")
    table.finish()


def test_bc2_another_card_than_the_one_that_went_back_holds_the_table(table: Bench) -> None:
    pushed_back(table)
    next_round(table)
    slot = table.next_slot()
    put(table, "6s", slot)
    assert table.open_kinds() == ["conflicting_reread"]
    table.rule("shoe", PIT)
    assert [str(fact.face) for fact in table.round.deal.cards.values()] == ["6s"]
    table.deal("7c", "3d", "Qh")
    table.finish()


def test_bc2_where_the_shoe_cannot_read_it_again_the_first_reading_counts(table: Bench) -> None:
    pushed_back(table)
    next_round(table)
    table.draw_unread()
    table.lay("player", 1, "5s")
    assert [str(fact.face) for fact in table.round.deal.cards.values()] == ["5s"]
    table.deal("7c", "3d", "Qh")
    table.finish()


def test_bc2_the_card_that_went_back_outlives_a_restart(table: Bench) -> None:
    pushed_back(table)
    table.finish()
    table.restart()
    assert table.state.pushed_back is not None


def test_bc2_a_card_drawn_too_many_is_no_card_of_the_shoe_that_is_loaded_before_anybody_rules(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    table.finish()
    table.draw("5s")
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC2", "card_is_next_card")
    table.do(c.WithdrawShoe, table.pin(PIT), reason_code="worn")
    table.load("deck-2")
    assert table.open_kinds() == []
    begin(table, first="Ah", burned="9h")
    table.betting()
    table.deal("Kd", "7d", "9s", "Qs")
    assert [str(fact.face) for (box, _), fact in table.round.deal.cards.items() if box == "player"] == ["Kd", "9s"]
    table.finish()


# --- cards nobody was due ------------------------------------------------------------------------------


@pytest.mark.parametrize(("box", "row"), [("player", "BC3"), ("banker", "BC4")])
def test_bc3_and_bc4_a_third_card_that_is_seen_and_not_due_is_burned(table: Bench, box: str, row: str) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    put(table, "5s", (box, 3))
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == (row, "card_to_discard")
    assert table.incident.circumstances["drawn_for"] == box
    table.rule("card_to_discard")
    table.lift(box, 3)
    assert table.open_kinds() == []
    table.finish()
    assert table.balance() == 101_000


def test_bc3_a_card_laid_to_the_player_who_stands_is_the_bankers_third(table: Bench) -> None:
    table.deal("Ks", "4c", "7d", "Ah")
    assert table.next_slot() == ("banker", 3)
    put(table, "2s", ("player", 3))
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC5", "move_card")
    table.rule("move_card")
    table.lift("player", 3)
    table.lay("banker", 3, "2s")
    assert table.open_kinds() == []
    table.finish()
    assert table.balance() == 100_000  # seven to seven


def test_bc6_a_third_card_that_was_forgotten_is_drawn_now(table: Bench) -> None:
    table.deal("Ks", "4c", "2d", "Qh")
    assert table.refused(c.DeclareResult) == "not_finished"
    table.report("wrong_count", revealed=False)
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC6", "continue")
    table.rule("continue")
    assert table.next_slot() == ("player", 3)
    table.deal("5c", "2c")
    table.finish()


def test_bc7_a_result_said_to_be_wrong_is_read_again_from_the_first_card(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    table.report("misdeal_claimed")
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC7", "reread_all")
    table.rule("reread_all", PIT)
    for (zone, place), fact in sorted(table.round.deal.cards.items()):
        table.lay(zone, place, getattr(fact, "face", None))
    assert table.open_kinds() == []
    table.finish()
    assert table.balance() == 101_000


def test_bc7_after_the_settlement_two_people_correct_it(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    table.do(c.DeclareResult)
    table.pay()
    table.report("misdeal_claimed")
    assert (table.incident.ruling.row, str(table.incident.ruling.approval)) == ("BC7", "two_people")
    table.rule("continue", PIT)
    table.approve(PIT_TOO)
    table.clear()
    assert table.open_kinds() == []


def test_bc8_a_shoe_that_cannot_finish_the_round_is_changed_at_once(table: Bench) -> None:
    table.deal("Ks")
    table.report("shoe_empty")
    assert table.incident.ruling.row == "BC8"
    table.rule("void_round", PIT)
    table.pay()
    table.clear()
    assert table.balance() == 100_000
    assert table.refused(c.StartRound) == "shoe_short"


def test_bc9_a_card_that_falls_after_the_last_one_is_laid_back(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    table.lose("banker", 2, identified=True)
    assert (table.incident.ruling.row, table.incident.phase) == ("BC9", "result")
    table.rule("reuse_card")
    table.lay("banker", 2, "Qh")
    assert table.open_kinds() == []
    table.finish()


def test_bc10_a_burn_that_is_not_what_the_first_card_asked_is_the_pits_to_decide() -> None:
    bench = table_of().open()
    begin(bench, first="3h", burned="9h 9h 9h")
    bench.report("burn_error")
    assert bench.incident.ruling.row == "BC10"
    bench.rule("void_shoe", PIT)
    bench.pay()
    bench.clear()
    assert bench.state.deck is None
    bench.close()


def test_bc10_a_cut_card_in_the_wrong_place_is_the_pits_to_decide(table: Bench) -> None:
    table.deal("Ks")
    table.report("cut_card", pattern="other")
    assert table.incident.ruling.row == "BC10"
    table.rule("continue", PIT)
    table.deal("7c", "9d", "Qh")
    table.finish()


def test_bc11_the_first_card_seen_before_bets_are_closed_voids_the_round() -> None:
    bench = table_of().open()
    bench.deposit()
    begin(bench, first="Ah", burned="9h")
    bench.do(c.OpenBetting)
    bench.bet("player", STAKE)
    put(bench, "5s", ("player", 1))
    assert bench.incident.ruling.row == "BC11"
    bench.rule("void_round", PIT)
    bench.pay()
    assert bench.balance() == 100_000
    bench.close()
