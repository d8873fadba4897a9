"""The second factor at the doors: set up, asked for, used once, lost and reset; and where its secret lies."""

from __future__ import annotations

import re
from base64 import b32decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from running_studio import House, give_papers
from test_staff_pages import Person

from dealer_ui.cli import main
from dealer_ui.desk.halfway import DoorStep
from dealer_ui.desk.second_factor import HALFWAY_MS, SecondFactors
from dealer_ui.process.factor_file import FactorFile
from studio.errors import BadInputError, RefusedError
from studio.people import NewStaff, Pin
from studio.people.second_factor import STEP_MS, TotpSecret
from studio.people.signing_in import WRONG_PINS_MAX
from studio.proof.audit.database import verify

PEPPER = bytes(32)
ADA, PETRA, DANA = ("9001", "915374"), ("2001", "730162"), ("1001", "4826")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as found:
        staff = found.floor.staff
        staff.second = SecondFactors(staff, FactorFile(tmp_path / "studio.db.factors", PEPPER), ("pit_boss", "admin"))
        found.staff()
        for id, badge, pin, name in (("a1", *ADA, "Ada"), ("a2", "9002", "806315", "Alma")):
            staff.add(NewStaff(id, badge, name, ("admin",), Pin(pin)))
        yield found


class Device(Person):
    """Somebody with an authenticator. `used`: the step whose code it showed last."""

    def __init__(self, house: House, badge: str, pin: str) -> None:
        self.secret: TotpSecret | None = None
        self.recovery: tuple[str, ...] = ()
        self.used = 0
        self.page = ""
        super().__init__(house, badge, pin)

    def sign_in(self, badge: str, pin: str) -> int:
        answer = self.client.post("/sign-in", data={"badge": badge, "pin": pin, "csrf": self.csrf, "next": "/whoami"})
        self.page = answer.text
        return int(answer.status_code)

    @property
    def half(self) -> str:
        found = re.search(r'name="half" value="([^"]+)"', self.page)
        assert found, self.page
        return found[1]

    def scan(self) -> None:
        found = re.search(r'class="secret">([A-Z2-7 ]+)<', self.page)
        assert found, self.page
        self.secret, self.used = TotpSecret(b32decode(found[1].replace(" ", ""))), 0

    def code(self) -> str:
        """One that was not shown before."""
        assert self.secret is not None
        self.used = max(self.used + 1, self.house.floor.now_ms() // STEP_MS)
        return self.secret.code(self.used)

    def type(self, code: str, half: str = "") -> Any:
        fields = {"half": half or self.half, "code": code, "next": "/whoami"}
        answer = self.client.post("/sign-in/code", data=fields)
        if answer.status_code == 200:
            self.recovery = tuple(re.findall(r"<code>([0-9a-z]{5}-[0-9a-z]{5})</code>", answer.text))
        cookie = self.client.get_cookie("studio_session")
        sessions = self.house.studio.app.extensions["console"].sessions
        viewer = sessions.find(cookie.value) if cookie else None
        self.csrf = viewer.csrf if viewer else ""
        return answer

    def enrol(self) -> Device:
        self.scan()
        assert self.type(self.code()).status_code == 200
        assert len(self.recovery) == 8
        assert self.is_in()
        return self


def enrolled(house: House, badge: str = PETRA[0], pin: str = PETRA[1]) -> Device:
    return Device(house, badge, pin).enrol()


def test_a_dealer_comes_in_with_badge_and_pin_alone(house: House) -> None:
    assert Person(house, *DANA).is_in()


def test_who_must_have_a_factor_sets_it_up_before_anything_else_opens(house: House) -> None:
    petra = Device(house, *PETRA)
    assert not petra.is_in(), "the PIN alone opens nothing"
    assert 'class="qr"' in petra.page
    assert not house.floor.staff.register.people["p1"].stations, "and the record has no sign-in"
    petra.scan()
    assert petra.type("000000").status_code == 401
    assert not petra.is_in()
    petra.enrol()
    factor = house.floor.staff.register.people["p1"].factor
    assert factor is not None
    assert factor.left == 8


def test_the_next_sign_in_asks_for_a_code_and_no_code_opens_twice(house: House) -> None:
    petra = enrolled(house)
    again = Device(house, *PETRA)
    assert 'class="qr"' not in again.page
    assert not again.is_in()
    assert petra.secret is not None
    assert again.type(petra.secret.code(petra.used)).status_code == 401, "it was typed at the enrolment"
    code = petra.code()
    assert again.type(code).status_code == 303
    assert again.is_in()
    third = Device(house, *PETRA)
    assert third.type(code).status_code == 401
    assert not third.is_in()


def test_a_recovery_code_opens_once_however_it_is_written(house: House) -> None:
    petra = enrolled(house)
    for typed, status in ((petra.recovery[2].upper(), 303), (petra.recovery[2], 401), (petra.recovery[3], 303)):
        assert Device(house, *PETRA).type(typed).status_code == status
    factor = house.floor.staff.register.people["p1"].factor
    assert factor is not None
    assert factor.used == {3, 4}


def test_wrong_codes_lock_the_badge(house: House) -> None:
    petra = enrolled(house)
    thief = Device(house, *PETRA)
    for _ in range(WRONG_PINS_MAX):
        assert thief.type("000000").status_code == 401
    assert house.floor.staff.register.people["p1"].is_locked(house.floor.now_ms())
    assert thief.type(petra.code()).status_code == 429, "a right code does not lift it"
    assert Device(house, *PETRA).page.count('name="half"') == 0
    assert petra.is_in(), "who is in works on"


@pytest.mark.parametrize("half", ["", "nonsense"])
def test_a_code_without_a_pin_before_it_is_sent_back_to_the_start(house: House, half: str) -> None:
    nobody = Device(house, "none", "1234")
    answer = nobody.client.post("/sign-in/code", data={"half": half, "code": "123456"})
    assert answer.status_code == 401
    assert 'name="badge"' in answer.text


def test_between_pin_and_code_stand_three_minutes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    petra = enrolled(house)
    late = Device(house, *PETRA)
    now = house.floor.now_ms() + HALFWAY_MS + 1
    monkeypatch.setattr(house.floor.staff, "_now_ms", lambda: now)
    assert late.type(petra.recovery[0]).status_code == 401
    assert not late.is_in()


def test_a_dealers_relief_lets_nobody_in_who_needs_a_code(house: House) -> None:
    with pytest.raises(RefusedError, match="come in by the sign-in page"):
        house.floor.staff.take_station("p1", "aaaaaaaaaaaa", Pin(PETRA[1]))


def test_a_dealers_relief_takes_no_table_for_who_needs_a_code(house: House) -> None:
    """His PIN alone, at a browser where nobody is signed in, would send the dealer of the table away."""
    staff = house.floor.staff
    staff.add(NewStaff("d2", "1002", "Dewi", ("dealer",), Pin("4827")))
    give_papers(staff, "d2")
    house.open()
    staff.second = SecondFactors(staff, FactorFile(house.database.with_name("others"), PEPPER), ("dealer",))
    relief = house.studio.app.test_client().post("/dealer/t1/relief", data={"badge": "1002", "pin": "4827"})
    assert "A code is needed beside this PIN" in relief.text
    assert house.view.seat.dealer == "d1"


def set_up_another(petra: Device) -> str:
    """Being in, she shows the device she has, here by a recovery code, and sees the new secret; what she carries."""
    petra.page = petra.post("/second-factor", act="begin", pin=PETRA[1]).text
    assert 'class="qr"' not in petra.page
    petra.page = petra.post("/second-factor", act="confirm", half=petra.half, code=petra.recovery[0]).text
    half = petra.half
    petra.scan()
    return half


def test_whoever_is_in_sets_up_another_device_with_his_pin_and_the_one_he_has(house: House) -> None:
    petra = enrolled(house)
    before = house.floor.staff.register.people["p1"].factor
    assert "8 recovery codes are left" in petra.get("/second-factor").text
    assert petra.post("/second-factor", act="begin", pin="999999").status_code == 409
    assert petra.post("/second-factor", act="begin", pin="").status_code == 409
    petra.page = petra.post("/second-factor", act="begin", pin=PETRA[1]).text
    assert petra.post("/second-factor", act="confirm", half=petra.half, code="000000").status_code == 409
    old, half = petra.recovery, set_up_another(petra)
    assert petra.post("/second-factor", act="confirm", half=half, code="000000").status_code == 409
    told = petra.post("/second-factor", act="confirm", half=half, code=petra.code())
    assert told.status_code == 200
    assert "Recovery codes" in told.text
    after = house.floor.staff.register.people["p1"].factor
    assert before is not None
    assert after is not None
    assert after.id != before.id
    assert Device(house, *PETRA).type(old[0]).status_code == 401, "codes of the device before open nothing"
    assert Device(house, *PETRA).type(petra.code()).status_code == 303


def test_nobody_confirms_what_another_began(house: House) -> None:
    petra, ada = enrolled(house), enrolled(house, *ADA)
    petra.page = petra.post("/second-factor", act="begin", pin=PETRA[1]).text
    assert ada.post("/second-factor", act="confirm", half=petra.half, code="123456").status_code == 409


def test_two_people_reset_a_lost_device_and_the_next_sign_in_asks_for_another(house: House) -> None:
    petra, ada = enrolled(house), enrolled(house, *ADA)
    enrolled(house, "9002", "806315")
    assert "Reset the second factor" in ada.get("/staff/p1").text
    assert "the second one enters badge and PIN" in ada.act("reset", "p1", words="lost")
    lone = {"words": "lost", "second_badge": "9001", "second_pin": ADA[1]}
    assert "nobody is his own witness" in ada.act("reset", "p1", **lone)
    assert petra.is_in()
    assert ada.act("reset", "p1", words="lost it", second_badge="9002", second_pin="806315") == ""
    assert not petra.is_in()
    assert house.floor.staff.register.people["p1"].factor is None
    assert Device(house, *PETRA).type(petra.recovery[0], half="x").status_code == 401
    assert 'class="qr"' in Device(house, *PETRA).page
    row = next(row for row in house.floor.reader().events(kinds=("SecondFactorReset",)))
    assert b'"by":"a1","beside":"a2","reason":"lost it"' in row.body


def test_secret_and_codes_are_in_no_row_no_file_no_repr(house: House) -> None:
    petra = enrolled(house)
    assert petra.secret is not None
    key, half = petra.secret.key(), Device(house, *PETRA)
    kept = house.database.with_name("studio.db.factors").read_bytes()
    assert house.database.with_name("studio.db.factors").stat().st_mode & 0o777 == 0o600
    rows = b"".join(row.body for row in house.floor.reader().events())
    second = house.floor.staff.second
    shown = repr([second, second.look(half.half, DoorStep.CODE), vars(second), house.floor.staff.register]).encode()
    for secret in (
        key,
        key.hex().encode(),
        petra.secret.typed().replace(" ", "").encode(),
        *(code.replace("-", "").encode() for code in petra.recovery),
    ):
        assert secret not in kept + rows + shown


def test_a_pin_alone_forgets_no_wrong_code(house: House) -> None:
    """Whoever knows the PIN and has no device would guess on for ever, four codes at a time."""
    enrolled(house)
    thief = Device(house, *PETRA)
    for number in range(WRONG_PINS_MAX):
        assert not house.floor.staff.register.people["p1"].is_locked(house.floor.now_ms())
        assert thief.client.post("/dealer/t1/relief", data={"badge": PETRA[0], "pin": PETRA[1]}).status_code == 409
        assert thief.type(f"00000{number}").status_code in (401, 429)
    assert house.floor.staff.register.people["p1"].is_locked(house.floor.now_ms())


def test_who_came_in_with_a_code_begins_to_count_anew(house: House) -> None:
    petra = enrolled(house)
    for _ in range(WRONG_PINS_MAX - 1):
        Device(house, PETRA[0], "111999")
    assert Device(house, *PETRA).type(petra.code()).status_code == 303
    Device(house, PETRA[0], "111999")
    assert Device(house, *PETRA).type(petra.recovery[0]).status_code == 303


def test_what_somebody_in_carries_to_another_device_signs_nobody_in(house: House) -> None:
    """Neither after he has left, nor beside him: a session of which the record has no sign-in could not be ended."""
    petra = enrolled(house)
    half, other = set_up_another(petra), Device(house, *PETRA)
    assert other.type(petra.code(), half).status_code == 401
    petra.post("/sign-out")
    assert other.type(petra.code(), half).status_code == 401
    assert not other.is_in()


def test_what_somebody_carries_at_the_door_is_no_other_device(house: House) -> None:
    petra = enrolled(house)
    again, stations = Device(house, *PETRA), house.floor.staff.register.people["p1"].stations
    assert petra.post("/second-factor", act="confirm", half=again.half, code=petra.code()).status_code == 409
    assert house.floor.staff.register.people["p1"].stations == stations


def test_a_restart_asks_for_the_same_codes_and_a_used_one_stays_used(house: House, tmp_path: Path) -> None:
    petra = enrolled(house)
    code = petra.code()
    assert Device(house, *PETRA).type(code).status_code == 303
    staff = house.floor.staff
    staff.second = SecondFactors(staff, FactorFile(tmp_path / "studio.db.factors", PEPPER), ("pit_boss",))
    assert Device(house, *PETRA).type(code).status_code == 401
    assert Device(house, *PETRA).type(petra.recovery[0]).status_code == 303


def test_a_lost_file_of_secrets_lets_nobody_in_and_says_so(house: House, tmp_path: Path) -> None:
    petra = enrolled(house)
    staff = house.floor.staff
    staff.second = SecondFactors(staff, FactorFile(tmp_path / "another", PEPPER), ("pit_boss",))
    answer = Device(house, *PETRA).type(petra.recovery[0])
    assert answer.status_code == 401
    assert "have the second factor reset" in answer.text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("nonsense", "restore this file"), ('{"form": "studio factors 9", "factors": {}}', "of another version")],
)
def test_a_damaged_file_of_secrets_is_told_at_the_start(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "f").write_text(text)
    with pytest.raises(BadInputError, match=sentence):
        FactorFile(tmp_path / "f", PEPPER)


def test_secrets_sealed_under_another_pepper_open_nothing_until_they_are_sealed_anew(tmp_path: Path) -> None:
    secret = TotpSecret(bytes(range(20)))
    kept = FactorFile(tmp_path / "f", PEPPER)
    kept.keep("f1", secret, ["0123456789"])
    with pytest.raises(RefusedError):
        FactorFile(tmp_path / "f", b"another").secret("f1")
    kept.seal_anew(b"another")
    assert FactorFile(tmp_path / "f", b"another").secret("f1").key() == secret.key()
    assert kept.recovery("f1", "01234-56789") == 1
    kept.drop("f1")
    assert secret.key().hex() not in (tmp_path / "f").read_text()
    assert '"f1"' not in (tmp_path / "f").read_text()


def test_a_retired_persons_secret_is_gone(house: House) -> None:
    enrolled(house)
    ada = enrolled(house, *ADA)
    factor = house.floor.staff.register.people["p1"].factor
    assert factor is not None
    assert ada.act("retire", "p1") == ""
    assert factor.id not in house.database.with_name("studio.db.factors").read_text()


def test_the_record_with_factors_in_it_verifies(house: House) -> None:
    petra, ada = enrolled(house), enrolled(house, *ADA)
    enrolled(house, "9002", "806315")
    assert Device(house, *PETRA).type(petra.code()).status_code == 303
    assert ada.act("reset", "p1", words="lost", second_badge="9002", second_pin="806315") == ""
    house.studio.stop()
    assert verify(house.database).ok


def test_at_the_machine_a_second_person_stands_by_too(house: House) -> None:
    enrolled(house)
    house.studio.stop()
    asked = ["staff", "reset-factor", "--db", str(house.database), "--id", "p1", "--reason", "lost"]
    for badge, pin, words in (
        ("7777", "1234", "Nobody of the staff wears the second badge"),
        ("9001", "000000", "Badge and PIN do not match"),
        (DANA[0], DANA[1], "may not do this"),
        (*PETRA, "Nobody does this to himself"),
    ):
        refused = CliRunner().invoke(main, [*asked, "--beside", badge, "--pin", pin])
        assert refused.exit_code == 1
        assert words in refused.output
    done = CliRunner().invoke(main, [*asked, "--beside", ADA[0], "--pin", ADA[1]])
    assert done.exit_code == 0, done.output
    assert verify(house.database).ok
