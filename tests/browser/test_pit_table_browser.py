"""The pit's page of a table in a real browser: what decides is in view, takes few taps, and loses nothing typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import fake_poker
import pytest
from altered import altered
from conftest import Station
from fake_floor import DEALING, IDLE, NOW_MS, FakeFloor, held, incident
from heard import heard
from playwright.sync_api import Page, expect

from studio.errors import RefusedError
from studio.tables import command as c
from studio.views import TableView

pytestmark = pytest.mark.browser
At = Callable[..., Station]

SIZES = ((800, 600), (1280, 800), (1920, 1080))
TAPS_MAX = 5
OTHER = replace(held(IDLE, incident(id="I-90")), table="t2", title="Table 2")
"""Two tables are held, always."""

DIFFER = incident(
    "card_mismatch",
    id="I-1",
    row={
        "id": "HG15",
        "ruling": "pit_decides",
        "options": ("shoe", "camera", "manual", "void_round"),
        "readings": (("shoe", "shoe", "Js"), ("camera", "camera", "2c")),
    },
    where={"box": "player2", "place": 2},
)
DROPPED = incident(
    "dropped_card",
    id="I-2",
    row={"id": "HG16", "ruling": "reuse_card", "options": ("reuse_card", "void_round")},
    where={"box": "player1", "place": 2},
)
LOST = incident(
    "device_lost",
    id="I-3",
    row={"id": "EV1", "ruling": "continue", "options": ("continue",)},
    where={"box": "", "device": "camera"},
)
TWO = held(DEALING, DIFFER, DROPPED)
POKER = held(fake_poker.STATES["river bet"], DIFFER, LOST)
FROZEN = altered(DEALING, now={"held": True, "frozen_by": "dora"})
ASKED = altered(
    DIFFER,
    asked={
        "by": "petra",
        "by_name": "Petra Pit",
        "ruling": "manual",
        "arguments": ("9s",),
        "reason_code": "camera_view",
        "until_ms": NOW_MS + 50_000,
    },
)

STATES: dict[str, tuple[TableView, tuple[str, ...]]] = {
    "two incidents": (TWO, (".reasons", "[name=pin]", "button[value=shoe]", "button[value=camera]",
                            "button[value=void_round]", ".by-hand summary")),
    "two at poker": (POKER, (".reasons", "[name=pin]", "button[value=shoe]", "button[value=camera]")),
    "a lost device alone": (held(DEALING, LOST), (".reasons", "[name=pin]", "button[value=continue]")),
    "frozen": (FROZEN, (".reasons", "[name=pin]", "button.good")),
    "waits for a second person": (held(DEALING, ASKED, DROPPED), (".change", "[name=pin]", "button.good", ".danger")),
    "calm": (DEALING, ()),
}  # fmt: skip

IN_VIEW = """wanted => wanted.flatMap((selector) => {
    const one = document.querySelector(selector);
    if (!one) return [`${selector} is not there`];
    const box = one.getBoundingClientRect();
    const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const seen = inside && box.width && hit && (one.contains(hit) || hit.contains(one));
    return seen ? [] : [`${selector} at ${Math.round(box.top)}..${Math.round(box.bottom)} of ${innerHeight}`];
})"""


def floor_of(view: TableView) -> FakeFloor:
    return FakeFloor(view, OTHER)


def hidden(page: Page, wanted: tuple[str, ...]) -> list[str]:
    """What of these is out of view, or covered."""
    page.wait_for_selector(".act .freeze")
    while True:
        heard(page)
        found = page.evaluate(IN_VIEW, [".act .freeze", *(f".panel.open {one}" for one in wanted)])
        if page.is_hidden("#offline"):  # else its banner lay over them
            return list(found)


@pytest.mark.parametrize("language", ["en", *(pytest.param(one, marks=pytest.mark.long) for one in ("ja", "id"))])
def test_what_decides_is_in_view_at_every_size_wherever_one_has_scrolled(at: At, language: str) -> None:
    floor = floor_of(TWO)
    page = at(floor, "paul", f"/pit/knights1?language={language}").page
    for state, (view, wanted) in STATES.items():
        shown(page, floor, replace(view, table="knights1"))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for down in (0, 100_000):
                page.evaluate("down => document.getElementById('live').scrollTo(0, down)", down)
                assert hidden(page, wanted) == [], (state, width, down)


def test_the_readings_stand_on_the_choices_and_the_felt_and_the_money_beside_them(at: At) -> None:
    page = at(floor_of(TWO), "paul", "/pit/knights1").page
    assert page.inner_text(".panel.open button[value=shoe] .reading") == "Shoe J♠"
    assert page.inner_text(".panel.open button[value=camera] .reading") == "Camera 2♣"
    assert "€53,120.00" in page.inner_text(".act-line")
    assert page.evaluate(IN_VIEW, [".felt", ".incident-told.open"]) == []


class Hand:
    """A finger that counts: a tap is one, what is typed into a field is one with the tap that it takes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, selector: str) -> None:
        self.taps += 1
        heard(self.page)
        self.page.locator(selector).click()

    def reason(self, code: str) -> None:
        self.tap(f".panel.open .reasons label:has([value={code}])")

    def pin(self) -> None:
        self.taps += 1
        self.page.locator(".panel.open [name=pin]").fill("730162")

    def sent(self, floor: FakeFloor) -> Any:
        """What was asked; then the table moves on to be asked something else."""
        for _ in range(600):
            if floor.asked:
                break
            self.page.wait_for_timeout(100)
        [asked] = floor.asked
        assert self.taps <= TAPS_MAX
        floor.asked.clear()
        self.taps = 0
        return asked


def shown(page: Page, floor: FakeFloor, view: TableView) -> None:
    floor.show(view)
    page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=floor.view(view.table).seq)


def test_every_act_of_the_pit_takes_few_taps_and_says_what_was_meant(at: At) -> None:
    floor = floor_of(DEALING)
    page = at(floor, "paul", "/pit/knights1", width=800, height=600).page
    hand = Hand(page)

    hand.tap(".act .freeze")
    assert hand.taps == 1
    assert isinstance(hand.sent(floor), c.FreezeTable)

    shown(page, floor, FROZEN)
    hand.reason("drill")
    hand.pin()
    hand.tap("#act-release button.good")
    assert hand.taps == 3
    assert isinstance(hand.sent(floor), c.ReleaseTable)

    shown(page, floor, TWO)
    hand.reason("camera_view")
    hand.pin()
    hand.tap(".panel.open button[value=camera]")
    assert hand.taps == 3
    ruled = hand.sent(floor)
    assert isinstance(ruled, c.RuleIncident)
    assert (ruled.incident, ruled.ruling, ruled.arguments) == ("I-1", "camera", ("2c",))
    assert (ruled.reason_code, ruled.words, ruled.actor.name) == ("camera_view", "", "Paul Pit")

    hand.tap("[data-tab=incident-I-2]")
    hand.reason("card_dropped")
    shown(page, floor, altered(TWO, shoe={"cards_left": 33}))
    expect(page.locator("#told-I-2")).to_be_visible()
    hand.pin()
    hand.tap(".panel.open button[value=reuse_card]")
    assert hand.taps == 4
    ruled = hand.sent(floor)
    assert (ruled.incident, ruled.ruling, ruled.reason_code) == ("I-2", "reuse_card", "card_dropped")

    shown(page, floor, held(DEALING, DIFFER))
    hand.reason("camera_view")
    hand.pin()
    hand.tap(".panel.open .by-hand summary")
    hand.tap(".panel.open .deck label:has([value='9s'])")
    hand.tap(".panel.open button[value=manual]")
    assert hand.taps == 5
    assert hand.sent(floor).arguments == ("9s",)

    shown(page, floor, DEALING)
    hand.tap("[data-tab=act-void]")
    hand.reason("deck_wrong")
    hand.pin()
    hand.tap("#act-void button.danger")
    assert hand.taps == 4
    voided = hand.sent(floor)
    assert isinstance(voided, c.VoidRound)
    assert (voided.reason_code, voided.words) == ("deck_wrong", "")

    shown(page, floor, altered(DEALING, shoe={"cards_left": 30}))
    page.set_viewport_size({"width": 1280, "height": 800})
    hand.tap("#place-player1-2")
    hand.tap(".panel.open .deck label:has([value='9s'])")
    hand.reason("camera_view")
    hand.pin()
    hand.tap("#act-override button.danger")
    assert hand.taps == 5
    read = hand.sent(floor)
    assert isinstance(read, c.OverrideCard)
    assert (read.box, read.place, read.card, read.reason_code) == ("player1", 2, "9s", "camera_view")


def test_a_refused_form_keeps_what_was_typed_but_the_pin_and_marks_the_field(at: At) -> None:
    floor = floor_of(TWO)
    page = at(floor, "paul", "/pit/knights1").page
    page.locator(".panel.open .reasons label:has([value=other])").click()
    page.fill(".panel.open [name=words]", "the lamp fell")
    page.click(".panel.open .by-hand summary")
    faults = {"pin_needed": "[name=pin][aria-invalid=true]", "words_needed": "[name=words][aria-invalid=true]",
              "arguments": ".deck[data-fault]"}  # fmt: skip
    for number, (key, marked) in enumerate(faults.items()):
        floor.refuse = RefusedError(key, "Something of this form is wrong: put it right, then ask again.")
        page.fill(".panel.open [name=pin]", "730162")
        page.click(".panel.open button[value=manual]")
        page.wait_for_selector(f".panel.open {marked}")
        expect(page.locator(".toast")).to_contain_text("put it right")
        shown(page, floor, altered(TWO, shoe={"cards_left": 30 - number}))
        assert page.input_value(".panel.open [name=words]") == "the lamp fell"
        assert page.input_value(".panel.open [name=pin]") == ""
        assert page.locator(".panel.open [name=reason_code]:checked").get_attribute("value") == "other"
        assert page.locator(f".panel.open {marked}").count() == 1
        assert page.locator(".panel.open [aria-invalid=true], .panel.open [data-fault]").count() == 1


def test_a_choice_shows_what_the_eye_reads_now_also_in_a_form_somebody_has_begun(at: At) -> None:
    floor = floor_of(TWO)
    page = at(floor, "paul", "/pit/knights1").page
    page.fill(".panel.open [name=words]", "the lamp fell")
    again = altered(DIFFER, row={"readings": (("shoe", "shoe", "Js"), ("camera", "camera", "3c"))})
    shown(page, floor, held(DEALING, again, DROPPED))
    expect(page.locator(".panel.open button[value=camera] .reading")).to_have_text("Camera 3♣")
    assert page.input_value(".panel.open [name=words]") == "the lamp fell"
    hand = Hand(page)
    hand.reason("camera_view")
    hand.tap(".panel.open button[value=camera]")
    assert hand.sent(floor).arguments == ("3c",)
