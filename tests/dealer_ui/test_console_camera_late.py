"""A camera with too much to do: every console that minds it says so, calmly, in three languages; and then no more."""

from __future__ import annotations

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import DEALING, FakeFloor

from dealer_ui.words.language import Languages
from studio.views import Words

LATE = altered(DEALING, devices={"camera_late": Words("camera.behind", {"s": 3, "percent": 60})})
PAGES = (
    ("dora", "/dealer/knights1"),
    ("paul", "/pit/knights1"),
    ("tom", "/technician"),
)


@pytest.mark.parametrize(("badge", "page"), PAGES)
def test_a_late_camera_is_told_where_it_matters_and_rings_no_alarm(badge: str, page: str) -> None:
    late = Visitor(app_over(FakeFloor(LATE)), badge).page(page)
    assert "Camera 3 s behind" in late
    assert "60 % of the camera&#39;s pictures are left out" in late
    assert "Every card is still read" in late
    assert 'data-alarm=""' in late
    assert "behind" not in Visitor(app_over(FakeFloor(DEALING)), badge).page(page)


@pytest.mark.parametrize(
    ("tag", "words"), [("en", "Camera 3 s behind"), ("ja", "カメラ: 3 秒遅れ"), ("id", "Kamera: 3 d terlambat")]
)
def test_it_is_told_in_three_languages(tag: str, words: str) -> None:
    assert Languages().speak(tag).words(LATE.devices.camera_late) == words
