"""No bet of a bettor is lost or doubled: by a network that goes away, a studio killed, a reload, two pages, two taps.

Each time the page says what became of it, and the studio's ledger says the same.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from heard import click
from patience import PATIENCE_MS
from play_house import Opener, PlayHouse
from playwright.sync_api import Browser, Error, Page, Request, Route, expect
from studio_process import StudioProcess

pytestmark = pytest.mark.browser

WHO = ("north", "ann.k-7")
AWAY_MS = 30_000
BACK_MS = 15_000
BETS = "**/bets*"
UNSURE = re.compile("No answer yet")


class Lost:
    """Whatever is asked of the studio about bets; `reaches`: it does so, and only the answer is lost."""

    def __init__(self, *pages: Page, reaches: bool) -> None:
        self.pages, self._reaches = pages, reaches
        for page in pages:
            page.route(BETS, self._lose)

    def _lose(self, route: Route) -> None:
        with contextlib.suppress(Error):  # a studio that was killed answers nothing; a page may be gone meanwhile
            if self._reaches:
                route.fetch()
        with contextlib.suppress(Error):
            route.abort()

    def over(self) -> None:
        for page in self.pages:
            page.unroute(BETS, self._lose)


def betting(house: PlayHouse, **at: str) -> Page:
    house.floor.open_bets(window_ms=3_600_000)
    return house.launch(*WHO, **at)  # type: ignore[arg-type]


def lay(page: Page, bet: str, chip: int = 500) -> None:
    click(page, f"[data-chip='{chip}']")
    click(page, f"button.bet-spot[data-bet='{bet}']")


def said(page: Page, text: str | re.Pattern[str]) -> None:
    """To the ear; for the eye it stands on the bar for a while."""
    expect(page.locator("#told")).to_have_text(text)


@pytest.mark.parametrize(
    "reaches", [True, pytest.param(False, marks=pytest.mark.long)], ids=["the answer is lost", "the question is lost"]
)
def test_the_network_goes_for_half_a_minute_with_a_bet_on_its_way(open_studio: Opener, reaches: bool) -> None:
    house = open_studio("kkclash")
    page = betting(house)
    page.clock.install()
    page.reload()
    page.wait_for_selector("body[data-live]")
    lay(page, "shark")
    lost = Lost(page, reaches=reaches)
    with page.expect_request(BETS):
        page.dblclick("#place")
    said(page, UNSURE)
    page.context.set_offline(True)
    page.clock.run_for(AWAY_MS)
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#spot-shark.waits .chips-laid")).to_have_text("5")
    assert house.bets(*WHO) == ([("shark", 500)] if reaches else [])
    lost.over()
    page.context.set_offline(False)
    page.clock.run_for(BACK_MS)
    said(page, "Accepted: €5.00")
    assert house.bets(*WHO) == [("shark", 500)]


def test_a_page_that_has_ended_does_not_say_that_a_bet_was_not_placed_which_may_have_been(open_studio: Opener) -> None:
    house = open_studio("kkclash")
    page = betting(house)
    lay(page, "shark")
    lost = Lost(page, reaches=True)
    with page.expect_request(BETS):
        click(page, "#place")
    said(page, UNSURE)
    page.route(BETS, lambda route: route.fulfill(status=410, json={"refused": "This page has ended."}))
    said(page, "This page has ended.")
    lost.over()
    assert house.bets(*WHO) == [("shark", 500)]


def test_a_page_that_is_loaded_again_asks_what_became_of_its_bet(open_studio: Opener) -> None:
    house = open_studio("kkclash")
    page = betting(house)
    lay(page, "shark")
    lay(page, "two_pair", 100)
    lost = Lost(page, reaches=True)
    with page.expect_request(BETS):
        click(page, "#place")
    said(page, UNSURE)
    page.reload()
    expect(page.locator("#spot-shark.waits, #spot-shark .chips-placed:not([hidden])").first).to_be_visible()
    lost.over()
    said(page, "Accepted: €6.00")
    expect(page.locator("#spot-shark .chips-placed")).to_have_text("5")
    assert house.bets(*WHO) == [("shark", 500), ("two_pair", 100)]
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('studio.play.asked.'))") == []


def test_two_pages_of_a_bettor_lose_and_double_nothing_between_them(open_studio: Opener) -> None:
    house = open_studio("three_knights")
    first = betting(house)
    second = first.context.new_page()
    second.goto(first.url)
    second.wait_for_selector("body[data-live]")
    lost = Lost(first, second, reaches=True)
    for page, bet in ((first, "player1_win"), (second, "player2_win")):
        lay(page, bet)
        with page.expect_request(BETS):
            click(page, "#place")
        said(page, UNSURE)
    lost.over()
    for page in (first, second):
        said(page, "Accepted: €5.00")
    house.floor.show()
    for page in (first, second):
        for spot in ("player1_win", "player2_win"):
            expect(page.locator(f"#spot-{spot} .chips-placed")).to_have_text("5")
        expect(page.locator("#balance")).to_have_attribute("data-minor", "9000")
    assert house.bets(*WHO) == [("player1_win", 500), ("player2_win", 500)]


def test_a_browser_that_stores_nothing_bets_all_the_same(open_studio: Opener) -> None:
    """As one that keeps nothing for a page in another site's frame."""
    house = open_studio("kkclash")
    page = betting(house)
    page.add_init_script("for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, "
                         "{ get() { throw new DOMException('denied', 'SecurityError'); } });")  # fmt: skip
    page.reload()
    page.wait_for_selector("body[data-live]")
    lay(page, "shark")
    lost = Lost(page, reaches=True)
    with page.expect_request(BETS):
        click(page, "#place")
    said(page, UNSURE)
    lost.over()
    said(page, "Accepted: €5.00")
    assert house.bets(*WHO) == [("shark", 500)]


def test_a_refusal_is_said_with_its_reason_and_leaves_nothing(open_studio: Opener) -> None:
    house = open_studio("kkclash")
    page = betting(house, language="ja")
    lay(page, "shark")
    lost = Lost(page, reaches=False)
    with page.expect_request(BETS):
        click(page, "#place")
    house.floor.close_bets()
    lost.over()
    said(page, re.compile("シャーク、€5.00：賭けられませんでした"))
    assert house.bets(*WHO) == []
    expect(page.locator(".bet-spot.waits")).to_have_count(0)


@pytest.mark.parametrize(
    ("currency", "shown", "spent"),
    [("JPY", "¥500", "¥9,500"), ("KWD", "KWD\xa00.500", "KWD9.500")],
    ids=["no minor units", "three decimals"],
)
def test_a_bettor_plays_in_a_currency_of_other_decimals(
    open_studio: Opener, currency: str, shown: str, spent: str
) -> None:
    house = open_studio("kkclash")
    house.floor.play_in(currency)
    page = betting(house, currency=currency)
    lay(page, "shark")
    expect(page.locator("#place")).to_have_text(f"Place {shown}")
    page.dblclick("#place")
    said(page, f"Accepted: {shown}")
    assert house.bets(*WHO) == [("shark", 500)]
    house.floor.show()
    expect(page.locator("#balance")).to_have_text(spent)


# --- a studio that is killed ------------------------------------------------------------------------------

TABLE = "three-knights-1"


class Killed:
    """A demo that deals by itself, and is killed and started again on its database."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "studio.db"
        self.studio = StudioProcess.demo(self._database, "--auto")

    def again(self) -> None:
        before = self.studio
        before.kill()
        before.__exit__()
        at = ("--json", "--port", str(before.port), "--db", str(self._database))
        self.studio = StudioProcess("demo", *at, port=before.port, key=before.key)
        self.studio.key = json.loads(self.studio.line())["api_key"]

    def ask(self, method: str, path: str, body: object = None) -> dict[str, object]:
        status, told = self.studio.ask(method, path, body)
        assert status == 200, told
        return dict(told)


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    made = Killed(tmp_path)
    yield made
    made.studio.__exit__()


@pytest.mark.night
@pytest.mark.parametrize("reaches", [True, False], ids=["the answer is lost", "the question is lost"])
def test_the_studio_is_killed_with_a_bet_on_its_way(chromium: Browser, killed: Killed, reaches: bool) -> None:
    killed.ask("POST", "/bettors/kim/deposits", {"client_id": "d1", "amount": 10_000})
    path = killed.ask("POST", "/bettors/kim/pages", {"table": TABLE, "plays": True})["page"]
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-US")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"http://127.0.0.1:{killed.studio.port}{path}")
    lost, sent = Lost(page, reaches=reaches), list[Request]()
    page.on(
        "request", lambda request: sent.append(request) if request.url.partition("?")[0].endswith("/bets") else None
    )
    while not sent:  # a window may close while this machine is slow: the chips are laid again in the next
        page.wait_for_selector("#cloth[data-open='true']")
        page.evaluate("""() => {
          if (!document.querySelector("[data-laid]:not([hidden]), .bet-spot.waits")) {
            document.querySelector("[data-bet='player1_win']")?.click();
          }
          document.getElementById("place")?.click();
        }""")
    said(page, re.compile("No answer yet|not placed"))
    killed.again()
    page.wait_for_selector("#offline", state="hidden")
    lost.over()
    expect(page.locator(".bet-spot.waits")).to_have_count(0)
    bets = killed.ask("GET", "/bettors/kim/bets")["bets"]
    assert isinstance(bets, list)
    assert len(bets) <= 1
    said(page, re.compile("Accepted" if bets else "not placed"))  # what reached it late was refused
    context.close()
