"""A player is asked whether he goes on: over the whole page, until he has answered, in a real browser."""

from __future__ import annotations

import pytest
from api_fake_floor import NORTH
from held_to_axe import wrong_on
from play_house import Opener, PlayHouse
from playwright.sync_api import Page, expect
from sample import sampled

from studio.operators import BettorTerms

pytestmark = pytest.mark.browser

BETTOR = "ann.k-7"


def asked(studio: PlayHouse, **more: object) -> Page:
    """The page of a bettor who has played for an hour, and has lost."""
    page = studio.launch("north", BETTOR, **more)  # type: ignore[arg-type]
    bets = [{"client_id": "x1", "bettor": BETTOR, "bet": "player1_win", "stake": 1_500}]
    told = studio.client.post("/api/v1/tables/t1/bets", headers=NORTH, json={"bets": bets})
    assert told.get_json()["answers"][0]["status"] == "accepted"
    studio.floor.settle({"player1_win": 0})
    studio.floor.bettors.launch("north", BETTOR, BettorTerms(check_min=30))
    studio.floor.now += 30 * 60_000
    page.reload()
    expect(page.locator("#check[open] #check-title")).to_be_focused()
    return page


@pytest.mark.parametrize(("width", "height"), sampled([(320, 640), (1280, 800)], (320, 640)))
def test_nothing_is_reached_until_he_has_answered(open_studio: Opener, width: int, height: int) -> None:
    studio = open_studio("three_knights")
    studio.floor.open_bets(window_ms=36_000_000)
    page = asked(studio, width=width, height=height)
    expect(page.locator("#check .net")).to_have_text("You have lost€15.00")
    assert wrong_on(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#check[open]")).to_be_visible()
    page.dblclick("#check-on")
    expect(page.locator("#check")).to_be_hidden()
    page.reload()
    page.wait_for_selector("body[data-live]")
    expect(page.locator("#check")).to_be_hidden()


def test_whoever_leaves_comes_to_a_page_that_is_over(open_studio: Opener) -> None:
    studio = open_studio("three_knights")
    studio.floor.open_bets(window_ms=36_000_000)
    page = asked(studio)
    page.click("#check-leave")
    expect(page.locator("main.over")).to_be_visible()
    standing = studio.client.get(f"/api/v1/bettors/{BETTOR}/standing", headers=NORTH).get_json()
    assert standing["logged_out"]
