"""Every screen is held to WCAG 2.2 AA by axe: each page of the house, the consoles in each state, in three languages.

The pages are those the application routes (`role_page.py` has who may enter), so that a new one is checked unnamed.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Station
from fake_floor import (
    BETTING,
    BURNING,
    DEALING,
    DECLARED,
    IDLE,
    ROUND,
    FakeFloor,
    held,
    incident,
    journal,
    results,
)
from playwright.sync_api import Browser, Page
from role_page import ROUTES
from running_studio import TABLE, House
from sealed_search import STAFF, sign_up
from waitress.server import create_server

from studio.reports import KINDS, Kind
from studio.views import TableView

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
LANGUAGES = ("en", "ja", "id")
LETTERS = {"D": "dealer", "P": "pit_boss", "A": "auditor", "T": "technician", "X": "admin"}
NOT_A_PAGE = (
    "camera.jpg",
    ".csv",
    ".css",
    "/talk",
    "/capture",
    "/evidence/",
    "/audit/state",
    "/whoami",
    "/pictures",
    "/play/",
)
"""Pictures, streams and downloads."""
NOT_HERE = ("/decks/<deck>", "/technician/<table>/camera/calibrate")
"""This house has no register of decks yet, and its camera is none that looks: the page says so."""


def wrong_on(page: Page) -> list[str]:
    """What axe finds wrong on the page as it stands: rule, and the first elements that break it."""
    page.evaluate(AXE)
    found: Any = page.evaluate(
        "rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']}).then(told => told.violations)", RULES
    )
    return [f"{one['id']}: {'; '.join(node['html'][:120] for node in one['nodes'][:3])}" for one in found]


# --- the consoles, in the states of a table -------------------------------------------------------------

STATES: dict[str, TableView] = {
    "idle": IDLE, "burning": BURNING, "betting": BETTING, "dealing": DEALING, "declared": DECLARED,
    "held": held(), "ruled": held(DEALING, incident("misplaced_card", ruled="move_card")),
    "asked": held(DEALING, incident("card_mismatch", row="HG15", ruling="pit_decides", approval="two_people",
                                    options=("shoe", "camera", "manual", "void_round"), asked_ruling="manual",
                                    asked_by="dora", asked_by_name="Dora Deal", asked_arguments=("Kh",))),
}  # fmt: skip
CONSOLES = {"dealer": ("dora", "/dealer/knights1"), "pit": ("paul", "/pit/knights1"), "floor": ("paul", "/pit"),
            "display": ("", "/display/knights1")}  # fmt: skip


def state_cases() -> Iterator[object]:
    for state in STATES:
        for console in CONSOLES:
            quick = state in ("held", "asked") and console in ("dealer", "pit")
            yield pytest.param(state, console, marks=() if quick else (pytest.mark.long,), id=f"{console}-{state}")


@pytest.mark.parametrize(("state", "console"), list(state_cases()))
def test_a_console_breaks_no_rule_in_any_state(at: Callable[..., Station], state: str, console: str) -> None:
    floor = FakeFloor(STATES[state])
    floor.journal = journal()
    badge, path = CONSOLES[console]
    station = at(floor, badge, path)
    for language in LANGUAGES:
        station.open(f"{path}?language={language}")
        assert wrong_on(station.page) == [], language


def test_the_display_with_a_long_past_and_the_round_on_paper_break_no_rule(at: Callable[..., Station]) -> None:
    floor = FakeFloor(replace(DEALING, results=results(40)))
    floor.journal = journal()
    station = at(floor, "paul", "/display/knights1")
    assert wrong_on(station.page) == []
    station.open(f"/pit/knights1/round/{ROUND}")
    assert wrong_on(station.page) == []


def test_what_breaks_the_rules_is_found(at: Callable[..., Station]) -> None:
    page = at(FakeFloor(IDLE), "dora", "/dealer/knights1").page
    page.evaluate("""() => {
        const box = document.createElement('div');
        box.innerHTML = '<button></button><p>faint</p>';
        document.body.append(box);
        Object.assign(box.querySelector('p').style, {color: '#333', background: '#222'});
    }""")
    assert {line.partition(":")[0] for line in wrong_on(page)} == {"button-name", "color-contrast"}


# --- every page there is --------------------------------------------------------------------------------


class Served:
    """A running studio on a port of its own, and one browser context for each role."""

    def __init__(self, house: House, browser: Browser) -> None:
        self._server = create_server(house.studio.app, host="127.0.0.1", port=0, threads=24)
        self.address = f"http://127.0.0.1:{self._server.effective_port}"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._browser = browser
        self._pages: dict[str, Page] = {}
        self._console = house.studio.app.extensions["console"]

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            self._server.run()

    def page(self, role: str) -> Page:
        if role not in self._pages:
            page = self._browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            [(badge, pin)] = [(badge, pin) for _, badge, pin, held_role in STAFF if held_role == role]
            page.goto(f"{self.address}/sign-in")
            page.fill("#badge", badge)
            page.fill("#pin", pin)
            page.press("#pin", "Enter")
            page.wait_for_url(lambda url: "sign-in" not in url)
            self._pages[role] = page
        return self._pages[role]

    def close(self) -> None:
        for page in self._pages.values():
            page.context.close()
        self._console.closing.set()
        self._server.task_dispatcher.shutdown(timeout=5)
        self._server.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Served]:
    """A studio with a round in its betting, and every role signed in."""
    with House(tmp_path_factory.mktemp("accessible")) as house:
        house.betting()
        house.bet("c1")
        sign_up(house)
        made = Served(house, chromium)
        yield made
        made.close()


def _pages() -> list[tuple[str, str]]:
    lines = (line.split() for line in ROUTES.splitlines() if line.strip())
    pages = [(rule, who) for method, rule, who in lines if method == "GET" and who not in ("all", "key")]
    return [(rule, who) for rule, who in pages if not any(part in rule for part in NOT_A_PAGE)]


def address_of(rule: str) -> str:
    given = {
        "table": TABLE,
        "round": f"{TABLE}-0000001",
        "role": "shoe",
        "deck": "deck-1",
        "kind": "incident",
        "id": "d1",
    }
    for name, value in given.items():
        rule = rule.replace(f"<{name}>", value)
    return rule


@pytest.mark.long
@pytest.mark.parametrize(("rule", "who"), _pages())
def test_a_page_of_the_house_breaks_no_rule(served: Served, rule: str, who: str) -> None:
    page = served.page(LETTERS[who[0]])
    answer = page.goto(served.address + address_of(rule))
    assert answer is not None
    assert answer.status == (404 if rule in NOT_HERE else 200)
    assert wrong_on(page) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_a_report_breaks_no_rule_on_screen(served: Served, kind: Kind) -> None:
    page = served.page("pit_boss")
    page.goto(f"{served.address}/reports/{kind.key}")
    assert wrong_on(page) == []


def test_the_sign_in_breaks_no_rule_in_any_language(served: Served, chromium: Browser) -> None:
    page = chromium.new_page()
    for language in LANGUAGES:
        page.goto(f"{served.address}/sign-in?language={language}")
        assert wrong_on(page) == [], language
    page.goto(f"{served.address}/no-such-page")
    assert wrong_on(page) == []
    page.close()
