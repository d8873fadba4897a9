"""An order that the studio carried out and never answered: the same tap once more is that order, a later one is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from conftest import Station
from fake_floor import BETTING, DEALING, IDLE, FakeFloor
from heard import press
from patience import wait_until
from playwright.sync_api import Page, Route, expect

from studio.tables import command as c
from studio.tables.declaration import Command

pytestmark = pytest.mark.browser
At = Callable[..., Station]
COMMANDS = "**/table/*/command"


def lose_one_answer(page: Page, address: str) -> None:
    """The studio does what is asked, and the page does not hear of it."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(address, lose, times=1)


def a_minute_later(page: Page) -> None:
    """The page has heard the studio again by then."""
    page.clock.fast_forward(60_000)
    expect(page.locator("#offline")).to_be_hidden()


def told_to_press_again(page: Page) -> None:
    expect(page.locator(".toast")).to_contain_text("Press again: it will count once")


def answered(page: Page) -> None:
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def kinds(floor: FakeFloor) -> list[str]:
    return [type(command).__name__ for command in floor.asked]


def test_the_bets_of_the_next_round_are_closed_too(at: At) -> None:
    floor = FakeFloor(BETTING)

    def deal(table: str, command: Command) -> None:
        if isinstance(command, c.CloseBetting):
            floor.show(replace(DEALING, moves=floor.view(table).moves + 1))

    floor.on_command = deal
    page = at(floor, "dora", "/dealer/knights1").page
    page.clock.install()
    lose_one_answer(page, COMMANDS)
    press(page, "Space")
    told_to_press_again(page)
    expect(page.locator(".act-words")).to_have_text("Player 3, card 2")
    a_minute_later(page)
    floor.show(replace(BETTING, moves=60))
    expect(page.locator(".act-words")).to_have_text("Bets are open")
    press(page, "Space")
    expect(page.locator(".act-words")).to_have_text("Player 3, card 2")
    assert kinds(floor) == ["CloseBetting", "CloseBetting"]


def test_a_table_is_frozen_once_by_two_taps_and_again_at_another_time(at: At) -> None:
    floor = FakeFloor(IDLE)
    page = at(floor, "dora", "/dealer/knights1").page
    page.clock.install()
    lose_one_answer(page, COMMANDS)
    press(page, "f")
    told_to_press_again(page)
    floor.show(replace(IDLE, moves=8))
    expect(page.locator("#live[data-moves='8']")).to_be_visible()
    press(page, "f")
    answered(page)
    assert kinds(floor) == ["FreezeTable"]
    page.clock.fast_forward(7_000)
    expect(page.locator(".toast")).to_have_count(0)  # else the next would be taken for told before its answer is lost
    lose_one_answer(page, COMMANDS)
    press(page, "f")
    told_to_press_again(page)
    a_minute_later(page)
    floor.show(replace(IDLE, moves=90))
    expect(page.locator("#live[data-moves='90']")).to_be_visible()
    press(page, "f")
    wait_until(lambda: kinds(floor) == ["FreezeTable"] * 3)
    answered(page)
