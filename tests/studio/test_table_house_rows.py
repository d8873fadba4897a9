"""The † rows, made to happen at a Three Knights table and carried out there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import BURNS, DEAL, DEALER, DOWN, PIT, PIT_TOO, UNSURE, Bench, bench

from studio import ports
from studio.cards import Card
from studio.errors import RefusedError
from studio.rounds import CardBurned, CardDealt
from studio.spoken import Places
from studio.tables import command as c
from studio.tables.state.round import Stage
from studio.views import view_table
from studio.views.shape import Words


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        yield made.open()


@pytest.fixture
def dealing(table: Bench) -> Bench:
    table.deposit(10_000)
    return table.start().betting(("player1_win", 1000))


def refunded(table: Bench) -> None:
    table.pay()
    assert table.round.stage is Stage.VOIDED
    assert table.balance() == 10_000


def settled(table: Bench) -> None:
    table.finish()
    assert table.round.stage is Stage.SETTLED


# --- HG6, HG7, HG8, HG9, HG10 --------------------------------------------------------------------------


def test_hg6_an_extra_card_nobody_saw_goes_to_the_discard(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.lay("player3", 3)
    assert not dealing.state.held
    dealing.wait(1.6)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("HG6", "card_to_discard")
    dealing.rule("card_to_discard")
    assert dealing.incident.ruled.ruling == "card_to_discard"
    dealing.lift("player3", 3)
    assert dealing.state.incidents.open == ()
    settled(dealing.deal(*DEAL[4:]))


def test_hg6_a_card_drawn_between_rounds_goes_to_the_discard(table: Bench) -> None:
    table.draw("5h")
    assert (table.incident.ruling.row, table.incident.phase) == ("HG6", "shuffling")
    table.rule("card_to_discard")
    table.do(c.StartRound)


def test_hg6b_an_extra_card_that_was_seen_in_the_deal_tells_a_future_card(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.lay("player3", 3, "5h")
    dealing.wait(1.6)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("HG6b", "void_round")
    dealing.rule("void_round", PIT)
    refunded(dealing)


def test_hg7_a_wrong_count_nobody_saw_is_put_right(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.report("wrong_count", revealed=False)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.options) == ("HG7", ("move_card", "void_round"))
    dealing.rule("move_card", PIT)
    assert dealing.state.incidents.open == ()


def test_hg8_a_wrong_count_that_was_seen_voids_the_round(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.report("wrong_count", revealed=True)
    assert dealing.incident.ruling.row == "HG8"
    dealing.rule("void_round", PIT)
    refunded(dealing)


def test_hg9_a_boxed_card_that_stands_already_is_taken_out_and_the_next_card_takes_its_place(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.deal("9h")
    dealing.report("boxed_card", slot=("player3", 1))
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("HG9", "card_to_discard")
    dealing.rule("card_to_discard")
    assert dealing.incident.ruled.ruling
    dealing.lift("player3", 1)
    assert dealing.state.incidents.open == ()
    assert dealing.next_slot() == ("player3", 1)
    settled(dealing.deal(*DEAL[2:]))


def test_hg9_a_boxed_card_under_others_cannot_be_taken_out(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.report("boxed_card", slot=("player3", 1))
    assert dealing.refused_ruling("card_to_discard") == "cards_after_it"
    dealing.report("malfunction", PIT)
    dealing.rule("void_round", PIT, kind="malfunction")
    refunded(dealing)


def test_hg10_several_boxed_cards_void_the_round_and_replace_the_deck(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.report("boxed_card", count=2)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.afterwards) == ("HG10", ("replace_deck",))
    dealing.rule("void_round", PIT)
    refunded(dealing)
    assert dealing.state.deck is None
    dealing.clear()
    assert dealing.refused(c.StartRound) == "shoe_short"


def test_hg10_found_between_rounds_there_is_no_round_to_void_and_the_deck_goes(table: Bench) -> None:
    table.report("boxed_card", count=2)
    table.rule("void_round", PIT)
    assert table.state.incidents.open == ()
    assert table.state.deck is None


# --- HG11, HG12 ----------------------------------------------------------------------------------------


def test_hg11_a_card_seen_twice_is_a_fouled_deck(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.draw(DEAL[0])
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("fouled_deck", "HG11")
    dealing.rule("void_round", PIT)
    refunded(dealing)
    assert dealing.state.deck is None


def test_hg11_a_burned_card_that_comes_again_fouls_the_deck_and_no_record_names_it(dealing: Bench) -> None:
    dealing.draw(BURNS[0])
    assert dealing.incident.kind == "fouled_deck"
    burned = dealing.round.deal.cards["burn", 1]
    assert isinstance(burned, CardBurned)
    dealing.rule("void_round", PIT)
    [exception] = dealing.rows("ExceptionRecorded")
    assert "4s" not in repr(burned)
    assert exception.act == "void_round"
    refunded(dealing)


def test_hg11_is_not_forgotten_when_the_round_is_voided_for_another_reason(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.draw(DEAL[0])
    dealing.report("malfunction", PIT)
    dealing.rule("void_round", PIT, kind="malfunction")
    assert dealing.open_kinds() == ["fouled_deck"]
    assert dealing.state.deck is not None
    dealing.rule("void_round", PIT)
    assert dealing.state.deck is None
    refunded(dealing)


def test_hg12_an_empty_shoe_voids_the_round(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.report("shoe_empty")
    assert dealing.incident.ruling.row == "HG12"
    dealing.rule("void_round", PIT)
    refunded(dealing)


# --- HG13, HG14: unread cards --------------------------------------------------------------------------


def test_hg13_a_card_the_camera_reads_counts_and_is_marked_as_the_cameras(dealing: Bench) -> None:
    dealing.draw_unread()
    dealing.lay("player1", 1, DEAL[0])
    assert not dealing.state.held
    dealing.wait(1.6)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("HG13", "continue")
    dealing.rule("continue")
    fact = dealing.round.deal.cards["player1", 1]
    assert isinstance(fact, CardDealt)
    assert (fact.face, fact.source) == (DEAL[0], "camera")
    settled(dealing.deal(*DEAL[1:]))


def test_hg13_the_card_drawn_after_an_unread_one_does_not_take_its_place(dealing: Bench) -> None:
    dealing.draw_unread()
    dealing.draw(DEAL[1])
    assert dealing.round.deal.cards.get(("player1", 1)) is None
    dealing.lay("player1", 1, DEAL[0])
    dealing.lay("player2", 1, DEAL[1])
    dealing.wait(1.6)
    assert dealing.incident.ruling.row == "HG13"
    dealing.rule("continue")
    assert dealing.state.incidents.open == ()
    assert dealing.next_slot() == ("player3", 1)
    settled(dealing.deal(*DEAL[2:]))


def test_hg14_what_neither_eye_read_is_read_again_from_the_first_by_two_people(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.draw_unread()
    dealing.lay("player3", 1, face=UNSURE)
    dealing.wait(1.6)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.ruling) == ("HG14", "reread_all")
    assert dealing.incident.ruling.approval == "two_people"
    dealing.rule("reread_all", PIT)
    assert dealing.incident.asked is not None
    dealing.approve()
    assert dealing.incident.ruled.ruling == "reread_all"
    for number in range(1, 5):
        dealing.lay("burn", number)
    dealing.lay("player1", 1, DEAL[0])
    dealing.lay("player2", 1, DEAL[1])
    dealing.lay("player3", 1, face=UNSURE)
    assert dealing.incident.ruled.ruling  # a place that is not read yet keeps it open, and raises nothing
    dealing.lay("player3", 1, DEAL[2])
    assert dealing.state.incidents.open == ()
    settled(dealing.deal(*DEAL[3:]))


def test_hg14_where_it_fails_the_round_is_void(dealing: Bench) -> None:
    dealing.draw_unread()
    dealing.wait(3.1)
    assert dealing.incident.ruling.row == "HG14"
    dealing.rule("reread_all", PIT)
    dealing.approve()
    for number in range(1, 5):
        dealing.lay("burn", number)
    act = view_table(dealing.state, dealing.table.book, 0).now.act
    assert act == Words(
        "act.nothing_there", {"places": Places((("player1", 1),))}
    )  # no card was ever there to be read again
    dealing.rule("void_round", PIT)
    refunded(dealing)


def test_a_burn_card_nobody_read_needs_only_to_lie_face_down(table: Bench) -> None:
    """HG21: a down card needs only "a card, face down" in its zone."""
    table.do(c.StartRound)
    table.draw_unread()
    table.lay("burn", 1)
    table.draw(BURNS[1])
    table.lay("burn", 2)
    table.lay("burn", 3)
    table.wait(1.6)  # the shoe was silent on the third one
    table.draw(BURNS[3])
    table.lay("burn", 4)
    assert table.state.incidents.open == ()
    table.do(c.OpenBetting)


def test_a_burn_reading_that_comes_after_the_camera_is_the_same_card(table: Bench) -> None:
    table.do(c.StartRound)
    table.lay("burn", 1)
    table.tick()
    id = table.draw(BURNS[0])
    assert table.round.deal.cards["burn", 1].card.id == id
    assert table.next_slot() == ("burn", 2)
    assert id in table.round.eyes.confirmed


def test_a_reading_that_comes_after_the_camera_is_the_same_card(dealing: Bench) -> None:
    dealing.lay("player1", 1, DEAL[0])
    dealing.wait(1.0)
    id = dealing.draw(DEAL[0])
    assert dealing.state.incidents.open == ()
    assert id in dealing.round.eyes.confirmed


def test_a_reading_that_comes_after_the_camera_saw_it_in_a_wrong_place_is_a_misplaced_card(dealing: Bench) -> None:
    dealing.lay("player2", 1, DEAL[0])
    assert dealing.state.incidents.open == ()
    dealing.draw(DEAL[0])
    dealing.tick()
    assert dealing.incident.kind == "misplaced_card"


def test_a_card_the_camera_saw_for_a_moment_is_owed_no_reading(dealing: Bench) -> None:
    dealing.lay("player1", 1, "9c")
    dealing.lift("player1", 1)
    dealing.wait(30)
    dealing.deal(DEAL[0])
    dealing.wait(1)
    assert dealing.state.incidents.open == ()


def test_an_unread_card_in_the_window_is_an_early_card_for_the_discard(table: Bench) -> None:
    table.start().do(c.OpenBetting)
    table.draw_unread()
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("HG1", "card_to_discard")
    table.rule("card_to_discard")
    table.wait(16)
    assert table.next_slot() == ("player1", 1)


# --- HG15: shoe and camera differ ----------------------------------------------------------------------


@pytest.fixture
def mismatch(dealing: Bench) -> Bench:
    """The shoe says eight of spades for Player 1's first card, the camera says jack of spades."""
    dealing.draw("8s")
    dealing.lay("player1", 1, DEAL[0])
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("card_mismatch", "HG15")
    assert dealing.incident.scene.evidence
    return dealing


def face(table: Bench) -> Card | None:
    fact = table.round.deal.cards["player1", 1]
    assert isinstance(fact, CardDealt)
    return fact.face


def test_hg15_the_shoe_is_right_and_the_camera_may_go_on_disagreeing(mismatch: Bench) -> None:
    mismatch.rule("shoe", PIT)
    mismatch.wait(10)
    mismatch.lay("player1", 1, DEAL[0])
    assert mismatch.state.incidents.open == ()
    assert face(mismatch) is Card.parse("8s")
    mismatch.deal(*DEAL[1:])
    settled(mismatch)


def test_hg15_what_was_ruled_is_ruled_after_a_restart_too(mismatch: Bench) -> None:
    mismatch.rule("shoe", PIT)
    mismatch.restart()
    mismatch.links()
    for number in range(1, 5):
        mismatch.lay("burn", number)
    mismatch.lay("player1", 1, DEAL[0])
    mismatch.rule("continue", PIT, kind="restart")
    assert mismatch.state.incidents.open == ()
    mismatch.deal(*DEAL[1:])
    settled(mismatch)


def test_hg15_another_look_of_the_camera_is_another_contradiction(mismatch: Bench) -> None:
    mismatch.rule("shoe", PIT)
    mismatch.lay("player1", 1, "9c")
    assert mismatch.open_kinds() == ["card_mismatch"]
    mismatch.rule("shoe", PIT)


def test_hg15_the_camera_is_right_and_the_card_it_was_not_may_still_come(mismatch: Bench) -> None:
    mismatch.rule("camera", PIT)
    assert face(mismatch) is DEAL[0]
    mismatch.deal("8s")
    assert mismatch.state.incidents.open == ()
    settled(mismatch.deal(*DEAL[2:]))


def test_hg15_two_people_may_enter_the_card(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Jc")
    mismatch.approve()
    mismatch.wait(5)
    assert mismatch.state.incidents.open == ()
    assert face(mismatch) is Card.parse("Jc")
    exceptions = mismatch.rows("ExceptionRecorded")
    assert [(one.asked_by, one.approved_by) for one in exceptions] == [("p1", "p2")]
    assert "8s" in str(exceptions[0].before)
    assert "Jc" in str(exceptions[0].after)


def test_hg15_may_void_the_round(mismatch: Bench) -> None:
    mismatch.rule("void_round", PIT)
    refunded(mismatch)


def test_hg15_a_card_out_already_is_not_entered_by_hand(dealing: Bench) -> None:
    dealing.deal(DEAL[0])
    dealing.draw("8s")
    dealing.lay("player2", 1, "9s")
    dealing.rule("manual", PIT, str(DEAL[0]))
    before = dealing.table.seq
    with pytest.raises(RefusedError, match="seen already"):
        dealing.approve()
    assert dealing.table.seq == before
    dealing.do(c.DeclineRuling, PIT_TOO, incident=dealing.incident.id)
    dealing.rule("camera", PIT)


def test_hg15_what_is_no_card_is_refused_and_freezes_nothing(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "eleven")
    with pytest.raises(RefusedError, match="is not a card"):
        mismatch.approve()
    assert not mismatch.state.pit.freeze.by
    mismatch.rule("camera", PIT)


# --- HG17, HG21: the second eye ------------------------------------------------------------------------


def test_hg17_cards_cleared_before_the_result_are_laid_out_again_one_by_one(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.clear()
    assert dealing.state.incidents.open == ()
    dealing.wait(3.1)
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("cleared_early", "HG17")
    dealing.rule("relay_from_discard", PIT)
    for number in range(1, 5):
        dealing.lay("burn", number)
    for at, card in enumerate(DEAL):
        assert dealing.incident.ruled.ruling == "relay_from_discard"
        dealing.lay(("player1", "player2", "player3", "banker")[at % 4], at // 4 + 1, card)
    assert dealing.state.incidents.open == ()
    settled(dealing)


def test_hg17_a_card_put_back_in_time_was_never_cleared(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.lift("player2", 1)
    assert dealing.round.eyes.doubts
    dealing.wait(2.9)
    dealing.lay("player2", 1, DEAL[1])
    dealing.wait(5)
    assert dealing.state.incidents.open == ()
    assert not dealing.round.eyes.doubts


def test_hg17_cards_taken_away_while_the_table_was_held_are_missed_when_it_goes_on(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.do(c.FreezeTable)
    dealing.lift("player1", 1)
    dealing.lift("player2", 1)
    dealing.do(c.ReleaseTable, dealing.pin(PIT), reason_code="checked", words="Go on.")
    dealing.wait(3.1)
    assert dealing.incident.kind == "cleared_early"
    dealing.rule("relay_from_discard", PIT)
    dealing.lay("player1", 1, DEAL[0])
    dealing.lay("player2", 1, DEAL[1])
    assert dealing.state.incidents.open == ()


@pytest.mark.parametrize("place", [("player1", 1), ("player3", 1)])
def test_one_open_card_that_is_missed_in_mid_deal_fell_and_the_dealer_puts_it_back(
    dealing: Bench, place: tuple[str, int]
) -> None:
    dealing.deal(*DEAL[:3])
    dealing.lift(*place)
    dealing.wait(3.1)
    incident = dealing.incident
    assert (incident.kind, incident.ruling.row, incident.ruling.ruling) == ("dropped_card", "TK8", "reuse_card")
    assert (incident.scene.box, incident.scene.place, incident.circumstances["identified"]) == (*place, True)
    dealing.rule("reuse_card", DEALER)
    assert dealing.state.held, "both eyes have to agree again"
    dealing.lay(*place, "Ad")
    assert dealing.state.held, "another card is not the one that fell"
    dealing.lay(*place, DEAL[0] if place == ("player1", 1) else DEAL[2])
    assert dealing.state.incidents.open == ()


def test_a_second_card_that_is_missed_with_the_first_was_picked_up(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    dealing.lift("player1", 1)
    dealing.wait(2)
    dealing.lift("player2", 1)
    dealing.wait(1.1)
    assert dealing.open_kinds() == ["cleared_early"]
    assert (dealing.incident.ruling.row, dealing.incident.ruling.approval) == ("HG17", "pit_boss")


def test_hg21_the_dealer_is_asked_after_three_seconds_and_deals_on(dealing: Bench) -> None:
    dealing.draw(DEAL[0])
    dealing.lay("player1", 1, face=UNSURE)
    dealing.wait(2.9)
    assert dealing.state.incidents.open == ()
    dealing.wait(0.2)
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("camera_unsure", "HG21")
    assert not dealing.state.held
    dealing.deal(*DEAL[1:])
    assert dealing.refused(c.DeclareResult) == "unconfirmed"
    dealing.lay("player1", 1, DEAL[0])
    dealing.tick()
    assert dealing.state.incidents.open == ()
    settled(dealing)


def test_hg21_the_dealer_may_acknowledge_it_and_cannot_confirm_the_card(dealing: Bench) -> None:
    dealing.draw(DEAL[0])
    dealing.lay("player1", 1, face=DOWN)
    dealing.wait(3.1)
    dealing.rule("continue")
    dealing.deal(*DEAL[1:])
    dealing.wait(30)
    assert dealing.open_kinds() == ["camera_unsure"]
    assert dealing.refused(c.DeclareResult) == "unconfirmed"
    dealing.lay("player1", 1, DEAL[0])
    assert dealing.state.incidents.open == ()
    settled(dealing)


def test_hg21_a_pit_boss_reads_the_picture_with_pin_and_reason(dealing: Bench) -> None:
    dealing.draw(DEAL[0])
    dealing.wait(3.1)
    incident = dealing.incident.id
    given = {"incident": incident, "ruling": "continue", "reason_code": "picture", "words": "A jack of spades."}
    assert dealing.refused(c.RuleIncident, PIT, **given) == "pin_needed"
    dealing.rule("continue", PIT)
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[1:])
    settled(dealing)
    assert [one.by for one in dealing.rows("CardConfirmed")].count("p1") == 1


def test_a_second_camera_reading_by_hand_over_the_felt_is_no_event_of_the_deal(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.say(ports.CameraSawHand(device="camera", at_ms=dealing.now, zone="player3", place=1))
    dealing.wait(5)
    assert dealing.state.incidents.open == ()
