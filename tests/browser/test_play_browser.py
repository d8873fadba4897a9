"""Bettors of two operators at two tables play on their pages, in a real browser, over a network that fails them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from itertools import count

import pytest
from api_fake_floor import NORTH, SOUTH
from held_to_axe import wrong_on
from open_port import OpenPort
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Page, Route, expect
from test_play_page import ROOM, Floor

from dealer_ui.api.door import blueprint
from dealer_ui.assembly.app import create_app
from dealer_ui.desk.ticket import Tickets
from dealer_ui.pages.play import route as play
from studio.games import find_game
from studio.views.own_play import OwnChoice, OwnPlay
from studio.views.shape import BoxView, CardView

pytestmark = pytest.mark.browser

WIDTHS = ((320, 640), (1280, 800))
OPERATORS = {"north": NORTH, "south": SOUTH}


class Table(Floor):
    """The floor of one table whose streams hear of its changes."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self._followers: list[object] = []
        rules = find_game(game)
        bare = {
            key: tuple(CardView(place, "empty") for place in range(1, n + 1)) for key, n in rules.felt.boxes.items()
        }
        self.show(
            boxes=tuple(BoxView(key, f"box.{key}", places) for key, places in bare.items()),
            game=game, game_title=rules.title, title=rules.title,
            limits=dict.fromkeys(rules.betting.bets, (100, 100_000)),
            needs=dict(rules.betting.needs), rules=dict(rules.options.defaults),
        )  # fmt: skip

    def follow(self, moved: object) -> None:
        self._followers.append(moved)

    def show(self, **changes: object) -> None:
        super().show(**changes)
        for moved in getattr(self, "_followers", ()):
            moved()


class Studio:
    """A table on a port of its own, and the browsers at it."""

    def __init__(self, browser: Browser, game: str) -> None:
        self.floor, self._browser, numbers = Table(game), browser, count(1)
        app = create_app(self.floor, room=ROOM)  # type: ignore[arg-type]
        self.console = app.extensions["console"]
        tickets = Tickets(lambda: f"{game}-{next(numbers)}", self.floor.now_ms, time.monotonic)
        lane = self.console.lanes.operators
        app.register_blueprint(blueprint(self.floor, lane, tickets=tickets, closing=self.console.closing))
        app.register_blueprint(play.routes(self.console, tickets, self.floor))
        self.client, self._port = app.test_client(), OpenPort(app)
        self._pages: list[Page] = []
        self.errors: list[str] = []

    def launch(self, operator: str, bettor: str, *, width: int = 390, height: int = 844, language: str = "en") -> Page:
        """The page of a bettor whom this operator has launched, with a hundred in his purse."""
        of = f"/api/v1/bettors/{bettor}"
        money = {"client_id": f"d-{bettor}", "amount": 10_000}
        assert self.client.post(f"{of}/deposits", headers=OPERATORS[operator], json=money).status_code == 200
        wanted = {"table": "t1", "plays": True, "language": language}
        path = self.client.post(f"{of}/pages", headers=OPERATORS[operator], json=wanted).get_json()["page"]
        context = self._browser.new_context(viewport={"width": width, "height": height}, locale="en-US")
        page = context.new_page()
        self._pages.append(page)
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self._port.address + path)
        page.wait_for_selector("body[data-live]")
        return page

    def bets(self, operator: str, bettor: str) -> list[tuple[str, int]]:
        told = self.client.get(f"/api/v1/bettors/{bettor}/bets", headers=OPERATORS[operator]).get_json()["bets"]
        return sorted((one["bet"], one["stake"]) for one in told)

    def close(self) -> None:
        for page in self._pages:
            page.context.close()
        self.console.closing.set()
        self.floor.show()
        self._port.close()
        self.floor.close()
        assert self.errors == []


@pytest.fixture
def open_studio(chromium: Browser) -> Iterator[object]:
    opened: list[Studio] = []

    def build(game: str) -> Studio:
        opened.append(Studio(chromium, game))
        return opened[-1]

    yield build
    for one in opened:
        one.close()


def lay(page: Page, bet: str, chip: int = 500) -> None:
    page.click(f"[data-chip='{chip}']")
    page.click(f"button.bet-spot[data-bet='{bet}']")


def test_bettors_of_two_operators_bet_at_two_tables_and_nothing_is_lost_or_doubled(open_studio: type[Studio]) -> None:
    knights, holdem = open_studio("three_knights"), open_studio("ultimate_holdem")
    for studio in (knights, holdem):
        studio.floor.open_bets(window_ms=3_600_000)
    ann, budi = knights.launch("north", "ann.k-7"), holdem.launch("south", "budi:22", width=1280, height=800)

    lost: list[str] = []

    def lose_the_answer(route: Route) -> None:
        if not lost:
            lost.append(route.fetch().text())  # the studio has it, and the bettor hears nothing
            route.abort()
        else:
            route.continue_()

    ann.route("**/bets*", lose_the_answer)
    lay(ann, "player1_win")
    lay(ann, "player2_tie", 100)
    ann.dblclick("#place")
    expect(ann.locator("#bar-says")).to_have_text("Accepted: €6.00")
    assert "accepted" in lost[0]
    assert knights.bets("north", "ann.k-7") == [("player1_win", 500), ("player2_tie", 100)]

    lay(budi, "trips", 100)
    expect(budi.locator("#bar-says")).to_have_text("Lay a chip on Ante first.")
    lay(budi, "ante")
    expect(budi.locator("#place")).to_have_text("Place €10.00")  # the blind lies beside it
    budi.click("#place")
    expect(budi.locator("#bar-says")).to_have_text(re.compile("Accepted"))
    assert ("ante", 500) in holdem.bets("south", "budi:22")
    assert holdem.bets("north", "ann.k-7") == knights.bets("south", "budi:22") == []

    second = ann.context.new_page()
    second.goto(ann.url)
    for page in (ann, second):  # what stands is told by the studio, to every page and after a reload
        page.reload()
        expect(page.locator("#spot-player1_win .chips-placed")).to_have_text("5")

    lay(second, "player3_win")
    knights.floor.close_bets()
    expect(second.locator("#bar-says")).to_have_text(re.compile("Bets are closed. €5.00 was not placed"))
    assert len(knights.bets("north", "ann.k-7")) == 2


def test_a_decision_is_pressed_once_and_counts_once(open_studio: type[Studio]) -> None:
    studio = open_studio("three_card_poker")
    page = studio.launch("south", "budi:22", language="id")
    studio.floor.own = OwnPlay("r.1", (OwnChoice("play", adds_minor=1_000), OwnChoice("fold")))
    studio.floor.show()
    page.dblclick("#choice--fold")
    expect(page.locator("#bar-says")).to_have_text(re.compile("Pilihan Anda"))
    assert [(operator, one.bettor, one.option) for operator, one in studio.floor.decided] == [
        ("south", "budi:22", "fold")
    ]


def test_a_page_comes_through_a_studio_that_goes_away(open_studio: type[Studio]) -> None:
    studio = open_studio("kkclash")
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7")
    lay(page, "shark")
    page.context.set_offline(True)
    page.click("#place")
    expect(page.locator("#bar-says")).to_have_text(re.compile("No answer yet"))
    page.context.set_offline(False)
    expect(page.locator("#bar-says")).to_have_text("Accepted: €5.00")
    assert studio.bets("north", "ann.k-7") == [("shark", 500)]


@pytest.mark.parametrize("game", ["three_knights", pytest.param("blackjack", marks=pytest.mark.long)])
def test_a_player_needs_no_mouse_and_no_width(open_studio: type[Studio], game: str) -> None:
    studio = open_studio(game)
    studio.floor.open_bets(window_ms=3_600_000)
    for (width, height), language in zip(WIDTHS, ("ja", "en"), strict=True):
        page = studio.launch("north", "ann.k-7", width=width, height=height, language=language)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0, width
        assert wrong_on(page) == [], width
        page.focus("[data-chip][tabindex='0']")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.getAttribute('aria-checked')") == "true"
        page.focus("button.bet-spot")
        page.keyboard.press("Enter")
        expect(page.locator("#told")).not_to_be_empty()
        page.keyboard.press("Delete")
        expect(page.locator("#place")).to_have_attribute("aria-disabled", "true")
