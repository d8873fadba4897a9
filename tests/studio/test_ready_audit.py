"""`studio verify` believes an early end of the window only where every bettor with a bet had said so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blackjack_bench import BLACKJACK, Boxes
from test_audit_boxes import found, left_out, told_otherwise

from studio.games import find_game
from studio.journal import Unit
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.proof.audit.round.course import ReadyAudit
from studio.proof.audit.wrong import WrongError
from studio.tables import command as c
from studio.tables.event import table as e


@pytest.fixture
def table() -> Iterator[Boxes]:
    """Ann and Bob have bet, each on a box."""
    made = Boxes(BLACKJACK)
    made.deposit()
    made.deposit(bettor="bob")
    made.open()
    made.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor="bob")
    yield made
    made.close()


def as_it_is(unit: Unit) -> Unit:
    return unit


def ready(table: Boxes, *bettors: str) -> None:
    for bettor in bettors:
        table.table.say_ready("north", bettor, table.now)


def test_a_window_that_all_bettors_ended_is_found_right(table: Boxes) -> None:
    ready(table, "ann", "bob")
    table.cards("Th 9h 6c 7h 9c")
    audit(steps(table.store.connection))


def test_a_further_bet_and_then_his_word_again_are_found_right(table: Boxes) -> None:
    ready(table, "ann")
    table.bet_on({"3:perfect_pair": 100})
    ready(table, "bob", "ann")
    audit(steps(table.store.connection))


def test_a_window_that_the_dealer_closed_asks_nobody(table: Boxes) -> None:
    ready(table, "ann")
    table.do(c.CloseBetting)
    audit(steps(table.store.connection))


def test_an_early_end_that_one_of_them_never_agreed_to_is_found(table: Boxes) -> None:
    table.tamper = left_out("BettorReady")
    ready(table, "ann")
    table.tamper = as_it_is
    ready(table, "bob")
    assert "was ended by its bettors while 1 of them still could bet" in found(table)


def test_an_early_end_after_a_bet_that_took_one_word_back_is_found(table: Boxes) -> None:
    """Ann said it, and bet again: the last word of Bob ends nothing."""
    ready(table, "ann")
    table.bet_on({"3:perfect_pair": 100})
    table.tamper = told_otherwise("BettorReady", '"closes":false', '"closes":true')
    ready(table, "bob")
    assert "was ended by its bettors while 1 of them still could bet" in found(table)


def test_a_window_that_went_on_though_all_had_said_so_is_found(table: Boxes) -> None:
    ready(table, "ann")
    table.tamper = told_otherwise("BettorReady", '"closes":true', '"closes":false')
    ready(table, "bob")
    assert "was not ended by its bettors while 0 of them still could bet" in found(table)


def test_a_window_that_stays_open_after_its_end_is_found(table: Boxes) -> None:
    ready(table, "ann")
    table.tamper = left_out("WindowClosed")
    ready(table, "bob")
    table.tamper = as_it_is
    table.cards("Th")
    assert "ended the window, and it did not close" in found(table)


def test_the_word_of_somebody_without_a_bet_is_found(table: Boxes) -> None:
    table.tamper = told_otherwise("BettorReady", '"bettor":"ann"', '"bettor":"cid"')
    ready(table, "ann")
    assert "A bettor without a bet" in found(table)


@pytest.mark.parametrize(("game", "open"), [("blackjack", False), ("three_knights", True)])
def test_a_word_that_nobody_waits_for_is_found(game: str, open: bool) -> None:
    """After the window, or at a game whose window runs to its end."""
    with pytest.raises(WrongError, match="where nobody waits for him"):
        ReadyAudit("r1", find_game(game)).say(e.BettorReady(operator="north", bettor="ann"), open=open, seq=7)
