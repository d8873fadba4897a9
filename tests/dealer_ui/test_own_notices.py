"""Who comes in is told what happened to his sign-in meanwhile: tries, changes of what opens for him, long absence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from running_studio import PIT, TABLE, House
from test_staff_pages import Person

from dealer_ui.floor.cause import causes_of
from studio.people import NewStaff, Pin, give_code
from studio.people.own_notice import LONG_AWAY_MS, NOTICES_MAX, SLIP_MS, OwnNotices, noted
from studio.people.staff_event import (
    OwnNoticesSeen,
    SignInRefused,
    StaffBadgeChanged,
    StaffPinChanged,
    StaffSignedIn,
)

REMINDER = 'class="remind" href="/sign-ins"'
LED = "/sign-ins?next=%2Fwhoami"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("notices")) as found:
        found.staff()
        found.floor.staff.add(NewStaff("x1", "9100", "Ada", ("admin",), Pin("915374")))
        for number in range(1, 5):
            found.floor.staff.add(NewStaff(f"n{number}", f"160{number}", f"Nia {number}", ("dealer",), Pin("8305")))
        yield found


def led_to(person: Person, badge: str, pin: str) -> str:
    answer = person.client.post("/sign-in", data={"badge": badge, "pin": pin, "next": "/whoami"})
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def tried(house: House, badge: str) -> None:
    """Somebody types a wrong PIN at a station of his own."""
    stranger = house.studio.app.test_client()
    assert stranger.post("/sign-in", data={"badge": badge, "pin": "7777", "next": "/"}).status_code == 401


def upto(page: str) -> str:
    return page.split('name="upto_ms" value="')[1].split('"')[0]


def test_who_comes_in_is_led_to_the_tries_that_were_not_his_until_he_has_seen_them(house: House) -> None:
    nia = Person(house, "1601", "8305")
    assert "Nothing that you have not seen." in nia.get("/sign-ins").text
    tried(house, "1601")
    assert REMINDER in nia.get(f"/procedure?table={TABLE}").text
    assert led_to(Person(house, "1601", "8305"), "1601", "8305") == LED
    page = nia.get("/sign-ins?next=/whoami").text
    assert "A wrong PIN was typed with your badge." in page
    assert 'href="/whoami"' in page, "he may go on"
    assert nia.post("/sign-ins", act="seen", upto_ms=upto(page), next="/whoami").headers["Location"] == "/whoami"
    assert REMINDER not in nia.get(f"/procedure?table={TABLE}").text
    assert "A wrong PIN was typed" not in nia.get("/sign-ins").text
    assert led_to(Person(house, "1601", "8305"), "1601", "8305") == "/whoami"


def test_what_came_after_the_page_was_shown_is_told_still(house: House) -> None:
    nia = Person(house, "1602", "8305")
    tried(house, "1602")
    page = nia.get("/sign-ins").text
    assert house.floor.staff.register.people["n2"].notices.loud == 1
    house.floor.staff.change(
        lambda register, now: give_code(
            register,
            "n2",
            Pin("40718823"),
            by=house.floor.staff.actor("x1"),
            now_ms=now + 1,
            hasher=house.floor.staff.hasher,
        )
    )
    assert nia.post("/sign-ins", act="seen", upto_ms=upto(page)).status_code == 303
    page = nia.get("/sign-ins").text
    assert "A wrong PIN was typed" not in page
    assert "You were given a one-time code" in page
    assert "By Ada." in page


def test_a_form_of_nothing_is_refused_and_nothing_is_seen(house: House) -> None:
    nia = Person(house, "1603", "8305")
    tried(house, "1603")
    for act, at in (("seen", ""), ("seen", "-1"), ("other", "5"), ("seen", "9" * 30), ("seen", "٣")):
        answer = nia.post("/sign-ins", act=act, upto_ms=at)
        assert (answer.status_code, "load it again" in answer.text) == (409, True)
    assert house.floor.staff.register.people["n3"].notices.loud == 1


def test_who_says_that_it_was_not_he_is_out_elsewhere_and_the_pit_hears_of_it_until_he_has_another_pin(
    house: House,
) -> None:
    thief, nia = Person(house, "1604", "8305"), Person(house, "1604", "8305")
    tried(house, "1604")
    page = nia.get("/sign-ins").text
    assert nia.post("/sign-ins", act="not_me", upto_ms=upto(page)).headers["Location"] == "/pin?next=%2F"
    assert thief.get("/whoami").status_code != 200
    assert nia.get("/whoami").status_code == 200
    [cause] = [one for one in causes_of(house.floor) if one.word == "disowned"]
    assert cause.about == "Nia 4 (1604)"
    assert nia.post("/pin", pin="8305", new_pin="8306", new_pin_again="8306").status_code == 303
    assert [one for one in causes_of(house.floor) if one.word == "disowned"] == []
    assert led_to(Person(house, "1604", "8306"), "1604", "8306") == "/whoami", "he changed it himself"


# --- what is told -----------------------------------------------------------------------------------------


def after(*events: object) -> OwnNotices:
    found = OwnNotices()
    for event in events:
        found = noted(found, event)  # type: ignore[arg-type]
    return found


def came(at_ms: int, station: str = "a") -> StaffSignedIn:
    return StaffSignedIn(at_ms=at_ms, id="n1", station=station)


def refused(at_ms: int, station: str = "a", reason: str = "wrong_pin") -> SignInRefused:
    return SignInRefused(at_ms=at_ms, id="n1", reason=reason, station=station, address="10.0.0.7")


def test_a_slip_of_ones_own_is_not_told_and_a_right_pin_with_a_wrong_code_is() -> None:
    assert after(refused(1_000), came(2_000)).loud == 0
    assert after(refused(1_000), came(2_000 + SLIP_MS)).loud == 1
    assert after(refused(1_000, "b"), came(2_000)).loud == 1
    assert after(refused(1_000, reason="wrong_code"), came(2_000)).loud == 1
    assert after(refused(1_000, reason="unknown_badge")).loud == 0


def test_a_station_for_the_first_time_is_listed_elsewhere_and_leads_nobody() -> None:
    found = after(came(1), came(2, "b"), came(3, "b"))
    assert [one.what for one in found.at("a")] == ["station"]
    assert found.at("b") == ()
    assert found.loud == 0


def test_a_long_time_away_and_changes_by_others_are_loud() -> None:
    assert [one.what for one in after(came(1), came(2 + LONG_AWAY_MS)).told] == ["away"]
    changed = StaffPinChanged(at_ms=5, id="n1", pin_hash="", by=PIT.id)
    assert after(changed).loud == 1
    assert after(StaffPinChanged(at_ms=5, id="n1", pin_hash="", by="n1")).loud == 0
    badge = StaffBadgeChanged(at_ms=6, id="n1", badge="1", by=PIT.id)
    assert after(changed, badge, OwnNoticesSeen(at_ms=7, id="n1", upto_ms=5)).told == after(badge).told


def test_a_thousand_tries_are_counted_and_not_kept() -> None:
    found = after(*(refused(at) for at in range(1_000)))
    assert (len(found.told), found.more, found.loud) == (NOTICES_MAX, 1_000 - NOTICES_MAX, 1_000)
