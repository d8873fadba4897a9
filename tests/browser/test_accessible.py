"""The consoles are held to WCAG 2.2 AA by axe, in each state of a table, in three languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest
from altered import altered
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
from held_to_axe import LANGUAGES, wrong_on
from playwright.sync_api import Page

from dealer_ui.floor.watch import PitWatch
from studio.pit.alarm import ESCALATE_MS
from studio.views import TableView

pytestmark = pytest.mark.browser

STATES: dict[str, TableView] = {
    "idle": IDLE,
    "burning": BURNING,
    "betting": BETTING,
    "dealing": DEALING,
    "declared": DECLARED,
    "held": held(),
    "ruled": held(DEALING, incident("misplaced_card", ruled="move_card")),
    "asked": held(
        DEALING,
        incident(
            "card_mismatch",
            row={
                "id": "HG15",
                "ruling": "pit_decides",
                "approval": "two_people",
                "options": ("shoe", "camera", "manual", "void_round"),
            },
            asked={"ruling": "manual", "by": "dora", "by_name": "Dora Deal", "arguments": ("Kh",)},
        ),
    ),
}
CONSOLES = {"dealer": ("dora", "/dealer/knights1"), "pit": ("paul", "/pit/knights1"), "floor": ("paul", "/pit"),
            "display": ("", "/display/knights1")}  # fmt: skip


def state_cases() -> Iterator[object]:
    """No rule depends on the language but those of the words in it: each state is held to them in one, by turns."""
    for number, (state, console) in enumerate(product(STATES, CONSOLES)):
        quick = (state, console) in (("held", "dealer"), ("asked", "pit"))
        language = LANGUAGES[number % len(LANGUAGES)]
        marks = () if quick else (pytest.mark.long,)
        yield pytest.param(state, console, language, marks=marks, id=f"{console}-{state}-{language}")


def spoken(at: Callable[..., Station], floor: FakeFloor, badge: str, path: str) -> Iterator[tuple[str, Page]]:
    """The page in each language; each is loaded once."""
    station = at(floor, badge, f"{path}?language={LANGUAGES[0]}")
    yield LANGUAGES[0], station.page
    for language in LANGUAGES[1:]:
        station.open(f"{path}?language={language}")
        yield language, station.page


@pytest.mark.parametrize(("state", "console", "language"), list(state_cases()))
def test_a_console_breaks_no_rule_in_any_state(
    at: Callable[..., Station], state: str, console: str, language: str
) -> None:
    floor = FakeFloor(STATES[state])
    floor.journal = journal()
    badge, path = CONSOLES[console]
    assert wrong_on(at(floor, badge, f"{path}?language={language}").page) == []


@pytest.mark.parametrize(
    "path",
    [pytest.param("/pit", marks=pytest.mark.long), pytest.param("/pit/knights1", marks=pytest.mark.long), "/staff"],
)
def test_an_alarm_nobody_acknowledged_breaks_no_rule_wherever_it_is_told(at: Callable[..., Station], path: str) -> None:
    floor = FakeFloor(STATES["asked"], replace(held(), table="knights2", title="Table 2"))
    watch = PitWatch(floor)  # type: ignore[arg-type]
    watch.step()
    floor.clock_ms += ESCALATE_MS
    watch.step()
    for language, page in spoken(at, floor, "paul", path):
        page.wait_for_selector(".alarm.loud" if path == "/pit" else "#urgent:not([hidden])")
        assert wrong_on(page) == [], language


@pytest.mark.long
def test_the_display_with_a_long_past_and_the_round_on_paper_break_no_rule(at: Callable[..., Station]) -> None:
    floor = FakeFloor(altered(DEALING, past={"results": results(40)}))
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
