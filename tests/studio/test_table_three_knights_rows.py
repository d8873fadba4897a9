"""The rows of Three Knights, made to happen at a table and carried out there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import BURNS, DEAL, DOWN, PIT, PIT_TOO, Bench, bench

from studio import ports
from studio.cards import Card
from studio.rounds import CardDealt, Finished, HandsSwapped
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.tables.state.table import phase_of


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        yield made.open()


@pytest.fixture
def dealing(table: Bench) -> Bench:
    """Ann has 1000 on Player 1; no card is dealt yet."""
    table.deposit(10_000)
    return table.start().betting(("player1_win", 1000))


def redealt(table: Bench, deck: str = "deck-2") -> None:
    """Collect every card, shuffle, load, burn."""
    assert table.refused(c.LoadShoe) in ("felt_not_clear", "deck_unverified")
    table.clear()
    assert not table.state.held
    table.load(deck)
    table.burn()


def refunded(table: Bench) -> None:
    table.pay()
    assert table.round.stage is Stage.VOIDED
    assert table.balance() == 10_000
    assert table.house() == 0


# --- TK2, TK3: burn errors -----------------------------------------------------------------------------


def test_tk2_a_burn_error_found_early_deals_the_same_round_again_with_its_bets(dealing: Bench) -> None:
    dealing.deal(DEAL[0])
    dealing.report("burn_error")
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("TK2", "reshuffle_and_redeal")
    assert dealing.refused_ruling("reshuffle_and_redeal") == "not_allowed"
    dealing.rule("reshuffle_and_redeal", PIT)
    assert dealing.state.deck is None
    redealt(dealing)
    assert (dealing.round.deal.attempt, dealing.round.stakes.bets, dealing.round.number) == (2, 1, 1)
    dealing.tick()
    assert phase_of(dealing.state) == "dealing"
    dealing.deal(*DEAL).finish()
    assert dealing.balance() == 10_000  # the tie pushes
    assert dealing.kinds().count("RoundStarted") == 1


def test_tk2_found_while_bets_are_taken_opens_the_window_again(table: Bench) -> None:
    table.deposit(10_000)
    table.start().do(c.OpenBetting)
    table.bet()
    table.report("burn_error")
    assert table.incident.ruling.row == "TK2"
    table.rule("reshuffle_and_redeal", PIT)
    table.wait(60)
    assert table.round.deal.facts == ()
    redealt(table)
    table.betting(("player2_win", 500))
    assert table.round.stakes.bets == 2
    table.deal(*DEAL).finish()
    assert table.round.stage is Stage.SETTLED


def test_tk2_is_noticed_by_the_camera_where_a_burn_card_lies_in_a_box(table: Bench) -> None:
    table.do(c.StartRound)
    table.draw(BURNS[0])
    table.lay("player1", 1)
    assert not table.state.held  # the shoe might still have something to say
    table.wait(1.6)
    assert (table.incident.kind, table.incident.ruling.row) == ("burn_error", "TK2")
    table.rule("reshuffle_and_redeal", PIT)
    redealt(table)
    assert not table.state.held


def test_tk2_collecting_the_cards_opens_nothing_new(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.report("burn_error")
    dealing.rule("reshuffle_and_redeal", PIT)
    dealing.lose("player1", 1, identified=False)
    dealing.lay("player3", 3, "9s")
    dealing.lift("burn", 2)
    dealing.wait(10)
    assert dealing.state.incidents.open == ()


def test_tk3_a_burn_error_found_later_is_the_pits_to_decide(dealing: Bench) -> None:
    dealing.deal(*DEAL[:5])
    dealing.report("burn_error")
    assert (dealing.incident.ruling.row, dealing.incident.ruling.options) == ("TK3", ("void_round", "continue"))
    dealing.rule("continue", PIT)
    dealing.deal(*DEAL[5:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_tk3_may_void_the_round(dealing: Bench) -> None:
    dealing.deal(*DEAL[:5])
    dealing.report("burn_error")
    assert dealing.refused_ruling("reshuffle_and_redeal", PIT) == "choice_not_allowed"
    dealing.rule("void_round", PIT)
    refunded(dealing)


# --- TK4, TK5: exposed cards ---------------------------------------------------------------------------


def test_tk4_a_card_exposed_while_bets_are_taken_voids_the_round_and_every_bet_comes_back(table: Bench) -> None:
    table.deposit(10_000)
    table.start().do(c.OpenBetting)
    table.bet("player1_win", 1000)
    table.bet("banker_pair_plus", 700)
    table.lay("player1", 1, "Ad")
    assert (table.incident.kind, table.incident.ruling.row) == ("exposed_card", "TK4")
    assert table.incident.scene.evidence
    table.rule("void_round", PIT)
    refunded(table)
    voids = [kind for kind in table.kinds() if kind in ("RoundVoided", "BetsVoided", "RoundRefunded")]
    assert voids == ["RoundVoided", "BetsVoided", "RoundRefunded"]
    table.clear()
    table.do(c.StartRound)


def test_tk4_a_burn_card_turned_over_in_the_window_is_an_exposed_card(table: Bench) -> None:
    table.deposit(10_000)
    table.start().do(c.OpenBetting)
    table.bet()
    table.lay("burn", 2, BURNS[1])
    assert table.incident.ruling.row == "TK4"
    table.rule("void_round", PIT)
    refunded(table)


def test_a_card_exposed_in_the_burn_is_the_pits_to_decide_and_may_lie_open_after_it(table: Bench) -> None:
    table.do(c.StartRound)
    table.draw(BURNS[0])
    table.lay("burn", 1, BURNS[0])
    assert (table.incident.kind, table.incident.ruling.row) == ("exposed_card", "")
    table.rule("continue", PIT)
    assert table.state.incidents.open == ()
    table.wait(10)
    assert table.state.incidents.open == ()
    for number, card in enumerate(BURNS[1:], 2):
        table.draw(card)
        table.lay("burn", number)
    table.do(c.OpenBetting)


@pytest.mark.parametrize("ruling", ["continue", "reshuffle", "replace_deck"])
def test_tk5_a_card_exposed_in_the_shuffle_is_ruled_by_how_much_was_seen(table: Bench, ruling: str) -> None:
    table.start().betting().deal(*DEAL).finish()
    table.report("exposed_card", count=3)
    assert (table.incident.ruling.row, table.incident.ruling.options) == (
        "TK5",
        ("continue", "reshuffle", "replace_deck"),
    )
    table.rule(ruling, PIT)
    assert (table.state.deck is None) == (ruling != "continue")
    if ruling != "continue":
        assert table.refused(c.StartRound) == "shoe_short"
        table.load("deck-2")
    table.do(c.StartRound)


# --- TK6: extra cards ----------------------------------------------------------------------------------


def test_tk6_a_card_drawn_after_the_last_one_goes_to_the_discard(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    id = dealing.draw("5h")
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("TK6", "continue")
    assert dealing.refused(c.DeclareResult) == "held"
    dealing.rule("continue")
    assert dealing.state.incidents.open == ()
    assert [event.to for event in dealing.rows("CardDisposed") if event.id == id] == ["discard"]
    dealing.finish()
    assert dealing.round.stage is Stage.SETTLED


def test_tk6_the_extra_card_that_lies_on_the_felt_is_waited_for(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.draw("5h")
    dealing.lay("banker", 4, "5h")
    dealing.rule("continue")
    assert dealing.incident.ruled.ruling == "continue"
    dealing.lift("banker", 4)
    assert dealing.state.incidents.open == ()
    dealing.do(c.DeclareResult)


def test_tk6_a_card_the_camera_alone_sees_after_the_last_is_told_once(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.lay("banker", 4, "5h")
    assert dealing.incident.ruling.row == "TK6"
    dealing.rule("continue")
    dealing.wait(5)
    assert dealing.state.incidents.open == ()
    dealing.do(c.DeclareResult)


# --- TK7 to TK9: dropped cards -------------------------------------------------------------------------


def test_tk7_a_card_dropped_in_the_burn_is_used_again(table: Bench) -> None:
    table.do(c.StartRound)
    table.draw(BURNS[0])
    table.lay("burn", 1)
    table.lose("burn", 1, identified=False)
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("TK7", "reuse_card")
    table.rule("reuse_card")
    table.wait(30)
    assert table.open_kinds() == ["dropped_card"]
    table.lay("burn", 1)
    assert table.state.incidents.open == ()


def test_tk8_an_identified_card_is_picked_up_and_used(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.lose("player2", 1, identified=True)
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("dropped_card", "TK8")
    dealing.rule("reuse_card")
    dealing.lay("player2", 1, "9c")
    assert dealing.incident.ruled.ruling == "reuse_card"
    dealing.lift("player2", 1)
    dealing.lay("player2", 1, DEAL[1])
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[3:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_tk9_a_card_nobody_identified_voids_the_round_and_the_shoe_goes_on(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.draw(DEAL[3])
    dealing.lose("banker", 1, identified=False)
    assert dealing.incident.ruling.row == "TK9"
    dealing.rule("void_round", PIT)
    refunded(dealing)
    assert dealing.state.deck is not None
    dealing.clear()
    dealing.do(c.StartRound)


# --- TK10 to TK12: cards in wrong places ---------------------------------------------------------------


def test_tk10_before_bets_are_in_cards_are_put_in_order(table: Bench) -> None:
    table.start()
    table.report("wrong_order")
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("TK10", "move_card")
    table.rule("move_card")
    assert table.state.incidents.open == ()


def reversed_hand(table: Bench) -> None:
    """The dealer gives Player 3, 2, 1, Banker, three times round, and does not stop when the table is held."""
    slots = [(box, place) for place in (1, 2, 3) for box in ("player3", "player2", "player1", "banker")]
    for card, slot in zip(DEAL, slots, strict=True):
        table.draw(card)
        table.lay(*slot, card)


def test_tk11_a_whole_hand_dealt_in_reverse_is_swapped(dealing: Bench) -> None:
    reversed_hand(dealing)
    assert dealing.incident.kind == "misplaced_card"
    dealing.report("wrong_order", pattern="reversed")
    incident = dealing.state.incidents.open[-1]
    assert (incident.ruling.row, incident.ruling.ruling, incident.ruling.arguments) == (
        "TK11",
        "swap_hands",
        ("player1", "player3"),
    )
    assert dealing.refused_ruling("swap_hands", kind="wrong_order") == "not_allowed"
    dealing.rule("swap_hands", PIT, kind="wrong_order")
    assert dealing.state.incidents.open == ()
    assert isinstance(dealing.round.deal.standing, Finished)
    in_order = {(box, place) for box in ("player1", "player2", "player3", "banker") for place in (1, 2, 3)}
    assert in_order < set(dealing.round.deal.cards)
    dealt = {slot: fact.face for slot, fact in dealing.round.deal.cards.items() if isinstance(fact, CardDealt)}
    assert [dealt[box, 1] for box in ("player1", "player2", "player3", "banker")] == list(DEAL[:4])
    assert any(isinstance(fact, HandsSwapped) for fact in dealing.round.deal.facts)
    dealing.finish()
    assert dealing.round.stage is Stage.SETTLED
    assert dealing.balance() == 10_000


def test_tk11_cards_in_no_such_pattern_are_not_swapped(dealing: Bench) -> None:
    reversed_hand(dealing)
    dealing.lay("player2", 1, DEAL[3])
    dealing.lay("banker", 1, DEAL[1])
    dealing.report("wrong_order", pattern="reversed")
    assert dealing.refused_ruling("swap_hands", PIT, kind="wrong_order") == "does_not_fit"
    assert dealing.refused_ruling("void_round", kind="wrong_order") == "not_allowed"
    dealing.rule("void_round", PIT, kind="wrong_order")
    assert dealing.state.incidents.open == ()
    refunded(dealing)


def misplace_first(table: Bench) -> None:
    table.draw(DEAL[0])
    table.lay("player2", 1, DEAL[0])


def test_tk12_a_card_in_another_place_may_count_where_it_lies(dealing: Bench) -> None:
    misplace_first(dealing)
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("misplaced_card", "TK12")
    assert dealing.refused_ruling("continue") == "not_allowed"
    dealing.rule("continue", PIT)
    dealing.wait(10)
    assert dealing.state.incidents.open == ()
    assert dealing.round.deal.cards["player1", 1].card.id in dealing.round.eyes.confirmed


def test_tk12_a_card_moved_to_its_place_lets_the_deal_go_on(dealing: Bench) -> None:
    misplace_first(dealing)
    dealing.rule("move_card", PIT)
    assert dealing.incident.ruled.ruling == "move_card"
    dealing.lift("player2", 1)
    dealing.lay("player1", 1, DEAL[0])
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[1:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_tk12_the_card_dealt_while_it_was_held_enters_the_deal_in_the_order_read(dealing: Bench) -> None:
    misplace_first(dealing)
    dealing.draw(DEAL[1])
    dealing.lay("player3", 1, DEAL[1])
    assert [one.why for one in dealing.state.undisposed] == ["held"]
    dealing.rule("move_card", PIT)
    dealing.lift("player2", 1)
    dealing.lay("player1", 1, DEAL[0])
    assert dealing.incident.ruled.ruling == "move_card"  # the second card is still where the third belongs
    dealing.lift("player3", 1)
    dealing.lay("player2", 1, DEAL[1])
    assert dealing.state.incidents.open == ()
    assert dealing.next_slot() == ("player3", 1)
    dealing.deal(*DEAL[2:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_tk12_a_pit_boss_may_rule_anew_where_the_first_ruling_leads_nowhere(dealing: Bench) -> None:
    misplace_first(dealing)
    dealing.rule("move_card", PIT)
    assert dealing.refused_ruling("void_round") == "being_done"
    dealing.rule("void_round", PIT_TOO)
    refunded(dealing)


def test_tk12_a_stray_card_is_held_until_it_is_gone(dealing: Bench) -> None:
    card = dealing.sealer.card(Card.parse("9c"))
    dealing.say(
        ports.CameraSawStray(device="camera", at_ms=dealing.now, x=0.5, y=0.5, face=ports.CardFace.UP, card=card)
    )
    assert dealing.incident.ruling.row == "TK12"
    dealing.rule("move_card", PIT)
    assert dealing.incident.ruled.ruling
    dealing.say(ports.CameraStrayGone(device="camera", at_ms=dealing.now, x=0.5, y=0.51))
    assert dealing.state.incidents.open == ()


# --- TK13: the shuffler --------------------------------------------------------------------------------


def jam(table: Bench) -> None:
    table.say(ports.ShufflerAlarm(device="shuffler", at_ms=table.now, alarm="jam", raised=True))


def test_tk13_a_jam_lets_the_round_go_on_and_the_next_deck_is_verified_again(dealing: Bench) -> None:
    dealing.verify_deck("deck-2")
    dealing.deal(*DEAL[:2])
    jam(dealing)
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("shuffler_jam", "TK13")
    dealing.rule("continue", PIT)
    dealing.deal(*DEAL[2:]).finish()
    assert dealing.round.stage is Stage.SETTLED
    assert dealing.state.approved == ()
    assert dealing.refused(c.LoadShoe) == "deck_unverified"
    dealing.load("deck-2")


def test_tk13_a_jam_may_void_the_round(dealing: Bench) -> None:
    jam(dealing)
    dealing.rule("void_round", PIT)
    refunded(dealing)


def test_tk13_replacing_the_deck_deals_the_round_again(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    jam(dealing)
    dealing.rule("replace_deck", PIT)
    redealt(dealing)
    dealing.tick()
    dealing.deal(*DEAL).finish()
    assert dealing.round.stage is Stage.SETTLED


# --- early cards: HG1† ---------------------------------------------------------------------------------


def test_hg1_an_early_card_is_the_next_one_after_the_window(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    id = table.draw(DEAL[0])
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("HG1", "card_is_next_card")
    table.lay("player1", 1, face=DOWN)
    table.rule("card_is_next_card")
    assert table.state.incidents.open == ()
    table.wait(16)
    assert table.round.deal.cards["player1", 1].card.id == id
    table.lay("player1", 1, DEAL[0])
    table.deal(*DEAL[1:]).finish()
    assert table.round.stage is Stage.SETTLED


def test_hg1_an_early_card_that_shows_its_face_is_an_exposed_card_all_the_same(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    table.draw(DEAL[0])
    assert table.incident.ruling.row == "HG1"
    table.lay("player1", 1, DEAL[0])
    assert (table.incident.kind, table.incident.ruling.row) == ("exposed_card", "TK4")


def test_hg1_an_early_card_may_go_to_the_discard(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    id = table.draw(DEAL[0])
    table.rule("card_to_discard")
    table.wait(16)
    table.deal(*DEAL[1:], "7s").finish()
    assert id not in {fact.card.id for fact in table.round.deal.cards.values()}


def test_an_early_card_drawn_while_the_table_is_frozen_is_told_when_it_goes_on(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    table.do(c.FreezeTable)
    table.draw(DEAL[0])
    table.draw(DEAL[1])
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="checked", words="Go on.")
    assert table.incident.kind == "early_card"
    table.rule("card_is_next_card")
    assert table.incident.kind == "early_card"
    table.rule("card_is_next_card")
    table.wait(16)
    assert [fact.face for fact in table.round.deal.plain if isinstance(fact, CardDealt)] == list(DEAL[:2])


def test_a_void_clears_the_early_card_away_too(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    table.draw(DEAL[0])
    table.rule("card_is_next_card")
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    table.clear()
    table.start([Card.parse(card) for card in ("5s", "5h", "5d", "5c")]).betting()
    assert table.next_slot() == ("player1", 1)


def test_rows_name_what_decided(dealing: Bench) -> None:
    misplace_first(dealing)
    dealing.rule("move_card", PIT)
    [ruled] = dealing.rows("IncidentRuled")
    [opened] = dealing.rows("IncidentOpened")
    assert isinstance(ruled, e.IncidentRuled)
    assert (ruled.row, opened.row, ruled.asked_by) == ("TK12", "TK12", "p1")
