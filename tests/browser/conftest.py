"""A real browser at a real server: Debian's Chromium, the consoles over a floor of hand-made tables."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "dealer_ui"))

from closed_again import close_each
from fake_floor import PINS, FakeFloor
from flask import Flask
from open_port import OpenPort
from patience import PATIENCE_MS
from play_house import PlayHouse
from playwright import __file__ as playwright_files
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from running_demo import BETTORS, DEPOSIT_MINOR, BettorDesk, RunningDemo, bear_stalls

from dealer_ui.assembly.app import create_app

BROWSERS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""The bare one first: the same engine without windows around its pages costs half the processor's time a page."""
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-quic", "--no-first-run",
    "--disable-sync", "--disable-background-networking", "--disable-component-update", "--js-flags=--max-lazy --no-opt",
]  # fmt: skip
DRIVER = Path(playwright_files).parent / "driver" / "node"
_RUNNING: list[Browser] = []


expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = next((one for one in BROWSERS if one.exists()), None)
    if path is None:
        pytest.skip("Chromium is not installed here: apt-get install chromium, then run the browser tests again.")
    if subprocess.run([DRIVER, "--version"], capture_output=True).returncode:
        pytest.skip("What leads the browser does not start here: apt-get install libatomic1, then run them again.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(path), args=FLAGS)
        _RUNNING.append(browser)
        yield browser
        browser.close()


@pytest.fixture(scope="module", autouse=True)
def every_page_is_closed() -> Iterator[None]:
    """One that nobody closed draws, and asks for a studio that is gone, until the last test of all has ended."""
    yield
    assert [page.url for browser in _RUNNING for context in browser.contexts for page in context.pages] == []


SEATS = 32


class Studio:
    """The consoles on a port of their own, over a fake floor."""

    def __init__(self, floor: FakeFloor) -> None:
        self.floor = floor
        self.app: Flask = create_app(floor)  # type: ignore[arg-type]
        self.console = self.app.extensions["console"]
        self.lanes = (self.console.lanes.staff, self.console.lanes.public)
        self._port = OpenPort(self.app)
        self.address = self._port.address

    def cut_streams(self) -> None:
        """Every stream ends, and none is seated again."""
        self.console.closing.set()
        for lane in self.lanes:
            lane.seats.limit = 0
        self.floor.wake()

    def mend_streams(self) -> None:
        self.console.closing.clear()
        for lane in self.lanes:
            lane.seats.limit = SEATS

    def close(self) -> None:
        self.console.closing.set()
        self.floor.wake()
        self._port.close()
        self.floor.close()


@pytest.fixture
def studio() -> Iterator[list[Studio]]:
    """Append what you open; it is closed for you."""
    opened: list[Studio] = []
    yield opened
    close_each(one.close for one in opened)


class Station:
    """One browser page at a studio, signed in, that fails the test at any error of its own scripts."""

    def __init__(self, browser: Browser, studio: Studio, *, width: int = 1280, height: int = 800) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.context.set_default_timeout(PATIENCE_MS)
        self.page: Page = self.context.new_page()
        self.studio = studio
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if "Content Security" in said.text else None)

    def sign_in(self, badge: str) -> None:
        """What the form of the sign-in sends, and not the form: two pages fewer to load for each test."""
        sent = {"badge": badge, "pin": PINS[badge]}
        origin = {"Origin": self.studio.address}
        answer = self.context.request.post(f"{self.studio.address}/sign-in", form=sent, headers=origin, max_redirects=0)
        assert answer.status == 303, answer.text()

    def open(self, path: str) -> None:
        self.page.goto(self.studio.address + path)
        self.page.wait_for_selector("html[data-ready]")
        if self.page.get_attribute("body", "data-stream"):
            self.page.wait_for_selector("body[data-live]")

    def close(self) -> None:
        self.context.close()
        assert self.errors == []


@pytest.fixture
def at(chromium: Browser, studio: list[Studio]) -> Iterator[object]:
    """`at(floor, badge, path)` gives a station standing there."""
    stations: list[Station] = []

    def stand(floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station:
        house = next((one for one in studio if one.floor is floor), None)
        if house is None:
            house = Studio(floor)
            studio.append(house)
        station = Station(chromium, house, width=width, height=height)
        stations.append(station)
        if badge:
            station.sign_in(badge)
        station.open(path)
        return station

    yield stand
    for station in stations:
        station.close()


# --- a demo nobody plays at -----------------------------------------------------------------------------


@pytest.fixture
def running(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningDemo]:
    """A file of tests names its own GAME and SPEED."""
    bear_stalls(monkeypatch)
    game, speed = (getattr(request.module, name, usual) for name, usual in (("GAME", "three_knights"), ("SPEED", 8.0)))
    one = RunningDemo(tmp_path, game, speed)
    yield one
    one.close()


@pytest.fixture
def bettors(running: RunningDemo) -> Iterator[BettorDesk]:
    desk = BettorDesk(running.port, running.demo.api_key)
    for bettor in BETTORS:
        desk.deposit(bettor, f"first-{bettor}", DEPOSIT_MINOR)
    yield desk
    desk.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    opened = chromium.new_context(viewport={"width": 1280, "height": 800})
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    opened.close()


# --- tables with bettors' pages -------------------------------------------------------------------------


@pytest.fixture
def open_studio(chromium: Browser) -> Iterator[object]:
    """`open_studio(game)` gives a table where bettors may be launched."""
    opened: list[PlayHouse] = []

    def build(game: str) -> PlayHouse:
        opened.append(PlayHouse(chromium, game))
        return opened[-1]

    yield build
    for one in opened:
        one.close()
