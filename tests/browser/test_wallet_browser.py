"""The page of the operators' wallets in a real browser: it lives, fits three screens in three languages, and is
worked by keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from heard import press, write
from held_to_axe import LANGUAGES, wrong_on
from held_to_fit import unfit_on
from patience import wait_until
from playwright.sync_api import Browser, Page, expect
from sealed_search import sign_up
from served_house import Served
from test_keyboard import go_to
from two_operators import Pair, two_operators

from studio.money import bettor_account

pytestmark = [pytest.mark.browser, pytest.mark.long]

SIZES = ((800, 600), (1280, 800), (1920, 1080))


class Hall:
    """Two operators, one healthy and one who refuses what he is owed; its pages are open."""

    def __init__(self, pair: Pair, browser: Browser) -> None:
        self.pair = pair
        self.served = Served(pair.house, browser)
        assert (pair.bet("north", "n1"), pair.bet("south", "s1")) == ("accepted", "accepted")
        pair.south.faults.switch(on=("wrong_signature",))
        pair.void()
        self.id = pair.refused("south")


@pytest.fixture
def hall(tmp_path: Path, chromium: Browser) -> Iterator[Hall]:
    with two_operators(tmp_path) as pair:
        sign_up(pair.house)
        made = Hall(pair, chromium)
        yield made
        made.served.close()


def show(page: Page, served: Served, language: str) -> None:
    page.goto(f"{served.address}/pit/wallets?language={language}")
    page.wait_for_selector("body[data-live]")


def test_a_stake_is_closed_by_keys_alone_and_everybody_who_looks_sees_it_gone(hall: Hall) -> None:
    page, onlooker = hall.served.page("pit_boss"), hall.served.page("auditor")
    for one in (page, onlooker):
        show(one, hall.served, "en")
        expect(one.locator(".owed:not(.closed)")).to_have_count(1)
    expect(onlooker.locator("form[action='/pit/act']")).to_have_count(0)
    form = f"#close-{hall.id}"
    go_to(page, f"{form} > summary")
    press(page, "Enter")
    go_to(page, f"#case-{hall.id}-taken")
    press(page, "Space")
    go_to(page, f"#words-{hall.id}")
    write(page, "Seen with Sven, he gives it back today.")
    go_to(page, f"#pin-{hall.id}")
    write(page, "730162")
    account = bettor_account("south", "bob-12")

    def closed() -> bool:
        press(page, "Enter")
        return not hall.pair.house.floor.reader().balance(account, "EUR")

    wait_until(closed)
    for one in (page, onlooker):
        expect(one.locator(f"#closed-{hall.id}")).to_contain_text("Petra")
        expect(one.locator(f"#owed-{hall.id}")).to_have_count(0)
    assert hall.served.errors == []


def test_the_page_fits_every_screen_in_every_language_and_breaks_no_rule(hall: Hall) -> None:
    page = hall.served.page("pit_boss")
    for language in LANGUAGES:
        show(page, hall.served, language)
        page.locator(f"#close-{hall.id} > summary").click()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert wrong_on(page) == [], (language, width)
        assert unfit_on(page) == [], language
