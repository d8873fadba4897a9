"""The consoles of a Blackjack table in a real browser: everything on one screen, large, in every state of a round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Protocol

import fake_blackjack as jack
import pytest
from altered import altered
from conftest import Station
from fake_floor import FakeFloor, held, incident
from heard import press
from held_to_axe import LANGUAGES
from held_to_fit import SETTLED
from playwright.sync_api import Page, expect

from studio.tables import command as c
from studio.views.shape import TableView

pytestmark = pytest.mark.browser

FAINT = (Path(__file__).parent / "faint_letters.js").read_text(encoding="utf-8")
SIZES = [(1920, 1080), (1280, 800), (800, 600)]
BURST = """() => [...document.querySelectorAll('.arc-box, .dealers')]
  .filter(box => [...box.querySelectorAll('.total, .tag, .won, .fan .place:last-child')]
    .some(part => part.offsetParent && part.getBoundingClientRect().right > box.getBoundingClientRect().right + 1))
  .map(box => box.id)"""
"""Boxes out of which something sticks."""


OVER = """() => [document.documentElement.scrollHeight - innerHeight,
  document.documentElement.scrollWidth - innerWidth]"""


HELD = held(
    jack.AWAITED,
    incident(
        "misplaced_card",
        where={"box": "5", "place": 1, "due_box": "6", "due_place": 1},
        row={
            "id": "BJ9",
            "approval": "dealer",
            "ruling": "card_is_next_card",
            "options": (),
            "text": "The box has no bet and nothing was dealt after the card.",
        },
        circumstances={},
    ),
)


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


def shown(station: Station, view: TableView) -> Page:
    station.studio.floor.show(view)
    station.page.wait_for_selector(f"body[data-seq='{station.studio.floor.view(view.table).seq}']")
    return station.page


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_of_a_round_stands_on_one_screen(at: At, language: str) -> None:
    """The window is made larger and smaller, and the page stays: a load costs more than a look."""
    station = at(FakeFloor(jack.OPENING), "dora", f"/dealer/jack1?language={language}")
    for name, view in {**jack.STATES, "held": HELD}.items():
        page = shown(station, view)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SETTLED)
            over = page.evaluate(OVER)
            assert max(over) <= 0, (name, width, over)
            assert page.evaluate(BURST) == [], (name, width)
            if name == "held":
                continue
            letters = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.act-words')).fontSize)")
            assert letters >= (48 if width > 1000 else 30), (name, width)


@pytest.mark.parametrize(("badge", "path"), [("dora", "/dealer/jack1"), ("paul", "/pit/jack1"), ("", "/display/jack1")])
def test_letters_stand_out_on_the_felt(at: At, badge: str, path: str) -> None:
    station = at(FakeFloor(jack.OPENING), badge, path)
    for view in (*jack.STATES.values(), HELD):
        page = shown(station, altered(view, past={"results": jack.past(9)}))
        assert page.evaluate(FAINT) == []


def test_a_round_is_followed_from_the_bets_to_the_result(at: At) -> None:
    """The table goes on after each button as a real one does, and the screen says what a dealer does next."""
    floor = FakeFloor(jack.OPENING)
    after = {c.CloseBetting: jack.AWAITED, c.DeclareResult: jack.RESULT}
    floor.on_command = lambda table, command: floor.show(
        replace(after[type(command)], moves=floor.view(table).moves + 1)
    )
    station = at(floor, "dora", "/dealer/jack1")
    page, act = station.page, station.page.locator(".act-words")
    expect(page.locator(".arc-box.used")).to_have_count(2)
    page.click("[data-primary]")
    expect(act).to_have_text("Deal to Box 6")
    expect(page.locator("#box-6.awaits")).to_be_visible()
    shown(station, jack.TURN)
    expect(page.locator("#hand-1.acts")).to_be_visible()
    expect(page.locator(".option")).to_have_text(["Hit", "Stand", "Double", "Surrender"])
    shown(station, jack.CHOSEN)
    expect(page.locator(".act-why")).to_have_text("Box 1: HIT")
    expect(act).to_have_text("Deal to Box 1")
    shown(station, jack.DEALER_DRAWS)
    expect(page.locator(".act-why")).to_have_text("Dealer has 6: must draw")
    shown(station, jack.FINISHED)
    press(page, "Space")
    expect(page.locator("#hand-3b .won")).to_have_text("PUSH")
    expect(page.locator("[data-primary]")).to_have_count(0)  # the cards are seen: the hands clear them away
    shown(station, jack.OPENING)
    expect(act).to_have_text("Bets are open")
    assert [type(command) for command in floor.asked] == [c.CloseBetting, c.DeclareResult]


def test_a_box_without_a_card_is_reported_in_three_taps(at: At) -> None:
    floor = FakeFloor(jack.AWAITED)
    page = at(floor, "dora", "/dealer/jack1").page
    press(page, "i")
    page.get_by_role("button", name="Box without a card").click()
    page.locator("[data-panel='wrong_count-none'] .button", has_text="Box 3").click()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    (asked,) = floor.asked
    assert isinstance(asked, c.ReportIncident)
    assert (asked.kind, asked.circumstances) == ("wrong_count", (("3_cards", "0"),))
