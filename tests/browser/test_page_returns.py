"""A page that lost the studio comes back by itself, live or at its sign-in form, and says meanwhile what matters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest
from conftest import Station, Studio
from fake_floor import BETTING, DEALING, IDLE, NOW_MS, PINS, FakeFloor, held
from patience import PATIENCE_MS
from playwright.sync_api import Page, Request, Route, expect
from sample import sampled

from dealer_ui.frame.template import templates

pytestmark = pytest.mark.browser
At = Callable[..., Station]

OTHER: Final = replace(DEALING, table="knights2", title="Knights 2")
DOWN_MS: Final = 30_000
BACK_MS: Final = 15_000


class Outage:
    """The server of one studio, gone: streams break off, nothing is answered, and nobody stays signed in."""

    def __init__(self, studio: Studio, *pages: Page) -> None:
        self._studio, self._pages = studio, pages

    def begin(self, *, signs_out: bool = True) -> None:
        for page in self._pages:
            page.route("**/*", _abort)
        self._studio.console.closing.set()
        self._studio.floor.wake()
        if signs_out:
            sessions = self._studio.console.sessions
            for token in list(sessions._open):
                sessions.close(token)

    def end(self) -> None:
        self._studio.console.closing.clear()
        for page in self._pages:
            page.unroute("**/*", _abort)


def _abort(route: Route) -> None:
    route.abort()


def with_clock(station: Station) -> Page:
    """Its page, loaded anew with a clock that the test moves."""
    station.page.clock.install()
    station.page.reload()
    station.page.wait_for_selector("html[data-ready]")
    if station.page.get_attribute("body", "data-stream"):
        station.page.wait_for_selector("body[data-live]")
    return station.page


def out_for(page: Page, outage: Outage, *, signs_out: bool = True) -> None:
    outage.begin(signs_out=signs_out)
    page.clock.run_for(DOWN_MS)
    expect(page.locator("#offline")).to_be_visible(timeout=PATIENCE_MS)
    outage.end()
    page.clock.run_for(BACK_MS)


def until(page: Page, holds: Callable[[], bool]) -> None:
    """What the browser was told comes a moment beside what it did."""
    for _ in range(int(PATIENCE_MS / 50)):
        if holds():
            return
        page.wait_for_timeout(50)
    assert holds()


PAGES = (("dora", "/dealer/knights1"), ("paul", "/pit"), ("anna", "/audit?words=J"))
"""A live page of one table and of all, and one that does not live, with what was asked of it."""


@pytest.mark.parametrize(("badge", "path"), sampled(PAGES, PAGES[0], PAGES[2]))
def test_a_page_whose_sign_in_is_gone_stands_at_the_form_that_leads_back(at: At, badge: str, path: str) -> None:
    station = at(FakeFloor(IDLE, OTHER), badge, path)
    page = with_clock(station)
    out_for(page, Outage(station.studio, page))
    page.wait_for_url("**/sign-in?next=*", timeout=PATIENCE_MS)
    assert page.input_value("[name=next]") == path


def test_a_page_leaves_for_the_form_once_and_only_when_it_is_there(at: At) -> None:
    """A studio that has just started may answer slowly, or be gone again: no page is lost on its way."""
    station = at(FakeFloor(IDLE, OTHER), "anna", "/audit")
    page, asked, refused = with_clock(station), list[Request](), list[Request]()
    page.on("requestfailed", lambda request: refused.append(request) if "/sign-in?" in request.url else None)

    def gone_again(route: Route) -> None:
        asked.append(route.request)
        route.abort()

    page.route("**/sign-in?*", gone_again)
    Outage(station.studio, page).begin()
    station.studio.console.closing.clear()
    page.unroute("**/*", _abort)
    with page.expect_request("**/sign-in?*", timeout=PATIENCE_MS):
        page.clock.run_for(BACK_MS)
    page.clock.run_for(BACK_MS)
    until(page, lambda: bool(asked) and len(refused) == len(asked))
    assert not any(request.is_navigation_request() for request in asked), "nobody left for a page that was not there"
    page.unroute("**/sign-in?*", gone_again)
    there: list[Request] = []
    page.on("request", lambda request: there.append(request) if "/sign-in?" in request.url else None)
    while not there:  # from then on the clock stands: a slow answer is no reason to ask twice
        page.clock.run_for(1_000)
    page.wait_for_url("**/sign-in?next=*", timeout=PATIENCE_MS)


def test_a_page_that_needs_no_sign_in_lives_on(at: At) -> None:
    floor = FakeFloor(IDLE, OTHER)
    station = at(floor, "", "/display/knights1")
    page = with_clock(station)
    out_for(page, Outage(station.studio, page))
    floor.show(replace(DEALING, moves=40))
    expect(page.locator(".headline")).to_have_text("No more bets", timeout=PATIENCE_MS)
    expect(page.locator("#offline")).to_be_hidden()


@pytest.mark.long
def test_a_page_that_gets_no_stream_asks_and_lives(at: At) -> None:
    floor = FakeFloor(IDLE, OTHER)
    station = at(floor, "dora", "/dealer/knights1")
    station.studio.cut_streams()
    floor.show(replace(DEALING, moves=40))
    expect(station.page.locator(".act-words")).to_have_text("Player 3, card 2", timeout=PATIENCE_MS)
    expect(station.page.locator("#offline")).to_be_hidden(timeout=PATIENCE_MS)
    station.page.keyboard.press("f")
    expect(station.page.locator("[aria-busy=true]")).to_have_count(0, timeout=PATIENCE_MS)
    assert [type(one).__name__ for one in floor.asked] == ["FreezeTable"]


def test_a_stream_that_only_seems_to_be_open_is_left(at: At) -> None:
    """A machine that slept, a cable pulled far away: the browser believes in a stream that will never speak again."""
    floor = FakeFloor(IDLE, OTHER)
    station = at(floor, "dora", "/dealer/knights1")
    page = station.page
    page.clock.install()
    page.route("**/stream/**", lambda route: None)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.clock.run_for(BACK_MS)
    floor.show(replace(DEALING, moves=40))
    expect(page.locator(".act-words")).to_have_text("Player 3, card 2", timeout=PATIENCE_MS)
    expect(page.locator("#offline")).to_be_hidden(timeout=PATIENCE_MS)


@pytest.mark.long
def test_a_page_of_another_version_loads_itself_anew(at: At, monkeypatch: pytest.MonkeyPatch) -> None:
    page = at(FakeFloor(IDLE, OTHER), "", "/display/knights1").page
    for room in ("template", "stream"):
        monkeypatch.setattr(f"dealer_ui.frame.{room}.pages_version", lambda: "newer")
    monkeypatch.setattr("dealer_ui.frame.screen.templates", templates.__wrapped__)  # a process has one version
    page.wait_for_selector("html[data-version=newer][data-ready]", timeout=PATIENCE_MS)
    page.wait_for_selector("body[data-live]", timeout=PATIENCE_MS)


@pytest.mark.long
def test_every_tab_of_a_browser_goes_on_when_one_of_them_signs_in(at: At) -> None:
    station = at(FakeFloor(IDLE, OTHER), "", "/sign-in?next=/pit/knights1")
    written = station.context.new_page()
    written.goto(f"{station.studio.address}/sign-in?next=/pit")
    written.fill("#badge", "paul")
    station.context.new_page().goto(station.studio.address)
    station.context.pages[-1].fill("#badge", "paul")
    station.context.pages[-1].fill("#pin", PINS["paul"])
    station.context.pages[-1].press("#pin", "Enter")
    station.page.wait_for_url("**/pit/knights1", timeout=PATIENCE_MS)
    assert "/sign-in" in written.url, "what somebody has begun to write is his"
    written.fill("#pin", PINS["paul"])
    written.press("#pin", "Enter")
    written.wait_for_url("**/pit", timeout=PATIENCE_MS)


SAYS = (
    ("dora", "/dealer/knights1", "Stop dealing"), ("paul", "/pit/knights1", "Watch the tables"),
    ("tom", "/technician", "no order reaches a device"), ("anna", "/audit", "You can read on"),
    ("", "/display/knights1", "No connection to the table"),
)  # fmt: skip


@pytest.mark.parametrize(("badge", "path", "words"), SAYS)
def test_a_banner_is_seen_wherever_its_page_is_scrolled_to(at: At, badge: str, path: str, words: str) -> None:
    station = at(FakeFloor(IDLE, OTHER), badge, path, width=800, height=600)
    page = with_clock(station)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    Outage(station.studio, page).begin(signs_out=False)
    page.clock.run_for(DOWN_MS)
    expect(page.locator("#offline")).to_contain_text(words, timeout=PATIENCE_MS)
    box = page.locator("#offline").bounding_box()
    assert box is not None
    assert (box["y"], box["width"]) == (0, 800)
    for others in {said for _, _, said in SAYS} - {words}:
        assert others not in page.inner_text("#offline")


COUNTING = (("dora", "/dealer/knights1"), ("", "/display/knights1"), ("paul", "/pit/knights1"))


@pytest.mark.parametrize(("badge", "path"), sampled(COUNTING, COUNTING[1], COUNTING[2]))
def test_no_countdown_runs_on_beside_the_banner(at: At, badge: str, path: str) -> None:
    """How long bets are open yet is the studio's to say: nobody may wait for a nought that the page made up."""
    table = replace(BETTING, bets=replace(BETTING.bets, closes_at_ms=NOW_MS + 10 * DOWN_MS))
    station = at(FakeFloor(table, OTHER), badge, path)
    page = with_clock(station)
    ring, seconds = page.locator(".ring"), page.locator(".ring [data-seconds]")
    expect(ring).to_be_visible()
    outage = Outage(station.studio, page)
    outage.begin(signs_out=False)
    page.clock.run_for(DOWN_MS)
    expect(page.locator("#offline")).to_be_visible(timeout=PATIENCE_MS)
    expect(ring).to_be_hidden(timeout=PATIENCE_MS)
    stood = seconds.text_content()
    page.clock.run_for(BACK_MS)
    assert seconds.text_content() == stood
    outage.end()
    page.clock.run_for(BACK_MS)
    expect(page.locator("#offline")).to_be_hidden(timeout=PATIENCE_MS)
    expect(ring).to_be_visible(timeout=PATIENCE_MS)
    expect(seconds).not_to_have_text(stood or "", timeout=PATIENCE_MS)


def test_the_banner_lies_over_an_open_dialog(at: At) -> None:
    station = at(FakeFloor(IDLE, OTHER), "dora", "/dealer/knights1")
    page = with_clock(station)
    page.keyboard.press("i")
    expect(page.locator("#incidents")).to_be_visible()
    Outage(station.studio, page).begin(signs_out=False)
    page.clock.run_for(DOWN_MS)
    expect(page.locator("#offline")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#offline:popover-open")).to_contain_text("Stop dealing")  # the layer above dialogs


def test_whoever_was_writing_when_the_studio_went_away_writes_on_where_he_was(at: At) -> None:
    station = at(FakeFloor(held(), OTHER), "paul", "/pit/knights1")
    page = with_clock(station)
    words = page.locator(".panel.open [name=words]")
    words.focus()
    page.keyboard.type("seen by")
    outage = Outage(station.studio, page)
    outage.begin(signs_out=False)
    page.clock.run_for(DOWN_MS)
    expect(page.locator("#offline")).to_be_visible()
    expect(words).not_to_be_focused()
    outage.end()
    page.clock.run_for(BACK_MS)
    expect(page.locator("#offline")).to_be_hidden()
    expect(words).to_be_focused()
    page.keyboard.type(" a bettor")
    assert words.input_value() == "seen by a bettor"


@pytest.mark.long
def test_a_page_whose_form_is_on_its_way_does_not_leave_for_the_sign_in(at: At) -> None:
    """A relief ends the sign-in of before, and the answer that brings the new one is slow."""
    station = at(FakeFloor(IDLE, OTHER), "dora", "/dealer/knights1/relief")
    page, sent = station.page, list[Route]()
    page.route("**/relief", lambda route: sent.append(route))
    page.evaluate("document.getElementById('sign-in').noValidate = true")
    page.evaluate("document.getElementById('sign-in').requestSubmit()")
    while not sent:
        page.wait_for_timeout(50)
    for token in list(station.studio.console.sessions._open):
        station.studio.console.sessions.close(token)
    for _ in range(2):  # the page asks, is told that nobody is signed in, and stays to ask again
        with page.expect_response(lambda answer: answer.status == 401):
            pass
    sent[0].fulfill(content_type="text/html", body="<p>the answer of the form</p>")
    expect(page.locator("body")).to_have_text("the answer of the form")
    assert page.url.endswith("/relief")


def test_a_form_sent_while_the_studio_is_gone_keeps_what_was_written(at: At) -> None:
    station = at(FakeFloor(IDLE, OTHER), "anna", "/audit")
    page = with_clock(station)
    field = page.locator("main form input[type=text], main form input:not([type]), main form input[type=search]").first
    field.fill("seen by a bettor")
    Outage(station.studio, page).begin(signs_out=False)
    page.clock.run_for(DOWN_MS)
    expect(page.locator("#offline")).to_be_visible(timeout=PATIENCE_MS)
    field.press("Enter")
    expect(page.locator(".toast")).to_contain_text("offline", timeout=PATIENCE_MS)
    assert field.input_value() == "seen by a bettor"
