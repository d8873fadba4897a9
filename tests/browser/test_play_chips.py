"""Chips on the fields of every house game, on a telephone: laid, taken back, doubled, cleared and laid again; and what
is decided beside them."""

from __future__ import annotations

import re

import pytest
from heard import click
from patience import wait_until
from play_house import Opener, PlayHouse
from play_seats import seat_him, seat_scenes
from play_stage import WHO, bets_of, scenes, show
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

GAMES = ("three_knights", "holdem_bonus", "ultimate_holdem", "three_card_poker", "kkclash", "blackjack")
QUICK = ("three_card_poker",)
WINDOW_MS = 3_600_000
CHIP = 100


def laid(page: Page) -> dict[str, str]:
    """What lies on the fields of this page and is no bet yet, but for what the house lays beside it."""
    return dict(
        page.evaluate("""() => [...document.querySelectorAll("button.bet-spot")]
          .filter((one) => one.classList.contains("has-laid"))
          .map((one) => [one.dataset.bet, one.querySelector("[data-laid]").textContent])""")
    )


def placed(page: Page) -> dict[str, int]:
    """What the page says stands as bets of this round."""
    return dict(
        page.evaluate("""() => [...document.querySelectorAll("button.bet-spot")]
          .map((one) => [one.dataset.bet, Number(one.dataset.placed)]).filter(([, minor]) => minor)""")
    )


def does(page: Page, act: str, comes_to: dict[str, str]) -> None:
    click(page, f"#act-{act}")
    wait_until(lambda: laid(page) == comes_to)


def places(house: PlayHouse, page: Page, due: list[tuple[str, int]]) -> None:
    before = house.bets(*WHO)
    click(page, "#place")
    expect(page.locator("#bar-says")).to_have_text(re.compile("^Accepted"))
    assert house.bets(*WHO) == sorted([*before, *due])
    house.floor.show()  # as a table does that has taken bets
    house.shown(page)
    wait_until(lambda: laid(page) == {} and placed(page) == dict(due))


def new_round(house: PlayHouse, page: Page, number: int) -> None:
    if number > 1:
        game = house.floor.view("t1").game.key
        house.floor.settle({}, scenes(game, bets_of(game))["result"].outcome)
    house.floor.open_bets(f"t1-r{number}", number, WINDOW_MS)
    house.shown(page)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in QUICK else pytest.mark.long) for game in GAMES]
)
def test_chips_are_taken_back_doubled_cleared_and_laid_again(open_studio: Opener, game: str) -> None:
    house = open_studio(game)
    bets = bets_of(game)
    page = house.launch(*WHO, width=320, height=640)
    new_round(house, page, 1)
    click(page, f"[data-chip='{CHIP}']")
    for bet in bets:
        click(page, f"button.bet-spot[data-bet='{bet}']")
    ones = dict.fromkeys(bets, "1")
    assert laid(page) == ones
    does(page, "undo", {bet: "1" for bet in bets[:-1]})
    click(page, f"button.bet-spot[data-bet='{bets[-1]}']")
    does(page, "double", dict.fromkeys(bets, "2"))
    does(page, "clear", {})
    expect(page.locator("#place")).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#act-undo")).to_have_attribute("aria-disabled", "true")
    for bet in bets:
        click(page, f"button.bet-spot[data-bet='{bet}']")
    places(house, page, [(bet, CHIP) for bet in bets])

    new_round(house, page, 2)
    does(page, "repeat", ones)
    does(page, "clear", {})
    does(page, "repeat", ones)
    does(page, "double", dict.fromkeys(bets, "2"))
    places(house, page, [(bet, 2 * CHIP) for bet in bets])
    does(page, "double", dict.fromkeys(bets, "2"))  # of what stands as much again
    does(page, "clear", {})


def test_nothing_is_repeated_where_nothing_was_bet(open_studio: Opener) -> None:
    house = open_studio("three_knights")
    page = house.launch(*WHO, width=320, height=640)
    new_round(house, page, 1)
    click(page, "#act-repeat")
    expect(page.locator("#bar-says")).not_to_be_empty()
    assert laid(page) == {}


def after_an_ante(open_studio: Opener) -> Page:
    """A page on which an ante was placed in the round before."""
    house = open_studio("three_card_poker")
    page = house.launch(*WHO, width=320, height=640)
    new_round(house, page, 1)
    click(page, f"[data-chip='{CHIP}']")
    click(page, "button.bet-spot[data-bet='ante']")
    places(house, page, [("ante", CHIP)])
    new_round(house, page, 2)
    return page


def test_two_taps_lay_again_once(open_studio: Opener) -> None:
    page = after_an_ante(open_studio)
    page.dblclick("#act-repeat")
    wait_until(lambda: laid(page) == {"ante": "1"})
    page.dblclick("#act-repeat")
    expect(page.locator("#place")).to_have_text("Place €1.00")
    click(page, "button.bet-spot[data-bet='ante']")
    does(page, "repeat", {"ante": "3"})


def test_what_cannot_all_be_laid_again_is_not_laid_in_part(open_studio: Opener) -> None:
    house = open_studio("three_card_poker")
    page = house.launch(*WHO, width=320, height=640)
    new_round(house, page, 1)
    for chip, bet in (("100", "ante"), ("2500", "pair_plus"), ("2500", "pair_plus")):
        click(page, f"[data-chip='{chip}']")
        click(page, f"button.bet-spot[data-bet='{bet}']")
    places(house, page, [("ante", 100), ("pair_plus", 5_000)])
    new_round(house, page, 2)
    click(page, "#act-repeat")
    expect(page.locator("#bar-says")).to_have_text("Your balance does not cover that chip.")
    page.wait_for_timeout(600)  # the bar draws itself twice a second
    expect(page.locator("#place")).to_have_text("Tap a field")
    assert laid(page) == {}


def test_why_a_chip_was_refused_is_not_told_in_the_next_round(open_studio: Opener) -> None:
    house = open_studio("three_card_poker")
    page = house.launch(*WHO, width=320, height=640)
    page.clock.install()
    page.reload()
    new_round(house, page, 1)
    click(page, "[data-chip='100']")
    click(page, "button.bet-spot[data-bet='ante']")
    places(house, page, [("ante", 100)])
    click(page, "[data-chip='10000']")
    click(page, "button.bet-spot[data-bet='ante']")
    expect(page.locator("#bar-says")).to_have_text("Your balance does not cover that chip.")
    page.clock.fast_forward(10_000)
    house.floor.show()
    house.shown(page)
    expect(page.locator("#bar-says")).to_have_text("Your balance does not cover that chip.")
    new_round(house, page, 2)
    expect(page.locator("#bar-says")).to_have_text("")


def test_why_a_seat_was_refused_something_is_not_told_in_the_next_hand(open_studio: Opener) -> None:
    house = open_studio("nlh")
    page = house.launch(*WHO, width=320, height=640)
    seat_him(house, *seat_scenes("nlh")["between"])
    house.shown(page)
    page.clock.install()
    why = "Chips are bought between two hands."
    told = {"client_id": "s", "status": "refused", "reason": "in_hand", "sentence": why}
    page.route("**/seats", lambda route: route.fulfill(json={"answers": [told]}))
    click(page, "#ask-buy")
    expect(page.locator("#bar-says")).to_have_text(why)
    page.clock.fast_forward(10_000)
    house.floor.show(round={"id": "nlh-1-0000099", "number": 99})
    house.shown(page)
    expect(page.locator("#bar-says")).to_have_text("")


def test_where_nothing_is_heard_it_is_not_said_that_there_was_no_earlier_bet(open_studio: Opener) -> None:
    page = after_an_ante(open_studio)
    page.route("**/last", lambda route: route.abort(), times=1)
    click(page, "#act-repeat")
    expect(page.locator("#bar-says")).to_have_text(re.compile("^No answer yet"))
    wait_until(lambda: laid(page) == {"ante": "1"})


def test_even_money_and_insurance_are_taken_box_by_box(open_studio: Opener) -> None:
    house = open_studio("blackjack")
    page = house.launch(*WHO, width=320, height=640)
    boxes = ["1:main", "4:main", "7:main"]
    new_round(house, page, 1)
    click(page, f"[data-chip='{CHIP}']")
    for bet in boxes:
        click(page, f"button.bet-spot[data-bet='{bet}']")
    places(house, page, [(bet, CHIP) for bet in boxes])
    show(house, scenes("blackjack", boxes)["decision"])
    house.shown(page)
    for box, option in (("1", "even_money"), ("4", "insurance"), ("7", "decline")):
        choice = page.locator(f".choice[data-option='{option}'][data-box='{box}']")
        expect(choice).to_be_visible()
        choice.dblclick()
        wait_until(lambda box=box: any(one.box == box for _, one in house.floor.decided))
    told = [(one.bettor, one.box, one.option) for _, one in house.floor.decided]
    assert told == [(WHO[1], "1", "even_money"), (WHO[1], "4", "insurance"), (WHO[1], "7", "decline")]


def test_a_seat_sees_its_time_bank_run_and_calls_once(open_studio: Opener) -> None:
    house = open_studio("nlh")
    page = house.launch(*WHO, width=320, height=640)
    seat_him(house, *seat_scenes("nlh")["turn"])
    house.shown(page)
    expect(page.locator(".bank-runs")).to_have_text("30 s")
    page.locator(".choice[data-option='call'], [data-option='call']").first.dblclick()
    wait_until(lambda: house.floor.decided)
    assert [(one.bettor, one.option) for _, one in house.floor.decided] == [(WHO[1], "call")]


def test_after_a_round_that_was_played_nothing_is_laid_or_bet_until_a_hand_does_it(open_studio: Opener) -> None:
    house = open_studio("three_card_poker")
    page = house.launch(*WHO, width=320, height=640)
    new_round(house, page, 1)
    click(page, f"[data-chip='{CHIP}']")
    click(page, "button.bet-spot[data-bet='ante']")
    places(house, page, [("ante", CHIP)])
    sent: list[str] = []
    page.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    for number in (2, 3, 4):
        new_round(house, page, number)
        wait_until(lambda: placed(page) == {})
        assert (laid(page), house.bets(*WHO)) == ({}, [("ante", CHIP)])
    assert sent == [], "the page asked for something by itself"
    click(page, "button.bet-spot[data-bet='ante']")
    places(house, page, [("ante", CHIP)])
    assert len(sent) == 1, "a bet that a hand lays is seen here"
