"""The consoles in a real browser: keys, double taps, the line cut and mended, nothing moving under a finger."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from altered import altered
from conftest import Station
from fake_floor import (
    BETTING,
    BURNING,
    DEALING,
    DECLARED,
    IDLE,
    NOW_MS,
    PINS,
    FakeFloor,
    held,
    incident,
    lost,
    results,
)
from heard import heard, press, stop_time, thumb
from patience import PATIENCE_S, wait_until
from playwright.sync_api import Page, Route, expect

from studio.errors import RefusedError
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.views.shape import TableView

pytestmark = pytest.mark.browser
At = Callable[..., Station]


def kinds(floor: FakeFloor) -> list[str]:
    return [type(command).__name__ for command in floor.asked]


def answered(page: Page) -> None:
    """Whatever was asked has been answered, and the screen shows it."""
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def moving_on(floor: FakeFloor) -> Callable[[str, Command], None]:
    """A table that goes on after each button."""
    after = {c.StartRound: BURNING, c.CloseBetting: DEALING, c.DeclareResult: DECLARED, c.ConfirmFeltClear: IDLE}

    def go_on(table: str, command: Command) -> None:
        if type(command) in after:
            floor.show(replace(after[type(command)], moves=floor.view(table).moves + 1))

    return go_on


def test_a_round_is_dealt_with_the_keyboard_alone(at: At) -> None:
    floor = FakeFloor(IDLE)
    floor.on_command = moving_on(floor)
    page = at(floor, "dora", "/dealer/knights1").page
    act = page.locator(".act-words")
    expect(act).to_have_text("Start the round")
    press(page, "Space")
    expect(act).to_have_text("Burn 2 more")
    press(page, "Enter")
    floor.show(replace(BETTING, moves=20))
    expect(act).to_have_text("Bets are open")
    press(page, "Enter")
    expect(act).to_have_text("Player 3, card 2")
    press(page, "i")
    expect(page.locator("#incidents")).to_be_visible()
    press(page, "1")
    expect(page.locator("#incidents h3:visible")).to_contain_text("identified")
    press(page, "2")
    expect(page.locator("#incidents")).to_be_hidden()
    press(page, "p")
    answered(page)  # two orders at once are carried out in any order
    press(page, "f")
    answered(page)
    floor.show(replace(DECLARED, moves=30))
    expect(act).to_have_text("Clear the felt")
    press(page, "Space")
    expect(act).to_have_text("Start the round")
    assert kinds(floor) == [
        "StartRound",
        "CloseBetting",
        "ReportIncident",
        "CallPit",
        "FreezeTable",
        "ConfirmFeltClear",
    ]
    report = floor.asked[2]
    assert isinstance(report, c.ReportIncident)
    assert (report.kind, report.circumstances) == ("dropped_card", (("identified", "false"),))
    assert [command.seen for command in floor.asked[:2]] == [7, 20]
    assert len({command.id for command in floor.asked}) == 6


def test_a_double_tap_is_one_act_however_slow_the_answer(at: At) -> None:
    floor = FakeFloor(IDLE)
    gate, reached = threading.Event(), threading.Event()

    def hold(table: str, command: Command) -> None:
        reached.set()
        assert gate.wait(PATIENCE_S)

    floor.on_command = hold
    page = at(floor, "dora", "/dealer/knights1").page
    page.dblclick("[data-primary]")
    assert reached.wait(PATIENCE_S)
    expect(page.locator("[data-primary]")).to_be_disabled()
    press(page, "Space")
    floor.show(altered(IDLE, shoe={"cards_left": 51}))
    expect(page.locator(".facts")).to_contain_text("51 cards")
    expect(page.locator("[data-primary]")).to_be_disabled()
    gate.set()
    expect(page.locator("[data-primary]")).to_be_enabled()
    assert kinds(floor) == ["StartRound"]


def test_two_taps_are_one_act_where_the_first_puts_another_button_there(at: At) -> None:
    floor = FakeFloor(IDLE)
    after = {c.StartRound: BETTING, c.CloseBetting: DEALING}
    floor.on_command = lambda table, command: floor.show(replace(after[type(command)], moves=30))
    page = at(floor, "dora", "/dealer/knights1").page
    page.hover("[data-primary]")
    for count, said in ((1, "Bets are open"), (2, "Bets are open"), (1, "Player 3, card 2")):
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
        page.evaluate("new Promise((done) => setTimeout(done, 200))")
        expect(page.locator(".act-words")).to_have_text(said)
    assert kinds(floor) == ["StartRound", "CloseBetting"]


def test_taps_of_a_finger_are_told_apart_whatever_the_browser_counts(at: At) -> None:
    floor = FakeFloor(IDLE)
    after = {c.StartRound: BETTING, c.CloseBetting: DEALING}
    floor.on_command = lambda table, command: floor.show(replace(after[type(command)], moves=30))
    page = at(floor, "dora", "/dealer/knights1").page
    stop_time(page)
    thumb(page, "[data-primary]")
    expect(page.locator(".act-words")).to_have_text("Bets are open")
    page.wait_for_timeout(1_000)  # the browser calls the next tap a first one, as some telephones call every tap
    thumb(page, "[data-primary]")
    page.wait_for_timeout(300)
    assert kinds(floor) == ["StartRound"]
    page.clock.run_for(600)
    thumb(page, "[data-primary]")
    expect(page.locator(".act-words")).to_have_text("Player 3, card 2")
    assert kinds(floor) == ["StartRound", "CloseBetting"]


def test_an_unanswered_order_is_sent_again_under_its_own_id(at: At) -> None:
    floor = FakeFloor(IDLE)
    page = at(floor, "dora", "/dealer/knights1").page
    sent: list[str] = []

    def lose_first(route: object) -> None:
        sent.append(route.request.post_data_json["id"] if route.request.post_data_json else "")  # type: ignore[attr-defined]
        route.abort() if len(sent) == 1 else route.continue_()  # type: ignore[attr-defined]

    page.route("**/table/*/command", lose_first)
    page.click("[data-primary]")
    expect(page.locator(".toast")).to_contain_text("Press again: it will count once")
    page.click("[data-primary]")
    answered(page)
    assert len(sent) == 2
    assert sent[0] == sent[1] != ""
    assert kinds(floor) == ["StartRound"]


def test_a_reload_repeats_nothing(at: At) -> None:
    floor = FakeFloor(IDLE)
    page = at(floor, "dora", "/dealer/knights1").page
    page.click("[data-primary]")
    answered(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert kinds(floor) == ["StartRound"]


def test_a_refusal_stands_beside_its_button(at: At) -> None:
    floor = FakeFloor(IDLE)
    floor.refuse = RefusedError("moved_on", "The table has moved on; look again, then repeat what you still want.")
    page = at(floor, "dora", "/dealer/knights1").page
    page.click("[data-primary]")
    toast = page.locator(".toast")
    expect(toast).to_have_text("The table has moved on; look again, then repeat what you still want.")
    above, button = toast.bounding_box(), page.locator("[data-primary]").bounding_box()
    assert above is not None
    assert button is not None
    assert 0 < button["y"] - (above["y"] + above["height"]) < 40
    expect(page.locator("[data-primary]")).to_be_enabled()


def test_five_seconds_of_silence_raise_the_banner_and_turn_the_buttons_off(at: At) -> None:
    floor = FakeFloor(IDLE)
    station = at(floor, "dora", "/dealer/knights1")
    page = station.page
    page.clock.install()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#offline")).to_be_hidden()
    page.route("**/view/**", lambda route: route.abort())  # a page without a stream asks for its view instead
    station.studio.cut_streams()
    floor.show(IDLE)
    page.clock.run_for(6_000)
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator("#offline")).to_contain_text("OFFLINE since")
    page.keyboard.press("Space")
    page.keyboard.press("f")
    assert floor.asked == []
    page.unroute("**/view/**")
    station.studio.mend_streams()
    page.clock.run_for(20_000)
    expect(page.locator("#offline")).to_be_hidden()
    press(page, "Space")
    answered(page)
    assert kinds(floor) == ["StartRound"]


def finger_down(at: At, floor: FakeFloor) -> Page:
    """A page whose time stands still, and a finger on it when the table moves on."""
    page = at(floor, "dora", "/dealer/knights1").page
    stop_time(page)
    page.mouse.move(640, 250)
    page.mouse.down()
    floor.show(DEALING)
    page.wait_for_selector("body[data-deferred]")
    expect(page.locator(".act-words")).to_have_text("Start the round")
    return page


def test_nothing_moves_under_a_finger(at: At) -> None:
    page = finger_down(at, FakeFloor(IDLE))
    page.mouse.up()
    page.clock.resume()
    expect(page.locator(".act-words")).to_have_text("Player 3, card 2")


def test_a_finger_that_nobody_saw_go_holds_no_screen_back(at: At) -> None:
    """A menu of the browser's own takes the end of a press for itself, and the page does not hear of it."""
    page = finger_down(at, FakeFloor(IDLE))
    page.clock.run_for(4_000)
    expect(page.locator(".act-words")).to_have_text("Player 3, card 2")


def test_what_somebody_has_begun_to_write_stays_while_the_table_moves(at: At) -> None:
    about = incident()
    floor = FakeFloor(held(DEALING, about))
    page = at(floor, "paul", "/pit/knights1").page
    form = page.locator(f"#form-rule_incident-{about.id}")
    form.locator("[name=reason_code][value=dealer_error]").check()
    form.locator("[name=words]").fill("seen by a bettor")
    floor.show(altered(held(DEALING, about), shoe={"cards_left": 40}, moves=99))
    expect(page.locator(".table-facts")).to_contain_text("40 cards")
    assert form.locator("[name=words]").input_value() == "seen by a bettor"
    form.locator("[name=pin]").fill("730162")
    form.locator("[name=pin]").press("Enter")
    assert floor.asked == []
    form.locator("button[value=void_round]").click()
    answered(page)
    (asked,) = floor.asked
    assert isinstance(asked, c.RuleIncident)
    assert (asked.ruling, asked.reason_code, asked.words, asked.seen) == (
        "void_round",
        "dealer_error",
        "seen by a bettor",
        99,
    )
    assert asked.actor.pin_at_ms == NOW_MS


def test_a_form_that_was_begun_for_what_is_over_is_drawn_anew(at: At) -> None:
    about = incident(row={"options": ("void_round", "continue")})
    floor = FakeFloor(held(DEALING, about))
    page = at(floor, "paul", "/pit/knights1").page
    form = page.locator(f"#form-rule_incident-{about.id}")
    form.locator("[name=reason_code][value=dealer_error]").check()
    form.locator("[name=words]").fill("seen by a bettor")
    form.locator("[name=pin]").fill("730162")
    floor.show(altered(held(DEALING, replace(about, ruled="continue")), shoe={"cards_left": 40}, moves=99))
    expect(page.locator(".table-facts")).to_contain_text("40 cards")
    over = "This was begun for what is over by now: look at the table, then begin anew what you still want."
    floor.refuse = RefusedError("moved_on", over, which="about")
    page.locator(".again summary").click()
    form.locator("button[value=void_round]").click()
    expect(page.locator(".toast").last).to_have_text(over)
    expect(form.locator("[name=about]")).to_have_value("continue")
    expect(form.locator("[name=words]")).to_have_value("")
    floor.refuse = None
    form.locator("[name=reason_code][value=dealer_error]").check()
    form.locator("[name=pin]").fill("730162")
    form.locator("button[value=void_round]").click()
    answered(page)
    assert [(one.about, one.seen) for one in floor.asked] == [("continue", 99)]


def test_the_dealer_acknowledges_with_a_digit(at: At) -> None:
    mine = incident(
        "dropped_card",
        row={"ruling": "reuse_card", "options": ("reuse_card", "void_round"), "approval": "dealer"},
    )
    floor = FakeFloor(held(DEALING, mine))
    page = at(floor, "dora", "/dealer/knights1").page
    press(page, "1")
    answered(page)
    (asked,) = floor.asked
    assert isinstance(asked, c.RuleIncident)
    assert (asked.incident, asked.ruling) == (mine.id, "reuse_card")


def test_an_alarm_is_heard_once_and_muting_is_said_in_words(at: At) -> None:
    floor = FakeFloor(DEALING)
    page = at(floor, "dora", "/dealer/knights1").page
    page.click("#sound")
    page.click("#sound")
    floor.show(held(DEALING, incident(id="I-alarm")))
    page.wait_for_selector("body[data-last-alarm='held:I-alarm']")
    sound = page.locator("#sound")
    wait_until(lambda: sound.inner_text() == "MUTED" or sound.click())  # the first taps may only let the sound in
    expect(sound).to_have_text("MUTED")
    page.reload()
    expect(page.locator("#sound")).to_have_text("MUTED")


@pytest.mark.long
def test_the_sound_button_glows_only_for_an_alarm_that_could_not_be_heard(at: At) -> None:
    floor = FakeFloor(DEALING)
    page = at(floor, "dora", "/dealer/knights1").page
    page.reload()
    sound = page.locator("#sound")
    expect(sound).to_have_text("Sound on at a touch")
    expect(sound).not_to_have_class("chip-button blocked")
    floor.show(held(DEALING, incident(id="I-unheard")))
    expect(sound).to_have_text("Sound asleep: tap here")
    expect(sound).to_have_class("chip-button blocked")
    page.mouse.click(640, 250)
    expect(sound).to_have_text("Sound on")
    expect(sound).to_have_class("chip-button")


def test_the_pad_signs_in_by_touch(at: At) -> None:
    station = at(FakeFloor(IDLE), "", "/sign-in")
    page = station.page
    page.fill("#badge", "dora")
    page.click("#pin")
    for digit in PINS["dora"]:
        page.click(f".pad [data-key='{digit}']")
    page.click(".button.primary")
    page.wait_for_url("**/dealer/knights1")


def test_who_is_signed_out_elsewhere_is_led_to_the_sign_in(at: At) -> None:
    station = at(FakeFloor(IDLE), "dora", "/dealer/knights1")
    sessions, page = station.studio.console.sessions, station.page
    heard(page)
    page.route("**/sign-in?*", _follow)  # the page does not leave by itself before its button is pressed
    for token in list(sessions._open):
        sessions.close(token)
    page.click("[data-primary]")
    page.wait_for_url("**/sign-in?next=*")


def _follow(route: Route) -> None:
    """Let the browser go there, and nothing be read from there."""
    route.continue_() if route.request.is_navigation_request() else route.abort()


SMALL = """() => [...document.querySelectorAll('#live button, #live a[href], .top button, .top a')]
  .filter(one => one.offsetParent !== null)
  .map(one => [one.textContent.trim().slice(0, 30), one.getBoundingClientRect().height])
  .filter(([, height]) => height < 48)"""

WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"

FAINT = (Path(__file__).parent / "faint_letters.js").read_text(encoding="utf-8")

HELD = (
    held(DEALING, incident("card_mismatch", row={"ruling": "pit_decides", "options": ("shoe", "camera")})),
    held(DEALING, incident("dropped_card", row={"ruling": "reuse_card", "approval": "dealer"})),
    held(DEALING, lost()),
    held(DEALING, lost(why="")),
)
SCREENS = (
    ("dora", "/dealer/knights1", (IDLE, BETTING, DEALING, DECLARED, *HELD)),
    ("paul", "/pit", (held(),)),
    ("paul", "/pit/knights1", (DEALING, *HELD)),
    ("tom", "/technician", (DEALING,)),
    ("", "/display/knights1", (BETTING, altered(DECLARED, past={"results": results(30)}))),
)
SIZES = pytest.mark.parametrize(
    "size", [pytest.param((1280, 800), marks=pytest.mark.long, id="wide"), pytest.param((800, 600), id="narrow")]
)


def shown(station: Station, view: TableView) -> Page:
    """The station once it shows this view."""
    station.studio.floor.show(view)
    station.page.wait_for_selector(f"body[data-seq='{station.studio.floor.view(view.table).seq}']")
    return station.page


@SIZES
@pytest.mark.parametrize(("badge", "path", "views"), SCREENS, ids=[path for _, path, _ in SCREENS])
def test_letters_stand_out_and_nothing_runs_over_the_edge(
    at: At, badge: str, path: str, views: tuple[TableView, ...], size: tuple[int, int]
) -> None:
    station = at(FakeFloor(IDLE), badge, path, width=size[0], height=size[1])
    for view in views:
        page = shown(station, view)
        assert page.evaluate(FAINT) == []
        assert page.evaluate(WIDE) <= 0


@SIZES
def test_the_dealers_targets_are_large_and_all_on_one_screen(at: At, size: tuple[int, int]) -> None:
    station = at(FakeFloor(IDLE), "dora", "/dealer/knights1", width=size[0], height=size[1])
    for view in (IDLE, BETTING, DEALING, DECLARED, *HELD):
        page = shown(station, view)
        assert page.evaluate(SMALL) == []
        for one in page.locator("[data-primary]").all():
            box = one.bounding_box()
            assert box is not None
            assert box["height"] >= 88
        assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0
        letters = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.act-words')).fontSize)")
        assert letters >= (48 if size[0] > 1000 else 30)


def test_the_display_fits_a_telephone(at: At) -> None:
    page = at(
        FakeFloor(altered(DECLARED, past={"results": results(30)})), "", "/display/knights1", width=390, height=844
    ).page
    assert page.evaluate(WIDE) <= 0
    expect(page.locator("#box-player1 .card").first).to_be_visible()
