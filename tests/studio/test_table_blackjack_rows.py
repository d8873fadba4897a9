"""The rows of Blackjack carried out at a table: what devices and clicks say, the ruling, the money, the record."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blackjack_bench import OWN_ROWS, Boxes, boxes
from table_bench import DEALER, PIT, PIT_TOO, UNSURE

from studio.rounds import CardPostponed, Chose, Finished, HandVoided
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.views import view_table

STAKE = 1_000


@pytest.fixture
def table() -> Iterator[Boxes]:
    with boxes() as made:
        made.deposit(bettor="bob")
        yield made


def two_boxes(table: Boxes, cards: str = "") -> Boxes:
    """Ann has box 2, Bob box 5; these cards are dealt."""
    table.bet_on({"2:main": STAKE}).bet_on({"5:main": STAKE}, bettor="bob").no_more_bets()
    return table.cards(cards)


def three_boxes(table: Boxes, cards: str = "") -> Boxes:
    table.bet_on({"2:main": STAKE, "3:main": STAKE}).bet_on({"5:main": STAKE}, bettor="bob").no_more_bets()
    return table.cards(cards)


def put(table: Boxes, card: str, *where: tuple[str, int]) -> None:
    """The shoe reads a card and the dealer lays it in this place, whatever was due."""
    table.draw(card)
    for slot in where:
        table.lay(*slot, card)


def rows_of(table: Boxes) -> list[str]:
    return [one.row for one in table.rows("IncidentOpened") if isinstance(one, e.IncidentOpened)]


def stand_all(table: Boxes) -> None:
    while (now := table.round.deal.standing) and (step := getattr(now, "step", None)) and hasattr(step, "options"):
        owner = "bob" if step.box.startswith("5") else "ann"
        assert table.choose(step.box, "stand", bettor=owner).status == "accepted"


def net(table: Boxes) -> tuple[int, int]:
    table.finish()
    assert table.round.stage is Stage.SETTLED
    return table.balance() - 100_000, table.balance("bob") - 100_000


# --- BJ1 ----------------------------------------------------------------------------------------------


def test_bj1_a_card_face_up_in_the_shoe_goes_to_the_discard(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c")
    put(table, "2h", ("2", 2))
    table.report("boxed_card", slot=("2", 2))
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BJ1", "card_to_discard")
    table.rule("card_to_discard")
    assert table.state.held  # until the card has left the box
    table.lift("2", 2)
    table.cards("9c 8c")
    stand_all(table)
    table.cards("Kc 3d")
    assert net(table) == (0, -1_000)


def test_bj1_a_boxed_card_found_at_a_turn_gives_the_turn_back_to_the_card_before_it(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9c")
    put(table, "2h", ("5", 2))
    assert table.round.window.closes_at_ms is not None
    table.report("boxed_card", slot=("5", 2))
    table.rule("card_to_discard")
    table.lift("5", 2)
    assert table.round.window.closes_at_ms is None
    assert table.next_slot() == ("5", 2)


# --- BJ2, BJ3, BJ4 ------------------------------------------------------------------------------------


def test_bj2_a_card_drawn_in_error_while_a_box_chooses_is_the_next_card(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 5c 8c")
    table.draw("3h")
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BJ2", "card_is_next_card")
    assert table.choose("2", "hit").key == "held"
    table.rule("card_is_next_card")
    assert table.choose("2", "hit").status == "accepted"
    table.lay("2", 3, "3h")
    assert [str(fact.face) for slot, fact in sorted(table.round.deal.cards.items()) if slot == ("2", 3)] == ["3h"]
    assert table.open_kinds() == []


def test_bj2_the_card_passes_over_a_box_that_stands(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9c 8c")
    table.draw("3h")
    table.rule("card_is_next_card")
    table.chosen("2 stand")
    assert table.choose("5", "hit", bettor="bob").status == "accepted"
    table.lay("5", 3, "3h")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 1_000)


def test_bj3_a_card_drawn_in_error_and_seen_goes_to_the_next_box_or_the_dealer_that_needs_one(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9c 8c")
    put(table, "Kc", ("2", 3))
    assert (table.incident.ruling.row, table.incident.circumstances["revealed"]) == ("BJ3", True)
    table.rule("card_is_next_card")
    assert table.open_kinds() == []
    stand_all(table)
    assert table.next_slot() == ("dealer", 3)
    table.lift("2", 3)
    table.lay("dealer", 2, "Kc")
    table.cards("2c")
    assert net(table) == (1_000, -1_000)


def test_bj3_where_nobody_needs_the_card_it_goes_away_before_the_next_round(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9c 8c")
    put(table, "Kc", ("2", 3))
    table.rule("card_is_next_card")
    assert table.choose("2", "surrender").status == "accepted"
    assert table.choose("5", "surrender", bettor="bob").status == "accepted"
    table.lift("2", 3)
    assert net(table) == (-500, -500)
    table.load("deck-2")
    assert [one.to for one in table.rows("CardDisposed") if isinstance(one, e.CardDisposed)][-1] == "discard"
    two_boxes(table)
    assert table.next_slot() == ("2", 1)


def test_bj4_a_box_that_refused_a_card_gets_no_more_and_the_card_passes_on(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9c 5c")
    table.chosen("2 stand")
    table.draw("3h")
    table.report("extra_card", refused=True)
    assert (table.incident.ruling.row, table.incident.scene.cards) == ("BJ4", (table.state.undisposed[0].sealed.id,))
    table.rule("card_is_next_card")
    assert table.choose("2", "hit").key == "out_of_turn"
    assert table.choose("5", "hit", bettor="bob").status == "accepted"
    table.lay("5", 3, "3h")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, -1_000)


# --- BJ5 ----------------------------------------------------------------------------------------------


def test_bj5_what_the_dealer_draws_on_seventeen_goes_to_the_discard(table: Boxes) -> None:
    two_boxes(table, "Th 9h 9c 9s 9d")
    stand_all(table)
    table.cards("8c")
    put(table, "4c", ("dealer", 3))
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BJ5", "card_to_discard")
    table.rule("card_to_discard")
    assert table.refused(c.DeclareResult) == "held"
    table.lift("dealer", 3)
    assert net(table) == (1_000, 1_000)


# --- BJ6, BJ7, BJ8 ------------------------------------------------------------------------------------


def test_bj6_the_dealer_who_missed_his_own_card_gets_it_after_the_boxes(table: Boxes) -> None:
    two_boxes(table, "Th 9h")
    put(table, "9s", ("2", 2))
    assert (table.incident.kind, table.incident.ruling.row, table.incident.ruling.ruling) == (
        "wrong_order",
        "BJ6",
        "continue",
    )
    table.rule("continue")
    assert table.next_slot() == ("5", 2)
    table.cards("9d")
    assert table.next_slot() == ("dealer", 1)
    table.cards("6c")
    assert CardPostponed(box="dealer", place=1) in table.round.deal.facts
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)


def test_bj6_an_ace_given_late_still_offers_insurance(table: Boxes) -> None:
    two_boxes(table, "Th 9h")
    put(table, "9s", ("2", 2))
    table.rule("continue")
    table.cards("9d Ac")
    assert view_table(table.state, table.table.book, 1).now.act.key in ("act.open_decisions", "act.offer_insurance")
    table.offered("2 insurance")
    stand_all(table)
    table.cards("Kc")
    assert net(table) == (-1_000 + 1_000, -1_000)


def test_bj7_a_box_that_got_no_card_has_its_bets_back_and_the_rest_plays_on(table: Boxes) -> None:
    table.bet_on({"2:main": STAKE, "3:main": STAKE, "3:perfect_pair": 500})
    table.bet_on({"5:main": STAKE}, bettor="bob").no_more_bets().cards("Th")
    put(table, "9h", ("5", 1))
    assert (table.incident.ruling.row, table.incident.ruling.ruling, table.incident.ruling.arguments) == (
        "BJ7",
        "void_hand",
        ("3",),
    )
    assert table.refused_ruling("void_hand", DEALER) != ""
    table.rule("void_hand", PIT)
    assert table.balance() == 100_000 - 2_500
    table.pay()
    assert table.balance() == 100_000 - 1_000
    assert table.round.stakes.boxes == ("2", "5")
    table.cards("6c 9s 9d")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)
    [returned] = table.rows("BetsReturned")
    assert isinstance(returned, e.BetsReturned)
    assert (len(returned.bets), returned.stake_minor, returned.over) == (2, 1_500, True)


def test_bj7_the_only_box_of_a_round_is_void_with_the_round(table: Boxes) -> None:
    table.bet_on({"3:main": STAKE}).no_more_bets()
    put(table, "6c", ("dealer", 1))
    table.rule("void_hand", PIT)
    table.pay()
    assert table.round.stage is Stage.VOIDED
    assert table.balance() == 100_000


def test_bj7_bets_that_have_to_go_back_go_back_after_a_restart_too_and_once(table: Boxes) -> None:
    three_boxes(table, "Th")
    put(table, "9h", ("5", 1))
    table.rule("void_hand", PIT)
    table.restart()
    table.pay()
    table.pay()
    assert table.balance() == 100_000 - 1_000
    table.report("malfunction", PIT)
    table.rule("void_round", PIT, kind="malfunction")
    table.pay()
    assert (table.balance(), table.balance("bob")) == (100_000, 100_000)


def test_bj8_a_box_with_one_card_gets_its_second_after_all_the_others(table: Boxes) -> None:
    three_boxes(table, "Th 9h 8h 6c")
    put(table, "9s", ("3", 2))
    assert (table.incident.kind, table.incident.ruling.row, table.incident.ruling.ruling) == (
        "wrong_count",
        "BJ8",
        "continue",
    )
    table.rule("continue")
    table.cards("Kd")
    assert table.next_slot() == ("2", 2)
    table.cards("9d")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)


# --- BJ9 ----------------------------------------------------------------------------------------------


def test_bj9_a_card_at_a_box_without_a_bet_passes_on(table: Boxes) -> None:
    two_boxes(table, "Th")
    put(table, "9h", ("4", 1))
    assert (table.incident.kind, table.incident.ruling.row, table.incident.ruling.ruling) == (
        "misplaced_card", "BJ9", "card_is_next_card",
    )  # fmt: skip
    table.rule("card_is_next_card")
    assert table.state.held
    table.lift("4", 1)
    table.lay("5", 1, "9h")
    assert not table.state.held
    assert table.next_slot() == ("dealer", 1)


def test_bj9_later_the_pit_boss_moves_the_card_or_voids_the_round(table: Boxes) -> None:
    two_boxes(table, "Th")
    table.draw("9h")
    table.cards("6c")
    table.lay("4", 1, "9h")
    assert (table.incident.ruling.row, table.incident.ruling.options) == ("BJ9", ("move_card", "void_round"))
    table.rule("move_card", PIT)
    table.lift("4", 1)
    table.lay("5", 1, "9h")
    assert not table.state.held


# --- BJ10 ---------------------------------------------------------------------------------------------


def test_bj10_an_empty_shoe_is_filled_and_the_round_goes_on(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9s 9d")
    table.chosen("2 stand")
    table.report("shoe_empty")
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BJ10", "reshuffle")
    table.rule("reshuffle", PIT)
    assert table.state.deck is None
    assert view_table(table.state, table.table.book, 1).now.act.key == "act.shuffle"
    table.load("discards")
    assert table.state.deck is not None
    assert (table.state.deck.drawn, sum(table.state.deck.faces.values())) == (5, 5)
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)


# --- BJ11 ---------------------------------------------------------------------------------------------


def unread(table: Boxes) -> None:
    """The shoe reads nothing and neither does the camera."""
    table.draw_unread()
    table.lay(*table.next_slot(), face=UNSURE)
    table.wait(4)


def test_bj11_a_card_nobody_read_has_every_card_read_again(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9s")
    unread(table)
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BJ11", "reread_all")
    table.rule("reread_all", PIT)
    for (zone, place), fact in sorted(table.round.deal.cards.items()):
        table.lay(zone, place, fact.face)  # type: ignore[union-attr]
    table.lay("5", 2, "9d")
    assert not table.state.held
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)


def test_bj11_where_that_fails_the_round_is_void_and_a_dealt_blackjack_is_paid(table: Boxes) -> None:
    table.bet_on({"2:main": STAKE, "2:perfect_pair": 100, "3:main": STAKE})
    table.bet_on({"5:main": 101}, bettor="bob").no_more_bets()
    table.cards("8h 9h Ad Tc 9s 3d Jd").chosen("2 stand", "3 hit")
    unread(table)
    table.rule("void_round", PIT)
    table.pay()
    assert table.round.stage is Stage.VOIDED
    assert (table.balance() - 100_000, table.balance("bob") - 100_000) == (0, 252 - 101)
    [voided] = table.rows("RoundVoided")
    assert isinstance(voided, e.RoundVoided)
    assert (voided.row, voided.paid) == ("BJ11", {"5:main": "5/2"})


# --- BJ12 and redeals ---------------------------------------------------------------------------------


def test_bj12_who_is_gone_stands_above_sixteen_and_plays_basic_strategy_below(table: Boxes) -> None:
    two_boxes(table, "Th 2h 6c 7c 9c")
    table.wait(15)
    table.wait(15)
    chosen = [fact for fact in table.round.deal.plain if isinstance(fact, Chose)]
    assert chosen == [
        Chose(box="2", option="stand", by_default=True),
        Chose(box="5", option="hit", by_default=True),
    ]


@pytest.fixture
def redealing() -> Iterator[Boxes]:
    """A table whose studio has a row of its own that deals a round of Blackjack again."""
    with boxes(own_rows=OWN_ROWS) as made:
        made.deposit(bettor="bob")
        yield made


def test_a_deal_that_is_dealt_again_gives_back_what_its_decisions_staked(redealing: Boxes) -> None:
    table = redealing
    two_boxes(table, "8h 9h 6c 8c 9c").chosen("2 split")
    assert table.balance() == 100_000 - 2_000
    table.report("exposed_card", PIT)
    table.rule("reshuffle_and_redeal", PIT)
    table.pay()
    assert table.balance() == 100_000 - 1_000
    table.clear()
    table.load("deck-2")
    table.do(c.OpenBetting)
    assert table.round.stakes.boxes == ("2", "5")
    table.cards("8h 9h 6c 8c 9c").chosen("2 split").cards("Th").chosen("2a stand").cards("Th").chosen("2b stand")
    stand_all(table)
    table.cards("Tc Ts")
    assert net(table) == (2_000, 1_000)


def test_a_correction_that_no_choice_fits_any_more_is_refused_and_the_round_may_be_voided(table: Boxes) -> None:
    two_boxes(table, "8h 9h 6c 8c 9c").chosen("2 split").cards("Tc")
    table.lay("2", 2, "9s")
    assert table.incident.kind == "card_mismatch"
    assert table.refused_ruling("camera", PIT) == "does_not_fit"
    table.rule("void_round", PIT)
    table.pay()
    assert table.balance() == 100_000


def test_the_record_of_a_void_hand_names_the_row_and_who_ruled(table: Boxes) -> None:
    three_boxes(table, "Th")
    put(table, "9h", ("5", 1))
    table.rule("void_hand", PIT)
    table.pay()
    [voided] = [one.fact for one in table.rows("HandVoided") if isinstance(one, e.FactStood)]
    assert voided == HandVoided(box="3", zones=("3", "3a", "3b"))
    [recorded] = table.rows("ExceptionRecorded")
    assert isinstance(recorded, e.ExceptionRecorded)
    assert (recorded.act, recorded.row, recorded.asked_by) == ("void_hand", "BJ7", PIT.id)
    assert PIT_TOO.id not in (recorded.asked_by, recorded.approved_by)
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()


def test_hg15_a_dealers_card_that_is_no_ace_ends_the_window_for_insurance(table: Boxes) -> None:
    table.bet_on({"2:main": STAKE}).no_more_bets()
    table.cards("Th Ac As").do(c.OpenBetting)
    table.lay("dealer", 1, "6c")
    table.rule("camera", PIT)
    assert table.round.window.closes_at_ms is None
    table.wait(40)
    assert isinstance(table.round.deal.standing, Finished)  # a blackjack against a six: nobody owes anything
    assert net(table) == (1_500, 0)


def test_hg15_what_was_staked_on_insurance_goes_back_where_the_dealer_has_no_ace(table: Boxes) -> None:
    two_boxes(table, "Th 9h Ac 9s 8d").do(c.OpenBetting)
    assert table.choose("2", "insurance").status == "accepted"
    table.lay("dealer", 1, "Kc")
    table.rule("camera", PIT)
    assert table.round.window.closes_at_ms == table.now + 15_000  # the box has all of its time
    stand_all(table)
    table.cards("9c")
    assert net(table) == (0, -1_000)


# --- several passed over at once ------------------------------------------------------------------------


def test_bj7_two_boxes_in_a_row_that_got_no_card_are_both_void(table: Boxes) -> None:
    table.bet_on({"1:main": STAKE, "2:main": STAKE, "3:main": STAKE}).bet_on({"5:main": STAKE}, bettor="bob")
    table.no_more_bets().cards("Th")
    put(table, "9h", ("5", 1))
    assert (table.incident.ruling.row, table.incident.ruling.arguments) == ("BJ7", ("2", "3"))
    table.rule("void_hand", PIT)
    table.pay()
    assert (table.round.stakes.boxes, table.balance()) == (("1", "5"), 100_000 - STAKE)
    table.cards("6c 9s 9d")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)


def test_bj7_a_box_and_the_dealer_passed_over_are_a_void_hand_and_a_late_card(table: Boxes) -> None:
    two_boxes(table, "Th")
    put(table, "9h", ("2", 2))
    assert (table.incident.ruling.row, table.incident.ruling.arguments) == ("BJ7", ("5",))
    table.rule("void_hand", PIT)
    table.pay()
    assert table.balance("bob") == 100_000
    assert table.next_slot() == ("dealer", 1)
    table.cards("6c")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)


def test_bj8_two_boxes_in_a_row_with_one_card_get_their_second_in_order_after_the_others(table: Boxes) -> None:
    three_boxes(table, "Th 9h 8h 6c")
    put(table, "9s", ("5", 2))
    assert table.incident.ruling.row == "BJ8"
    table.rule("continue")
    assert table.next_slot() == ("2", 2)
    table.cards("Kd")
    assert table.next_slot() == ("3", 2)
    table.cards("9d")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, -1_000)  # 20, 18 and 17 against 18


def test_bj6_the_dealer_and_a_box_passed_over_get_their_cards_in_order(table: Boxes) -> None:
    two_boxes(table, "Th 9h")
    put(table, "9s", ("5", 2))
    assert table.incident.ruling.row == "BJ6"
    table.rule("continue")
    assert table.next_slot() == ("dealer", 1)
    table.cards("6c Kd")
    stand_all(table)
    table.cards("Kc 2c")
    assert net(table) == (1_000, 0)
