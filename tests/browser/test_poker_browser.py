"""The consoles of a poker table in a real browser: all on one screen, nothing over anything, a hand at its console."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import fake_poker as poker
import pytest
from conftest import Station
from fake_floor import FakeFloor
from held_to_axe import LANGUAGES, wrong_on
from playwright.sync_api import Browser, Page, expect
from running_studio import TABLE, House
from sample import sampled
from sealed_search import sign_up
from served_house import Served

from studio.cards import parse_cards
from studio.views.shape import TableView

pytestmark = pytest.mark.browser

SIZES = [(1920, 1080), (1280, 800), (1024, 768), (800, 600)]
OVER = """() => [document.documentElement.scrollHeight - innerHeight,
  document.documentElement.scrollWidth - innerWidth]"""
BURST = """() => [...document.querySelectorAll('.plate')]
  .filter(box => [...box.querySelectorAll('.stack, .tag, .chips, .puck, .fan .place:last-child')]
    .some(part => part.offsetParent && (part.getBoundingClientRect().right > box.getBoundingClientRect().right + 1
      || part.getBoundingClientRect().bottom > box.getBoundingClientRect().bottom + 1)))
  .map(box => box.id)"""
"""Plates out of which something sticks."""
COVERED = """() => {
  const boxes = [...document.querySelectorAll('.plate, .middle .box, .pots > *')]
    .map(box => [box.id || box.className, box.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) {
      found.push(`${one} ${other}`);
    }
  }));
  return found;
}"""
"""Two that lie over each other."""
CROWDED = """() => [...document.querySelectorAll('.plate')]
  .filter(box => { const cards = box.querySelector('.seat-cards'), stack = box.querySelector('.stack');
    return cards && stack && cards.getBoundingClientRect().right > stack.getBoundingClientRect().left + 1; })
  .map(box => box.id)"""
"""Plates whose cards lie over their chips."""


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


def shown(station: Station, view: TableView) -> Page:
    station.studio.floor.show(view)
    station.page.wait_for_selector(f"body[data-seq='{station.studio.floor.view(view.table).seq}']")
    return station.page


def size_cases() -> Iterator[object]:
    for size in SIZES:
        for language in LANGUAGES:
            quick = (size, language) == ((800, 600), "id")
            yield pytest.param(size, language, marks=() if quick else (pytest.mark.long,), id=f"{size[0]}-{language}")


@pytest.mark.parametrize(("size", "language"), list(size_cases()))
def test_every_state_of_a_hand_stands_on_one_screen(at: At, size: tuple[int, int], language: str) -> None:
    path = f"/dealer/{poker.TABLE}?language={language}"
    station = at(FakeFloor(poker.STATES["before"]), "dora", path, width=size[0], height=size[1])
    for name, view in poker.STATES.items():
        page = shown(station, view)
        assert max(page.evaluate(OVER)) <= 0, name
        assert page.evaluate(BURST) == [], name
        assert page.evaluate(COVERED) == [], name
        assert page.evaluate(CROWDED) == [], name
        letters = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.act-words')).fontSize)")
        assert letters >= (40 if size[0] > 1000 and name != "held" else 27), name


@pytest.mark.parametrize(("width", "height"), sampled(SIZES, (800, 600)))
def test_the_public_display_covers_nothing(at: At, width: int, height: int) -> None:
    station = at(FakeFloor(poker.STATES["before"]), "", f"/display/{poker.TABLE}", width=width, height=height)
    for name, view in poker.STATES.items():
        page = shown(station, view)
        assert page.evaluate(OVER)[1] <= 0, name
        assert page.evaluate(BURST) == [], name
        assert page.evaluate(COVERED) == [], name
        assert page.evaluate(CROWDED) == [], name


def axe_cases() -> Iterator[object]:
    """Each console in each state, in one language after the other; one of them in every language, and quick."""
    for at, state in enumerate(poker.STATES):
        for shift, (badge, console) in enumerate((("dora", "dealer"), ("paul", "pit"), ("", "display"))):
            quick = (state, console) == ("raised", "dealer")
            marks = () if quick else (pytest.mark.long,)
            languages = LANGUAGES if quick else (LANGUAGES[(at + shift) % len(LANGUAGES)],)
            path = f"/{console}/{poker.TABLE}"
            yield pytest.param(state, badge, path, languages, marks=marks, id=f"{console}-{state}")


@pytest.mark.parametrize(("state", "badge", "path", "languages"), list(axe_cases()))
def test_a_poker_table_breaks_no_rule_in_any_state(
    at: At, state: str, badge: str, path: str, languages: tuple[str, ...]
) -> None:
    station = at(FakeFloor(poker.STATES[state]), badge, f"{path}?language={languages[0]}")
    for language in languages:
        station.open(f"{path}?language={language}")
        assert wrong_on(station.page) == [], language


# --- a hand at a running table ----------------------------------------------------------------------------

HOLE = parse_cards("8s 9h Kh 7s")
FLOP = parse_cards("2d 5c Jd")


@pytest.fixture
def served(tmp_path: Path, chromium: Browser) -> Iterator[Served]:
    with House(tmp_path, game="nlh") as house:
        house.open()
        sign_up(house)
        for number, bettor in enumerate(("ann", "bob"), 1):
            assert (
                house.post(f"/bettors/{bettor}/deposits", {"client_id": f"d-{bettor}", "amount": 50_000}).status_code
                == 200
            )
            sit = {
                "client_id": f"s-{bettor}",
                "bettor": bettor,
                "act": "sit",
                "seat": f"seat{number}",
                "amount": 10_000,
            }
            assert house.post(f"/tables/{TABLE}/seats", sit).json["status"] == "accepted"
        made = Served(house, chromium)
        yield made
        made.close()


def choose(house: House, bettor: str, seat: str, option: str, **given: Any) -> None:
    choice = {"client_id": f"{bettor}-{house.view.seq}", "bettor": bettor, "box": seat, "option": option, **given}
    house.until(lambda view: view.bets.turn == seat)
    assert house.post(f"/tables/{TABLE}/decisions", {"decisions": [choice]}).json["answers"][0]["status"] == "accepted"


def test_a_hand_from_the_first_card_to_the_pot(served: Served) -> None:
    """Heads-up: Ann has the button. The dealer presses twice and lays cards; the screen says each next act."""
    house, page = served.house, served.page("dealer")
    page.goto(f"{served.address}/dealer/{TABLE}")
    act = page.locator(".act-words")
    expect(act).to_have_text("Start the hand")
    page.click("[data-primary]")
    expect(act).to_have_text("Seat 2, card 1, face down")
    for number, card in enumerate(HOLE):
        house.deal(f"seat{2 - number % 2}", number // 2 + 1, card, up=False)
    expect(act).to_have_text("Seat 1: €0.50 to call")
    expect(page.locator("#box-seat1.acts .at-button")).to_be_visible()
    choose(house, "ann", "seat1", "raise", to=300)
    expect(page.locator(".act-why")).to_have_text("Seat 1 raises to €3.00")
    choose(house, "bob", "seat2", "call")
    expect(act).to_have_text("Burn one, then the flop")
    expect(page.locator(".spoken")).to_have_text("Pot €6.00")
    house.deal("burn", 1, parse_cards("3c")[0], up=False)
    for place, card in enumerate(FLOP, 1):
        expect(act).to_have_text(f"Flop: card {place} of 3")
        house.deal("board", place, card, up=True)
    choose(house, "bob", "seat2", "check")
    choose(house, "ann", "seat1", "bet", to=400)
    expect(act).to_have_text("Seat 2: €4.00 to call")
    choose(house, "bob", "seat2", "fold")
    expect(act).to_have_text("Push €6.00 to seat 1")
    expect(page.locator(".muck-now")).to_have_text("Muck seat 2")
    page.click("[data-primary]")
    expect(page.locator("#box-seat1 .stack")).to_have_text("€103.00")
    expect(page.locator(".card")).to_have_count(len(FLOP))
