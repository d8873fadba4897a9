"""What people report at a table: the card or the box it is about, and what cannot be, refused with a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blackjack_bench import Boxes, boxes
from table_bench import DEAL, PIT, Bench, bench

from studio.rounds import CardPostponed
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage

STAKE = 1_000


@pytest.fixture
def dealing() -> Iterator[Bench]:
    with bench() as made:
        made.open().deposit(10_000)
        yield made.start().betting(("player1_win", 1000))


@pytest.fixture
def jack() -> Iterator[Boxes]:
    with boxes() as made:
        made.deposit(bettor="bob")
        yield made


def two_boxes(table: Boxes, cards: str = "") -> Boxes:
    """Ann has box 2, Bob box 5; these cards are dealt."""
    table.bet_on({"2:main": STAKE}).bet_on({"5:main": STAKE}, bettor="bob").no_more_bets()
    return table.cards(cards)


def postponed(table: Boxes) -> list[tuple[str, int]]:
    return [(fact.box, fact.place) for fact in table.round.deal.facts if isinstance(fact, CardPostponed)]


def settled(table: Bench) -> None:
    table.finish()
    assert table.round.stage is Stage.SETTLED


# --- HG9: a card that lies face up in the shoe -----------------------------------------------------------


def test_hg9_the_boxed_card_that_was_drawn_and_read_is_the_last_one_and_the_next_takes_its_place(
    dealing: Bench,
) -> None:
    dealing.deal(*DEAL[:2]).deal("9h")
    dealing.report("boxed_card", count=1, drawn=True)
    assert (dealing.incident.ruling.row, dealing.incident.scene.box, dealing.incident.scene.place) == (
        "HG9",
        "player3",
        1,
    )
    dealing.rule("card_to_discard")
    assert dealing.state.held  # until the card has left the box
    dealing.lift("player3", 1)
    assert dealing.next_slot() == ("player3", 1)
    settled(dealing.deal(*DEAL[2:]))


def test_hg9_a_boxed_card_the_shoe_could_not_read_is_owed_no_reading_and_the_next_counts_once(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.draw_unread()
    dealing.report("boxed_card", count=1)
    dealing.rule("card_to_discard")
    assert (dealing.state.incidents.open, dict(dealing.round.eyes.missed), dealing.round.eyes.unread) == (
        (),
        {},
        frozenset(),
    )
    dealing.wait(5)
    assert dealing.next_slot() == ("player3", 1)
    settled(dealing.deal(*DEAL[2:]))
    [waived] = dealing.rows("ReadingWaived")
    assert isinstance(waived, e.ReadingWaived)
    assert (waived.box, waived.place) == ("player3", 1)


def test_hg9_a_boxed_card_that_lies_in_its_box_already_is_waited_for(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.draw_unread()
    dealing.lay("player3", 1, "9h")
    dealing.report("boxed_card", count=1, drawn=True)
    dealing.rule("card_to_discard")
    assert dealing.state.held
    dealing.lift("player3", 1)
    assert not dealing.state.held
    settled(dealing.deal(*DEAL[2:]))


def test_hg9_a_boxed_card_still_in_the_shoe_is_the_first_that_comes_out_while_the_table_is_held(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.report("boxed_card", count=1, drawn=False)
    assert dealing.incident.scene.cards == ()
    boxed = dealing.draw("9h")
    following = dealing.draw(DEAL[2])
    dealing.lay("player3", 1, DEAL[2])
    dealing.rule("card_to_discard")
    assert [one.to for one in dealing.rows("CardDisposed") if one.id == boxed] == ["discard"]
    assert dealing.round.deal.cards["player3", 1].card.id == following
    settled(dealing.deal(*DEAL[3:]))


def test_hg9_a_boxed_burn_found_while_bets_are_taken_ends_the_window_and_the_bets_stand_for_the_next() -> None:
    with bench() as table:
        table.open().deposit(10_000)
        table.start().do(c.OpenBetting)
        table.bet("player1_win", 1000)
        table.report("boxed_card", count=1, drawn=True)
        table.rule("card_to_discard")
        table.lift("burn", 4)
        table.wait(30)
        assert (table.next_slot(), table.round.window.closes_at_ms) == (("burn", 4), None)
        table.draw("9s")
        table.lay("burn", 4)
        table.betting(("player2_win", 500))
        assert table.round.stakes.stake_minor == 1500
        settled(table.deal(*DEAL))


def test_hg9_a_boxed_card_under_others_says_how_the_round_is_ended(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.report("boxed_card", slot=("player3", 1))
    assert dealing.refused_ruling("card_to_discard") == "cards_after_it"


# --- TK7, TK8: a card that fell --------------------------------------------------------------------------


def test_tk8_the_fallen_card_a_dealer_tells_of_is_waited_for_until_it_lies_in_its_place(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.lift("player3", 1)
    dealing.report("dropped_card", identified=True)
    assert (dealing.incident.ruling.row, dealing.incident.scene.box, dealing.incident.scene.place) == (
        "TK8",
        "player3",
        1,
    )
    dealing.rule("reuse_card")
    dealing.wait(10)
    assert dealing.open_kinds() == ["dropped_card"]  # and no word of cards cleared too early
    dealing.lay("player3", 1, DEAL[2])
    settled(dealing.deal(*DEAL[3:]))


def test_tk8_a_card_that_fell_before_it_lay_anywhere_is_the_one_read_last(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.draw(DEAL[3])
    dealing.report("dropped_card", identified=True)
    dealing.rule("reuse_card")
    assert dealing.state.held
    dealing.lay("banker", 1, DEAL[3])
    settled(dealing.deal(*DEAL[4:]))


# --- BJ3, BJ5: after the last card -----------------------------------------------------------------------


def nobody_needs_a_card(table: Boxes) -> None:
    two_boxes(table, "Th 9h 6c 9c 8c")
    assert table.choose("2", "surrender").status == "accepted"
    assert table.choose("5", "surrender", bettor="bob").status == "accepted"


def goes_with_its_deck(table: Boxes) -> None:
    """Each round has its own shuffle: what waited for the next card or burn is shuffled in with the rest."""
    table.load("deck-2")
    assert [one.to for one in table.rows("CardDisposed") if isinstance(one, e.CardDisposed)][-1] == "discard"
    two_boxes(table)
    assert table.next_slot() == ("2", 1)


def test_bj3_a_card_that_was_seen_when_nobody_needs_one_is_the_next_burn(jack: Boxes) -> None:
    nobody_needs_a_card(jack)
    jack.draw("Kc")
    jack.lay("2", 3, "Kc")
    assert (jack.incident.ruling.row, jack.incident.ruling.ruling) == ("BJ3", "card_is_next_burn")
    assert jack.incident.circumstances["dealer_total"] == 6
    jack.rule("card_is_next_burn")
    assert jack.state.incidents.open == ()
    jack.lift("2", 3)
    settled(jack)
    goes_with_its_deck(jack)


def test_bj3_comes_from_the_menu_of_reports_too(jack: Boxes) -> None:
    nobody_needs_a_card(jack)
    jack.report("extra_card", revealed=True)
    assert (jack.incident.ruling.row, jack.incident.ruling.ruling) == ("BJ3", "card_is_next_burn")
    jack.rule("card_is_next_burn")


def test_bj2_a_card_nobody_saw_when_nobody_needs_one_is_the_next_card(jack: Boxes) -> None:
    nobody_needs_a_card(jack)
    jack.draw("Kc")
    assert (jack.incident.ruling.row, jack.incident.ruling.ruling) == ("BJ2", "card_is_next_card")
    jack.rule("card_is_next_card")
    settled(jack)
    goes_with_its_deck(jack)


def test_a_place_that_no_felt_has_is_refused(dealing: Bench) -> None:
    assert dealing.refused(c.ReportIncident, kind="extra_card", box="<b>", place=3) == "no_such_place"


# --- BJ6, BJ7, BJ8: who was passed over ------------------------------------------------------------------


def test_bj6_told_before_the_dealers_card_is_due_passes_over_the_dealer_and_nobody_else(jack: Boxes) -> None:
    two_boxes(jack)
    jack.report("wrong_order")
    jack.rule("continue")
    assert (postponed(jack), jack.next_slot()) == ([("dealer", 1)], ("2", 1))
    jack.cards("Th 9h 9s 9d")
    assert jack.next_slot() == ("dealer", 1)


def test_bj6_told_twice_is_one_card_late(jack: Boxes) -> None:
    two_boxes(jack, "Th 9h")
    for _ in range(2):
        jack.report("wrong_order")
        jack.rule("continue")
    jack.cards("9s 9d 6c")
    assert [slot for slot in jack.round.deal.cards if slot[0] == "dealer"] == [("dealer", 1)]


def test_bj8_the_box_that_is_named_gets_its_second_card_late_and_no_other(jack: Boxes) -> None:
    two_boxes(jack, "Th 9h 6c")
    jack.report("wrong_count", **{"2_cards": 1})
    assert (jack.incident.ruling.row, jack.incident.scene.box) == ("BJ8", "2")
    jack.rule("continue")
    assert (postponed(jack), jack.next_slot()) == ([("2", 2)], ("5", 2))


def test_bj8_the_named_box_is_not_the_one_that_is_due(jack: Boxes) -> None:
    two_boxes(jack, "Th 9h 6c")
    jack.report("wrong_count", **{"5_cards": 1})
    jack.rule("continue")
    assert (postponed(jack), jack.next_slot()) == ([("5", 2)], ("2", 2))


def test_bj8_a_box_that_has_its_cards_on_record_is_refused(jack: Boxes) -> None:
    two_boxes(jack, "Th 9h 6c 4c 5c")
    found = {"kind": "wrong_count", "circumstances": (("2_cards", "1"),)}
    assert jack.refused(c.ReportIncident, **found) == "box_has_cards"


def test_bj7_a_box_without_a_bet_is_refused_and_the_boxes_with_one_are_named(jack: Boxes) -> None:
    two_boxes(jack, "Th")
    found = {"kind": "wrong_count", "circumstances": (("4_cards", "0"),)}
    assert jack.refused(c.ReportIncident, **found) == "box_no_bet"


@pytest.mark.parametrize("cards", ["0", "1"])
def test_bj7_while_bets_are_taken_no_hand_is_void_and_no_bet_goes_back(jack: Boxes, cards: str) -> None:
    jack.bet_on({"2:main": STAKE})
    found = {"kind": "wrong_count", "circumstances": (("2_cards", cards),)}
    assert jack.refused(c.ReportIncident, **found) == "boxes_bare"
    assert jack.balance() == 100_000 - STAKE


def test_bj7_a_hand_is_void_once(jack: Boxes) -> None:
    jack.bet_on({"2:main": STAKE, "3:main": STAKE}).no_more_bets().cards("Th")
    jack.report("wrong_count", **{"3_cards": 0})
    jack.rule("void_hand", PIT)
    jack.pay()
    found = {"kind": "wrong_count", "circumstances": (("3_cards", "0"),)}
    assert jack.refused(c.ReportIncident, **found) == "box_no_bet"
    assert jack.balance() == 100_000 - STAKE


# --- EV5: a card read once more --------------------------------------------------------------------------


def test_ev5_a_card_that_lies_aside_and_is_read_the_same_once_more_is_no_conflict(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.do(c.FreezeTable)
    dealing.draw(DEAL[2])
    dealing.draw(DEAL[2], resent=True)
    assert dealing.state.incidents.open == ()
    dealing.draw("9h", resent=True)
    assert (dealing.incident.kind, dealing.incident.scene.cards) == (
        "conflicting_reread",
        (dealing.state.loose[-1].sealed.id,),
    )
    dealing.rule("shoe", PIT)
    dealing.do(c.ReleaseTable, dealing.pin(PIT), reason_code="checked", words="Go on.")
    dealing.lay("player3", 1, DEAL[2])
    settled(dealing.deal(*DEAL[3:]))


def test_ev5_the_shoe_that_repeats_what_the_pit_has_ruled_against_opens_nothing(dealing: Bench) -> None:
    dealing.draw("8s")
    dealing.lay("player1", 1, DEAL[0])
    dealing.rule("camera", PIT)
    dealing.draw("8s", resent=True)
    assert dealing.state.incidents.open == ()
    settled(dealing.deal(*DEAL[1:]))


# --- TK11 ------------------------------------------------------------------------------------------------


def test_tk11_hands_that_are_not_whole_are_not_swapped_yet(dealing: Bench) -> None:
    slots = [(box, place) for place in (1, 2, 3) for box in ("player3", "player2", "player1", "banker")]
    for card, slot in zip(DEAL[:8], slots[:8], strict=True):
        dealing.draw(card)
        dealing.lay(*slot, card)
    dealing.report("wrong_order", pattern="reversed")
    assert dealing.refused_ruling("swap_hands", PIT, kind="wrong_order") == "hands_not_whole"
    for card, slot in zip(DEAL[8:], slots[8:], strict=True):
        dealing.draw(card)
        dealing.lay(*slot, card)
    dealing.rule("swap_hands", PIT, kind="wrong_order")
    settled(dealing)
