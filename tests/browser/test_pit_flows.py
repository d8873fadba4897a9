"""What the pit does for the whole floor, in a real browser and without a mouse: on the screens and in the record.

The freeze and its release, alarms that get louder, words to the bettors, a complaint from the operator to the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Station
from fake_floor import BETTING, DEALING, IDLE, FakeFloor, held, incident
from heard import press, write
from patience import PATIENCE_MS
from playwright.sync_api import Browser, Page, expect
from running_studio import PIT, TABLE, House
from served_house import Served
from test_keyboard import go_to

from dealer_ui.floor.watch import PitWatch
from studio.pit.alarm import ESCALATE_MS
from studio.tables import command as c

pytestmark = [pytest.mark.browser, pytest.mark.long]

At = Callable[..., Station]


def kept(floor: FakeFloor) -> list[dict[str, Any]]:
    return [json.loads(entry.body)["pit"] for unit in floor.kept for entry in unit.entries]


def until(page: Page, holds: Callable[[], bool]) -> None:
    """What is kept comes a moment beside what the screen says."""
    for _ in range(int(PATIENCE_MS / 50)):
        if holds():
            return
        page.wait_for_timeout(50)
    assert holds()


# --- the freeze of the floor ----------------------------------------------------------------------------


def obedient() -> FakeFloor:
    """Three tables that freeze and are released as they are told."""
    floor = FakeFloor(
        *(replace(one, table=f"t{n}", title=f"Table {n}") for n, one in enumerate((IDLE, BETTING, DEALING), 1))
    )
    floor.on_command = floor.obey
    return floor


def test_one_key_freezes_the_floor_and_one_act_with_reason_and_pin_releases_it(at: At) -> None:
    floor = obedient()
    watch = PitWatch(floor)  # type: ignore[arg-type]
    page = at(floor, "paul", "/pit").page
    dealer, other = at(floor, "dora", "/dealer/t3").page, at(floor, "petra", "/pit/t1").page
    press(page, "Shift+F")
    expect(page.locator(".alarm.floor")).to_contain_text("The whole floor is frozen, by Paul Pit")
    expect(page.locator("#tables .row.held")).to_have_count(3)
    expect(dealer.locator("#live")).to_contain_text("frozen", ignore_case=True)
    expect(other.locator("#live")).to_contain_text("frozen", ignore_case=True)
    watch.step()
    floor.clock_ms += ESCALATE_MS
    watch.step()
    assert [(one["kind"], one.get("tables")) for one in kept(floor)] == [
        ("FloorFrozen", ["t1", "t2", "t3"]), ("AlarmRaised", ["t1", "t2", "t3"])
    ], "one alarm, and nobody is told what he did himself"  # fmt: skip

    go_to(page, "#release-floor summary")
    press(page, "Enter")
    go_to(page, "#release-floor select")
    press(page, "ArrowDown")
    go_to(page, "#release-floor input[name=words]")
    write(page, "all looked at")
    go_to(page, "#release-floor input[name=pin]")
    write(page, "730162")
    press(page, "Enter")
    expect(page.locator("#tables .row.held")).to_have_count(0)
    expect(page.locator(".alarm.floor")).to_have_count(0)
    until(page, lambda: any(one["kind"] == "FloorReleased" for one in kept(floor)))
    watch.step()
    released = next(one for one in kept(floor) if one["kind"] == "FloorReleased")
    assert (released["tables"], released["by"], released["words"]) == (["t1", "t2", "t3"], "paul", "all looked at")
    assert released["reason_code"]
    assert kept(floor)[-1]["kind"] == "AlarmEnded"


# --- an alarm that gets louder --------------------------------------------------------------------------


def test_an_alarm_seen_by_key_stays_and_one_nobody_sees_is_told_on_every_page_of_the_staff(at: At) -> None:
    first = replace(held(DEALING, incident("dropped_card", id="I-1")), table="t1", title="Table 1")
    second = replace(held(BETTING, incident("exposed_card", id="I-2")), table="t2", title="Table 2")
    floor = FakeFloor(first, second)
    watch = PitWatch(floor)  # type: ignore[arg-type]
    watch.step()
    page = at(floor, "paul", "/pit").page
    petra = at(floor, "petra", "/pit/complaints").page
    admin = at(floor, "ada", "/technician").page
    paul = at(floor, "paul", "/staff").page
    press(page, "n")
    press(page, "a")
    seen = page.locator("#alarm-A-1")
    expect(seen).to_contain_text("Paul Pit sees to it")
    watch.step()
    assert set(floor.pit.book.alarms) == {"A-1", "A-2"}, "acknowledged is not cleared"
    expect(petra.locator("#urgent")).to_be_hidden()

    floor.clock_ms += ESCALATE_MS
    watch.step()
    for other in (petra, admin, paul):
        expect(other.locator("#urgent")).to_have_text("Held: Card exposed · Table 2")
    expect(page.locator("#alarm-A-2.loud")).to_be_visible()
    expect(page.locator("#alarm-A-1")).to_be_visible()
    assert [one["id"] for one in kept(floor) if one["kind"] == "AlarmEscalated"] == ["A-2"]

    go_to(petra, "#urgent a")
    press(petra, "Enter")
    petra.wait_for_url("**/pit")
    petra.wait_for_selector("body[data-live]")
    press(petra, "a")
    expect(petra.locator("#alarm-A-2")).to_contain_text("Petra")
    for other in (admin, paul):
        expect(other.locator("#urgent")).to_be_hidden()


# --- a studio that runs ---------------------------------------------------------------------------------


@pytest.fixture
def served(tmp_path: Path, chromium: Browser) -> Iterator[Served]:
    with House(tmp_path) as house:
        house.betting()
        house.bet("b-1")
        one = Served(house, chromium)
        yield one
        one.close()


def sign_in(page: Page, badge: str, pin: str) -> None:
    if page.evaluate("document.activeElement.id") != "badge":
        go_to(page, "#badge")
    write(page, badge)
    go_to(page, "#pin")
    write(page, pin)
    press(page, "Enter")
    page.wait_for_url(lambda url: "sign-in" not in url)


def play_page(served: Served) -> str:
    told = served.house.post("/bettors/ann/pages", {"table": TABLE})
    return str(told.get_json()["page"])


def test_the_bettors_are_told_why_they_wait_on_the_display_and_on_their_page_until_the_game_goes_on(
    served: Served,
) -> None:
    house = served.house
    display, bettor = served.stranger(f"/display/{TABLE}"), served.stranger(play_page(served))
    house.do(c.FreezeTable, PIT)
    for page in (display, bettor):
        expect(page.locator(".told")).to_contain_text("paused", ignore_case=True)  # by itself
    pit = served.stranger(f"/sign-in?next=/pit/{TABLE}")
    sign_in(pit, "2001", "730162")
    go_to(pit, "#control-tell summary")
    press(pit, "Enter")
    go_to(pit, "#control-tell select")
    press(pit, "ArrowDown")
    press(pit, "ArrowDown")
    expect(pit.locator("#control-tell select")).to_have_value("technical")
    go_to(pit, "#control-tell input[name=words]")
    write(pit, "Back at <8>.")
    press(pit, "Enter")
    for page in (display, bettor):
        expect(page.locator("#told-M-1")).to_contain_text("technical matter")
        expect(page.locator("#told-M-1")).to_contain_text("Back at <8>.")
    expect(pit.locator("#told")).to_contain_text("technical matter")

    house.do(c.ReleaseTable, PIT, reason_code="seen", words="As we saw it.")
    for page in (display, bettor):
        expect(page.locator(".told")).to_have_count(0)
    told = [(kind, one) for kind, one in served.kept() if kind.startswith("Message")]
    assert [kind for kind, _ in told] == ["MessageShown", "MessageEnded"]
    assert told[1][1]["by"] == "", "by itself"


def test_a_complaint_comes_from_the_operator_is_answered_by_keys_and_read_on_the_bettors_page(served: Served) -> None:
    house = served.house
    round = house.view.round.id
    house.do(c.CloseBetting)
    house.deal_all()
    house.finish()
    made = house.post(
        "/bettors/ann/complaints", {"client_id": "c-1", "round": round, "words": "The <b>window</b> closed early."}
    )
    assert made.status_code == 200, made.get_json()
    pit = served.stranger("/sign-in?next=/pit")
    sign_in(pit, "2001", "730162")
    expect(pit.locator(".alarms a.chip-button.some")).to_contain_text("1")
    go_to(pit, ".alarms a.chip-button")
    press(pit, "Enter")
    pit.wait_for_url("**/pit/complaints")
    complaint = pit.locator("#complaint-C-1")
    expect(complaint).to_contain_text("The <b>window</b> closed early.")
    expect(complaint.locator("button[value=corrected]")).to_be_disabled()
    go_to(pit, "#answer-C-1")
    write(pit, "The clock shows fifteen seconds.")
    go_to(pit, "#complaint-C-1 button[value=declined]")
    press(pit, "Enter")
    expect(pit.locator("#complaint-C-1.answered")).to_contain_text("The clock shows fifteen seconds.")
    assert [kind for kind, _ in served.kept() if kind.startswith("Complaint")] == ["ComplaintMade", "ComplaintAnswered"]

    told = house.get("/complaints/c-1").get_json()
    assert (told["status"], told["answer"]["outcome"]) == ("answered", "declined")
    bettor = served.stranger(play_page(served))
    go_to(bettor, "nav.tabs a:not([aria-current])")
    press(bettor, "Enter")
    bettor.wait_for_url("**/record*")
    go_to(bettor, f"a[href*='{round}']")
    press(bettor, "Enter")
    expect(bettor.locator(".complaint")).to_contain_text("The clock shows fifteen seconds.")
