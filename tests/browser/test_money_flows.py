"""What the pit does about money, in a real browser by keys alone: a settled round corrected, and one voided."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from held_to_axe import wrong_on
from patience import wait_until
from pit_house import PAVEL, PETRA, PicturedHouse, Pit, because, choose, press, write
from playwright.sync_api import Browser, Page
from running_studio import TABLE

from studio.proof.audit.database import verify
from studio.tables import command as c

pytestmark = [pytest.mark.browser, pytest.mark.long]

ASK = "form.ask"
CHANGE = ".what .go button:not(.danger)"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PicturedHouse]:
    """A settled round in which Ann's ten euro on Player 1 tied."""
    with PicturedHouse(tmp_path) as made:
        made.betting()
        made.bet("one", stake=1_000)
        made.do(c.CloseBetting)
        made.deal_all()
        made.finish()
        yield made


@pytest.fixture
def pit(house: PicturedHouse, chromium: Browser) -> Iterator[Pit]:
    made = Pit(house, chromium)
    yield made
    made.close()


CROPPED = """pictures => pictures.filter((one) => {
    const fit = getComputedStyle(one).objectFit, whole = fit === "contain" || fit === "scale-down";
    return !whole || !one.naturalWidth || one.getBoundingClientRect().height < 100;
}).map((one) => one.src)"""
"""The pictures of which a part is cut off, or that nobody can read."""


def look(page: Page, name: str) -> None:
    if folder := os.environ.get("LOOK"):
        for width, height in ((800, 600), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=f"{folder}/{name}-{width}.png")


def balance(house: PicturedHouse) -> int:
    found: int = house.get("/bettors/ann/balance").json["balance"]
    return found


def to_the_form(house: PicturedHouse, page: Page) -> None:
    """From the page of the table by the round's inspector to the form of its correction."""
    press(page, f".table-facts a[href$='{house.view.round.id}']")
    page.wait_for_url("**/round/*")
    look(page, "inspector")
    press(page, "a[href$='/correct']")
    page.wait_for_url("**/correct")


def asked(page: Page, words: str) -> None:
    because(page, ASK, words, PETRA[1])
    look(page, f"asking-{len(words)}")
    assert wrong_on(page) == []
    press(page, f"{ASK} button")
    page.wait_for_url(f"**/pit/{TABLE}/correction")
    assert page.locator(f"{ASK} [name=pin]").count() == 0  # one's own is nothing to approve


def approved(house: PicturedHouse, pit: Pit, words: str) -> Page:
    """The second person finds it on the floor's page, reads it, and says yes with his PIN."""
    page = pit.comes(PAVEL, "/pit")
    page.wait_for_selector(".alarm.correction")
    look(page, "floor")
    press(page, ".alarm.correction a[href$='/correction']")
    page.wait_for_selector(f"{ASK} [name=pin]")
    assert words in page.inner_text("main")
    assert "Petra" in page.inner_text("main")
    page.wait_for_load_state("load")
    wait_until(lambda: page.eval_on_selector_all(".concerned .eyes img", CROPPED) == [])
    look(page, f"waiting-{len(words)}")
    assert wrong_on(page) == []
    write(page, f"{ASK} [name=pin]", PAVEL[1])
    press(page, f"{ASK} button[value=approve]")
    page.wait_for_url("**/round/*")
    house.until(lambda view: view.aftermath.correction is None)
    return page


def test_a_settled_round_is_corrected_by_two_people_at_their_keys(house: PicturedHouse, pit: Pit) -> None:
    petra, before = pit.comes(PETRA, f"/pit/{TABLE}"), balance(house)
    to_the_form(house, petra)
    number = petra.get_attribute(".one:has(h3:text-is('Player 1, card 3')) select", "id")
    assert petra.locator(f".one:has(#{number}) img").count() == 1
    choose(petra, f"#{number}", "Ts")
    press(petra, CHANGE)
    petra.wait_for_selector(".preview")
    assert "Bettors who change: 1 · €10.00 back, €0.00 out" in petra.inner_text(".preview")
    assert petra.inner_text(".preview .said-change s") == "Player 1, card 3 6♦"
    assert balance(house) == before
    asked(petra, "It was the ten.")
    pavel = approved(house, pit, "It was the ten.")
    assert balance(house) == before - 1_000
    petra.wait_for_selector(".ended.approved:has-text('It is done.')")  # by itself
    assert "Pavel approved this" in petra.inner_text(".ended")
    pavel.reload()
    look(pavel, "corrected")
    assert "correct" in (pavel.text_content(".timeline") or "").lower()
    pavel.goto(f"{pit.address}/display/{TABLE}")
    pavel.wait_for_selector("body[data-live]")
    look(pavel, "display")
    [result] = house.get(f"/tables/{TABLE}/results").json["results"]
    assert (result["corrected"], result["before"]["player1"]["result"]) == (True, "tie")
    assert verify(house.database).ok


def test_a_settled_round_is_voided_by_two_people_at_their_keys(house: PicturedHouse, pit: Pit) -> None:
    petra, before = pit.comes(PETRA, f"/pit/{TABLE}"), balance(house)
    to_the_form(house, petra)
    press(petra, ".what button[name=void]")
    petra.wait_for_selector(".preview")
    look(petra, "void")
    assert [text.strip() for text in petra.inner_text(".said-change").split("→")] == ["Settled", "Void"]
    asked(petra, "The shoe was open.")
    pavel = approved(house, pit, "The shoe was open.")
    assert house.get("/bets/one").json["status"] == "voided"
    assert (before, balance(house)) == (100_000, 100_000)
    pavel.goto(f"{pit.address}/pit/{TABLE}")
    pavel.wait_for_selector(".recent li:has-text('Void')")
    look(pavel, "voided")
    assert verify(house.database).ok
