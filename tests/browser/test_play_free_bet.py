"""A bettor takes a free bet as a chip: told as free while it waits, when it stands and in its result."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from held_to_axe import wrong_on
from play_house import Opener, PlayHouse
from playwright.sync_api import Page, expect

from studio.operators import FreeBetsGranted

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("FREE_BET_SHOTS", "")
"""A folder for pictures of the page, for people who want to look at it."""


def shown(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def granted(studio: PlayHouse, grant: str = "welcome", count: int = 2, stake_minor: int = 500) -> None:
    wanted = FreeBetsGranted(
        at_ms=0, operator="north", bettor="ann.k-7", grant=grant, stake_minor=stake_minor, count=count, currency="EUR"
    )
    studio.floor.free_bets.grant(studio.floor.reader(), wanted)


def test_a_free_bet_is_a_chip_and_costs_him_nothing(open_studio: Opener) -> None:
    studio = open_studio("three_knights")
    granted(studio)
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7")
    chip = page.locator("[data-free='welcome']")
    expect(chip).to_have_attribute("aria-label", "Free bet of €5.00, 2 left")
    before = page.get_attribute("#balance", "data-minor")
    chip.click()
    page.click("button.bet-spot[data-bet='player1_win']")
    expect(page.locator("#bar-says")).to_have_text(re.compile("free bet of €5.00"))
    expect(chip.locator("[data-left]")).to_have_text("1")
    page.click("#place")
    expect(page.locator("#bar-says")).to_have_text("Accepted: €5.00")
    page.reload()
    expect(page.locator(".mine .free-tag")).to_have_text("free")
    assert page.get_attribute("#balance", "data-minor") == before
    [found] = studio.floor.reader().bets_of("north", "ann.k-7", 5)
    assert (found.bet.free, found.bet.stake_minor) == ("welcome", 500)
    shown(page, "accepted")


def test_no_more_are_laid_than_he_has_and_his_own_money_lies_beside_them(open_studio: Opener) -> None:
    studio = open_studio("three_knights")
    granted(studio, count=1)
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7")
    page.click("[data-free='welcome']")
    page.click("button.bet-spot[data-bet='player1_win']")
    page.click("button.bet-spot[data-bet='player1_win']")
    expect(page.locator("#bar-says")).to_have_text("You have no more of these free bets.")
    page.click("[data-chip='100']")
    page.click("button.bet-spot[data-bet='player1_win']")
    page.click("#place")
    expect(page.locator("#bar-says")).to_have_text("Accepted: €6.00")
    placed = {(one.bet.free, one.bet.stake_minor) for one in studio.floor.reader().bets_of("north", "ann.k-7", 5)}
    assert placed == {("welcome", 500), ("", 100)}
    page.reload()
    expect(page.locator("[data-free]")).to_have_count(0)


def test_of_two_pages_that_place_the_last_one_the_second_is_told_why(open_studio: Opener) -> None:
    studio = open_studio("three_knights")
    granted(studio, count=1)
    studio.floor.open_bets(window_ms=3_600_000)
    first = studio.launch("north", "ann.k-7")
    second = first.context.new_page()
    second.goto(first.url)
    for page in (first, second):
        page.click("[data-free='welcome']")
        page.click("button.bet-spot[data-bet='player2_win']")
    first.click("#place")
    expect(first.locator("#bar-says")).to_have_text("Accepted: €5.00")
    second.click("#place")
    expect(second.locator("#bar-says")).to_have_text(re.compile("This free bet cannot be used here, or no more"))
    assert len(studio.floor.reader().bets_of("north", "ann.k-7", 5)) == 1


@pytest.mark.parametrize(("width", "height"), [(320, 640), (800, 600), (1280, 800)])
@pytest.mark.parametrize("language", ["en", "ja", "id"])
def test_it_is_reached_by_keys_and_fits(open_studio: Opener, width: int, height: int, language: str) -> None:
    studio = open_studio("three_knights")
    granted(studio)
    granted(studio, "weekend", 9, 2_500)
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7", width=width, height=height, language=language)
    expect(page.locator("[data-free]")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert wrong_on(page) == []
    for chip in page.locator("[data-free]").all():
        box = chip.bounding_box()
        assert box is not None
        assert box["width"] >= 44
        assert box["height"] >= 44
        assert 0 <= box["x"] <= width - box["width"]
    page.focus("[data-chip][tabindex='0']")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.free") is not None
    page.focus("button.bet-spot")
    page.keyboard.press("Enter")
    expect(page.locator("#told")).not_to_be_empty()
    shown(page, f"{width}-{language}")
