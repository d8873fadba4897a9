"""The checkers themselves: each of them sees what it is there for."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from dealer_ui.rehearsal.check.card import CardCheck, FaceCheck
from dealer_ui.rehearsal.check.misdeal import MisdealCheck
from dealer_ui.rehearsal.check.money import MoneyCheck
from dealer_ui.rehearsal.check.night import Checker, HoldCheck
from dealer_ui.rehearsal.night import Night, NightOptions
from studio.cards import Card, SealedCard
from studio.money import Transfer
from studio.ports import CardFace, ShoeDrewCard, ShoeStandby
from studio.rounds import CardBurned, CardDealt
from studio.tables.event import table as e
from studio.tables.event.situation import CameraSays, CardReads
from studio.tables.state.round import Stage
from studio.value import replace

CARD = SealedCard("c1", b"", b"")
STARTED = e.RoundStarted(round="t-1", number=1, game="three_knights", version=1, rules={}, dealer="d")
PLACED = e.PlacedBet(
    bet_id="b", operator="op", client_id="c", bettor="ann", bet="player1_win", stake_minor=100, currency="EUR"
)
DREW = e.ObservationRecorded(observation=ShoeDrewCard(device="shoe", at_ms=1, card=CARD))
QUIET = e.ObservationRecorded(observation=ShoeStandby(device="shoe", at_ms=2))


@pytest.fixture
def night() -> Iterator[Night]:
    night = Night(NightOptions("three_knights", 1))
    yield night
    night.close()


def cards_wrong(*events: e.AnyEvent) -> list[str]:
    check = CardCheck("shoe")
    opened = (e.TableOpened(dealer="d", dealer_name="D", by="p"), e.ShoeLoaded(deck_id="D1", by="d"), STARTED)
    return [sentence for event in (*opened, *events) for sentence in check.take(event)]


def test_a_card_of_which_nothing_is_told_is_noticed() -> None:
    assert cards_wrong(DREW, QUIET) == ["Card c1 came out of the shoe and nothing was told of it."]


def test_a_card_that_is_burned_is_accounted_for() -> None:
    assert cards_wrong(DREW, e.FactStood(fact=CardBurned(card=CARD, place=1)), QUIET) == []


def test_a_card_that_counts_twice_is_noticed() -> None:
    burned = e.FactStood(fact=CardBurned(card=CARD, place=1))
    assert cards_wrong(DREW, burned, burned) == ["Card c1 counts twice: CardBurned, then CardBurned."]


def test_a_card_set_aside_and_forgotten_is_noticed() -> None:
    aside = e.CardSetAside(card=CARD, why="early")
    assert cards_wrong(DREW, aside, STARTED) == ["Card c1 was set aside and never disposed of."]
    assert cards_wrong(DREW, aside, e.CardDisposed(id="c1", to="discard"), STARTED) == []


def test_a_face_in_an_observation_is_noticed() -> None:
    check = FaceCheck(lambda id: None)
    assert list(check.take(QUIET, "ShoeStandby", b'{"label":"Ah"}')) == ["A ShoeStandby shows the face Ah."]


def test_the_face_of_a_burned_card_is_noticed_anywhere(night: Night) -> None:
    sealed = night.sealer.card(Card.parse("Ah"))
    check = FaceCheck({sealed.id: sealed.publish_key()}.get)
    list(check.take(e.FactStood(fact=CardBurned(card=sealed, place=1)), "CardBurned", b"{}"))
    assert list(check.take(STARTED_RESULT, "ResultDeclared", b'{"cards":["Ah"]}')) == [
        f"A ResultDeclared shows the face of {sealed.id}, which lies sealed."
    ]


def test_what_a_camera_takes_an_open_card_for_may_be_any_card(night: Night) -> None:
    sealed, ace = night.sealer.card(Card.parse("Ah")), Card.parse("Ah")
    check = FaceCheck({sealed.id: sealed.publish_key()}.get)
    list(check.take(e.FactStood(fact=CardBurned(card=sealed, place=1)), "CardBurned", b"{}"))
    for said, wrong in (
        (CameraSays(ace), []),
        (CardReads(("dealer", 3), ace, "c9", 1), [f"A ExceptionRecorded shows the face of {sealed.id}"]),
    ):
        body = msgspec.json.encode(said, enc_hook=str)
        told = list(check.take(STARTED_RESULT, "ExceptionRecorded", b'{"parts":[%b]}' % body))
        assert [one.partition(", which")[0] for one in told] == wrong


STARTED_RESULT = e.ResultDeclared(outcome={}, by="d")


def test_what_goes_on_while_the_table_is_held_is_noticed() -> None:
    check = HoldCheck()
    assert check.take(e.TableFrozen(by="d", by_name="D")) == ""
    assert check.take(STARTED) == "RoundStarted happened while the table was held."
    stood = e.FactStood(fact=CardDealt(card=CARD, box="banker", place=1))
    assert check.take(stood) == "CardDealt stood while the table was held, and nobody had ruled so."
    check.take(e.TableReleased(by="p", reason_code="r", words="w"))
    assert check.take(STARTED) == ""


def test_a_stake_that_does_not_come_back_whole_is_noticed() -> None:
    check = MoneyCheck("t", "three_knights")
    check.take(STARTED)
    check.take(e.BetsPlaced(bets=(PLACED,)))
    moved = [("reserve", "bettor:op:ann", "escrow:t-1", 100), ("void", "escrow:t-1", "bettor:op:ann", 99)]
    wrong = list(check.voided([Transfer("t-1", "b", *each[:3], each[3], "EUR") for each in moved]))
    assert "Bet b of 100 has these of kind void: [99]." in wrong
    assert "1 lie in the escrow of round t-1, which is over." in wrong


def test_a_stake_that_goes_back_to_another_bettor_is_noticed() -> None:
    check = MoneyCheck("t", "three_knights")
    check.take(STARTED)
    check.take(e.BetsPlaced(bets=(PLACED,)))
    moved = [("reserve", "bettor:op:ann", "escrow:t-1"), ("void", "escrow:t-1", "bettor:op:bob")]
    wrong = list(check.voided([Transfer("t-1", "b", *each, 100, "EUR") for each in moved]))
    assert wrong == ["The stake of bet b went back to bettor:op:bob."]


def test_a_result_that_counts_another_card_than_lies_there_is_noticed(night: Night) -> None:
    checker, felt = Checker(night), night.rig.felt
    while night.state.round is None or night.state.round.stage is not Stage.SETTLING:
        night.step()
    there = felt.take("banker", 2)
    other = Card.parse("2c" if there is not Card.parse("2c") else "3c")
    felt.lay("banker", 2, other, CardFace.UP)
    checker.watch()
    assert [found.sentence for found in checker.violations] == [f"banker 2 counts as {there}, and {other} lies there."]


def test_a_live_state_that_the_journal_does_not_fold_to_is_noticed(night: Night) -> None:
    checker = Checker(night)
    while not checker.watch():
        night.step()
    checker.compare(night.state)
    assert not checker.violations
    checker.compare(replace(night.state, seat=replace(night.state.seat, dealer="somebody")))
    assert "another state than the live one: seat.dealer." in checker.violations[0].sentence


def misdealt(*events: e.AnyEvent) -> list[str]:
    """What is wrong with a hand of seat1 and seat2, its blind posted, that is dealt again."""
    check = MisdealCheck()
    hand = msgspec.structs.replace(STARTED, game="nlh", rules={"hand": {"seats": ["seat1", "seat2"]}})
    blind = e.BetsPlaced(bets=(msgspec.structs.replace(PLACED, bet="seat1"),))
    told = (hand, blind, dealt("seat1"), dealt("seat2"), *events)
    return [sentence for event in told for sentence in check.take(event)]


def dealt(seat: str) -> e.FactStood:
    return e.FactStood(fact=CardDealt(card=CARD, box=seat, place=1))


AGAIN = e.RedealOrdered(row="PK1")
RAISED = e.DecisionsTaken(decisions=(), bets=(msgspec.structs.replace(PLACED, bet_id="raise", bet="seat2"),))


def test_a_hand_dealt_again_to_the_same_seats_and_blinds_is_right() -> None:
    back = e.BetsReturned(bets=("raise",), stake_minor=100, over=0)
    assert misdealt(RAISED, AGAIN, back, dealt("seat1"), dealt("seat2")) == []


def test_a_hand_dealt_again_to_other_seats_is_noticed() -> None:
    assert misdealt(AGAIN, dealt("seat2")) == [
        "Deal 2 of the hand goes to ['seat2']; the hand began with ['seat1', 'seat2']."
    ]


def test_a_bet_left_in_a_hand_that_is_dealt_again_is_noticed() -> None:
    assert misdealt(RAISED, AGAIN, dealt("seat1")) == [
        "Deal 2 of the hand begins with 200 in the pot; it began with 100."
    ]
