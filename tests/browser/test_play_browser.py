"""Bettors of two operators at two tables play on their pages, in a real browser, over a network that fails them."""

from __future__ import annotations

import re

import pytest
from heard import click, heard, press
from held_to_axe import wrong_on
from play_house import Opener
from playwright.sync_api import Page, Route, expect

from studio.views.own import OwnChoice, OwnPlay

pytestmark = pytest.mark.browser

WIDTHS = ((320, 640), (1280, 800))


def lay(page: Page, bet: str, chip: int = 500) -> None:
    click(page, f"[data-chip='{chip}']")
    click(page, f"button.bet-spot[data-bet='{bet}']")


def test_bettors_of_two_operators_bet_at_two_tables_and_nothing_is_lost_or_doubled(open_studio: Opener) -> None:
    knights, holdem = open_studio("three_knights"), open_studio("ultimate_holdem")
    for studio in (knights, holdem):
        studio.floor.open_bets(window_ms=3_600_000)
    ann, budi = knights.launch("north", "ann.k-7"), holdem.launch("south", "budi:22", width=1280, height=800)

    lost: list[str] = []

    def lose_the_answer(route: Route) -> None:
        if not lost:
            lost.append(route.fetch().text())  # the studio has it, and the bettor hears nothing
            route.abort()
        else:
            route.continue_()

    ann.route("**/bets*", lose_the_answer)
    lay(ann, "player1_win")
    lay(ann, "player2_tie", 100)
    ann.dblclick("#place")
    expect(ann.locator("#bar-says")).to_have_text("Accepted: €6.00")
    assert "accepted" in lost[0]
    assert knights.bets("north", "ann.k-7") == [("player1_win", 500), ("player2_tie", 100)]

    lay(budi, "trips", 100)
    expect(budi.locator("#bar-says")).to_have_text("Lay a chip on Ante first.")
    lay(budi, "ante")
    expect(budi.locator("#place")).to_have_text("Place €10.00")  # the blind lies beside it
    click(budi, "#place")
    expect(budi.locator("#bar-says")).to_have_text(re.compile("Accepted"))
    assert ("ante", 500) in holdem.bets("south", "budi:22")
    assert holdem.bets("north", "ann.k-7") == knights.bets("south", "budi:22") == []

    second = ann.context.new_page()
    second.goto(ann.url)
    for page in (ann, second):  # what stands is told by the studio, to every page and after a reload
        page.reload()
        expect(page.locator("#spot-player1_win .chips-placed")).to_have_text("5")

    lay(second, "player3_win")
    knights.floor.close_bets()
    expect(second.locator("#bar-says")).to_have_text(re.compile("Bets are closed. €5.00 was not placed"))
    assert len(knights.bets("north", "ann.k-7")) == 2


def test_a_decision_is_pressed_once_and_counts_once(open_studio: Opener) -> None:
    studio = open_studio("three_card_poker")
    page = studio.launch("south", "budi:22", language="id")
    studio.floor.own = OwnPlay("r.1", (OwnChoice("play", adds_minor=1_000), OwnChoice("fold")))
    studio.floor.show()
    page.dblclick("#choice--fold")
    expect(page.locator("#bar-says")).to_have_text(re.compile("Pilihan Anda"))
    assert [(operator, one.bettor, one.option) for operator, one in studio.floor.decided] == [
        ("south", "budi:22", "fold")
    ]


def test_a_page_comes_through_a_studio_that_goes_away(open_studio: Opener) -> None:
    studio = open_studio("kkclash")
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7")
    lay(page, "shark")
    heard(page)
    page.context.set_offline(True)
    page.click("#place")
    expect(page.locator("#bar-says")).to_have_text(re.compile("No answer yet"))
    page.context.set_offline(False)
    expect(page.locator("#bar-says")).to_have_text("Accepted: €5.00")
    assert studio.bets("north", "ann.k-7") == [("shark", 500)]


@pytest.mark.parametrize("game", ["three_knights", pytest.param("blackjack", marks=pytest.mark.long)])
def test_a_player_needs_no_mouse_and_no_width(open_studio: Opener, game: str) -> None:
    studio = open_studio(game)
    studio.floor.open_bets(window_ms=3_600_000)
    for (width, height), language in zip(WIDTHS, ("ja", "en"), strict=True):
        page = studio.launch("north", "ann.k-7", width=width, height=height, language=language)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0, width
        assert wrong_on(page) == [], width
        page.focus("[data-chip][tabindex='0']")
        press(page, "ArrowRight")
        assert page.evaluate("document.activeElement.getAttribute('aria-checked')") == "true"
        page.focus("button.bet-spot")
        press(page, "Enter")
        expect(page.locator("#told")).not_to_be_empty()
        press(page, "Delete")
        expect(page.locator("#place")).to_have_attribute("aria-disabled", "true")
