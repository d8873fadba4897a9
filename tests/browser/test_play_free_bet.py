"""A bettor takes a free bet as a chip: told as free while it waits, when it stands and in its result."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from held_to_axe import wrong_on
from play_house import Opener, PlayHouse
from playwright.sync_api import Page, expect
from sample import sampled

from studio.operators import FreeBetsGranted

pytestmark = pytest.mark.browser

COMES_BACK = {
    "en": ("free bet back", "Your free bet is yours again"),
    "ja": ("フリーベットが戻りました", "フリーベットは再び使えます"),
    "id": ("taruhan gratis kembali", "Taruhan gratis Anda bisa dipakai lagi"),
}
SHOTS = os.environ.get("FREE_BET_SHOTS", "")
"""A folder for pictures of the page, for people who want to look at it."""


def shown(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def granted(
    studio: PlayHouse, grant: str = "welcome", count: int = 2, stake_minor: int = 500, expires_at_ms: int = 0
) -> None:
    wanted = FreeBetsGranted(
        at_ms=0, operator="north", bettor="ann.k-7", grant=grant, stake_minor=stake_minor, count=count, currency="EUR",
        expires_at_ms=expires_at_ms,
    )  # fmt: skip
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


@pytest.mark.parametrize(
    ("width", "height", "language"),
    sampled(
        ((*size, language) for size in [(320, 640), (800, 600), (1280, 800)] for language in COMES_BACK),
        (320, 640, "id"), (1280, 800, "ja"),
    ),
)  # fmt: skip
def test_it_is_reached_by_keys_and_fits(open_studio: Opener, width: int, height: int, language: str) -> None:
    studio = open_studio("three_knights")
    granted(studio)
    granted(studio, "weekend", 9, 2_500)
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7", width=width, height=height, language=language)
    expect(page.locator("[data-free]")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert wrong_on(page) == []
    for chip in page.locator("[data-free]").all():
        chip.scroll_into_view_if_needed()
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


@pytest.mark.parametrize(
    ("width", "height"), sampled([(320, 640), (390, 844), (800, 600), (1920, 1080)], (320, 640), (1920, 1080))
)
def test_every_grant_is_a_chip_and_the_one_that_ends_first_comes_first(
    open_studio: Opener, width: int, height: int
) -> None:
    studio = open_studio("three_knights")
    now_ms = studio.floor.now_ms()
    for at, hours in enumerate((0, 9, 2, 5)):
        granted(studio, f"g{hours}", at + 1, 500, now_ms + hours * 3_600_000 if hours else 0)
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7", width=width, height=height)
    found = [chip.get_attribute("data-free") for chip in page.locator("[data-free]").all()]
    assert found == ["g2", "g5", "g9", "g0"]
    expect(page.locator("[data-free='g2']")).to_have_attribute("aria-label", re.compile("3 left, until 20"))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    shown(page, f"many-{width}")
    page.focus("[data-chip][tabindex='0']")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    last = page.locator("[data-free='g0']")
    expect(last).to_be_focused()
    box = last.bounding_box()
    assert box is not None
    assert 0 <= box["x"] <= width - box["width"], "the row moves to the chip that is chosen"
    page.click("button.bet-spot[data-bet='player1_win']")
    expect(page.locator("#bar-says")).to_have_text(re.compile("free bet of €5.00"))
    shown(page, f"many-{width}-last")


@pytest.mark.parametrize("language", sampled(COMES_BACK, "ja"))
def test_a_free_bet_that_comes_back_is_said_to_be_his_again(open_studio: Opener, language: str) -> None:
    studio = open_studio("three_knights")
    granted(studio, count=1)
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7", width=320, height=640, language=language)
    page.click("[data-free='welcome']")
    page.click("button.bet-spot[data-bet='player1_win']")
    page.click("#place")
    expect(page.locator("#bar-says[data-tone='good']")).to_be_visible()
    studio.floor.settle({"player1_win": 500})
    cell, headline = COMES_BACK[language]
    expect(page.locator(".mine .back-free")).to_have_text(cell)
    expect(page.locator(".mine tfoot td").last).to_have_text("")
    expect(page.locator(".ended b")).to_have_text(headline)
    shown(page, f"back-{language}")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
