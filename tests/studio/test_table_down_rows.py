"""The HG and KC rows at the games with cards face down: what is ruled, what goes back, what the screens say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from table_bench import CONFIG, DOWN, PIT, UNSURE, UP, Bench, bench

from studio import ports
from studio.cards import Card, parse_cards
from studio.ports import CardFace
from studio.tables import command as c
from studio.tables.event.table import Decision
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited
from studio.views import TableView, view_table

HOLES = parse_cards("Ks 7d Kh 2c")
BOARD = parse_cards("Kd 9s 9c 4h 3d")
PLAYER, DEALER = parse_cards("Ts Td 4h"), parse_cards("Qs 9d 5c")
"""Three Card Poker: a pair for the player, a queen for the dealer."""

Slot = tuple[str, int]


@pytest.fixture
def poker() -> Iterator[Bench]:
    """Three Card Poker: a round begun, nothing dealt yet."""
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        yield table


@pytest.fixture
def clash() -> Iterator[Bench]:
    """KKClash: a round begun, nothing dealt yet."""
    with bench(CONFIG, game="kkclash", window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        yield table


def screen(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, 1)


def place(table: Bench, slot: Slot) -> tuple[str, str | None]:
    """How a screen shows one place: its state and its face."""
    return next(
        (one.state, one.face)
        for box in screen(table).boxes
        for one in box.places
        if (box.key, one.place) == slot
    )  # fmt: skip


def deal_out(table: Bench, cards: Sequence[Card]) -> None:
    """Each to the place that is due, the side up that is due."""
    for card in cards:
        now = awaited(table.state)
        assert now is not None
        slot = table.next_slot()
        table.draw(card)
        face_up = getattr(now.step, "face", UP) is UP
        table.lay(*slot, card if face_up else None, UP if face_up else DOWN)


def holes(table: Bench) -> Bench:
    """Three Card Poker as far as the decision: Ann has an ante, Pair Plus and 6 Card."""
    table.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    deal_out(table, [card for pair in zip(PLAYER, DEALER, strict=True) for card in pair])
    return table


def play(table: Bench) -> None:
    table.do(c.OpenBetting)
    choice = Decision(operator="north", bettor="ann", option="play", client_id="p")
    assert table.table.take_decisions((choice,), table.now)[0].status == "accepted"
    table.wait(15)


def turn(table: Bench, box: str, *cards: Card) -> None:
    for number, card in enumerate(cards, 1):
        table.lay(box, number, card, UP)


def refunded(table: Bench, row: str) -> None:
    table.pay()
    assert (table.round.stage, table.round.void.row) == (Stage.VOIDED, row)
    assert table.balance() == 10_000
    assert screen(table).now.held is False


def settle(table: Bench) -> None:
    turn(table, "dealer", *DEALER)
    table.finish()
    assert table.round.stage is Stage.SETTLED
    assert table.balance() == 10_000 - 2_700 + 4_000 + 1_000  # the pair wins, and Pair Plus pays it; six cards do not


# --- HG1, HG2: while betting is open -------------------------------------------------------------------


def test_hg1_an_early_card_nobody_saw_is_the_next_one_once_bets_are_in(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    for bet, stake_minor in (("ante", 1000), ("pair_plus", 500), ("six_card", 200)):
        assert poker.bet(bet, stake_minor).status == "accepted"
    poker.draw(PLAYER[0])
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG1", "card_is_next_card")
    assert not [one for box in screen(poker).boxes for one in box.places if one.face]
    poker.rule("card_is_next_card")
    poker.wait(15)
    poker.lay("player", 1, PLAYER[0])
    assert place(poker, ("player", 1)) == ("confirmed", "Ts")
    deal_out(poker, [DEALER[0], PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


def test_hg1_where_the_order_would_not_stay_right_it_goes_to_the_discard(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    poker.report("early_card", revealed=False, next_dealt=True)
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG1", "card_to_discard")
    poker.rule("card_to_discard")
    assert poker.state.incidents.open == ()
    poker.wait(15)


def test_hg2_an_early_card_that_was_seen_voids_the_round(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert poker.bet("ante", 1000).status == "accepted"
    poker.lay("player", 1, PLAYER[0])
    poker.wait(1.6)
    assert (poker.incident.kind, poker.incident.ruling.row) == ("exposed_card", "HG2")
    assert screen(poker).now.act.key == "act.held"
    poker.rule("void_round", PIT)
    refunded(poker, "HG2")


def test_hg2_an_early_card_that_shows_its_face_after_it_was_told_voids_the_round(poker: Bench) -> None:
    poker.do(c.OpenBetting)
    assert poker.bet("ante", 1000).status == "accepted"
    poker.draw(PLAYER[0])
    assert poker.incident.ruling.row == "HG1"
    poker.lay("player", 1, PLAYER[0])
    assert (poker.incident.kind, poker.incident.ruling.row) == ("exposed_card", "HG2")
    poker.rule("void_round", PIT)
    refunded(poker, "HG2")


# --- HG3: a down card or a board card before its time ---------------------------------------------------


def test_hg3_a_down_card_that_shows_its_face_while_dealing_voids_the_round(poker: Bench) -> None:
    poker.betting(("ante", 1000))
    deal_out(poker, [PLAYER[0]])
    poker.draw(DEALER[0])
    poker.lay("dealer", 1, DEALER[0], UP)
    assert (poker.incident.kind, poker.incident.ruling.row) == ("exposed_card", "HG3")
    assert place(poker, ("dealer", 1)) == ("contradiction", None)
    assert "Qs" not in repr(poker.rows("IncidentOpened", "CardDoubted"))
    poker.rule("void_round", PIT)
    refunded(poker, "HG3")


def test_hg3_a_down_card_that_shows_its_face_while_bettors_decide_voids_the_round(poker: Bench) -> None:
    holes(poker).do(c.OpenBetting)
    choice = Decision(operator="north", bettor="ann", option="play", client_id="p")
    assert poker.table.take_decisions((choice,), poker.now)[0].status == "accepted"
    poker.lay("dealer", 2, DEALER[1], UP)
    assert (poker.incident.ruling.row, poker.incident.phase) == ("HG3", "deciding")
    poker.rule("void_round", PIT)
    refunded(poker, "HG3")


def test_hg3_a_board_card_seen_before_its_time_voids_the_round() -> None:
    with bench(CONFIG, game="ultimate_holdem", window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        table.betting(("ante", 1000))
        deal_out(table, parse_cards("As Kd Ah 7c"))
        table.do(c.OpenBetting)
        table.report("exposed_card", slot=("board", 1))
        assert (table.incident.ruling.row, table.incident.phase) == ("HG3", "deciding")
        table.rule("void_round", PIT)
        refunded(table, "HG3")


# --- HG4, HG5: a card in a wrong place ------------------------------------------------------------------


def test_hg4_a_misplaced_card_is_moved_while_no_other_was_dealt(poker: Bench) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    poker.draw(PLAYER[0])
    poker.lay("dealer", 1, PLAYER[0])
    assert (poker.incident.kind, poker.incident.ruling.row) == ("misplaced_card", "HG4")
    poker.rule("move_card")
    act = screen(poker).now.act
    assert (act.key, act.values) == (
        "act.carry_out.move_card.named", {"card": PLAYER[0].sign, "box": "box.player", "place": 1}
    )  # fmt: skip
    poker.lift("dealer", 1)
    poker.lay("player", 1, PLAYER[0])
    assert poker.state.incidents.open == ()
    deal_out(poker, [DEALER[0], PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


def test_hg4_an_open_card_laid_face_down_in_the_next_box_is_a_misplaced_one(poker: Bench) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    poker.draw(PLAYER[0])
    poker.lay("dealer", 1, face=DOWN)
    poker.wait(2)
    assert (poker.incident.kind, poker.incident.ruling.row) == ("misplaced_card", "HG4")
    poker.rule("move_card")
    poker.lift("dealer", 1)
    poker.lay("player", 1, PLAYER[0])
    assert poker.state.incidents.open == ()
    deal_out(poker, [DEALER[0], PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


@pytest.mark.parametrize("kind", ["misplaced_card", "wrong_order"])
def test_hg5_found_later_position_follows_the_order_read(poker: Bench, kind: str) -> None:
    holes(poker)
    poker.report(kind, next_dealt=True)
    assert (poker.incident.ruling.row, poker.incident.ruling.options) == ("HG5", ("move_card", "void_round"))
    poker.rule("move_card", PIT)
    assert poker.state.incidents.open == ()
    play(poker)
    settle(poker)


def test_hg5_the_pit_may_void_the_round_instead(poker: Bench) -> None:
    holes(poker).report("wrong_order")
    poker.rule("void_round", PIT)
    refunded(poker, "HG5")


# --- HG6 to HG12 ----------------------------------------------------------------------------------------


def test_hg6_a_card_drawn_while_bettors_decide_and_seen_by_nobody_goes_to_the_discard(poker: Bench) -> None:
    holes(poker).do(c.OpenBetting)
    poker.draw("8c")
    assert (poker.incident.kind, poker.incident.ruling.row) == ("extra_card", "HG6")
    poker.rule("card_to_discard")
    assert poker.state.incidents.open == ()
    assert poker.rows("CardDisposed")


def test_hg6b_a_card_drawn_while_bettors_decide_that_shows_its_face_is_a_known_future_card() -> None:
    with bench(CONFIG, game="ultimate_holdem", window_s=15.0) as table:
        table.deposit(10_000)
        table.open()
        table.do(c.StartRound)
        table.betting(("ante", 1000))
        deal_out(table, parse_cards("As Kd Ah 7c"))
        table.do(c.OpenBetting)
        table.draw("8c")
        table.lay("board", 1, "8c")
        assert (table.incident.kind, table.incident.ruling.row) == ("extra_card", "HG6b")
        assert "8c" not in repr(table.rows("IncidentOpened", "IncidentClosed"))
        table.rule("void_round", PIT)
        refunded(table, "HG6b")


def test_hg6b_a_card_after_the_last_tells_nothing_and_one_before_the_reveal_a_future_card(poker: Bench) -> None:
    holes(poker)
    play(poker)
    poker.report("extra_card", revealed=True, moment="last")
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG6b", "continue")
    poker.rule("continue")
    poker.report("extra_card", revealed=True, moment="street")
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG6b", "void_round")
    poker.rule("void_round", PIT)
    refunded(poker, "HG6b")


def test_hg7_a_wrong_count_of_down_cards_is_put_right(poker: Bench) -> None:
    holes(poker).report("wrong_count", revealed=False)
    assert (poker.incident.ruling.row, poker.incident.ruling.options) == ("HG7", ("move_card", "void_round"))
    poker.rule("move_card", PIT)
    play(poker)
    settle(poker)


def test_hg8_a_wrong_count_that_was_seen_voids_the_round_and_a_pair_plus_on_three_right_cards_is_paid(
    poker: Bench,
) -> None:
    holes(poker)
    play(poker)
    poker.report("wrong_count", revealed=True, slot=("dealer", 3))
    assert poker.incident.ruling.row == "HG8"
    poker.rule("void_round", PIT)
    poker.pay()
    assert (poker.round.stage, poker.round.void.row) == (Stage.VOIDED, "HG8")
    assert poker.balance() == 10_000 + 500  # the Pair Plus of 500 returns twice its stake, all else goes back
    [voided] = poker.rows("RoundVoided")
    assert voided.paid == {"pair_plus": "2"}


def test_hg8_a_pair_plus_on_cards_that_are_themselves_wrong_goes_back(poker: Bench) -> None:
    holes(poker).report("wrong_count", revealed=True, slot=("player", 3))
    poker.rule("void_round", PIT)
    refunded(poker, "HG8")


def test_hg8_a_pair_plus_that_does_not_qualify_goes_back(poker: Bench) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500))
    deal_out(poker, parse_cards("Ts Qs 8d 9d 4h 5c"))
    poker.report("wrong_count", revealed=True)
    poker.rule("void_round", PIT)
    refunded(poker, "HG8")


def test_hg8_a_pair_plus_on_a_card_the_camera_has_not_confirmed_goes_back(poker: Bench) -> None:
    holes(poker)
    poker.lay("player", 3, face=UNSURE)
    poker.report("wrong_count", revealed=True)
    poker.rule("void_round", PIT)
    refunded(poker, "HG8")


def test_hg9_a_boxed_card_found_while_bettors_decide_ends_the_window_and_what_was_decided_stands(poker: Bench) -> None:
    holes(poker).do(c.OpenBetting)
    choice = Decision(operator="north", bettor="ann", option="play", client_id="p")
    assert poker.table.take_decisions((choice,), poker.now)[0].status == "accepted"
    poker.report("boxed_card", count=1, drawn=True)
    poker.rule("card_to_discard")
    poker.lift("dealer", 3)
    poker.wait(30)
    assert (poker.next_slot(), poker.round.window.closes_at_ms) == (("dealer", 3), None)
    poker.draw("5d")
    poker.lay("dealer", 3)
    poker.do(c.OpenBetting)
    poker.wait(15)
    turn(poker, "dealer", *DEALER[:2], Card.parse("5d"))
    poker.finish()
    assert poker.balance() == 10_000 - 2_700 + 4_000 + 1_000


def test_hg9_a_boxed_down_card_is_taken_out_and_the_next_takes_its_place(poker: Bench) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    deal_out(poker, [PLAYER[0], Card.parse("2h")])
    poker.report("boxed_card", slot=("dealer", 1))
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG9", "card_to_discard")
    poker.rule("card_to_discard")
    poker.lift("dealer", 1)
    assert poker.next_slot() == ("dealer", 1)
    deal_out(poker, [DEALER[0], PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


def test_hg10_several_boxed_cards_void_the_round_and_replace_the_deck(poker: Bench) -> None:
    holes(poker).report("boxed_card", count=2)
    assert poker.incident.ruling.row == "HG10"
    poker.rule("void_round", PIT)
    refunded(poker, "HG10")
    assert poker.state.deck is None


def test_hg11_a_down_card_that_comes_again_open_fouls_the_deck_and_is_named_nowhere(poker: Bench) -> None:
    poker.betting(("ante", 1000))
    deal_out(poker, [PLAYER[0], DEALER[0]])
    poker.draw(DEALER[0])
    assert poker.incident.ruling.row == "HG11"
    assert place(poker, ("dealer", 1)) == ("sealed", None)
    assert "Qs" not in repr(poker.incident)
    poker.rule("void_round", PIT)
    refunded(poker, "HG11")


def test_hg12_an_empty_shoe_voids_the_round(poker: Bench) -> None:
    poker.betting(("ante", 1000))
    deal_out(poker, [PLAYER[0]])
    poker.report("shoe_empty")
    assert poker.incident.ruling.row == "HG12"
    poker.rule("void_round", PIT)
    refunded(poker, "HG12")


# --- HG13 to HG17: what the eyes say -------------------------------------------------------------------


def test_hg13_an_unread_open_card_counts_as_the_camera_reads_it(poker: Bench) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    poker.draw_unread()
    poker.lay("player", 1, PLAYER[0])
    poker.wait(1.6)
    assert poker.incident.ruling.row == "HG13"
    poker.rule("continue")
    assert place(poker, ("player", 1)) == ("confirmed", "Ts")
    deal_out(poker, [DEALER[0], PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


def test_hg14_an_unread_down_card_is_read_by_neither_eye(poker: Bench) -> None:
    poker.betting(("ante", 1000))
    deal_out(poker, [PLAYER[0]])
    poker.draw_unread()
    poker.lay("dealer", 1, face=DOWN)
    assert place(poker, ("dealer", 1))[0] == "unread"
    poker.wait(1.6)
    assert (poker.incident.ruling.row, poker.incident.ruling.approval) == ("HG14", "two_people")
    poker.rule("void_round", PIT)
    refunded(poker, "HG14")


def test_a_place_is_due_again_when_the_card_the_camera_saw_there_is_gone(poker: Bench) -> None:
    poker.betting(("ante", 1000))
    deal_out(poker, [PLAYER[0]])
    poker.lay("dealer", 1, face=DOWN)
    assert place(poker, ("dealer", 1)) == ("unread", None)
    poker.lift("dealer", 1)
    assert place(poker, ("dealer", 1)) == ("awaited", None)


def test_hg15_a_turned_card_that_is_another_is_held_for_the_pit(poker: Bench) -> None:
    holes(poker)
    play(poker)
    poker.lay("dealer", 1, Card.parse("Kc"), UP)
    assert poker.incident.ruling.row == "HG15"
    assert place(poker, ("dealer", 1)) == ("contradiction", None)
    poker.rule("shoe", PIT)
    settle(poker)


@pytest.mark.parametrize("slot", [("player", 1), ("dealer", 1)])
def test_hg16_a_dropped_card_that_was_identified_is_used_again(poker: Bench, slot: Slot) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    deal_out(poker, [PLAYER[0], DEALER[0]])
    poker.lose(*slot, identified=True)
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG16", "reuse_card")
    poker.rule("reuse_card")
    poker.lay(*slot, PLAYER[0] if slot[0] == "player" else None)
    assert poker.state.incidents.open == ()
    deal_out(poker, [PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


def test_hg16_a_dropped_card_that_nobody_identified_voids_the_round(poker: Bench) -> None:
    poker.betting(("ante", 1000))
    poker.draw(PLAYER[0])
    poker.lose("player", 1, identified=False)
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG16", "void_round")
    poker.rule("void_round", PIT)
    refunded(poker, "HG16")


def test_hg17_cleared_down_cards_are_laid_out_again_face_down(poker: Bench) -> None:
    holes(poker)
    poker.clear()
    poker.wait(3.1)
    assert poker.incident.ruling.row == "HG17"
    poker.rule("relay_from_discard", PIT)
    for number, (own, _) in enumerate(zip(PLAYER, DEALER, strict=True), 1):
        poker.lay("player", number, own)
        poker.lay("dealer", number, face=DOWN)
    assert poker.state.incidents.open == ()
    assert place(poker, ("dealer", 1)) == ("sealed", None)
    play(poker)
    settle(poker)


def test_hg17_a_card_to_be_turned_that_lies_nowhere_is_missed_though_a_person_took_it_for_seen(clash: Bench) -> None:
    clash.draw(HOLES[0])
    clash.wait(3.1)
    clash.rule("continue", PIT)  # from a picture on which no card lies
    deal_out(clash, HOLES[1:])
    clash.betting(("shark", 1000))
    deal_out(clash, BOARD)
    clash.lay("shark", 2, HOLES[2], UP)
    clash.wait(3.1)
    clash.wait(3.1)
    assert (clash.incident.kind, clash.incident.ruling.row) == ("cleared_early", "HG17")
    clash.rule("relay_from_discard", PIT)
    clash.lay("shark", 1, face=DOWN)
    assert clash.state.incidents.open == ()
    clash.lay("shark", 1, HOLES[0], UP)
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.finish()
    assert clash.balance() == 10_000 - 1000 + 2020


# --- HG18, HG19, HG21 -----------------------------------------------------------------------------------


def test_hg18_a_jam_without_cards_out_replaces_the_deck(poker: Bench) -> None:
    poker.report("malfunction", PIT)
    poker.rule("void_round", PIT)
    poker.pay()
    poker.report("shuffler_jam")
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG18", "replace_deck")
    poker.rule("replace_deck", PIT)
    assert poker.state.deck is None
    assert poker.refused(c.StartRound) == "shoe_short"


def test_hg19_a_jam_with_cards_out_that_harms_nothing_lets_the_deal_go_on(poker: Bench) -> None:
    holes(poker).report("shuffler_jam", harmed=False)
    assert (poker.incident.ruling.row, poker.incident.ruling.ruling) == ("HG19", "continue")
    poker.rule("continue")
    play(poker)
    settle(poker)


def test_hg19_a_jam_that_harms_a_card_is_the_pits(poker: Bench) -> None:
    holes(poker).report("shuffler_jam", harmed=True)
    assert (poker.incident.ruling.row, poker.incident.ruling.options) == ("HG19", ("void_round", "continue"))
    poker.rule("void_round", PIT)
    refunded(poker, "HG19")


def test_hg21_a_down_card_needs_only_to_lie_face_down(poker: Bench) -> None:
    poker.betting(("ante", 1000), ("pair_plus", 500), ("six_card", 200))
    deal_out(poker, [PLAYER[0]])
    poker.draw(DEALER[0])
    assert place(poker, ("dealer", 1)) == ("sealed_owed", None)
    poker.wait(3.1)
    assert poker.incident.ruling.row == "HG21"
    poker.lay("dealer", 1, face=CardFace.DOWN)
    poker.tick()
    assert poker.state.incidents.open == ()
    assert place(poker, ("dealer", 1)) == ("sealed", None)
    deal_out(poker, [PLAYER[1], DEALER[1], PLAYER[2], DEALER[2]])
    play(poker)
    settle(poker)


# --- KKClash --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["dealing", "betting"])
def test_kc1_a_hole_card_seen_before_betting_closes_voids_the_round(clash: Bench, moment: str) -> None:
    deal_out(clash, HOLES[:3])
    if moment == "betting":
        deal_out(clash, HOLES[3:])
        clash.do(c.OpenBetting)
        assert clash.bet("shark", 1000).status == "accepted"
    clash.lay("shark", 2, HOLES[2], UP)
    assert (clash.incident.kind, clash.incident.ruling.row) == ("exposed_card", "KC1")
    clash.rule("void_round", PIT)
    refunded(clash, "KC1")


def test_kc2_a_wrong_order_before_bets_are_in_is_put_in_order(clash: Bench) -> None:
    deal_out(clash, HOLES[:2])
    clash.report("wrong_order", pattern="other")
    assert (clash.incident.ruling.row, clash.incident.ruling.ruling) == ("KC2", "move_card")
    clash.rule("move_card")
    assert clash.state.incidents.open == ()
    deal_out(clash, HOLES[2:])
    clash.do(c.OpenBetting)


def test_kc3_a_wrong_order_found_later_is_the_pits(clash: Bench) -> None:
    deal_out(clash, HOLES)
    clash.betting(("shark", 1000))
    deal_out(clash, BOARD[:2])
    clash.report("wrong_order")
    assert (clash.incident.ruling.row, clash.incident.ruling.options) == ("KC3", ("void_round", "continue"))
    clash.rule("continue", PIT)
    deal_out(clash, BOARD[2:])
    turn(clash, "shark", HOLES[0], HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.finish()
    assert clash.balance() == 10_000 - 1000 + 2020


def test_kc3_or_the_round_is_void(clash: Bench) -> None:
    deal_out(clash, HOLES)
    clash.betting(("king", 1000)).report("wrong_order")
    clash.rule("void_round", PIT)
    refunded(clash, "KC3")


def test_kc4_a_sixth_board_card_has_no_effect(clash: Bench) -> None:
    deal_out(clash, HOLES)
    clash.betting(("shark", 1000))
    deal_out(clash, BOARD)
    clash.draw("5h")
    assert (clash.incident.kind, clash.incident.ruling.row, clash.incident.ruling.ruling) == (
        "extra_card",
        "KC4",
        "card_to_discard",
    )
    clash.rule("card_to_discard")
    assert clash.state.incidents.open == ()
    turn(clash, "shark", HOLES[0], HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.finish()
    assert clash.balance() == 10_000 - 1000 + 2020


def test_kc5_a_board_card_while_betting_is_open_voids_the_round(clash: Bench) -> None:
    deal_out(clash, HOLES)
    clash.do(c.OpenBetting)
    assert clash.bet("draw", 1000).status == "accepted"
    clash.draw(BOARD[0])
    assert (clash.incident.kind, clash.incident.ruling.row) == ("early_card", "KC5")
    clash.rule("void_round", PIT)
    refunded(clash, "KC5")


def test_ev7_a_restart_with_holes_on_the_felt_comes_back_held_and_can_still_reveal(clash: Bench) -> None:
    deal_out(clash, HOLES)
    clash.betting(("pocket_kings", 100))
    deal_out(clash, BOARD)
    clash.restart()
    clash.links()
    for slot in (("shark", 1), ("king", 1), ("shark", 2), ("king", 2)):
        clash.lay(*slot, face=DOWN)
    for number, card in enumerate(BOARD, 1):
        clash.lay("board", number, card)
    clash.rule("continue", PIT, kind="restart")
    assert clash.state.incidents.open == ()
    turn(clash, "shark", HOLES[0], HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.finish()
    assert clash.balance() == 10_000 - 100 + 10_000


def test_ev8_a_lost_picture_voids_before_betting_closed_and_goes_on_after(clash: Bench) -> None:
    deal_out(clash, HOLES)
    clash.do(c.OpenBetting)
    clash.report("video_lost", PIT)
    assert (clash.incident.ruling.row, clash.incident.ruling.ruling) == ("EV8", "void_round")
    clash.rule("void_round", PIT)
    refunded(clash, "EV8")


def test_a_bettor_who_is_gone_finds_his_bets_standing(clash: Bench) -> None:
    """EV9: the round runs on by itself."""
    deal_out(clash, HOLES)
    clash.betting(("shark", 1000))
    clash.report("disconnected", PIT)
    assert clash.state.held is False
    deal_out(clash, BOARD)
    clash.say(ports.CameraSawHand(device="camera", at_ms=clash.now, zone="king", place=1))
    turn(clash, "shark", HOLES[0], HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.finish()
    assert clash.balance() == 10_000 - 1000 + 2020
