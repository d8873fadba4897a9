"""The people of the house in a real browser, by keys alone: papers, a bar, relief, and the shift handed over.

Each flow ends in the record: what the screen says and what the journal holds are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from first_sign_in import code_in
from heard import press as hit
from heard import write
from held_to_axe import wrong_on
from playwright.sync_api import Browser, Page, expect
from running_studio import BURNS, TABLE, House
from served_house import Served
from test_keyboard import go_to

from dealer_ui.rehearsal.demo.staff import give_papers
from studio.people import NewStaff, Pin

pytestmark = [pytest.mark.browser, pytest.mark.long]

STAFF = (
    ("a1", "9001", "915374", "Ada", "admin"),
    ("d2", "1002", "4829", "Hana", "dealer"),
    ("p2", "2002", "730163", "Pavel", "pit_boss"),
)
ADMIN, DANA, HANA, PETRA, PAVEL = "9001 915374", "1001 4826", "1002 4829", "2001 730162", "2002 730163"
FIRST_DAY, LAST_DAY = "01012026", "12312036"
"""As somebody types them into a field for a day: month, day, year."""


class Hall:
    """A running studio with its doors open; whoever enters has a station of his own."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house = house
        self.served = Served(house, browser)

    def enter(self, badge_and_pin: str, path: str, size: tuple[int, int] = (1280, 800)) -> Page:
        """Signs in with the keyboard alone, and stands on that page."""
        badge, pin = badge_and_pin.split()
        page = self.served.stranger(f"/sign-in?next={path}", width=size[0], height=size[1])
        sign(page, badge, pin)
        page.wait_for_url(f"**{path}")
        ready(page)
        return page

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What the journal holds of that kind, in order."""
        rows = self.house.floor.reader().events(kinds=(kind,))
        return [fact_of(msgspec.json.decode(row.body)) for row in rows]


def fact_of(body: dict[str, Any]) -> dict[str, Any]:
    """The fact itself, whatever room of the journal it is kept under."""
    return next(body[key] for key in ("event", "staff", "shift") if isinstance(body.get(key), dict))


@pytest.fixture
def hall(tmp_path: Path, chromium: Browser) -> Iterator[Hall]:
    with House(tmp_path) as house:
        house.staff()
        for id, badge, pin, name, role in STAFF:
            house.floor.staff.add(NewStaff(id, badge, name, (role,), Pin(pin)))
        give_papers(house.floor.staff, "d2")
        made = Hall(house, chromium)
        yield made
        made.served.close()


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-ready]")
    if page.get_attribute("body", "data-stream"):
        page.wait_for_selector("body[data-live]")


def sign(page: Page, badge: str, pin: str) -> None:
    """Badge and PIN where the focus stands already."""
    page.wait_for_selector("#badge:focus")
    write(page, badge)
    hit(page, "Tab")
    write(page, pin)
    hit(page, "Enter")


def press(page: Page, selector: str, key: str = "Enter") -> None:
    go_to(page, selector)
    hit(page, key)


def fill(page: Page, **typed: str) -> None:
    """Types into the fields of these ids, one after the other."""
    for id, text in typed.items():
        go_to(page, f"#{id.replace('__', '-')}")
        write(page, text)


def leads(page: Page, act: Callable[[], object], path: str) -> None:
    """The act, and the page it leads to; the same address may be loaded anew."""
    with page.expect_navigation(url=f"**{path}"):
        act()
    ready(page)


# --- papers ----------------------------------------------------------------------------------------------


def issue(page: Page, paper: str, number: str) -> None:
    press(page, ".act-box:has(#paper-paper) > summary")
    fill(page, paper__paper=paper, paper__number=number, paper__from=FIRST_DAY, paper__until=LAST_DAY)
    fill(page, paper__pin="915374")
    leads(page, lambda: hit(page, "Enter"), "/staff/d7")
    expect(page.locator(".refused")).to_have_count(0)


def test_a_new_dealer_gets_a_table_with_the_last_paper_and_not_before(hall: Hall) -> None:
    hall.house.links()
    admin = hall.enter(ADMIN, "/staff")
    press(admin, ".act-box:has(#add-name) > summary")
    fill(admin, add__name="Gita", add__id="d7", add__badge="1077")
    press(admin, "#add-dealer", "Space")
    fill(admin, add__pin="915374")
    hit(admin, "Enter")
    expect(admin.locator(".one-time-code")).to_be_visible()
    code = code_in(admin.locator(".one-time-code").inner_text())
    leads(admin, lambda: press(admin, "a.primary"), "/staff/d7")
    expect(admin.locator("h1, .person h2").filter(has_text="Gita")).to_be_visible()
    if not admin.url.endswith("/d7"):
        leads(admin, lambda: press(admin, "a[href='/staff/d7']"), "/staff/d7")
    pit = hall.enter(PETRA, f"/pit/{TABLE}", (800, 600))
    press(pit, "#control-table > summary")

    def open_for_gita() -> None:
        go_to(pit, "#dealer-open")
        write(pit, "Gita")
        press(pit, "form:has(#dealer-open) button")

    said = pit.locator(".toast")
    open_for_gita()
    expect(said).to_have_text("Gita has no dealing licence. Ask an administrator, or let another one deal.")
    issue(admin, "Licence", "L-77")
    open_for_gita()
    expect(said).to_have_text(
        "Gita has no certificate for Three Knights. Ask an administrator, or let another one deal."
    )
    assert hall.house.view.now.status == "closed"
    issue(admin, "Three Knights", "C-77")
    assert wrong_on(admin) == []
    open_for_gita()
    expect(pit.locator("#seat h2")).to_contain_text("Gita")
    gita = hall.served.stranger(f"/sign-in?next=/dealer/{TABLE}")
    sign(gita, "1077", code)
    gita.wait_for_selector("#new_pin:focus")
    assert wrong_on(gita) == []
    for pin in ("7305", "7305"):
        write(gita, pin)
        hit(gita, "Tab" if gita.locator("#new_pin:focus").count() else "Enter")
    gita.wait_for_url(f"**/dealer/{TABLE}")
    ready(gita)
    expect(gita.locator(".facts")).to_contain_text("Gita")
    assert [(one["dealer"], one["by"]) for one in hall.told("TableOpened")] == [("d7", "p1")]
    papers = [one for one in hall.told("PaperIssued") if one["id"] == "d7"]
    assert [(one["paper"], one["number"], one["by"]) for one in papers] == [
        ("licence", "L-77", "a1"),
        ("three_knights", "C-77", "a1"),
    ]


# --- a bar -----------------------------------------------------------------------------------------------


def test_a_barred_dealer_is_off_his_screen_at_once_and_both_consoles_say_so(hall: Hall) -> None:
    hall.house.betting()
    dana = hall.enter(DANA, f"/dealer/{TABLE}")
    hana = hall.enter(HANA, f"/dealer/{TABLE}", (800, 600))
    pit = hall.enter(PETRA, f"/pit/{TABLE}")
    admin = hall.enter(ADMIN, "/staff/d1")
    press(admin, ".act-box.alarm > summary")
    fill(admin, bar__words="under inquiry", bar__pin="915374")
    hit(admin, "Enter")
    dana.wait_for_url("**/sign-in?next=*")
    for page in (pit, hana):
        expect(page.locator("#live")).to_contain_text("Dana may not deal any more")
    expect(hana.locator("#seat-note")).to_contain_text("Nobody deals here.")
    expect(admin.locator(".barred-why")).to_contain_text("under inquiry")
    assert wrong_on(pit) == wrong_on(hana) == []
    sign(dana, "1001", "4826")
    expect(dana.locator(".refused")).not_to_be_empty()
    press(hana, "#seat-note button")
    expect(hana.locator("#seat-note")).to_contain_text("You have asked: the pit boss confirms.")
    press(pit, "#seat button:not([disabled])")
    expect(hana.locator("#seat-note")).to_have_count(0)
    expect(pit.locator("#seat h2")).to_contain_text("Hana")
    assert [one["reason"] for one in hall.told("StaffBarred")] == ["under inquiry"]
    assert [(one["dealer"], one["why"]) for one in hall.told("DealerStoodDown")] == [("d1", "barred")]
    assert [(one["dealer"], one["by"]) for one in hall.told("DealerChanged")] == [("d2", "p1")]


# --- relief ----------------------------------------------------------------------------------------------


def relieve(page: Page, badge_and_pin: str) -> None:
    leads(page, lambda: press(page, f"a[href='/dealer/{TABLE}/relief']"), "/relief")
    leads(page, lambda: sign(page, *badge_and_pin.split()), f"/dealer/{TABLE}")


def test_the_next_dealer_takes_over_between_rounds_and_in_mid_round_when_the_pit_agrees(hall: Hall) -> None:
    house = hall.house
    house.open()
    station = hall.enter(DANA, f"/dealer/{TABLE}")
    pit = hall.enter(PETRA, f"/pit/{TABLE}", (800, 600))
    relieve(station, HANA)
    expect(station.locator(".facts")).to_contain_text("Hana")
    expect(pit.locator("#seat h2")).to_contain_text("Hana")
    hit(station, "Space")
    expect(station.locator(".act-words")).to_contain_text("Burn")
    for number, card in enumerate(BURNS, 1):
        house.deal("burn", number, card, up=False)
    house.until(lambda view: view.now.act.key == "act.open_bets")
    relieve(station, DANA)
    expect(station.locator("#seat-note")).to_contain_text("You have asked: the pit boss confirms.")
    expect(station.locator(".facts")).to_contain_text("Hana")
    expect(pit.locator("#seat")).to_contain_text("Dana waits to take over")
    assert wrong_on(station) == wrong_on(pit) == []
    press(pit, "#seat button:not([disabled])")
    expect(station.locator("#seat-note")).to_have_count(0)
    expect(pit.locator("#seat h2")).to_contain_text("Dana")
    hit(station, "Space")
    expect(station.locator(".act-words")).to_have_text("Bets are open")
    assert [(one["dealer"], one["by"]) for one in hall.told("DealerChanged")] == [("d2", "d2"), ("d1", "p1")]
    assert [one["dealer"] for one in hall.told("ReliefAsked")] == ["d1"]


# --- the shift -------------------------------------------------------------------------------------------


def test_a_shift_is_handed_over_and_its_report_carries_the_heads_of_both_chains(hall: Hall) -> None:
    hall.house.open()
    petra = hall.enter(PETRA, "/shift")
    leads(petra, lambda: press(petra, ".acts button"), "/shift")
    fill(petra, words="The camera of Table 1 was wiped.", pin="730162")
    leads(petra, lambda: press(petra, ".acts button"), "/shift")
    expect(petra.locator(".hand-over.unread")).to_contain_text("The camera of Table 1 was wiped.")
    pavel = hall.enter(PAVEL, "/shift", (800, 600))
    expect(pavel.locator(".hand-over.unread")).to_contain_text("Petra")
    leads(pavel, lambda: press(pavel, ".hand-over.unread button"), "/shift")
    expect(pavel.locator(".hand-over.unread")).to_have_count(0)
    leads(pavel, lambda: press(pavel, ".acts button"), "/shift")
    pavel.goto(f"{hall.served.address}/reports/shift")
    go_to(pavel, "input[name=span]")
    while not pavel.evaluate("document.activeElement.value === 'shift'"):
        hit(pavel, "ArrowRight")
    go_to(pavel, "select[name=shift]")
    write(pavel, "shift-000001")
    leads(pavel, lambda: press(pavel, "form.span button.primary"), "/reports/shift*")
    expect(pavel.locator("main.report")).to_contain_text("The camera of Table 1 was wiped.")
    heads = pavel.locator("footer.chains code")
    expect(heads).to_have_count(2)
    journal = hall.house.floor.reader().read("SELECT hash FROM journal WHERE kind = 'ShiftClosed'", ())
    assert heads.first.inner_text() == journal[0][0]
    assert wrong_on(pavel) == []
    assert [one["words"] for one in hall.told("ShiftClosed")] == ["The camera of Table 1 was wiped."]
    assert [one["by"] for one in hall.told("ShiftAcknowledged")] == ["p2"]
    assert [one["by"] for one in hall.told("ShiftOpened")] == ["p1", "p2"]
