"""The floor's page in a real browser: its keys, lists that stay under a hand, pictures that are never a still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from altered import altered
from fake_floor import BETTING, DEALING, IDLE, FakeFloor, held, incident
from fake_poker import STATES
from playwright.sync_api import expect
from sample import sampled

from dealer_ui.config.file import DeviceSection, StudioConfig, TableSection
from dealer_ui.floor.watch import PitWatch
from studio.diagnosis import Unseen
from studio.views.shape import Words

pytestmark = pytest.mark.browser
At = Callable[..., Any]


def many(count: int) -> FakeFloor:
    floor = FakeFloor(*(replace(IDLE, table=f"t{n}", title=f"Table {n}") for n in range(1, count + 1)))
    floor.config = StudioConfig(
        devices=tuple(
            DeviceSection(id=f"camera{n}", driver="camera", url=f"rtsp://10.0.0.5/{n}") for n in range(1, count + 1)
        ),
        tables=tuple(
            TableSection(key=f"t{n}", title=f"Table {n}", game="three_knights", camera=f"camera{n}")
            for n in range(1, count + 1)
        ),
    )
    frame = cv2.imencode(".jpg", np.full((180, 320, 3), 120, np.uint8))[1].tobytes()
    floor.camera_jpeg = lambda table: (frame, floor.now_ms())  # type: ignore[method-assign]
    return floor


DRAWN = "document.querySelector('#lens-t1 canvas').getContext('2d').getImageData(0, 0, 320, 180).data"


def felt_picture() -> bytes:
    """Something to see: a green cloth with three white cards."""
    felt = np.full((360, 640, 3), (60, 110, 30), np.uint8)
    for x in (120, 280, 440):
        cv2.rectangle(felt, (x, 110), (x + 90, 240), (240, 240, 240), cv2.FILLED)
    return cv2.imencode(".jpg", felt)[1].tobytes()


def order(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#tables > .row", "rows => rows.map((row) => row.dataset.table)")
    return found


def test_money_on_the_floor_is_never_cut_off(at: At) -> None:
    """The whole amount stands in its row, also beside a long count of seats, a late camera and the freeze button."""
    floor = many(4)
    for table in floor.tables:
        poker = STATES["river bet"]
        assert poker.room is not None
        late = Words("camera.behind", {"s": 12, "percent": 80})
        floor.show(altered(poker, table=table, title=table, devices={"camera_late": late}))
    for width in (800, 1280):
        page = at(floor, "paul", "/pit?language=id", width=width).page
        assert page.locator(".stakes b").count() == 4
        cut = page.eval_on_selector_all(
            ".stakes b",
            """amounts => amounts.filter((amount) => {
                const mine = amount.getBoundingClientRect(), row = amount.closest(".row-facts").getBoundingClientRect();
                return mine.right > row.right + 1 || mine.bottom > row.bottom + 1;
            }).map((amount) => amount.textContent)""",
        )
        assert cut == [], width


def test_each_button_of_the_floor_works_while_its_tables_are_played(at: At) -> None:
    """Every table counts its own moves; whatever was dealt since, a table is frozen and a call is answered."""
    called = {"pit_called_by": "dora", "pit_called_by_name": "Dora Deal"}
    floor = FakeFloor(
        replace(DEALING, table="t1", title="Table 1", moves=7),
        altered(BETTING, table="t2", title="Table 2", moves=90, now=called),
    )
    floor.on_command = floor.obey
    page = at(floor, "paul", "/pit").page
    for table in floor.tables:  # dealt on, and no word of it on the screen yet
        floor.deal_on(table)
    page.click("#row-t2 form[id^=form-answer_call] button")
    expect(page.locator("#row-t2 .state")).to_have_text("Running")
    page.click("#row-t1 form[id^=form-freeze_table] button")
    expect(page.locator("#row-t1")).to_have_class("row held")
    page.locator("#row-t2 .row-open").focus()
    page.keyboard.press("f")
    expect(page.locator("#row-t2")).to_have_class("row held")
    assert [(type(one).__name__, one.actor.id) for one in floor.asked] == [
        ("AnswerCall", "paul"), ("FreezeTable", "paul"), ("FreezeTable", "paul")
    ]  # fmt: skip
    assert page.locator(".toast").count() == 0


@pytest.mark.parametrize(("badge", "path"), [("paul", "/pit"), ("ada", "/technician")])
def test_a_form_on_a_page_of_several_tables_tells_what_was_seen_of_its_own(at: At, badge: str, path: str) -> None:
    unproved = replace(IDLE.game.pay_table, trouble="pay_table_unproved")
    view = altered(IDLE, game={"pay_table": unproved}, now={"pit_called_by": "dora"})
    floor = FakeFloor(*(replace(view, table=f"t{n}", title=f"Table {n}", moves=n * 10) for n in (1, 2, 3)))
    page = at(floor, badge, path).page
    told = page.eval_on_selector_all(
        "form.act-form[action^='/table/']",
        """forms => forms.map((form) => {
            const asked = { parameters: {}, headers: {}, elt: form };
            form.dispatchEvent(new CustomEvent("htmx:configRequest", { bubbles: true, detail: asked }));
            return [form.getAttribute("action").split("/")[2], Number(asked.parameters.seen)];
        })""",
    )
    assert {table for table, _ in told} == {"t1", "t2", "t3"}
    assert all(seen == floor.view(table).moves for table, seen in told), told


def test_a_lost_server_is_one_alarm_that_keys_acknowledge_and_that_stays(at: At) -> None:
    floor = many(6)
    for table in floor.tables:
        floor.show(altered(floor.view(table), devices={"links": {"camera": False}}))
    watch = PitWatch(floor)  # type: ignore[arg-type]
    watch.step()
    page = at(floor, "paul", "/pit").page
    assert page.locator(".alarm").count() == 1
    assert page.locator(".alarm .where .chip").count() == 6
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.closest('.alarm').id") == "alarm-A-1"
    page.keyboard.press("a")
    page.wait_for_selector(".alarm.seen")
    assert "Paul Pit sees to it" in page.inner_text(".alarm")
    assert page.get_attribute("#live", "data-alarm") == ""
    page.keyboard.press("o")
    page.wait_for_url("**/pit/t1")


def test_nothing_moves_under_a_hand_and_the_order_is_taken_when_it_has_gone(at: At) -> None:
    floor = many(6)
    page = at(floor, "paul", "/pit").page
    before = [f"t{n}" for n in range(1, 7)]
    assert order(page) == before
    page.hover("#row-t2 h2")
    floor.show(replace(held(DEALING, incident()), table="t5", title="Table 5"))
    page.wait_for_selector("#row-t5.held")
    assert order(page) == before
    page.wait_for_selector("#order-waits:not([hidden])")
    page.mouse.move(2, 2)
    page.wait_for_selector("#row-t5:first-child")
    assert order(page) == ["t5", "t1", "t2", "t3", "t4", "t6"]


def test_a_picture_that_no_longer_comes_says_its_age_by_the_pages_own_clock(at: At) -> None:
    floor = many(2)
    station = at(floor, "paul", "/pit")
    page = station.page
    page.clock.install()
    station.open("/pit")
    page.wait_for_selector("#lens-t1[data-shows]")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))  # from here on no time passes but what is given
    age = "document.querySelector('#lens-t1[data-shows] .lens-age')"
    while not page.evaluate(f"{age} !== null && parseFloat({age}.textContent) < 2"):
        with page.expect_response("**/pit/pictures*"):
            page.clock.run_for(1_000)
        page.wait_for_timeout(200)
    page.route("**/pit/pictures*", lambda route: None)  # the server hangs: no answer, and no error either
    page.clock.fast_forward(int(1_000 * (2.8 - page.evaluate(f"parseFloat({age}.textContent)"))))
    assert page.locator("#lens-t1[data-shows]:not([data-old])").count() == 1
    page.clock.fast_forward(5_000)
    page.wait_for_selector("#lens-t1[data-old]")
    assert page.evaluate(f"{DRAWN}.some((value) => value !== 0)") is True
    assert page.inner_text("#lens-t1 .lens-says").strip() == "7 s old"
    page.clock.fast_forward(180_000)
    expect(page.locator("#lens-t1 .lens-says")).to_have_text("3 min old")
    page.unroute("**/pit/pictures*")


@pytest.mark.parametrize(("width", "height"), sampled([(800, 600), (1280, 800)], (800, 600)))
def test_a_full_machine_is_no_lost_cable(at: At, width: int, height: int) -> None:
    """t1 is looked at late, the others give no picture for one reason each; each thumbnail says so, and it fits."""
    floor = many(14)
    late, links = Words("camera.behind", {"s": 5, "percent": 60}), {**DEALING.devices.links, "camera": True}
    for key, devices in (
        ("t1", {"camera_late": late, "links": links}), ("t3", {"links": links}), ("t4", {"links": links}),
        ("t2", {"links": {**links, "camera": False}}),
    ):  # fmt: skip
        floor.show(altered(DEALING, table=key, title=f"Table {key[1:]}", devices=devices))
    frame = felt_picture()
    taken = {"t1": 5_000, "t4": 200}
    none = {"t2": Unseen.NONE, "t3": Unseen.HIDDEN, **{f"t{n}": why for n, why in enumerate(Unseen, 5)}}
    floor.camera_jpeg = lambda table: (  # type: ignore[method-assign]
        (frame, floor.now_ms() - taken[table]) if table in taken else none.get(table, Unseen.NONE)
    )
    said = {
        "en": ("5 s old machine full", "no signal", "not shown: felt not found", "no camera", "table not reached"),
        "ja": ("5 秒前 処理能力の限界", "信号なし", "非表示: フェルト未検出", "カメラなし", "テーブル接続不可"),
        "id": ("5 d yang lalu mesin penuh", "tanpa sinyal", "tidak ditampilkan: alas belum ditemukan", "tanpa kamera",
               "meja tidak terjangkau"),
    }  # fmt: skip
    for language, (old, dead, hidden, absent, far) in said.items():
        page = at(floor, "paul", f"/pit?language={language}", width=width, height=height).page
        expect(page.locator("#lens-t1 .lens-says small")).not_to_be_empty()
        for key, words in (("t2", dead), ("t3", hidden), ("t5", absent), ("t10", far)):
            expect(page.locator(f"#lens-{key} .lens-says")).to_have_text(words)
        assert " ".join(page.inner_text("#lens-t1 .lens-says").split()) in (old, old.replace("5", "6", 1))
        assert page.evaluate(f"{DRAWN}.some((value) => value !== 0)") is True
        assert page.locator("#lens-t4[data-shows]:not([data-old])").count() == 1
        assert page.locator("#full-machines p").count() == 1
        wide = page.eval_on_selector_all(
            ".lens-says",
            "all => all.filter((one) => one.scrollWidth > one.parentElement.clientWidth"
            " || one.getBoundingClientRect().height > one.parentElement.clientHeight).map((one) => one.textContent)",
        )
        assert wide == []


def test_a_page_that_does_not_live_says_that_the_studio_is_gone_and_leaves_its_form_in_use(at: At) -> None:
    station = at(many(1), "ada", "/staff")
    page = station.page
    page.clock.install()
    station.open("/staff")
    page.route("**/beat", lambda route: route.abort())
    page.clock.fast_forward(6_000)
    page.wait_for_selector("#offline:not([hidden])")
    assert page.evaluate("document.getElementById('station').inert") is False
    page.unroute("**/beat")
    page.clock.fast_forward(2_500)
    page.wait_for_selector("#offline", state="hidden")


def test_what_folds_out_on_a_page_of_the_pit_leaves_the_rooms_menu_as_it_is(at: At) -> None:
    page = at(many(1), "paul", "/pit").page
    sign = "one => getComputedStyle(one, '::after').content"
    assert page.locator("main summary").first.evaluate(sign) == '"+"'
    assert page.locator(".rooms summary").evaluate(sign) == "none"
