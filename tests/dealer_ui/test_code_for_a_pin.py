"""A one-time code at the doors: nothing opens before its owner has chosen a PIN, and nobody else ever chooses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from first_sign_in import chosen_at_browser, code_in, half_in
from running_studio import House
from test_code_at_the_door import PEPPER, Device
from test_staff_pages import Person

from dealer_ui.desk.halfway import DoorStep, Halfway
from dealer_ui.desk.second_factor import HALFWAY_MS, SecondFactors
from dealer_ui.desk.shown_code import SHOWN_MS
from dealer_ui.desk.staff import FIRST
from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError
from studio.people import NewStaff, Pin, PinHasher, StaffRegister, give_code
from studio.people.signing_in import WRONG_PINS_MAX
from studio.people.staff_event import StaffPinChanged, StaffSignedIn
from studio.people.staffing import CODE_MS
from studio.proof.audit.database import verify

ADA, DANA, PETRA = ("9001", "915374"), ("1001", "4826"), ("2001", "730162")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as found:
        found.staff()
        found.floor.staff.add(NewStaff("a1", ADA[0], "Ada", ("admin",), Pin(ADA[1])))
        yield found


def code_of(house: House, id: str) -> str:
    """What Ada reads out to somebody who forgot his PIN."""
    ada = Person(house, *ADA)
    assert ada.act("code", id) == ""
    return code_in(ada.shown)


def halfway(house: House, badge: str, code: str) -> tuple[Person, str]:
    """Somebody whose code was right, and what he carries."""
    person = Person(house, badge, "0000")
    return person, half_in(person.client.post("/sign-in", data={"badge": badge, "pin": code}).text)


def chosen(person: Person, half: str, pin: str, again: str = "") -> int:
    fields = {"half": half, "new_pin": pin, "new_pin_again": again or pin}
    return person.client.post("/sign-in/pin", data=fields).status_code


def test_somebody_new_comes_in_with_his_code_and_chooses_his_pin(house: House) -> None:
    ada = Person(house, *ADA)
    assert ada.act("add", "", id="d7", badge="1077", name="Gita", role="dealer") == ""
    code = code_in(ada.shown)
    assert code not in ada.get("/staff/d7").text, "it is shown once"
    assert "Code open until" in ada.get("/staff").text
    gita = Person(house, "1077", code)
    for path in ("/", "/whoami", "/pin", "/dealer/t1", "/sign-ins"):
        assert gita.get(path).status_code in (302, 401), "before he has a PIN nothing is open to him"
    assert not house.floor.staff.register.people["d7"].stations
    assert chosen_at_browser(gita.client, "1077", code, "8305").status_code == 303
    assert gita.is_in()
    assert "Code open until" not in ada.get("/staff").text
    assert Person(house, "1077", "8305").is_in()
    assert not Person(house, "1077", code).is_in(), "it opened once"
    [kept] = [row for row in house.floor.reader().events(kinds=("StaffPinChanged",)) if b"d7" in row.body]
    assert b'"by":"d7"' in kept.body
    assert verify(house.floor.config.studio.database).ok


def test_a_pin_that_was_forgotten_opens_nothing_from_the_code_on(house: House) -> None:
    dana = Person(house, *DANA)
    code = code_of(house, "d1")
    assert not dana.is_in()
    assert not Person(house, *DANA).is_in()
    answer = chosen_at_browser(dana.client, DANA[0], code, "8305", next="/whoami")
    assert answer.headers["Location"] == "/sign-ins?next=%2Fwhoami", "he is told that a code was given"
    assert "one-time code" in dana.get("/sign-ins").text


@pytest.mark.parametrize(
    ("pin", "again"),
    [("8305", "8306"), ("1234", "1234"), ("1001", "1001"), ("12", "12"), ("abcd", "abcd"), ("", "")],
    ids=["two", "run", "badge", "short", "letters", "none"],
)
def test_a_pin_that_may_not_be_chosen_leaves_the_code_good(house: House, pin: str, again: str) -> None:
    dana, half = halfway(house, DANA[0], code_of(house, "d1"))
    assert chosen(dana, half, pin, again) == 409
    assert house.floor.staff.register.people["d1"].has_code
    assert chosen(dana, half, "8305") == 303


def test_the_code_itself_is_no_pin(house: House) -> None:
    code = code_of(house, "d1")
    dana, half = halfway(house, DANA[0], code)
    assert chosen(dana, half, code) == 409
    assert not dana.is_in()


def test_what_is_carried_is_good_once_for_three_minutes_and_unchanged(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = code_of(house, "d1")
    (dana, half), (other, second) = halfway(house, DANA[0], code), halfway(house, DANA[0], code)
    assert chosen(dana, half[:-2] + ("00" if half[-2:] != "00" else "11"), "8305") == 401
    assert dana.client.post("/sign-in/code", data={"half": half, "code": "123456"}).status_code == 401
    monkeypatch.setattr(house.floor.staff, "_now_ms", lambda now=house.floor.now_ms: now() + HALFWAY_MS + 1)
    assert chosen(dana, half, "8305") == 401
    monkeypatch.undo()
    assert chosen(dana, half, "8305") == 303
    assert chosen(other, second, "8306") == 401, "the code was used up"
    assert chosen(dana, half, "8307") == 401
    assert Person(house, DANA[0], "8305").is_in()


def test_after_a_day_a_code_opens_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    code = code_of(house, "d1")
    dana, half = halfway(house, DANA[0], code)
    now = house.floor.now_ms
    monkeypatch.setattr(house.floor.staff, "_now_ms", lambda: now() + CODE_MS - HALFWAY_MS)
    assert chosen(dana, half, "12345678") == 401, "it took too long"
    monkeypatch.setattr(house.floor, "now_ms", lambda: now() + CODE_MS)
    refused = dana.client.post("/sign-in", data={"badge": DANA[0], "pin": code})
    assert (refused.status_code, "Ask an administrator for another" in refused.text) == (401, True)


def test_another_code_ends_the_one_before(house: House) -> None:
    dana, half = halfway(house, DANA[0], code_of(house, "d1"))
    newer = code_of(house, "d1")
    assert chosen(dana, half, "8305") == 401
    assert chosen_at_browser(dana.client, DANA[0], newer, "8305").status_code == 303


@pytest.mark.parametrize("begun", ["with a new device", "with his own device", "with a code"])
def test_a_code_that_is_given_while_somebody_comes_in_keeps_him_out(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: str
) -> None:
    """Between the look at what he carries and the row that lets him in, as another process can."""
    staff = house.floor.staff
    staff.second = second = SecondFactors(staff, FactorFile(tmp_path / "others", PEPPER), ("pit_boss",))
    petra = Device(house, *PETRA)
    if begun == "with his own device":
        known = petra.enrol()
        petra = Device(house, *PETRA)
        petra.secret, petra.used = known.secret, known.used
    elif begun == "with a new device":
        petra.scan()
    else:
        petra = Device(house, PETRA[0], code_of_petra(house))
    look, before = second.look, house.floor.staff.register.people["p1"].stations

    def looked(token: str, *steps: DoorStep) -> Halfway:
        found = look(token, *steps)
        staff.change(lambda register, now: given(register, now, staff.hasher))
        return found

    monkeypatch.setattr(second, "look", looked)
    does = (second.choose, "830516", "830516") if begun == "with a code" else (second.enter, petra.code())
    with pytest.raises(RefusedError, match="Begin again"):
        does[0](petra.half, *does[1:])  # type: ignore[operator]
    assert staff.register.people["p1"].has_code
    assert staff.register.people["p1"].stations == before


def given(register: StaffRegister, now: int, hasher: PinHasher) -> StaffPinChanged:
    return give_code(register, "p1", Pin("40718823"), by=FIRST, now_ms=now, hasher=hasher)


def code_of_petra(house: House) -> str:
    house.floor.staff.change(lambda register, now: given(register, now, house.floor.staff.hasher))
    return "40718823"


def test_who_is_barred_meanwhile_chooses_nothing(house: House) -> None:
    dana, half = halfway(house, DANA[0], code_of(house, "d1"))
    assert Person(house, *ADA).act("bar", "d1", words="x") == ""
    assert chosen(dana, half, "8305") in (401, 409)
    assert house.floor.staff.register.people["d1"].has_code


def test_a_code_stands_by_for_nobody_though_its_badge_is_locked(house: House) -> None:
    """Whoever gave the code knows it, and can lock the badge: he would be two people."""
    code, ada = code_of(house, "p1"), Person(house, *ADA)
    for _ in range(WRONG_PINS_MAX):
        ada.client.post("/sign-in", data={"badge": PETRA[0], "pin": "999111"})
    assert house.floor.staff.register.people["p1"].is_locked(house.floor.now_ms())
    relief = ada.post("/dealer/t1/relief", badge=PETRA[0], pin=code)
    assert "choose your own PIN first" in relief.text


def test_who_is_added_is_told_by_his_own_name_whatever_else_the_form_names(house: House) -> None:
    for number, other in enumerate(("nobody", "d1")):
        ada = Person(house, *ADA)
        assert ada.act("add", other, id=f"d7{number}", badge=f"107{number}", name="Gita", role="dealer") == ""
        assert "Gita" in ada.shown
        assert f"107{number}" in ada.shown


def test_a_code_speaks_for_nobody_at_work(house: House) -> None:
    code = code_of(house, "d1")
    petra = Person(house, *PETRA)
    relief = petra.post("/dealer/t1/relief", badge=DANA[0], pin=code)
    assert "choose your own PIN first" in relief.text
    assert not house.floor.staff.register.people["d1"].stations


def test_a_code_does_not_go_round_the_second_factor(house: House, tmp_path: Path) -> None:
    staff = house.floor.staff
    staff.second = SecondFactors(staff, FactorFile(tmp_path / "studio.db.factors", PEPPER), ("pit_boss",))
    petra = Device(house, *PETRA).enrol()
    code = code_of(house, "p1")
    again = Device(house, PETRA[0], code)
    again.secret, again.used = petra.secret, petra.used
    assert "code" in again.page
    assert chosen(again, again.half, "830516") == 401, "the device's code comes first"
    assert again.type("000000").status_code == 401
    answer = again.type(again.code())
    assert not again.is_in()
    assert chosen(again, half_in(answer.text), "830516") == 303
    assert again.is_in()


def test_who_must_have_a_factor_and_is_new_chooses_a_pin_and_then_sets_it_up(house: House, tmp_path: Path) -> None:
    staff = house.floor.staff
    staff.second = SecondFactors(staff, FactorFile(tmp_path / "studio.db.factors", PEPPER), ("pit_boss",))
    told: list[object] = []
    staff.listeners.append(told.append)
    petra = Device(house, PETRA[0], code_of(house, "p1"))
    fields = {"half": petra.half, "new_pin": "830516", "new_pin_again": "830516", "next": "/whoami"}
    petra.page = petra.client.post("/sign-in/pin", data=fields).text
    assert 'class="qr"' in petra.page
    assert not petra.is_in()
    petra.enrol()
    kinds = [type(one) for one in told if isinstance(one, StaffPinChanged | StaffSignedIn) and one.id == "p1"]
    assert kinds == [StaffPinChanged, StaffPinChanged, StaffSignedIn]


def test_a_reload_of_the_page_with_a_code_shows_the_same_and_makes_no_other(house: House) -> None:
    house.floor.staff.add(NewStaff("a2", "9002", "Alma", ("admin",), Pin("806315")))
    ada, alma = Person(house, *ADA), Person(house, "9002", "806315")
    assert ada.act("code", "d1") == ""
    code, kept = code_in(ada.shown), house.floor.staff.register.people["d1"].pin
    assert code_in(ada.get("/staff/d1/code").text) == code
    assert house.floor.staff.register.people["d1"].pin == kept
    assert "not shown again" in ada.get("/staff/p1/code").text, "of somebody else"
    carried = ada.client.get_cookie("studio_code")
    assert carried is not None
    assert code not in carried.value
    alma.client.set_cookie("studio_code", carried.value)
    assert "not shown again" in alma.get("/staff/d1/code").text, "to somebody else"
    dana, half = halfway(house, DANA[0], code)
    assert chosen(dana, half, "7305") == 303
    assert "not shown again" in ada.get("/staff/d1/code").text, "once it was used"


def test_a_code_is_shown_for_three_minutes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Person(house, *ADA)
    assert ada.act("code", "d1") == ""
    now = house.floor.now_ms() + SHOWN_MS + 1
    monkeypatch.setattr(house.floor.staff, "_now_ms", lambda: now)
    assert "not shown again" in ada.get("/staff/d1/code").text
