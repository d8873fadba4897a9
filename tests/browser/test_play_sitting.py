"""The line of a bettor's session: on every one of his pages, at every width, and it follows what he wins."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from api_fake_floor import KEYS
from held_to_axe import LANGUAGES, wrong_on
from play_house import Opener
from playwright.sync_api import expect
from sample import sampled

from dealer_ui.floor.bet_offer import BetOffer

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("SITTING_SHOTS", "")
"""A folder for pictures of the page, for people who want to look at it."""


@pytest.mark.parametrize(
    ("width", "height", "language"),
    sampled(
        ((*size, language) for size in [(320, 640), (390, 844), (800, 600), (1920, 1080)] for language in LANGUAGES),
        (320, 640, "id"), (1920, 1080, "en"),
    ),
)  # fmt: skip
def test_clock_session_and_net_are_always_there(open_studio: Opener, width: int, height: int, language: str) -> None:
    studio = open_studio("three_knights")
    studio.floor.open_bets(window_ms=3_600_000)
    page = studio.launch("north", "ann.k-7", width=width, height=height, language=language)
    line = page.locator("#sitting")
    expect(page.locator("[data-own-clock]")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    expect(line.locator("[data-since-ms]")).to_have_text(re.compile(r"^\d+:\d\d"))
    expect(page.locator("#net")).to_have_text(re.compile(r"0[.,]00"))
    [answer] = studio.floor.place_bets("t1", "north", [BetOffer("b1", "ann.k-7", "player1_win", 9_999, "", "")])
    assert answer.status == "accepted"
    studio.floor.settle({"player1_win": 0})
    expect(page.locator("#net")).to_have_text(re.compile(r"-.*99[.,]99"))
    assert wrong_on(page) == []
    page.mouse.wheel(0, 2_000)
    expect(line).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    ends = [box["x"] + box["width"] for one in line.locator("div").all() if (box := one.bounding_box())]
    assert ends == sorted(ends)
    assert ends[-1] <= width
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"sitting-{width}-{language}.png"))
    address = page.url.partition("?")[0]
    for tab in ("record", "rules"):
        page.goto(f"{address}/{tab}")
        expect(page.locator("#net")).to_have_text(re.compile(r"-.*99[.,]99"))


@pytest.mark.parametrize(
    ("width", "height", "language"),
    sampled(
        ((*size, language) for size in [(320, 640), (800, 600), (1920, 1080)] for language in LANGUAGES),
        (320, 640, "id"), (800, 600, "ja"),
    ),
)  # fmt: skip
def test_a_test_account_is_told_that_it_is_one(open_studio: Opener, width: int, height: int, language: str) -> None:
    studio = open_studio("three_knights")
    studio.floor.operators.put({"north": replace(KEYS["north"], test=True)}, {})
    page = studio.launch("north", "ann.k-7", width=width, height=height, language=language)
    mark = page.locator("#sitting .tests")
    expect(mark).to_be_visible()
    assert wrong_on(page) == []
    ends = [box["x"] + box["width"] for one in page.locator("#sitting div").all() if (box := one.bounding_box())]
    assert ends == sorted(ends)
    assert ends[-1] <= width
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"test-account-{width}-{language}.png"))
