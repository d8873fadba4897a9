"""Whoever signs in with a PIN that may not be chosen any more is led to choose another, and reminded until he has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from running_studio import TABLE, House
from test_staff_pages import Person

from studio.people import NewStaff, Pin
from studio.people.staff_event import StaffSignedIn

REMINDER = 'class="remind" href="/pin"'


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("pins")) as found:
        found.staff()
        for id, badge, role in (("d5", "1500", "dealer"), ("d6", "1600", "dealer"), ("p5", "2500", "pit_boss")):
            found.floor.staff.add(
                NewStaff(id, badge, f"Ira {id}", (role,), Pin("1111" if role == "dealer" else "8301"))
            )
        yield found


def led_to(person: Person, badge: str, pin: str) -> str:
    answer = person.client.post("/sign-in", data={"badge": badge, "pin": pin, "next": "/whoami"})
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def test_who_has_a_weak_pin_is_led_to_choose_one_and_reminded_until_he_has(house: House) -> None:
    ira = Person(house, "1500", "1111")
    assert led_to(Person(house, "1500", "1111"), "1500", "1111") == "/pin?next=%2Fwhoami"
    assert house.floor.staff.register.people["d5"].new_pin_asked
    assert REMINDER in ira.get(f"/procedure?table={TABLE}").text
    assert "you will be reminded until you do" in ira.get("/pin?next=/whoami").text
    assert 'href="/whoami"' in ira.get("/pin?next=/whoami").text, "he may go on"
    wrong = ira.post("/pin", pin="1111", new_pin="1234", new_pin_again="1234")
    assert (wrong.status_code, "guessed first" in wrong.text) == (409, True)
    assert ira.post("/pin", pin="1111", new_pin="8305", new_pin_again="8306").status_code == 409
    assert ira.post("/pin", pin="", new_pin="8305", new_pin_again="8305").status_code == 409
    assert ira.post("/pin", pin="1111", new_pin="8305", new_pin_again="8305", next="/whoami").status_code == 303
    assert not house.floor.staff.register.people["d5"].new_pin_asked
    assert REMINDER not in ira.get(f"/procedure?table={TABLE}").text
    assert led_to(Person(house, "1500", "8305"), "1500", "8305") == "/whoami"


def test_a_pit_boss_with_four_digits_is_asked_for_six(house: House) -> None:
    assert led_to(Person(house, "2500", "8301"), "2500", "8301") == "/pin?next=%2Fwhoami"
    boss = Person(house, "2500", "8301")
    assert "6 to 8 digits" in boss.post("/pin", pin="8301", new_pin="8305", new_pin_again="8305").text
    assert boss.post("/pin", pin="8301", new_pin="830517", new_pin_again="830517").status_code == 303


def test_the_record_and_the_list_of_staff_tell_who_was_asked_and_not_the_pin(house: House) -> None:
    told: list[object] = []
    house.floor.staff.listeners.append(told.append)
    Person(house, "1600", "1111")
    assert [one.new_pin_asked for one in told if isinstance(one, StaffSignedIn) and one.id == "d6"] == [True]
    assert "1111" not in repr(told)
    petra = Person(house, "2001", "730162")
    assert "Has to choose a new PIN" in petra.get("/staff").text
    assert "Has to choose a new PIN" in petra.get("/staff/d6").text


def test_a_pin_typed_at_a_relief_is_judged_too(house: House) -> None:
    house.floor.staff.take_station("d6", "aaaaaaaaaaaa", Pin("1111"))
    assert house.floor.staff.register.people["d6"].new_pin_asked
    house.floor.staff.take_station("d6", "aaaaaaaaaaaa", Pin("8305"))
    assert not house.floor.staff.register.people["d6"].new_pin_asked


def test_signing_out_everywhere_is_in_the_menu_of_whoever_is_signed_in_twice(house: House) -> None:
    dana, again = Person(house, "1001", "4826"), Person(house, "1001", "4826")
    page = dana.get(f"/dealer/{TABLE}").text
    menu = page[page.index('<details class="rooms') : page.index("</details>", page.index('<details class="rooms'))]
    assert 'name="everywhere"' in menu
    assert dana.post("/sign-out", everywhere="1").status_code == 303
    assert not again.is_in()
