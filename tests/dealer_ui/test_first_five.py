"""First 5 as a bettor reads it: the pot, his share and the fixed prizes, in his own currency."""

from __future__ import annotations

import pytest
from altered import altered
from api_fake_floor import table_view

from dealer_ui.public.first_five import first_five, first_fives
from dealer_ui.words.language import LANGUAGES, Languages
from dealer_ui.worker.notice_board import NoticeBoard
from studio.jackpot import PotTerms
from studio.money import Rates
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.fold.table import evolve
from studio.tables.state.table import TableState
from studio.views import ShoeResults
from studio.views.shape import PotView, TableView

POT = PotTerms(key="main", currency="EUR", seed_minor=1_000, reset_minor=500)
CONFIG = TableConfig(key="t1", title="Table 1", game="holdem_bonus", pot=POT)
RATES = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"})


@pytest.fixture
def view() -> TableView:
    """Twelve thousand in the pot and nine to come; three bettors would share it."""
    return table_view(
        game={
            "key": "holdem_bonus",
            "rules": {},
            "pot": PotView("main", "EUR", 12_000, 9, 3),
            "rates": RATES,
            "limits": {"first5": (100, 1_000)},
            "currencies": {"JPY": {"first5": (170, 1_700)}},
        }
    )


def test_who_has_bet_is_one_of_those_who_share(view: TableView) -> None:
    told = first_five(view, "EUR", 200)
    assert told is not None
    assert (told.amount_minor, told.sharers, told.share_minor) == (12_009, 3, 4_003)
    assert dict(told.prizes)["flush"] == 200 * 40
    assert dict(told.prizes)["straight_flush"] == 200 * 2500


def test_who_has_not_bet_would_be_one_more_at_the_least_stake(view: TableView) -> None:
    told = first_five(view, "EUR")
    assert told is not None
    assert (told.sharers, told.share_minor, told.stake_minor) == (4, 3_002, 100)


def test_all_of_it_is_in_the_bettors_own_currency(view: TableView) -> None:
    told = first_five(view, "JPY", 340)
    assert told is not None
    assert (told.currency, told.amount_minor) == ("JPY", RATES.convert(12_009, "EUR", "JPY"))
    assert (told.share_minor, dict(told.prizes)["flush"]) == (RATES.convert(4_003, "EUR", "JPY"), 340 * 40)


def test_a_purse_in_a_currency_without_a_rate_reads_the_pots_own(view: TableView) -> None:
    told = first_five(view, "USD", 500)
    assert told is not None
    assert (told.currency, told.amount_minor, told.stake_minor) == ("EUR", 12_009, 100)


def test_another_game_and_a_table_without_a_pot_have_none(view: TableView) -> None:
    assert first_five(altered(view, game={"key": "ultimate_holdem"}), "EUR") is None
    assert first_five(altered(view, game={"pot": None}), "EUR") is None


def test_the_display_tells_it_in_every_currency_of_the_table(view: TableView) -> None:
    assert [one.currency for one in first_fives(view)] == ["EUR", "JPY"]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_prize_has_its_words(view: TableView, tag: str) -> None:
    told, words = first_five(view, "EUR"), Languages().speak(tag)
    assert told is not None
    assert all(words.knows(f"poker.{hand}") for hand in (*dict(told.prizes), "royal_flush"))


def test_the_bets_of_the_open_round_are_in_it_before_the_pot_has_them() -> None:
    """Two bettors, one of whom has bet twice."""
    state, book = TableState(CONFIG), Book("t1-1")
    started = e.RoundStarted(
        round="t1-1", number=1, game="holdem_bonus", version=1, rules={"first5_pot": 0}, dealer="d1", pot=POT
    )
    bets = tuple(
        e.PlacedBet(bet_id=f"b{n}", operator="north", client_id=f"c{n}", bettor=who, bet="first5", stake_minor=100,
                    currency="EUR")
        for n, who in enumerate(("ann", "bob", "ann"))
    )  # fmt: skip
    for event in (started, e.BetsPlaced(bets=bets)):
        state = evolve(state, event, 0)
    book.add(bets)
    board = NoticeBoard({"pot:main": 1_000}.__getitem__)
    board.add(state, book, 1, ShoeResults())
    board.publish(state, book, 1)
    assert board.view("t1").game.pot == PotView("main", "EUR", 1_000, 114, 2)
