"""One table with bettors' pages, served on a port of its own, and the browsers that bettors come with."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

from api_fake_floor import NORTH, SOUTH
from open_port import OpenPort
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Page
from test_play_page import ROOM, Floor

from dealer_ui.api.door import blueprint
from dealer_ui.assembly.app import create_app
from dealer_ui.config.file import RatesSection
from dealer_ui.desk.ticket import Tickets
from dealer_ui.pages.play import route as play
from studio.games import find_game
from studio.views.shape import BoxView, CardView

OPERATORS = {"north": NORTH, "south": SOUTH}


class Table(Floor):
    """The floor of one table whose streams hear of its changes."""

    _currency = ""

    def __init__(self, game: str) -> None:
        super().__init__()
        self._followers: list[object] = []
        rules = find_game(game)
        bare = {
            key: tuple(CardView(place, "empty") for place in range(1, n + 1)) for key, n in rules.felt.boxes.items()
        }
        self.show(
            boxes=tuple(BoxView(key, f"box.{key}", places) for key, places in bare.items()),
            game={
                "key": game,
                "title": rules.title,
                "limits": dict.fromkeys(rules.betting.bets, (100, 100_000)),
                "needs": dict(rules.betting.needs),
                "rules": dict(rules.options.defaults),
            },
            title=rules.title,
        )

    def play_in(self, currency: str) -> None:
        """The table is played in this currency alone."""
        self._currency = currency
        rates = RatesSection(date="2026-01-31", worth={"EUR": "1", currency: "1"})
        self.config = self.config.model_copy(update={"currency": currency, "rates": rates})

    def open_bets(self, round: str = "t1-r1", number: int = 1, window_ms: int = 15_000) -> None:
        super().open_bets(round, number, window_ms)
        if self._currency:
            self.show(bets={"currency": self._currency})

    def follow(self, moved: object) -> None:
        self._followers.append(moved)

    def show(self, **changes: object) -> None:
        super().show(**changes)
        for moved in getattr(self, "_followers", ()):
            moved()


class PlayHouse:
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

    def launch(
        self, operator: str, bettor: str, *, width: int = 390, height: int = 844, language: str = "en",
        currency: str = "EUR",
    ) -> Page:  # fmt: skip
        """The page of a bettor whom this operator has launched, with ten thousand minor units in his purse."""
        of = f"/api/v1/bettors/{bettor}"
        money = {"client_id": f"d-{bettor}", "amount": 10_000, "currency": currency}
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

    def shown(self, page: Page) -> None:
        """Until the page has drawn the table as it is now."""
        page.wait_for_function("seq => Number(document.body.dataset.shown) >= seq", arg=self.floor.view("t1").seq)

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


Opener = Callable[[str], PlayHouse]
"""Opens a table of the game of that key; it is closed for you."""
