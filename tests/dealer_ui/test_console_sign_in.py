"""Coming and going: badge and PIN, sessions, CSRF, the headers of every answer."""

from __future__ import annotations

import pytest
from console_visitor import Visitor, app_over
from fake_floor import IDLE, NOW_MS, FakeFloor

from dealer_ui.auth import local_path
from dealer_ui.sessions import IDLE_MS


@pytest.fixture
def floor() -> FakeFloor:
    return FakeFloor(IDLE)


def test_a_wrong_pin_is_refused_with_a_sentence_and_keeps_the_badge(floor: FakeFloor) -> None:
    answer = app_over(floor).test_client().post("/sign-in", data={"badge": "dora", "pin": "98765"})
    assert answer.status_code == 401
    assert "do not belong together" in answer.text
    assert 'value="dora"' in answer.text
    assert "98765" not in answer.text


@pytest.mark.parametrize(
    ("badge", "home"),
    [("dora", "/dealer/knights1"), ("paul", "/pit"), ("anna", "/pit"), ("tom", "/technician"), ("ada", "/technician")],
)
def test_everybody_is_led_to_his_own_page(floor: FakeFloor, badge: str, home: str) -> None:
    answer = Visitor(app_over(floor), badge).client.get("/", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Location"]) == (303, home)


def test_a_page_asked_for_before_signing_in_is_reached_after_it(floor: FakeFloor) -> None:
    client = app_over(floor).test_client()
    first = client.get("/dealer/knights1", headers={"Accept": "text/html"})
    assert first.headers["Location"] == "/sign-in?next=/dealer/knights1"
    answer = client.post("/sign-in", data={"badge": "dora", "pin": "1111", "next": "/dealer/knights1"})
    assert answer.headers["Location"] == "/dealer/knights1"


def test_a_browser_that_takes_many_kinds_of_page_is_led_to_the_sign_in(floor: FakeFloor) -> None:
    chromium = (
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,"
        "application/signed-exchange;v=b3;q=0.7"
    )
    answer = app_over(floor).test_client().get("/dealer/knights1", headers={"Accept": chromium})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in?next=/dealer/knights1")


@pytest.mark.parametrize("target", ["//elsewhere", "https://elsewhere/x", "/\\elsewhere", "javascript:x", "", None])
def test_nobody_is_led_to_another_house(target: str | None) -> None:
    assert local_path(target) == "/"


def test_the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites(floor: FakeFloor) -> None:
    answer = app_over(floor).test_client().post("/sign-in", data={"badge": "dora", "pin": "1111"})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_an_idle_session_ends_and_an_active_one_does_not(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    floor.clock_ms = NOW_MS + IDLE_MS
    assert visitor.status("/dealer/knights1") == 200
    floor.clock_ms += IDLE_MS + 1
    assert visitor.status("/dealer/knights1") == 302


def test_who_signs_out_is_out(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    visitor.client.post("/sign-out", data={"csrf": visitor.csrf})
    assert visitor.client.get("/whoami").status_code == 401


def test_every_answer_carries_the_headers_that_keep_it_ours(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    for path in ("/sign-in", "/dealer/knights1", "/nowhere", "/whoami"):
        headers = visitor.client.get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_no_page_holds_a_script_or_a_style_of_its_own(floor: FakeFloor) -> None:
    page = Visitor(app_over(floor), "dora").page("/dealer/knights1")
    assert " style=" not in page
    assert "<style" not in page
    assert " onclick" not in page
    assert "<script>" not in page


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-CSRF-Token": "guessed"}, {"Origin": "http://elsewhere"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_an_order_that_does_not_come_from_our_page_is_refused(floor: FakeFloor, headers: dict[str, str]) -> None:
    visitor = Visitor(app_over(floor), "dora")
    told = {"X-CSRF-Token": visitor.csrf, **headers} if "X-CSRF-Token" not in headers and headers else headers
    answer = visitor.client.post("/table/knights1/command", json={"command": "start_round"}, headers=told)
    assert answer.status_code == 403
    assert floor.asked == []


def test_each_station_has_a_session_of_its_own(floor: FakeFloor) -> None:
    app = app_over(floor)
    first, second = Visitor(app, "dora"), Visitor(app, "dora")
    first.client.post("/sign-out", data={"csrf": first.csrf})
    assert second.status("/dealer/knights1") == 200


def test_what_is_no_language_is_chosen_by_nobody(floor: FakeFloor) -> None:
    asked = app_over(floor).test_client().get("/sign-in?language=xx&next=/pit").get_data(as_text=True)
    assert 'name="language"' not in asked
    assert 'href="/sign-in?language=ja&amp;next=/pit"' in asked
