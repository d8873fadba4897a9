"""No text of a console is cut off, sticks out or lies over another: full tables, three languages, three sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import pytest
from conftest import Station
from crowd import NAMES, TABLES, crowded
from fake_floor import FakeFloor
from held_to_axe import LANGUAGES
from held_to_fit import unfit_on
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

CONSOLES = {"dealer": "dora", "display": "", "pit": "paul"}
QUICK = {
    ("dealer", "id"): ("nlh-settled", "misplaced"),
    ("dealer", "ja"): ("jack-split",),
    ("display", "ja"): ("declared",),
    ("pit", "id"): ("dealing", "nlh-settled"),
}
"""What every run looks at; the rest is for the long one and the night: the languages take turns from table to table."""


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


def cases() -> Iterator[object]:
    for turn, console in enumerate(CONSOLES):
        for at, language in enumerate(LANGUAGES):
            quick = QUICK.get((console, language), ())
            own = [key for number, key in enumerate(TABLES) if (number + turn) % len(LANGUAGES) == at]
            rest = tuple(key for key in own if key not in quick)
            if quick:
                yield pytest.param(console, language, quick, id=f"{console}-{language}-quick")
            marks = pytest.mark.long if at == turn else pytest.mark.night
            yield pytest.param(console, language, rest, id=f"{console}-{language}", marks=marks)


@pytest.mark.parametrize(("console", "language", "keys"), list(cases()))
def test_a_full_table_shows_every_text_whole(at: At, console: str, language: str, keys: tuple[str, ...]) -> None:
    station = at(crowded(*keys), CONSOLES[console], f"/{console}/{keys[0]}?language={language}")
    found = {}
    for key in keys:
        station.open(f"/{console}/{key}?language={language}")
        found[key] = unfit_on(station.page, NAMES)
        for tab in station.page.locator("[data-tab]").all():
            tab.click()
            found[f"{key}, {tab.inner_text()}"] = unfit_on(station.page, NAMES)
    assert {key: wrong for key, wrong in found.items() if wrong} == {}


FEW = ("dealing", "jack-long", "frozen", "plo")


def floor_cases() -> Iterator[object]:
    for name, keys in (("few", FEW), ("many", tuple(TABLES))):
        for language in LANGUAGES:
            marks = () if (name, language) == ("few", "id") else (pytest.mark.long,)
            yield pytest.param(keys, language, id=f"{name}-{language}", marks=marks)


@pytest.mark.parametrize(("keys", "language"), list(floor_cases()))
def test_the_floor_shows_every_text_whole(at: At, keys: tuple[str, ...], language: str) -> None:
    """Few tables have large pictures, many have small ones."""
    station = at(crowded(*keys), "paul", f"/pit?language={language}")
    assert unfit_on(station.page, NAMES) == []


# --- the look itself --------------------------------------------------------------------------------------

FAULTS = {
    "": "<p>All is well.</p>",
    "beyond the window": "<p style='margin-left: 1200px; white-space: nowrap'>Too far to the right to be read</p>",
    "cut off": "<p style='width: 60px; overflow: hidden; white-space: nowrap'>Camera 1 s behind</p>",
    "out of its box": "<p style='width: 60px; border: 1px solid; white-space: nowrap'>23 bust, and more</p>",
    "over another": "<p style='margin: 0 0 -18px'>One line of text</p><p style='margin: 0'>Another line</p>",
    "under a box": "<p style='margin: 0'>1,284 chips</p><b style='position: absolute; left: 8px; top: 8px; "
    "width: 90px; height: 20px; background: #fff'></b>",
    "scrolls sideways": "<div style='overflow-x: auto; width: 90px'><p style='width: 200px'>A wide table</p></div>",
    "wider than its window": "<div style='width: 3000px; height: 9px'></div>",
}


DESK = [(1280, 800)]
SHORTENED = "width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis"


def test_the_look_finds_each_kind_of_fault_and_no_fault_where_there_is_none(chromium: Browser) -> None:
    page = chromium.new_page()
    for kind, body in FAULTS.items():
        page.set_content(f"<body style='margin: 8px'>{body}</body>")
        found = unfit_on(page, sizes=DESK)
        assert found == [] if not kind else any(kind in one for one in found), (kind, found)
    page.set_content(f"<p style='{SHORTENED}'>Maximiliana Oktaviani</p>")
    assert unfit_on(page, ["Maximiliana"], DESK) == [], "a name that people chose may end in an ellipsis"
    assert unfit_on(page, sizes=DESK) != [], "our own words may not"
    page.close()
