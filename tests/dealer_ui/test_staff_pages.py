"""The staff pages over a running studio: papers, bars, ended sign-ins, and that both tables and streams hear of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from first_sign_in import chosen_at_browser, code_in
from flask.testing import FlaskClient
from running_studio import DEALER, PIT, TABLE, House

from dealer_ui.access.auth import COOKIE
from studio.people import NewStaff, Pin
from studio.tables import command as c

STAFF = (
    ("a1", "9001", "915374", "Ada", "admin"),
    ("a2", "9002", "9998", "Alma", "admin"),
    ("d2", "1002", "4829", "Hana", "dealer"),
)


class Person:
    """Somebody at a browser of his own."""

    def __init__(self, house: House, badge: str, pin: str) -> None:
        self.house, self.pin, self.shown = house, pin, ""
        self.client: FlaskClient = house.studio.app.test_client()
        self.csrf = ""
        self.sign_in(badge, pin)

    def sign_in(self, badge: str, pin: str) -> int:
        answer = self.client.post("/sign-in", data={"badge": badge, "pin": pin, "csrf": self.csrf})
        cookie = self.client.get_cookie(COOKIE)
        viewer = self.house.studio.app.extensions["console"].sessions.find(cookie.value) if cookie else None
        self.csrf = viewer.csrf if viewer else ""
        return answer.status_code

    def get(self, path: str) -> Any:
        return self.client.get(path, headers={"Accept": "text/html"})

    def post(self, path: str, **fields: Any) -> Any:
        return self.client.post(path, data={"csrf": self.csrf, **fields})

    def act(self, act: str, person: str, **fields: Any) -> str:
        """Does it; empty, or the sentence of the refusal."""
        answer = self.post("/staff", act=act, person=person, **{"pin": self.pin, **fields})
        if answer.status_code == 303:
            self.shown = self.get(answer.location).text
            return ""
        found = re.search(r'class="refused" role="alert">([^<]*)<', answer.text)
        return found[1] if found else str(answer.status_code)

    def is_in(self) -> bool:
        return self.client.get("/whoami").status_code == 200


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("staff")) as house:
        house.staff()
        for id, badge, pin, name, role in STAFF:
            house.floor.staff.add(NewStaff(id, badge, name, (role,), Pin(pin)))
        house.open()
        yield house


@pytest.fixture
def admin(running: House) -> Person:
    return Person(running, "9001", "915374")


@pytest.fixture
def pit(running: House) -> Person:
    return Person(running, "2001", "730162")


def test_the_list_shows_everybody_and_badges_are_the_administrators_alone(admin: Person, pit: Person) -> None:
    for person in (admin, pit):
        page = person.get("/staff").text
        assert all(name in page for name in ("Dana", "Petra", "Hana", "Alma"))
    assert "1002" in admin.get("/staff/d2").text
    assert "1002" not in pit.get("/staff/d2").text
    assert pit.get("/staff/nobody").status_code == 404


def test_a_dealer_sees_no_staff_page_and_a_pit_boss_manages_nobody(running: House, pit: Person) -> None:
    dealer = Person(running, "1001", "4826")
    assert dealer.get("/staff").status_code == 403
    assert dealer.act("bar", "p1", words="x") == "403"
    assert "may not do this" in pit.act("bar", "d2", words="x")
    assert "Bar at once" not in pit.get("/staff/d2").text


def test_papers_are_entered_and_open_the_table_to_a_dealer(running: House, admin: Person) -> None:
    house = running
    for given in ({"until": "soon"}, {"until": "2020-01-01"}, {"number": " "}):
        fields = {"paper": "licence", "number": "L-9", "from": "2026-01-01", "until": "2036-01-01", **given}
        assert admin.act("paper", "d2", **fields)
    hana = Person(house, "1002", "4829")

    def take() -> Any:
        fields = {"command": "take_table", "seen": house.view.moves, "back": f"/dealer/{TABLE}"}
        return hana.post(f"/table/{TABLE}/command", **fields)

    assert "Hana has no dealing licence" in take().text
    for paper in ("licence", "three_knights"):
        fields = {"paper": paper, "number": "L-9", "from": "2026-01-01", "until": "2036-01-01"}
        assert admin.act("paper", "d2", **fields) == ""
    assert take().status_code == 303
    assert house.view.seat.dealer_name == "Hana"
    assert admin.act("withdraw", "d2", paper="three_knights", words="lost") == ""
    house.do(c.ChangeDealer, PIT, dealer=DEALER.id, dealer_name="")
    assert "no certificate for Three Knights" in take().text
    assert house.view.seat.dealer_name == "Dana"


def test_an_act_without_a_pin_or_with_a_wrong_one_changes_nothing(running: House, admin: Person) -> None:
    assert "PIN again" in admin.act("bar", "d2", words="x", pin="")
    assert "not the right PIN" in admin.act("bar", "d2", words="x", pin="0000")
    assert "not the right PIN" in admin.act("code", "d2", pin="0000")
    assert "unknown" in admin.act("pin", "d2", new_pin="4321", new_pin_again="4321"), "nobody chooses another's PIN"
    assert not running.floor.staff.register.people["d2"].barred
    assert "unknown" in admin.act("promote", "d2")


def test_a_bar_ends_every_sign_in_at_once_and_the_persons_table_says_so(running: House, admin: Person) -> None:
    dana, again = Person(running, "1001", "4826"), Person(running, "1001", "4826")
    assert running.view.seat.dealer == DEALER.id
    with dana.client.get(f"/stream/dealer/{TABLE}") as stream:
        told = stream.response
        assert b"retry" in next(told)  # type: ignore[call-overload]
        assert b"event: view" in b"".join(next(told) for _ in range(3))  # type: ignore[call-overload]
        assert admin.act("bar", "d1", words="under inquiry") == ""
        rest = b"".join(told)
        assert b"event: leave" in rest
        assert b"event: view" not in rest
    assert not dana.is_in()
    assert not again.is_in()
    assert dana.sign_in("1001", "4826") == 401
    assert (running.view.seat.dealer, running.view.seat.stood_down, running.view.seat.why) == ("", "Dana", "barred")
    assert "under inquiry" in admin.get("/staff/d1").text
    assert admin.act("lift", "d1", words="cleared") == ""
    assert dana.sign_in("1001", "4826") == 303
    running.do(c.TakeTable)
    assert running.view.seat.dealer == DEALER.id


def test_nobody_touches_himself_and_ends_only_what_he_may(running: House, admin: Person, pit: Person) -> None:
    for act in ("roles", "bar", "paper"):
        fields = {"role": "dealer", "words": "x", "paper": "licence", "number": "1", "from": "2026-01-01"}
        assert "himself" in admin.act(act, "a1", until="2027-01-01", **fields)
    hana = Person(running, "1002", "4829")
    assert "dealer" in pit.act("end", "a1", pin="")
    assert admin.is_in()
    assert pit.act("end", "d2", pin="") == ""
    assert not hana.is_in()


def test_a_sign_in_that_another_process_serves_is_told_and_ended(running: House, admin: Person) -> None:
    running.floor.staff.take_station("d2", "bbbbbbbbbbbb", Pin("4829"))
    page = admin.get("/staff/d2").text
    assert page.count('name="station" value="bbbbbbbbbbbb"') == 1
    assert admin.act("end", "d2", pin="", station="bbbbbbbbbbbb") == ""
    assert "bbbbbbbbbbbb" not in running.floor.staff.register.people["d2"].stations


def test_the_next_sign_in_at_a_station_ends_a_forgotten_one(running: House) -> None:
    hana = Person(running, "1002", "4829")
    station = next(iter(running.floor.staff.register.people["d2"].stations))
    assert hana.csrf in hana.get("/sign-in").text
    assert hana.sign_in("2001", "730162") == 303
    people = running.floor.staff.register.people
    assert station not in people["d2"].stations
    assert station in people["p1"].stations


def test_changed_roles_hold_at_once_for_who_is_signed_in(running: House, admin: Person) -> None:
    alma = Person(running, "9002", "9998")
    assert alma.get("/decks").status_code == 200
    assert admin.act("roles", "a2", role="technician") == ""
    assert alma.get("/staff").status_code == 403
    assert admin.act("roles", "a2", role="admin") == ""


def test_a_code_or_a_new_badge_ends_the_sign_ins_and_a_person_who_left_is_out(running: House, admin: Person) -> None:
    hana = Person(running, "1002", "4829")
    assert admin.act("code", "d2") == ""
    assert not hana.is_in()
    assert hana.sign_in("1002", "4829") == 401
    chosen_at_browser(hana.client, "1002", code_in(admin.shown), "7935")
    assert hana.is_in()
    assert hana.sign_in("1002", "7935") == 303
    assert admin.act("badge", "d2", badge="1001")  # somebody else's
    assert admin.act("badge", "d2", badge="1003") == ""
    assert hana.sign_in("1002", "7935") == 401
    assert hana.sign_in("1003", "7935") == 303
    assert admin.act("retire", "d2") == ""
    assert not hana.is_in()


def test_somebody_is_added_and_every_bad_field_is_refused(admin: Person) -> None:
    good = {"id": "d7", "name": "Gita", "badge": "1077", "role": "dealer"}
    for bad in ({"name": ""}, {"badge": "9001"}, {"badge": " "}, {"role": "king"}, {"id": "a1"}):
        assert admin.act("add", "", **{**good, **bad})
    assert admin.act("add", "", **good) == ""
    assert "Gita" in admin.get("/staff").text


def test_a_sign_in_nobody_uses_ends_and_no_longer_counts_on_the_floor(running: House) -> None:
    desk = running.floor.staff
    Person(running, "2001", "730162")
    assert desk.pit_bosses_on_floor() == 1
    sessions = running.studio.app.extensions["console"].sessions
    sessions._idle_ms = -1
    try:
        assert desk.pit_bosses_on_floor() == 0
    finally:
        sessions._idle_ms = 3_600_000


def test_after_a_restart_nobody_is_signed_in_and_the_record_says_so(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
        Person(house, "2001", "730162")
        assert house.floor.staff.pit_bosses_on_floor() == 1
    with House(tmp_path) as house:
        assert house.floor.staff.pit_bosses_on_floor() == 0
        Person(house, "2001", "730162")
        assert len(list(house.floor.reader().events(kinds=("SignInEnded",)))) == 1


# --- the language is a person's own -----------------------------------------------------------------------


def test_the_language_chosen_before_signing_in_is_ones_own_at_every_station(running: House) -> None:
    def sign_in(client: FlaskClient, badge: str, pin: str, **chosen: str) -> None:
        assert client.post("/sign-in", data={"badge": badge, "pin": pin, **chosen}).status_code == 303

    here, elsewhere, other = (running.studio.app.test_client() for _ in range(3))
    assert '<input type="hidden" name="language" value="ja">' in here.get("/sign-in?language=ja").text
    sign_in(here, "9002", "9998", language="ja")
    for station in (elsewhere, other):
        station.get("/sign-in?language=id")  # this station speaks Indonesian to whoever never chose
    sign_in(elsewhere, "9002", "9998")
    sign_in(other, "9001", "915374")
    assert 'lang="ja"' in elsewhere.get("/staff", headers={"Accept": "text/html"}).text
    assert 'lang="id"' in other.get("/staff", headers={"Accept": "text/html"}).text
    assert running.floor.staff.register.people["a2"].language == "ja"
