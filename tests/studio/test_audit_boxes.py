"""The audit of a round dealt to boxes finds each lie: of who chose, of what it cost, of whose bets went back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from blackjack_bench import BLACKJACK, Boxes
from table_bench import PIT

from studio.journal import Unit
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError


@pytest.fixture
def table() -> Iterator[Boxes]:
    made = Boxes(BLACKJACK)
    made.deposit()
    made.deposit(bettor="bob")
    made.open()
    yield made
    made.close()


def told_otherwise(kind: str, old: str, new: str) -> Callable[[Unit], Unit]:
    """The journal says this of the next event of that kind, whatever happened."""

    def tamper(unit: Unit) -> Unit:
        def entries(given: object) -> tuple[object, ...]:
            return tuple(
                replace(one, body=one.body.replace(old.encode(), new.encode())) if one.kind == kind else one
                for one in given  # type: ignore[attr-defined]
            )

        inside = unit.entries_for_bets
        lied = (lambda accepted: entries(inside(accepted))) if inside else None
        return replace(unit, entries=entries(unit.entries), entries_for_bets=lied)

    return tamper


def left_out(kind: str) -> Callable[[Unit], Unit]:
    """The journal does not hold events of that kind."""
    return lambda unit: replace(unit, entries=tuple(one for one in unit.entries if one.kind != kind))


def deal(table: Boxes, cards: str = "Th 9h 6c 7h 9c") -> Boxes:
    table.bet_on({"3:main": 1_000}).bet_on({"5:main": 1_000}, bettor="bob").no_more_bets()
    return table.cards(cards)


def found(table: Boxes) -> str:
    with pytest.raises(WrongError) as error:
        audit(steps(table.store.connection))
    return str(error.value)


def test_what_happened_is_found_right(table: Boxes) -> None:
    deal(table).chosen("3 stand").wait(15)
    audit(steps(table.store.connection))


def test_a_default_that_is_not_the_rules_is_found(table: Boxes) -> None:
    deal(table)
    table.tamper = told_otherwise("Chose", '"option":"stand"', '"option":"surrender"')
    table.wait(15)
    assert "another default" in found(table)


def test_a_default_before_the_time_is_over_is_found(table: Boxes) -> None:
    deal(table)
    table.tamper = told_otherwise("BetsOpened", '"closes_at_ms":', '"closes_at_ms":9')
    table.chosen("3 stand")
    table.wait(15)
    assert "time left" in found(table)


def test_a_choice_that_nobody_made_is_found(table: Boxes) -> None:
    deal(table)
    table.tamper = left_out("DecisionsTaken")
    table.chosen("3 stand")
    assert "Nobody decided" in found(table)


def test_a_choice_by_another_than_the_bettor_of_the_box_is_found(table: Boxes) -> None:
    deal(table)
    table.tamper = told_otherwise("DecisionsTaken", '"bettor":"ann"', '"bettor":"bob"')
    table.chosen("3 stand")
    assert "by another, or out of turn" in found(table)


def test_a_double_for_less_than_the_bet_is_found(table: Boxes) -> None:
    deal(table)
    table.tamper = told_otherwise("DecisionsTaken", '"stake_minor":1000', '"stake_minor":10')
    table.chosen("3 double")
    assert "not what it costs" in found(table)


def test_cards_for_a_box_without_a_bet_are_found(table: Boxes) -> None:
    table.tamper = told_otherwise("WindowClosed", '"boxes":["3","5"]', '"boxes":["3","4","5"]')
    deal(table, "")
    assert "not those that were taken" in found(table)


def test_a_bet_that_stands_and_went_back_is_found(table: Boxes) -> None:
    table.bet_on({"2:main": 1_000, "3:main": 1_000}).bet_on({"5:main": 1_000}, bettor="bob").no_more_bets().cards("Th")
    table.draw("9h")
    table.lay("5", 1, "9h")
    table.rule("void_hand", PIT)
    [mine] = [bet.bet_id for bet in table.table.book.bets if bet.bet == "3:main"]
    [standing] = [bet.bet_id for bet in table.table.book.bets if bet.bet == "2:main"]
    table.tamper = told_otherwise("BetsReturned", mine, standing)
    table.pay()
    assert "that stand" in found(table)


def test_a_void_round_that_pays_what_no_card_has_won_is_found(table: Boxes) -> None:
    deal(table)
    table.report("malfunction", PIT)
    table.tamper = told_otherwise("RoundVoided", '"paid":{}', '"paid":{"3:main":"5/2"}')
    table.rule("void_round", PIT)
    table.pay()
    assert "have not won" in found(table)
