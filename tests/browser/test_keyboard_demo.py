"""The demo without a mouse: a round dealt, a card exposed, the pit's ruling and the next round, by keys alone."""

from __future__ import annotations

import pytest
from heard import press, write
from playwright.sync_api import BrowserContext, Page, expect
from running_demo import BETTORS, STAKES, TABLE, BettorDesk, RunningDemo, balances, bet, until
from test_keyboard import SEEN, TABS_MAX, go_to

pytestmark = [pytest.mark.browser, pytest.mark.long]

SPEED = 2.0
"""Slow enough that bets stay open while a page is drawn on a busy machine."""


def sign_in(page: Page, badge: str, pin: str) -> None:
    """With the keys, wherever the page has put the focus."""
    if page.evaluate("document.activeElement.id") != "badge":
        go_to(page, "#badge")
    write(page, badge)
    go_to(page, "#pin")
    write(page, pin)
    press(page, "Enter")
    page.wait_for_url(lambda url: "sign-in" not in url)
    page.wait_for_selector("html[data-ready]")


FRAMED = "() => [...document.activeElement.children].some((part) => getComputedStyle(part).strokeWidth === '5px')"
"""A card of the sketch that has the focus has a broad edge."""


def go_across(page: Page, selector: str) -> None:
    """Tab until it has the focus, through the console in its frame too; each thing on the way shows that it has it."""
    for _ in range(TABS_MAX):
        press(page, "Tab")
        inside = page.evaluate("document.activeElement.id === 'console'")
        standing = page.frames[1] if inside else page
        html = standing.evaluate("document.activeElement.outerHTML.slice(0, 120)")
        assert standing.evaluate(SEEN) or page.evaluate(FRAMED), f"nobody sees that this has the focus: {html}"
        if not inside and page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"no key leads to {selector}")


class Hands:
    """A dealer at the demo's page whose mouse is broken."""

    def __init__(self, page: Page, port: int) -> None:
        self.page = page
        page.goto(f"http://127.0.0.1:{port}/sign-in")
        sign_in(page, "1001", "4826")
        self.console = page.frame_locator("#console")
        self.console.locator("html[data-ready]").wait_for()
        self.act = self.console.locator(".act-words")

    def primary(self, label: str) -> None:
        """Space, when the console's big button says this."""
        expect(self.console.locator("[data-primary]:not([disabled])")).to_contain_text(label)
        self.key("Space")

    def key(self, key: str) -> None:
        """Once the console in its frame hears the studio."""
        expect(self.console.locator("#offline")).to_be_hidden()
        self.page.keyboard.press(key)

    def deal(self, count: int) -> None:
        button = self.page.locator("#hand-deal button")
        for _ in range(count):
            expect(button).to_be_enabled()
            where = button.inner_text()
            self.key("d")
            expect(button).not_to_have_text(where, use_inner_text=True)

    def wait_for(self, hint: str) -> None:
        self.page.wait_for_selector(f"#dock.hint-{hint}")

    def begin(self) -> None:
        self.primary("Start the round")
        self.wait_for("deal")
        self.deal(4)
        self.primary("Open the bets")
        expect(self.act).to_have_text("Bets are open")

    def clear(self) -> None:
        self.wait_for("clear")
        self.key("c")
        expect(self.page.locator("#sketch .lying")).to_have_count(0)


def test_a_round_a_misdeal_its_ruling_and_the_next_round_need_no_mouse(
    running: RunningDemo, bettors: BettorDesk, context: BrowserContext
) -> None:
    floor = running.demo.studio.floor
    dealer = Hands(context.new_page(), running.port)
    dealer.primary("Shoe is loaded")

    # A whole round, settled.
    dealer.begin()
    bet(bettors, "first")
    dealer.primary("No more bets")
    dealer.wait_for("deal")
    dealer.deal(12)
    dealer.primary("Declare the result")
    dealer.clear()
    assert not floor.view(TABLE).past.results[-1].voided
    until(dealer.page, lambda: None in [bettors.returned(one) for one in BETTORS], False)
    settled = balances(bettors)

    # A card exposed while bets are open: caught, and the table stands.
    dealer.begin()
    bet(bettors, "second")
    assert balances(bettors) == {one: had - sum(STAKES.values()) for one, had in settled.items()}
    dealer.key("m")
    dealer.page.wait_for_selector("dialog#mistakes[open]")
    press(dealer.page, exposing(dealer.page))
    expect(dealer.act).to_have_text("Hands off: Card exposed")
    dealer.wait_for("pit")

    # The pit, in another window: opened, signed in and ruled by keys.
    with context.expect_page() as opened:
        go_across(dealer.page, ".hint a")
        press(dealer.page, "Enter")
    pit = opened.value
    pit.wait_for_selector("html[data-ready]")
    sign_in(pit, "2001", "730162")
    go_to(pit, "article.incident input[name=reason_code]")
    press(pit, "Space")
    go_to(pit, "article.incident input[name=words]")
    write(pit, "everybody saw it")
    go_to(pit, "article.incident input[name=pin]")
    write(pit, "730162")
    go_to(pit, "article.incident button[value=void_round]")
    press(pit, "Enter")

    # The round is void, every stake is back, and play goes on.
    dealer.page.bring_to_front()
    expect(dealer.act).to_have_text("ROUND VOID: announce it, then clear the felt")
    until(dealer.page, lambda: balances(bettors), settled)
    assert floor.view(TABLE).past.results[-1].voided
    dealer.clear()
    dealer.primary("Start the round")
    dealer.wait_for("deal")
    dealer.deal(1)


def exposing(page: Page) -> str:
    """The digit that stands on the mistake."""
    return page.locator("dialog#mistakes button[value=expose] .digit").inner_text()
