"""A round at a bettor's page without a mouse: he bets, decides and hears what it came to; and a street of cards is set
by tap and by drag."""

from __future__ import annotations

import re

import pytest
from heard import press
from patience import wait_until
from play_house import Opener, PlayHouse
from play_seats import seat_him, seat_scenes
from play_stage import WHO, scenes, show
from playwright.sync_api import Page, expect
from test_keyboard import go_to

pytestmark = pytest.mark.browser

WINDOW_MS = 3_600_000
STREET = ("bottom", "top", "middle", "bottom", "top")


def hears(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#told")).to_have_text(text)


def bets_by_keys(house: PlayHouse, page: Page, bet: str, sum: str) -> None:
    """Five units on `bet`, and he hears that they are laid and that they are accepted."""
    go_to(page, "[data-chip][tabindex='0']")
    while page.get_attribute("[data-chip='500']", "aria-checked") != "true":
        press(page, "ArrowRight")
    go_to(page, f"button.bet-spot[data-bet='{bet}']")
    press(page, "Enter")
    hears(page, re.compile("€5.00 laid"))
    go_to(page, "#place")
    press(page, "Enter")
    hears(page, f"Accepted: {sum}")
    assert (bet, 500) in house.bets(*WHO)


@pytest.mark.long
def test_a_round_without_a_decision_is_played_and_heard_by_keys_alone(open_studio: Opener) -> None:
    house = open_studio("three_knights")
    house.floor.open_bets(window_ms=WINDOW_MS)
    page = house.launch(*WHO, width=1280, height=800)
    bets_by_keys(house, page, "player1_win", "€5.00")
    house.floor.close_bets()
    house.floor.settle({"player1_win": 1_500})
    hears(page, "You win €10.00 €5.00 staked, €15.00 returned")
    expect(page.locator("#bar [data-ended]")).to_be_visible()
    go_to(page, ".tabs a[href*='/record']")
    press(page, "Enter")
    expect(page.locator("main")).to_contain_text("€15.00")


def test_a_round_with_a_decision_is_played_and_heard_by_keys_alone(open_studio: Opener) -> None:
    house = open_studio("blackjack")
    house.floor.open_bets(window_ms=WINDOW_MS)
    page = house.launch(*WHO, width=1280, height=800)
    bets_by_keys(house, page, "1:main", "€5.00")
    played = scenes("blackjack", ["1:main"])
    show(house, played["turn"])
    choice = page.locator(".choice[data-option='stand']").first
    expect(choice).to_be_visible()
    go_to(page, ".choice[data-option='stand']")
    press(page, "Enter")
    hears(page, "You chose: Stand")
    assert [(operator, one.bettor, one.option) for operator, one in house.floor.decided] == [(*WHO, "stand")]
    show(house, played["result"])
    hears(page, re.compile("€5.00 staked, €[0-9.]+ returned"))


def test_what_was_refused_is_heard_after_keys_as_after_a_mouse(open_studio: Opener) -> None:
    house = open_studio("three_knights")
    house.floor.open_bets(window_ms=WINDOW_MS)
    page = house.launch(*WHO, width=1280, height=800)
    go_to(page, "button.bet-spot[data-bet='player1_win']")
    press(page, "Enter")
    go_to(page, "#place")
    page.route("**/bets*", lambda route: (house.floor.close_bets(), route.continue_()))
    press(page, "Enter")
    hears(page, re.compile("not placed"))
    assert house.bets(*WHO) == []


@pytest.mark.parametrize("by", ["drag", "tap"])
def test_a_street_is_set_card_by_card_and_sent_once(open_studio: Opener, by: str) -> None:
    house = open_studio("ofc")
    page = house.launch(*WHO, width=1280, height=800)
    seat_him(house, *seat_scenes("ofc")["first street"])
    house.shown(page)
    for at, row in enumerate(STREET):
        card, place = page.locator(f"#place-card-{at}"), page.locator(f"#place-row-{row}")
        if by == "drag":
            card.drag_to(place)
        else:
            card.click()
            place.click()
        expect(card.locator("[data-where]")).to_have_text(re.compile(row, re.IGNORECASE))
    page.dblclick("#place-street")
    hears(page, re.compile("You chose"))
    wait_until(lambda: house.floor.decided)
    assert [(one.bettor, one.option, one.rows) for _, one in house.floor.decided] == [(WHO[1], "place", STREET)]
