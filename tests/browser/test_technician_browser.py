"""The technician's pages in a real browser: four corners by mouse and keys, places seen before saving, a live line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import fake_bench
import numpy as np
import pytest
from altered import altered
from conftest import Station
from fake_bench import CORNERS, TechnicianFloor
from fake_floor import IDLE
from playwright.sync_api import expect

from studio.diagnosis import Unseen

pytestmark = [pytest.mark.browser, pytest.mark.long]

Stand = Callable[..., Station]
CALIBRATE = "/technician/knights1/camera/calibrate"


@pytest.fixture
def floor(monkeypatch: pytest.MonkeyPatch) -> Iterator[TechnicianFloor]:
    picture = np.full((360, 640, 3), (40, 90, 30), np.uint8)
    monkeypatch.setattr(fake_bench, "PICTURE", cv2.imencode(".jpg", picture)[1].tobytes())
    made = TechnicianFloor(altered(IDLE, now={"status": "closed"}))
    yield made
    made.close()


def stand(at: Stand, floor: TechnicianFloor, **size: int) -> Station:
    """At the calibration page; it has no stream to wait for."""
    station = at(floor, "tom", "/technician", **size)
    station.page.goto(station.studio.address + CALIBRATE)
    station.page.wait_for_selector("html[data-ready]")
    station.page.wait_for_selector(".board [data-picture][data-shows]")
    return station


def corners(station: Station) -> list[list[float]]:
    return station.page.evaluate(
        "[1, 2, 3, 4].map((n) => document.getElementById(`corner-${n}`)).filter((one) => !one.hidden)"
        ".map((one) => [parseFloat(one.style.left), parseFloat(one.style.top)])"
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)], ids=["a desk", "a telephone"])
def test_four_clicks_show_the_places_and_save_keeps_them(
    at: Stand, floor: TechnicianFloor, width: int, height: int
) -> None:
    station = stand(at, floor, width=width, height=height)
    page = station.page
    page.click("#again")
    assert page.is_disabled("#save")
    box = page.locator("#board").bounding_box()
    assert box is not None
    for x, y in ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)):
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.wait_for_selector("#zones polygon:nth-child(16)", state="attached")
    assert floor.bench.cameras["camera-1"].saved == []
    page.click("#save:enabled")
    page.wait_for_selector("#calibrate-said >> text=Saved with your name")
    (saved,) = floor.bench.cameras["camera-1"].saved
    assert np.abs(np.array(saved) - np.array(((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)))).max() < 0.02


def test_the_keys_alone_set_and_move_the_corners(at: Stand, floor: TechnicianFloor) -> None:
    station = stand(at, floor)
    page = station.page
    page.click("#again")
    for number, keys in enumerate(
        (("ArrowLeft", "ArrowUp"), ("ArrowRight", "ArrowUp"), ("ArrowRight", "ArrowDown"), ("ArrowLeft", "ArrowDown")),
        1,
    ):
        page.focus("#board")
        page.keyboard.press("Enter")
        for key in keys:
            for _ in range(20):
                page.keyboard.press(f"Shift+{key}")
        assert page.evaluate("document.activeElement.id") == f"corner-{number}"
    page.keyboard.press("ArrowLeft")
    page.click("#save:enabled")
    page.wait_for_selector("#calibrate-said >> text=Saved with your name")
    (saved,) = floor.bench.cameras["camera-1"].saved
    assert [list(map(float, corner)) for corner in saved] == [[0.3, 0.3], [0.7, 0.3], [0.7, 0.7], [0.299, 0.7]]


def test_a_corner_is_dragged_and_a_wrong_one_cannot_be_saved(at: Stand, floor: TechnicianFloor) -> None:
    station = stand(at, floor)
    page = station.page
    assert np.abs(np.array(corners(station)) / 100 - np.array(CORNERS)).max() < 0.001
    box = page.locator("#board").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 0.1 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.95 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    page.mouse.up()
    page.wait_for_selector("#calibrate-said.refused")
    assert page.is_disabled("#save")
    page.click("#markers")
    page.wait_for_selector("#save:enabled")


def test_the_line_is_live_and_masks_when_the_table_opens(at: Stand, floor: TechnicianFloor) -> None:
    station = at(floor, "tom", "/technician/knights1/shoe")
    page = station.page
    floor.bench.draw("8s")
    page.wait_for_selector("#talk tr .readings >> text=card=8s")
    assert "05 31 44 81 B8 03 34 46" in page.inner_text("#talk")
    floor.show(IDLE)
    floor.bench.draw("Qd")
    page.wait_for_selector("#talk tr.masked")
    assert "Qd" not in page.content()
    page.wait_for_selector("#record:disabled")
    page.click("#test")
    page.wait_for_selector("#findings .bad >> text=No card was read")


def test_pictures_come_where_a_bench_comes_later_than_its_page_and_say_why_there_is_none(
    at: Stand, floor: TechnicianFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[str] = []
    monkeypatch.setattr(TechnicianFloor, "tables", property(lambda _: tuple(there)))
    page = at(floor, "tom", "/technician").page
    assert page.locator("[data-picture]").count() == 0
    there.append("knights1")
    floor.wake()
    page.wait_for_selector("[data-picture][data-shows]")
    floor.camera_jpeg = lambda table: Unseen.HIDDEN  # type: ignore[method-assign]
    expect(page.locator("[data-picture] .lens-says")).to_have_text("not shown: felt not found")
    page.wait_for_selector("[data-picture]:not([data-shows])")


def test_the_picture_of_what_the_reader_saw_stands_on_the_cameras_page(at: Stand, floor: TechnicianFloor) -> None:
    station = at(floor, "tom", "/technician/knights1/camera")
    page = station.page
    page.click("#explain")
    page.wait_for_selector("#explained img", state="visible")
    assert page.evaluate("document.querySelector('#explained img').naturalWidth") == 640
    assert "/technician/knights1/camera/explained.jpg" in (page.get_attribute("#explained", "href") or "")
    floor.bench.cameras["camera-1"].picture_ms = None
    page.click("#explain:enabled")
    page.wait_for_selector("#explain-said >> text=The camera gives no picture now")
