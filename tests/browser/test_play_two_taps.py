"""Two taps of one finger on a bettor's page, where another button has come to lie under it by the second; and one more
after a tap of which no answer came.
"""

from __future__ import annotations

import re

import pytest
from heard import click, stop_time, thumb
from patience import wait_until
from play_house import Opener
from play_seats import seat_him, seat_scenes
from play_stage import WHO
from playwright.sync_api import Page, Route, expect

from studio.views.own import OwnChoice, OwnPlay

pytestmark = pytest.mark.browser


def asked_for(page: Page, end: str) -> list[str]:
    """What the page sends to addresses that end so, from now on."""
    found: list[str] = []
    page.on("request", lambda one: found.append(one.url) if one.method == "POST" and one.url.endswith(end) else None)
    return found


def tap(page: Page, selector: str, count: int) -> None:
    """Of several taps of a finger in one place the one that is counted so."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(click_count=count)
    page.mouse.up(click_count=count)


def test_two_taps_on_place_do_not_say_that_he_bets_no_more(open_studio: Opener) -> None:
    house = open_studio("blackjack")
    house.floor.open_bets(window_ms=3_600_000)
    page = house.launch(*WHO)
    sent = asked_for(page, "/ready")
    click(page, "[data-chip='100']")
    click(page, "button.bet-spot[data-bet='1:main']")
    tap(page, "#place", 1)
    wait_until(lambda: house.bets(*WHO))
    house.floor.show(bets={"bettors": 1})
    expect(page.locator("#act-ready")).to_be_visible()
    tap(page, "#act-ready", 2)
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert sent == []
    with page.expect_request("**/ready"):
        tap(page, "#act-ready", 1)


def test_two_taps_on_a_buy_in_buy_once(open_studio: Opener) -> None:
    house = open_studio("nlh")
    page = house.launch(*WHO)
    seat_him(house, *seat_scenes("nlh")["between"])
    house.shown(page)
    for count in (1, 2):
        tap(page, "#ask-buy", count)
        expect(page.locator("#bar-says")).not_to_be_empty()
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert [one.act for one in house.floor.seats_asked] == ["buy"]


def test_two_taps_on_a_choice_choose_nothing_for_the_next_box(open_studio: Opener) -> None:
    house = open_studio("blackjack")
    page = house.launch(*WHO)
    for box, count, boxes in (("1", 1, ["1"]), ("4", 2, ["1"]), ("4", 1, ["1", "4"])):
        house.floor.own = OwnPlay(f"r.{box}", (OwnChoice("hit", box), OwnChoice("stand", box)))
        house.floor.show()
        choice = f".choice[data-option='stand'][data-box='{box}']"
        expect(page.locator(choice)).to_be_visible()
        tap(page, choice, count)
        page.evaluate("new Promise((done) => setTimeout(done, 300))")
        wait_until(lambda boxes=boxes: [one.box for _, one in house.floor.decided] == boxes)


def test_quick_taps_on_two_choices_are_both_meant(open_studio: Opener) -> None:
    house = open_studio("blackjack")
    page = house.launch(*WHO, width=320, height=640)
    house.floor.own = OwnPlay(
        "r.1", tuple(OwnChoice(one, box) for box in ("1", "4") for one in ("even_money", "decline"))
    )
    house.floor.show()
    house.shown(page)
    stop_time(page)
    for box in ("1", "4"):
        thumb(page, f".choice[data-option='decline'][data-box='{box}']")
    wait_until(lambda: page.evaluate("1") and [one.box for _, one in house.floor.decided] == ["1", "4"])


@pytest.mark.long
def test_a_second_tap_of_a_finger_buys_nothing_more(open_studio: Opener) -> None:
    """Telephones call every tap of a finger the first."""
    house = open_studio("nlh")
    page = house.launch(*WHO)
    seat_him(house, *seat_scenes("nlh")["between"])
    house.shown(page)
    stop_time(page)
    asked = asked_for(page, "/seats")
    for _ in range(2):
        thumb(page, "#ask-buy")
        wait_until(lambda: house.floor.seats_asked)
        page.wait_for_timeout(1_000)  # the browser calls the next tap a first one
    assert len(asked) == 1
    page.clock.run_for(600)
    with page.expect_request("**/seats"):
        thumb(page, "#ask-buy")


def test_chips_of_which_no_answer_came_are_asked_for_under_the_same_id(open_studio: Opener) -> None:
    house = open_studio("nlh")
    page = house.launch(*WHO)
    seat_him(house, *seat_scenes("nlh")["between"])
    house.shown(page)
    page.clock.install()
    lost: list[Route] = []

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()
        lost.append(route)

    page.route("**/seats", lose)
    click(page, "#ask-buy")
    for tries in range(1, 9):
        wait_until(lambda tries=tries: page.evaluate("1") and len(lost) == tries)
        page.clock.run_for(5_000)
    page.unroute("**/seats")
    expect(page.locator("#bar-says")).to_have_text(re.compile("^No answer yet"))
    with page.expect_response("**/seats"):
        click(page, "#ask-buy")
    expect(page.locator("#bar-says")).to_have_text(re.compile("^You chose"))
    with page.expect_response("**/seats"):
        click(page, "#ask-buy")
    first, *tried, last = [one.client_id for one in house.floor.seats_asked]
    assert (set(tried), last == first) == ({first}, False)
