"""The reports in a real browser: charts that show the figures below them, files by keys alone, and the print."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Studio
from fake_floor import IDLE, PINS, FakeFloor
from heard import press
from playwright.sync_api import Browser, Locator, Page
from test_keyboard import go_to

from dealer_ui.pages.report.drawing import FACETS_MAX
from studio.decks.deck_event import AnyDeckEvent, DeckIssued, DeckReceived, write_deck_body
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.reports import KINDS
from tests.studio.report_night import play

pytestmark = [pytest.mark.browser, pytest.mark.long]

MARKS = {"bars": "[aria-label=bar] rect", "spans": "[aria-label=dot] circle", "funnel": "[aria-label=dot] path",
         "lines": "[aria-label=dot] path", "suits": "[aria-label=cell] rect"}  # fmt: skip
BARS_MAX = 16
UNITS = {"hr": 3600.0, "min": 60.0, "sec": 1.0}


@pytest.fixture(scope="module")
def page(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """An auditor before the reports on a night of many faults."""
    database = play(tmp_path_factory.mktemp("night"), rounds=8)
    take_decks_in(database)
    floor = FakeFloor(IDLE)
    with Reader.open(database) as floor._reader:
        studio = Studio(floor)
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
        found = context.new_page()
        errors: list[str] = []
        found.on("pageerror", lambda error: errors.append(str(error)))
        found.goto(f"{studio.address}/sign-in")
        found.fill("#badge", "anna")
        found.fill("#pin", PINS["anna"])
        found.press("#pin", "Enter")
        found.wait_for_url(lambda url: "sign-in" not in url)
        yield found
        context.close()
        studio.close()
    assert errors == []


def take_decks_in(database: Path) -> None:
    """Three decks in storage, one of them at a table by now."""
    told: list[AnyDeckEvent] = [
        DeckReceived(
            at_ms=1, deck=f"RED-{n}", by="p1", beside="d1", design="casino", back="red", packs=1, seal=f"S{n}",
            mark="deck-", place="cage",
        )
        for n in (1, 2, 3)
    ]  # fmt: skip
    told.append(DeckIssued(at_ms=2, deck="RED-1", by="p1", table="t1", seal="S1"))
    store = Store.open(database)
    Writer(store).commit(
        Unit(entries=tuple(Entry(type(one).__name__, one.at_ms, write_deck_body(one)) for one in told))
    )
    store.close()


def open_report(page: Page, kind: str) -> None:
    base = "/".join(page.url.split("/")[:3])
    page.goto(f"{base}/reports/{kind}?span=range&language=en")
    page.wait_for_selector("html[data-ready]")
    if folder := os.environ.get("LOOK"):
        page.screenshot(path=f"{folder}/report-{kind}.png", full_page=True)


def told(figure: Locator) -> dict[str, Any]:
    """What a chart was drawn from."""
    found: dict[str, Any] = figure.locator("script").evaluate("one => JSON.parse(one.textContent)")
    return found


def column(sheet: Locator, head: str) -> list[str]:
    """The cells of the table below a chart, under that head."""
    found: list[str] = sheet.evaluate(
        """(sheet, head) => {
            const at = [...sheet.querySelectorAll("thead th")].findIndex((one) => one.textContent === head);
            return [...sheet.querySelectorAll("tbody tr")].map((row) => row.cells[at].textContent);
        }""",
        head,
    )
    return found


def figure_of(text: str, sort: str) -> float | None:
    """A cell as a number, in the unit of the chart."""
    if text == "–":
        return None
    if sort == "length":
        return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([0-9.]+) (hr|min|sec)", text))
    return float(re.sub(r"[^0-9.-]", "", text)) / (100 if sort == "share" else 1)


UNDRAWN = frozenset({"significant", "access", "purses", "collusion"})
"""Lists of what happened and of who may do what: nothing of them is drawn."""
EMPTY_HERE = frozenset({"access"})
"""Nobody of the staff is in this record."""


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS if kind.key not in UNDRAWN])
def test_each_chart_shows_the_figures_of_the_table_below_it(page: Page, kind: str) -> None:
    open_report(page, kind)
    drawn = page.locator("section.sheet:has(figure.chart)")
    assert drawn.count(), "nothing to look at"
    for sheet in drawn.all():
        chart = told(sheet.locator("figure.chart"))
        up, sort = chart["up"], chart["sorts"][chart["up"]]
        head = chart["labels"][up].removesuffix(" (seconds)")
        cells = [one for one in (figure_of(text, sort) for text in column(sheet, head)) if one is not None]
        shown = [point[up] for point in chart["points"]]
        pictures = len({point[chart["facet"]] for point in chart["points"]}) if chart["facet"] else 1
        assert len(shown) == len(cells) or pictures == FACETS_MAX
        assert shown == pytest.approx(cells[: len(shown)], abs=60 if sort == "length" else 0.006)
        marks = sheet.locator(f"figure.chart svg {MARKS[chart['drawing']]}")
        keys = 1 + sum(chart["sorts"][one] == sort for one in chart["series"])
        wanted = min(len(shown), BARS_MAX) * keys if chart["drawing"] == "bars" else len(shown)
        assert marks.count() == wanted
        assert sheet.locator("figure.chart").get_attribute("aria-label")


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS if kind.key not in EMPTY_HERE])
def test_a_table_is_taken_as_a_file_by_keys_alone(page: Page, kind: str, tmp_path: Path) -> None:
    open_report(page, kind)
    sheet = page.locator("section.sheet:has(.sheet-head a)").first
    with page.expect_download() as coming:
        go_to(page, f"#{sheet.get_attribute('id')} .sheet-head a")
        press(page, "Enter")
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.reader(lines))
    assert file.name.startswith(f"{kind}-")
    assert len(rows) - 1 == sheet.locator("tbody tr").count()
    assert len([one for one in rows[0] if not one.endswith("_minor")]) == sheet.locator("thead th").count()


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_a_print_is_dark_on_white_with_its_charts_and_without_the_screens_own(page: Page, kind: str) -> None:
    open_report(page, kind)
    page.emulate_media(media="print")
    try:
        if folder := os.environ.get("LOOK"):
            page.screenshot(path=f"{folder}/print-{kind}.png", full_page=True)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("getComputedStyle(document.querySelector('.sheet h2')).color") == "rgb(0, 0, 0)"
        for gone in (".top", "form.span", ".sheet-head a"):
            assert page.locator(gone).first.is_hidden()
        assert page.locator(".paper").is_visible()
        for bar in page.locator("figure.chart [aria-label=bar] rect").all()[:1]:
            assert bar.evaluate("one => getComputedStyle(one).fill") == "rgb(11, 95, 165)"
        width = page.evaluate(
            "Math.max(...[...document.querySelectorAll('figure svg')].map((one) => one.scrollWidth), 0)"
        )
        assert width <= 1280
    finally:
        page.emulate_media(media="screen")
