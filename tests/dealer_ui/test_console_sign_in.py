"""Coming and going: badge and PIN, sessions, CSRF, the headers of every answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import DEALING, DECLARED, IDLE, NOW_MS, PINS, STAFF, FakeFloor

from dealer_ui.access.auth import FORM_BYTES_MAX, local_path
from dealer_ui.access.sessions import IDLE_MS, LONGEST_MS, SESSIONS_MAX, Sessions


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
    [("dora", "/dealer/knights1"), ("paul", "/pit"), ("anna", "/audit"), ("tom", "/technician"), ("ada", "/staff")],
)
def test_everybody_is_led_to_his_own_page(floor: FakeFloor, badge: str, home: str) -> None:
    answer = Visitor(app_over(floor), badge).client.get("/", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["Location"]) == (303, home)


def test_a_dealer_is_led_to_the_table_he_deals_at_and_chooses_one_where_he_deals_at_none() -> None:
    other = altered(IDLE, table="knights2", title="Knights 2", seat={"dealer": "else", "dealer_name": "Elsa"})
    page = {"Accept": "text/html"}
    own = Visitor(app_over(FakeFloor(other, IDLE)), "dora").client.get("/", headers=page)
    assert own.headers["Location"] == "/dealer/knights1"
    none = Visitor(app_over(FakeFloor(other, altered(IDLE, seat={"dealer": "else"}))), "dora").client.get(
        "/", headers=page
    )
    assert (none.status_code, "/dealer/knights2" in none.text) == (200, True)


def test_a_page_asked_for_before_signing_in_is_reached_after_it(floor: FakeFloor) -> None:
    client = app_over(floor).test_client()
    first = client.get("/dealer/knights1", headers={"Accept": "text/html"})
    assert first.headers["Location"] == "/sign-in?next=/dealer/knights1"
    answer = client.post("/sign-in", data={"badge": "dora", "pin": "4826", "next": "/dealer/knights1"})
    assert answer.headers["Location"] == "/dealer/knights1"


def test_what_was_asked_of_a_page_is_asked_again_after_signing_in(floor: FakeFloor) -> None:
    client = app_over(floor).test_client()
    first = client.get("/audit?words=J&table=knights1", headers={"Accept": "text/html"})
    assert first.headers["Location"] == "/sign-in?next=/audit%3Fwords%3DJ%26table%3Dknights1"
    form = client.get(first.headers["Location"]).text
    assert 'name="next" value="/audit?words=J&amp;table=knights1"' in form
    answer = client.post(
        "/sign-in", data={"badge": "anna", "pin": PINS["anna"], "next": "/audit?words=J&table=knights1"}
    )
    assert answer.headers["Location"] == "/audit?words=J&table=knights1"


def test_a_form_sent_after_the_sign_in_ended_leads_to_the_form_and_back_to_its_page(floor: FakeFloor) -> None:
    client = app_over(floor).test_client()
    sent = {"Accept": "text/html", "Referer": "http://localhost/staff?who=dora"}
    answer = client.post("/staff", data={"act": "add"}, headers=sent)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in?next=/staff%3Fwho%3Ddora")
    elsewhere = client.post("/staff", headers={**sent, "Referer": "http://elsewhere/staff"})
    assert elsewhere.headers["Location"] == "/sign-in"
    assert client.post("/staff", headers={"Accept": "application/json"}).status_code == 401


def test_the_form_of_a_tab_that_waited_signs_in_although_another_tab_did_before(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    again = visitor.client.post("/sign-in", data={"badge": "paul", "pin": PINS["paul"], "next": "/pit"})
    assert (again.status_code, again.headers["Location"]) == (303, "/pit")
    strange = visitor.client.post("/sign-in", data={"badge": "paul"}, headers={"Origin": "http://elsewhere"})
    assert strange.status_code == 403


def test_a_browser_that_takes_many_kinds_of_page_is_led_to_the_sign_in(floor: FakeFloor) -> None:
    chromium = (
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8,"
        "application/signed-exchange;v=b3;q=0.7"
    )
    answer = app_over(floor).test_client().get("/dealer/knights1", headers={"Accept": chromium})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in?next=/dealer/knights1")


@pytest.mark.parametrize("target", [
    "//elsewhere", "https://elsewhere/x", "/\\elsewhere", "javascript:x", "", None, "/sign-in?next=/sign-in",
])  # fmt: skip
def test_nobody_is_led_to_another_house(target: str | None) -> None:
    assert local_path(target) == "/"


def test_the_session_cookie_is_out_of_reach_of_scripts_and_of_other_sites(floor: FakeFloor) -> None:
    answer = app_over(floor).test_client().post("/sign-in", data={"badge": "dora", "pin": "4826"})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_an_idle_session_ends_and_an_active_one_does_not(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    floor.clock_ms = NOW_MS + IDLE_MS
    assert visitor.status("/dealer/knights1") == 200
    floor.clock_ms += IDLE_MS + 1
    assert visitor.status("/dealer/knights1") == 302


@pytest.mark.parametrize(
    "path", ["/hands/knights1/dock", "/pit/pictures?tables=knights1", "/view/dealer/knights1", "/beat"]
)
def test_what_a_page_asks_by_itself_keeps_no_session_alive(floor: FakeFloor, path: str) -> None:
    visitor = Visitor(app_over(floor), "dora")
    for _ in range(4):
        floor.clock_ms += IDLE_MS // 3
        visitor.client.get(path, headers={"Accept": "application/json"}).close()
    assert visitor.client.get("/whoami").status_code == 401


def test_what_a_person_sends_keeps_it(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    for _ in range(4):
        floor.clock_ms += IDLE_MS // 3
        visitor.ask("knights1", "call_pit")
    assert visitor.client.get("/whoami").status_code == 200


def test_nobody_works_longer_than_a_day_on_one_sign_in(floor: FakeFloor) -> None:
    visitor = Visitor(app_over(floor), "dora")
    for _ in range(LONGEST_MS // IDLE_MS):
        floor.clock_ms += IDLE_MS
        assert visitor.status("/dealer/knights1") == 200
    floor.clock_ms += 1
    assert visitor.status("/dealer/knights1") == 302


@pytest.mark.parametrize("waited_ms", [IDLE_MS + 1, LONGEST_MS + 1], ids=["idle", "a day"])
def test_no_session_ends_in_the_middle_of_a_round_its_owner_deals(waited_ms: int) -> None:
    dealing, over = (altered(view, seat={"dealer": "dora"}) for view in (DEALING, DECLARED))
    floor = FakeFloor(dealing)
    visitor = Visitor(app_over(floor), "dora")
    other = Visitor(visitor.app, "paul")
    floor.clock_ms += waited_ms
    assert visitor.client.get("/whoami").status_code == 200
    assert other.client.get("/whoami").status_code == 401
    floor.show(over)
    floor.clock_ms += waited_ms
    assert visitor.client.get("/whoami").status_code == 401


def test_who_is_signed_in_twice_signs_out_everywhere_at_once(floor: FakeFloor) -> None:
    app = app_over(floor)
    first, second, other = Visitor(app, "dora"), Visitor(app, "dora"), Visitor(app, "paul")
    assert 'name="everywhere"' in first.page("/dealer/knights1")
    assert 'name="everywhere"' not in other.page("/pit")
    first.client.post("/sign-out", data={"csrf": first.csrf, "everywhere": "1"})
    assert [one.client.get("/whoami").status_code for one in (first, second, other)] == [401, 401, 200]


def test_who_comes_in_a_thousand_times_puts_nobody_else_out() -> None:
    tokens = (str(number) for number in range(3 * SESSIONS_MAX))
    sessions = Sessions(lambda: next(tokens), lambda: NOW_MS)
    paul = sessions.open(STAFF["paul"], "s0")
    opened = [sessions.open(STAFF["dora"], f"s{number}") for number in range(1, SESSIONS_MAX + 20)]
    assert sessions.find(paul.token) is not None
    assert [sessions.find(one.token) is not None for one in (opened[0], opened[-1])] == [False, True]


@pytest.mark.parametrize(("path", "badge"), [("/sign-in", ""), ("/sign-in/code", ""), ("/pit/act", "paul")])
def test_a_form_longer_than_any_of_ours_is_not_read(floor: FakeFloor, path: str, badge: str) -> None:
    form = "&".join(f"field{number}=1" for number in range(FORM_BYTES_MAX // 8))
    answer = Visitor(app_over(floor), badge).client.post(
        path, data=form, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 413


def test_in_a_full_house_whoever_comes_a_second_time_ends_his_own_first_sign_in() -> None:
    tokens = (str(number) for number in range(3 * SESSIONS_MAX))
    sessions = Sessions(lambda: next(tokens), lambda: NOW_MS)
    people = [replace(STAFF["paul"], id=f"p{number}") for number in range(SESSIONS_MAX)]
    opened = [sessions.open(one) for one in people]
    again = sessions.open(people[-1])
    assert [sessions.find(one.token) is not None for one in (opened[0], opened[-1], again)] == [True, False, True]


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


def test_looking_who_holds_a_token_ends_nothing_and_waits_for_nothing(floor: FakeFloor) -> None:
    app = app_over(floor)
    visitor = Visitor(app, "paul")
    sessions, [held] = app.extensions["console"].sessions, app.extensions["console"].sessions.of("paul")
    assert sessions.look(held.token) is not None
    floor.clock_ms += IDLE_MS + 1
    assert sessions.look(held.token) is None
    assert floor.staff.ended == []
    assert visitor.client.get("/whoami").status_code == 401
    assert [who for who, _, _ in floor.staff.ended] == ["paul"]
