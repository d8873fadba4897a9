"""Text of twice the size, and names longer than anybody's: nothing that can be tapped leaves the window."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pytest
from conftest import Station
from crowd import crowded
from fake_bench import FakeCamera
from fake_floor import FakeFloor
from held_to_fit import SETTLED, SIZES, unfit_on
from playwright.sync_api import Browser, Page
from running_studio import House
from sealed_search import sign_up
from served_house import Served

from studio.people import NewStaff, Pin
from studio.tables import command as c

pytestmark = pytest.mark.browser

TWICE = """() => { const { style } = document.documentElement;
  style.fontSize = `${2 * parseFloat(getComputedStyle(document.documentElement).fontSize)}px`; }"""
LONG_NAME = """name => { const chosen = ".top .who, .top .top-title, .tour summary span";
  for (const one of document.querySelectorAll(chosen)) one.textContent = name; }"""
TABLE_NAME = "name => { document.querySelectorAll('.inventory h2, .bench h2').forEach(one => one.textContent = name); }"
BETS_OF = "sum => { document.querySelectorAll('.table-facts dd').forEach(one => one.textContent = sum); }"
LIMITS_OF = """said => { for (const row of document.querySelectorAll(".pays tbody tr")) {
  const numbers = row.querySelectorAll("td.number"); if (numbers.length > 1) {
  numbers[0].textContent = said; numbers[0].classList.add("from-to"); } } }"""
CUT = """() => [...document.querySelectorAll('.pays, .pays td, .pays th')].filter(one => {
  const box = one.getBoundingClientRect(), of = one.closest('.panel').getBoundingClientRect();
  return box.right > of.right + 1 || box.right > innerWidth + 1;
}).map(one => one.textContent.trim().slice(0, 40))"""
OUT = """() => [...document.querySelectorAll('.top :is(a, button, summary), .hands button')].filter(one => {
  const box = one.getBoundingClientRect();
  return box.left < -1 || box.right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.textContent.trim())"""


class At(Protocol):
    def __call__(self, floor: FakeFloor, badge: str, path: str, *, width: int = 1280, height: int = 800) -> Station: ...


def out_of_reach(page: Page) -> list[str]:
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        found += [f"{width}x{height} {one}" for one in page.evaluate(OUT)]
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [f"{width}x{height} is {over} too wide"] if over > 0 else []
    return found


@pytest.mark.parametrize(("console", "badge"), [("dealer", "dora"), ("pit", "paul")])
def test_with_text_of_twice_the_size_everything_can_be_tapped(at: At, console: str, badge: str) -> None:
    page = at(crowded("frozen"), badge, f"/{console}/frozen?language=id").page
    page.evaluate(TWICE)
    assert out_of_reach(page) == []


@pytest.mark.parametrize(("path", "badge"), [("/dealer/frozen", "dora"), ("/pit/frozen", "paul"), ("/pit", "paul")])
@pytest.mark.parametrize("name", ["W" * 120, "田" * 64], ids=["one word", "wide letters"])
def test_a_long_name_in_the_top_bar_pushes_nothing_out(at: At, path: str, badge: str, name: str) -> None:
    page = at(crowded("frozen", "dealing"), badge, path).page
    page.evaluate(LONG_NAME, name)
    assert out_of_reach(page) == []


def test_bettors_whose_names_are_as_long_as_they_may_be_stay_on_every_page_that_names_them(
    tmp_path: Path, chromium: Browser
) -> None:
    with House(tmp_path) as house:
        house.betting()
        sign_up(house)
        bettors = ("ann", "W" * 64)
        house.post(f"/bettors/{bettors[1]}/deposits", {"client_id": "d2", "amount": 1_000})
        bets = [
            {"client_id": f"c-{n}", "bettor": one, "bet": "player1_win", "stake": 200} for n, one in enumerate(bettors)
        ]
        assert [one["status"] for one in house.post("/tables/t1/bets", {"bets": bets}).json["answers"]] == [
            "accepted"
        ] * 2
        house.do(c.CloseBetting)
        house.until(lambda view: view.now.act.key == "act.deal")
        house.deal_all()
        house.finish()
        round = house.view.round.id
        for one in bettors:
            told = {"client_id": f"k-{len(one)}", "round": round, "words": "W" * 200}
            assert house.post(f"/bettors/{one}/complaints", told).status_code == 200
        served, found = Served(house, chromium), {}
        for path in (f"/pit/t1/round/{round}", "/pit/complaints", "/audit"):
            page = served.page("auditor")
            page.goto(served.address + path)
            found[path] = unfit_on(page)
        served.close()
        assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_long_names_of_people_and_tables_stay_on_the_pages_of_staff_and_of_devices(
    tmp_path: Path, chromium: Browser
) -> None:
    """In Japanese too, where a heading breaks between phrases only."""
    with House(tmp_path) as house:
        sign_up(house)
        house.floor.staff.add(NewStaff("d9", "1009", "田" * 64, ("dealer",), Pin("4829")))
        house.floor.bench.camera = lambda device: FakeCamera()  # type: ignore[method-assign,assignment,return-value]
        served, found = Served(house, chromium), {}
        for role, path in (("auditor", "/staff"), ("auditor", "/devices"), ("technician", "/technician")):
            page = served.page(role)
            page.goto(f"{served.address}{path}?language=ja")
            page.evaluate(TABLE_NAME, "W" * 120)
            found[path] = unfit_on(page)
        served.close()
        assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_a_great_sum_stays_beside_the_other_facts_of_a_table(at: At) -> None:
    page = at(crowded("dealing"), "paul", "/pit/dealing").page
    page.evaluate(BETS_OF, "1,284 · Rp20.000.000.000,00")
    assert [one for one in unfit_on(page) if "Rp20" in one] == []


@pytest.mark.parametrize(("key", "language"), [("dealing", "ja"), ("declared", "id"), ("nlh-settled", "ja")])
def test_great_limits_stay_on_a_display(at: At, key: str, language: str) -> None:
    """As of a table in rupiah, where a hundred million is one large bet."""
    page = at(crowded(key), "", f"/display/{key}?language={language}").page
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(LIMITS_OF, "Rp100.000,00 – Rp100.000.000,00")
        page.evaluate(SETTLED)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [f"{width}x{height} is {over} too wide"] if over > 0 else []
        found += [f"{width}x{height} {one}" for one in page.evaluate(CUT)]
    assert found == []
