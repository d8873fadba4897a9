"""Passkeys at the doors: set up, shown, counted, copied, removed; and what opens nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from first_sign_in import code_in, half_in
from running_studio import House
from soft_passkey import SoftKey, asked_in
from test_code_at_the_door import ADA, PEPPER, PETRA, Device
from test_staff_pages import Person

from dealer_ui.access.auth import PERMISSIONS
from dealer_ui.desk.halfway import HALFWAY_MS
from dealer_ui.desk.relying_party import RelyingParty
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.process.factor_file import FactorFile
from studio.people import NewStaff, Pin, Staff
from studio.people.signing_in import WRONG_PINS_MAX
from studio.proof.audit.database import verify

HERE = "http://localhost"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Administrators come in with a passkey and nothing else, pit bosses with a passkey or a code."""
    with House(tmp_path) as found:
        found.staff()
        for id, badge, pin, name in (("a1", *ADA, "Ada"), ("a2", "9002", "806315", "Alma")):
            found.floor.staff.add(NewStaff(id, badge, name, ("admin",), Pin(pin)))
        ask(found, ("pit_boss",), ("admin",))
        yield found


def ask(house: House, must: tuple[str, ...], passkey_only: tuple[str, ...], origin: str = HERE) -> None:
    staff, file = house.floor.staff, FactorFile(house.database.with_name("studio.db.factors"), PEPPER)
    staff.second = SecondFactors(staff, file, must, passkey_only=passkey_only, party=RelyingParty(origin, "Test"))


class Owner(Device):
    """Somebody with a browser and a key."""

    def __init__(self, house: House, badge: str, pin: str, key: SoftKey | None = None) -> None:
        self.key = key or SoftKey(f"key of {badge}".encode())
        super().__init__(house, badge, pin)

    @property
    def asked(self) -> dict[str, Any]:
        return asked_in(self.page)

    def send(self, answer: str, half: str = "", name: str = "My key") -> int:
        fields = {"half": half or self.half, "answer": answer, "name": name, "next": "/whoami"}
        told = self.client.post("/sign-in/passkey", data=fields)
        if told.status_code != 303:
            self.page = told.text
        self.take_up()
        return int(told.status_code)

    def take_up(self) -> None:
        cookie = self.client.get_cookie("studio_session")
        sessions = self.house.studio.app.extensions["console"].sessions
        viewer = sessions.find(cookie.value) if cookie else None
        self.csrf = viewer.csrf if viewer else ""

    def set_up(self, name: str = "My key") -> Owner:
        assert self.send(self.key.make(self.asked), name=name) == 303
        assert self.is_in()
        return self

    def again(self) -> Owner:
        """The same key at another browser, the PIN typed."""
        return Owner(self.house, *self.typed, self.key)

    def sign_in(self, badge: str, pin: str) -> int:
        self.typed = badge, pin
        return super().sign_in(badge, pin)

    def at_work(self, wants: str) -> Any:
        """At the own page: the PIN, then the key that he has."""
        self.page = self.post("/second-factor", act="begin", pin=self.typed[1], wants=wants).text
        return self.shown_at_work()

    def shown_at_work(self, **fields: str) -> Any:
        answer = self.key.show(self.asked)
        told = self.post("/second-factor", act="passkey", half=self.half, answer=answer, **fields)
        self.page = told.text
        return told


def person(house: House, id: str = "a1") -> Staff:
    return house.floor.staff.register.people[id]


def rows(house: House, kind: str) -> list[bytes]:
    return [row.body for row in house.floor.reader().events(kinds=(kind,))]


def test_who_must_have_a_passkey_sets_one_up_before_anything_else_opens(house: House) -> None:
    ada = Owner(house, *ADA)
    assert not ada.is_in()
    assert 'class="qr"' not in ada.page, "no code counts for him"
    assert "Your role needs a passkey" in ada.page
    assert ada.asked["rp"]["id"] == "localhost"
    ada.set_up("Blue key")
    [own] = person(house).passkeys.values()
    assert own.name == "Blue key"
    assert len(rows(house, "PasskeyEnrolled")) == 1
    assert verify(house.floor.config.studio.database).ok


def test_the_next_sign_in_asks_for_the_passkey_and_takes_no_code(house: House) -> None:
    ada = Owner(house, *ADA).set_up().again()
    assert not ada.is_in()
    assert 'name="code"' not in ada.page
    assert [one["id"] for one in ada.asked["allowCredentials"]] == list(person(house).passkeys)
    assert ada.type("000000").status_code == 401
    assert ada.send(ada.key.show(ada.asked), half=ada.again().half) == 401, "of another question"
    assert ada.send(ada.key.show(ada.asked)) == 303
    assert ada.is_in()
    [used] = rows(house, "PasskeyUsed")
    assert b"station" in used


def test_who_may_choose_sees_the_passkey_first_and_the_code_as_another_way(house: House) -> None:
    petra = Owner(house, *PETRA)
    assert petra.page.index('id="passkey"') < petra.page.index('class="qr"')
    petra.enrol()
    assert petra.again().page.count("data-asked") == 0, "he has no passkey to show"
    petra.page = petra.post("/second-factor", act="begin", pin=PETRA[1], wants="passkey").text
    shown = petra.post("/second-factor", act="confirm", half=petra.half, code=petra.recovery[0])
    petra.page = shown.text
    made = petra.key.make(petra.asked)
    told = petra.post("/second-factor", act="passkey", half=petra.half, answer=made, name="Mine")
    assert told.status_code == 303
    again = petra.again()
    assert again.page.index('id="passkey"') < again.page.index('name="code"')
    assert again.type(petra.recovery[1]).status_code == 303
    other = petra.again()
    assert other.send(other.key.show(other.asked)) == 303


WRONG = {
    "another challenge": {"challenge": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"},
    "another origin": {"origin": "https://studio.example.evil"},
    "another port": {"origin": "http://localhost:81"},
    "another act": {"type": "webauthn.create"},
}


@pytest.mark.parametrize("changed", WRONG.values(), ids=WRONG)
def test_what_another_page_was_answered_opens_nothing(house: House, changed: dict[str, str]) -> None:
    ada = Owner(house, *ADA).set_up().again()
    assert ada.send(ada.key.show(ada.asked, **changed)) == 401
    assert not ada.is_in()
    assert person(house).pin.wrong == 1
    assert b"wrong_passkey" in rows(house, "SignInRefused")[-1]
    made = Owner(house, "9002", "806315")
    assert made.send(made.key.make(made.asked, **{**changed, "type": "webauthn.get"})) == 401
    assert not person(house, "a2").passkeys


def test_a_key_that_signs_for_another_name_opens_nothing(house: House) -> None:
    ada = Owner(house, *ADA).set_up().again()
    ada.key.party = "studio.evil"
    assert ada.send(ada.key.show(ada.asked)) == 401
    made = Owner(house, "9002", "806315", SoftKey(b"new", party="studio.evil"))
    assert made.send(made.key.make(made.asked)) == 401


def test_no_answer_opens_twice(house: House) -> None:
    """A key that keeps no count, too: the question is asked once."""
    ada = Owner(house, *ADA).set_up().again()
    half, answer = ada.half, ada.key.show(ada.asked, step=0)
    assert ada.send(answer, half) == 303
    thief = Owner(house, *ADA, ada.key)
    assert thief.send(answer, half) == 401
    assert not thief.is_in()


def test_a_question_that_was_answered_wrong_is_asked_no_more(house: House) -> None:
    ada = Owner(house, *ADA).set_up().again()
    half, right = ada.half, ada.key.show(ada.asked)
    assert ada.send(SoftKey(ada.key.credential).show(ada.asked), half) == 401
    assert ada.send(right, half) == 401
    assert "No passkey was shown" in ada.page
    assert person(house).pin.wrong == 1, "that one counts as none"
    assert ada.send(ada.key.show(ada.asked)) == 303, "the page asks anew"


def test_a_question_lives_for_three_minutes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Owner(house, *ADA).set_up().again()
    now = house.floor.now_ms() + HALFWAY_MS + 1
    monkeypatch.setattr(house.floor.staff, "_now_ms", lambda: now)
    assert ada.send(ada.key.show(ada.asked)) == 401
    assert not ada.is_in()


def test_a_count_that_goes_backwards_closes_the_key_and_is_told(house: House) -> None:
    ada = Owner(house, *ADA).set_up().again()
    assert ada.send(ada.key.show(ada.asked, step=5)) == 303
    copy = ada.again()
    assert copy.send(copy.key.show(copy.asked, step=-2)) == 401
    assert "may have a copy" in copy.page
    assert not copy.is_in()
    [own] = person(house).passkeys.values()
    assert own.copied
    assert len(rows(house, "PasskeyCopied")) == 1
    assert "counted backwards" in ada.get("/sign-ins").text
    honest = ada.again()
    assert "Ask an administrator to reset" in honest.page
    assert 'data-asked="' not in honest.page, "whoever has the copy and the PIN sets up no key of his own"


def test_a_key_of_somebody_else_opens_nothing(house: House) -> None:
    ada, alma = Owner(house, *ADA).set_up(), Owner(house, "9002", "806315").set_up()
    thief = Owner(house, *ADA, alma.key)
    assert thief.send(thief.key.show(thief.asked)) == 401
    assert not thief.is_in()
    assert not rows(house, "PasskeyUsed")
    taken = Owner(house, *PETRA, ada.key)
    assert taken.send(taken.key.make(taken.asked)) == 401, "nor does anybody set up the key of another"
    assert not person(house, "p1").passkeys


def test_wrong_passkeys_lock_the_badge(house: House) -> None:
    ada = Owner(house, *ADA).set_up()
    thief = Owner(house, *ADA, SoftKey(ada.key.credential))
    for _ in range(WRONG_PINS_MAX):
        assert thief.send(thief.key.show(thief.asked)) == 401
    assert person(house).is_locked(house.floor.now_ms())
    thief.key.private = ada.key.private
    assert thief.send(thief.key.show(thief.asked)) == 429, "a right one does not lift it"
    assert ada.is_in(), "who is in works on"


@pytest.mark.parametrize("answer", ["{}", "[]", "nonsense", "[" * 5_000, '{"id": 1}', "x" * 20_000])
def test_what_is_no_answer_is_wrong_and_nothing_worse(house: House, answer: str) -> None:
    ada = Owner(house, *ADA).set_up().again()
    assert ada.send(answer) == 401
    assert Owner(house, "9002", "806315").send(answer) == 401


def test_an_empty_answer_counts_as_none(house: House) -> None:
    ada = Owner(house, *ADA).set_up().again()
    assert ada.send("") == 401
    assert "No passkey was shown" in ada.page
    assert person(house).pin.wrong == 0


def test_a_second_passkey_takes_the_pin_and_the_first(house: House) -> None:
    ada = Owner(house, *ADA).set_up("Blue")
    assert ada.post("/second-factor", act="begin", pin="000000", wants="passkey").status_code == 409
    assert ada.at_work("passkey").status_code == 200
    green, half = SoftKey(b"green"), ada.half
    made = green.make(ada.asked)
    assert ada.post("/second-factor", act="passkey", half=half, answer=made, name=" ").status_code == 409
    assert ada.post("/second-factor", act="passkey", half=half, answer=made, name="Green").status_code == 303
    assert [one.name for one in person(house).passkeys.values()] == ["Blue", "Green"]
    assert "Green" in ada.get("/second-factor").text
    again = Owner(house, *ADA, green)
    assert again.send(green.show(again.asked)) == 303


def test_a_passkey_is_removed_by_its_owner_and_never_the_last(house: House) -> None:
    ada = Owner(house, *ADA).set_up("Blue")
    [blue] = person(house).passkeys
    told = ada.post("/second-factor", act="begin", pin=ADA[1], wants=blue)
    assert "is the last" in told.text
    ada.at_work("passkey")
    green = SoftKey(b"green")
    ada.post("/second-factor", act="passkey", half=ada.half, answer=green.make(ada.asked), name="Green")
    lost = ada.again()
    ada.key = green
    assert ada.at_work(blue).status_code == 303
    assert [one.name for one in person(house).passkeys.values()] == ["Green"]
    assert lost.send(lost.key.show(lost.asked)) == 401, "asked before it was removed"
    assert not lost.is_in()
    assert len(rows(house, "PasskeyRemoved")) == 1


def test_what_one_may_do_without_is_removed_to_the_last(house: House) -> None:
    dana = Owner(house, "1001", "4826")
    dana.take_up()
    dana.page = dana.post("/second-factor", act="begin", pin="4826", wants="passkey").text
    dana.post("/second-factor", act="passkey", half=dana.half, answer=dana.key.make(dana.asked), name="Mine")
    assert not dana.again().is_in(), "who has one shows it, whatever his role"
    [mine] = person(house, "d1").passkeys
    assert dana.at_work(mine).status_code == 303
    assert Person(house, "1001", "4826").is_in()


def test_two_people_reset_passkeys_with_the_factor(house: House) -> None:
    ada, petra = Owner(house, *ADA).set_up(), Owner(house, *PETRA).set_up()
    assert petra.is_in()
    beside = {"second_badge": "9002", "second_pin": "806315"}
    assert "My key" in ada.get("/staff/p1").text
    assert ada.act("reset", "p1", words="the key is lost", **beside) == ""
    assert not person(house, "p1").passkeys
    assert not petra.is_in()
    assert "Your second factor was taken away." in Owner(house, *PETRA).set_up().get("/sign-ins").text


def test_who_has_a_code_and_needs_a_passkey_shows_the_code_once_to_set_one_up(house: House) -> None:
    ask(house, ("admin",), ())
    ada = Owner(house, *ADA)
    ada.enrol()
    ask(house, (), ("admin",))
    codes, ada, before = ada.recovery, ada.again(), len(rows(house, "StaffSignedIn"))
    answer = ada.type(codes[0])
    assert len(rows(house, "StaffSignedIn")) == before
    assert answer.status_code == 200
    assert not ada.is_in(), "the code alone opens nothing any more"
    ada.page = answer.text
    ada.set_up()
    later = ada.again()
    assert 'name="code"' not in later.page
    assert later.type(codes[1]).status_code == 401
    assert not later.is_in()


def test_who_forgot_his_pin_shows_his_passkey_before_he_chooses_another(house: House) -> None:
    ada, alma = Owner(house, *ADA).set_up(), Owner(house, "9002", "806315").set_up()
    assert alma.act("code", "a1") == ""
    back = Owner(house, ADA[0], code_in(alma.shown), ada.key)
    assert 'name="new_pin"' not in back.page
    assert back.send(back.key.show(back.asked)) == 200
    assert 'name="new_pin"' in back.page
    chosen = back.client.post("/sign-in/pin", data={"half": back.half, "new_pin": "830157", "new_pin_again": "830157"})
    assert chosen.status_code == 303


def test_an_address_that_can_have_no_passkey_says_so_and_offers_the_code(house: House) -> None:
    petra = Owner(house, *PETRA)
    petra.enrol()
    petra.page = petra.post("/second-factor", act="begin", pin=PETRA[1], wants="passkey").text
    petra.page = petra.post("/second-factor", act="confirm", half=petra.half, code=petra.recovery[0]).text
    petra.post("/second-factor", act="passkey", half=petra.half, answer=petra.key.make(petra.asked), name="Mine")
    ask(house, ("pit_boss",), ("admin",), "https://studio.example")
    there = petra.again()
    assert "A passkey works at https://studio.example alone" in there.page
    assert 'data-asked="' not in there.page
    assert there.type(petra.recovery[1]).status_code == 303
    ada = Owner(house, *ADA)
    assert "open the console there" in ada.page
    assert 'name="code"' not in ada.page


def test_behind_tls_a_passkey_is_bound_to_the_name_of_the_console(house: House) -> None:
    ask(house, (), ("pit_boss",), "https://studio.example")
    key, client = SoftKey(b"key", "https://studio.example", "studio.example"), house.studio.app.test_client()
    fields, there = {"badge": PETRA[0], "pin": PETRA[1]}, "https://studio.example"
    page = client.post("/sign-in", data=fields, base_url=there).text
    assert asked_in(page)["rp"]["id"] == "studio.example"
    made = {"half": half_in(page), "answer": key.make(asked_in(page)), "name": "Mine"}
    assert client.post("/sign-in/passkey", data=made, base_url=there).status_code == 303
    other = house.studio.app.test_client()
    page = other.post("/sign-in", data=fields, base_url=there).text
    shown = {"half": half_in(page), "answer": key.show(asked_in(page))}
    assert other.post("/sign-in/passkey", data=shown, base_url=there).status_code == 303
    assert other.get_cookie("__Host-studio_session", "studio.example") is not None


def test_pages_may_ask_for_passkeys_and_frames_of_others_may_not(house: House) -> None:
    told = house.studio.app.test_client().get("/sign-in").headers["Permissions-Policy"]
    assert told == PERMISSIONS
    assert "publickey-credentials-get=(self)" in told
    assert "publickey-credentials-create=(self)" in told
