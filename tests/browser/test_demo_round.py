"""The demo from end to end in a real browser: a round by clicking, an exposed card, a ruling, and the bets come back.

Nothing on the path is a mock: shoe bytes, camera frames, journal, ledger, the operators' interface over HTTP.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from running_demo import BETTORS, DEPOSIT_MINOR, STAKES, TABLE, BettorDesk, RunningDemo, balances, bet, until

pytestmark = pytest.mark.browser


class Dealer:
    """Somebody at the demo's page, who clicks."""

    def __init__(self, page: Page, port: int) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)
        sign_in(page, f"http://127.0.0.1:{port}/sign-in", "1001", "4826")
        page.wait_for_selector("html[data-ready]")
        self.console = page.frame_locator("#console")
        self.console.locator("html[data-ready]").wait_for()

    def press(self, label: str) -> None:
        """The console's one big button, when it says this."""
        self.console.locator("[data-primary]:not([disabled])", has_text=label).click()

    def deal(self, count: int) -> None:
        """The next card, so many times, each when the console asks for it."""
        button = self.page.locator("#hand-deal button")
        for _ in range(count):
            where = button.inner_text()
            button.click()
            expect(button).not_to_have_text(where, use_inner_text=True)

    def begin(self) -> None:
        self.press("Start the round")
        self.wait_for("deal")
        self.deal(4)
        self.press("Open the bets")
        expect(self.act).to_have_text("Bets are open")

    def clear(self) -> None:
        self.wait_for("clear")
        self.page.locator("#hand-clear button").click()
        expect(self.page.locator("#sketch .lying")).to_have_count(0)

    def wait_for(self, hint: str) -> None:
        self.page.wait_for_selector(f"#dock.hint-{hint}")

    @property
    def act(self) -> Locator:
        return self.console.locator(".act-words")


def sign_in(page: Page, address: str, badge: str, pin: str) -> None:
    page.goto(address)
    page.fill("#badge", badge)
    page.fill("#pin", pin)
    page.click("#sign-in .primary")
    page.wait_for_url(lambda url: "sign-in" not in url)


class Pace:
    """How long a person would have taken: seconds for each thing done, by whoever does it, one after the other.

    A look at a screen that has changed 2 s, a click 1.2 s, a key typed 0.28 s: somebody who knows what he wants to do
    and has never seen the page. The screens answer in well under a second, which is not counted.
    """

    LOOK_S, CLICK_S, KEY_S = 2.0, 1.2, 0.28

    def __init__(self) -> None:
        self.seconds = 0.0
        self.clicks = 0

    def look(self) -> None:
        self.seconds += self.LOOK_S

    def click(self, count: int = 1) -> None:
        self.clicks += count
        self.seconds += count * self.CLICK_S

    def type(self, *texts: str) -> None:
        self.seconds += self.KEY_S * sum(map(len, texts))


def settle_a_round(running: RunningDemo, bettors: BettorDesk, dealer: Dealer) -> dict[str, int]:
    """A whole round; what each bettor has after it."""
    dealer.begin()
    bet(bettors, "first")
    staked = DEPOSIT_MINOR - sum(STAKES.values())
    assert set(balances(bettors).values()) == {staked}
    dealer.press("No more bets")
    dealer.wait_for("deal")
    dealer.deal(12)
    dealer.press("Declare the result")
    dealer.clear()
    expect(dealer.console.locator(".won").first).to_be_visible()
    result = running.demo.studio.floor.view(TABLE).past.results[-1]
    assert not result.voided
    until(dealer.page, lambda: None in [bettors.returned(one) for one in BETTORS], False)
    settled = balances(bettors)
    assert settled == {one: staked + (bettors.returned(one) or 0) for one in BETTORS}
    return settled


@pytest.mark.parametrize(
    "settles",
    [pytest.param(False, id="the first"), pytest.param(True, id="after one that is settled", marks=pytest.mark.long)],
)
def test_a_round_is_dealt_by_clicking_and_an_exposed_card_gives_the_bets_back(
    running: RunningDemo, bettors: BettorDesk, context: BrowserContext, *, settles: bool
) -> None:
    floor = running.demo.studio.floor
    dealer = Dealer(context.new_page(), running.port)
    assert dealer.page.url.endswith(f"/hands/{TABLE}")
    dealer.press("Shoe is loaded")

    had = settle_a_round(running, bettors, dealer) if settles else balances(bettors)

    # A card exposed while bets are open: caught, and nobody but the pit goes on.
    dealer.begin()
    bet(bettors, "second")
    assert balances(bettors) == {one: left - sum(STAKES.values()) for one, left in had.items()}
    dealer.page.click("[data-dialog=mistakes]")
    dealer.page.click("dialog#mistakes button[value=expose]")
    expect(dealer.act).to_have_text("Hands off: Card exposed")
    expect(dealer.console.locator(".row-id")).to_have_text("TK4")
    dealer.wait_for("pit")
    pace = Pace()
    pace.look()

    # The pit, in another window of the same browser, under the machine's other name.
    with context.expect_page() as opened:
        dealer.page.click(".hint a")
    pit = opened.value
    pace.click()
    sign_in(pit, pit.url, "2001", "730162")
    pace.type("2001", "730162")
    pace.click()
    pace.look()
    case = pit.locator("article.incident.open", has_text="Card exposed")
    case.locator("label.pick").first.click()
    pace.click()
    case.locator("input[name=words]").fill("everybody saw it")
    case.locator("input[name=pin]").fill("730162")
    pace.click(2)
    pace.type("everybody saw it", "730162")
    case.locator("button[value=void_round]").click()
    pace.click()

    # The round is void and every stake is back.
    dealer.page.bring_to_front()
    expect(dealer.act).to_have_text("ROUND VOID: announce it, then clear the felt")
    until(dealer.page, lambda: balances(bettors), had)
    assert floor.view(TABLE).past.results[-1].voided
    pace.look()
    dealer.clear()
    pace.click()
    expect(dealer.act).to_have_text("Start the round")
    dealer.press("Start the round")
    pace.click()
    assert dealer.errors == []

    # From the call to the next round, the pit boss's signing in among it: less than half a minute of clicking.
    assert pace.clicks == 8
    assert pace.seconds < 30, f"{pace.clicks} clicks, {pace.seconds:.1f} s"
