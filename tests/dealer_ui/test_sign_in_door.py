"""The door: a flood of strangers stops nobody who works, and a locked badge is an alarm that somebody lifts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S
from running_studio import PIT, TABLE, House
from test_staff_pages import Person

from dealer_ui.access.auth import STATION_COOKIE
from dealer_ui.desk.pin_door import OF_A_PLACE, PinDoor, PinLane
from dealer_ui.desk.staff import FIRST
from dealer_ui.floor.cause import causes_of
from dealer_ui.frame.alarm_row import rows_of
from dealer_ui.process.throttle import Law, Throttle, TooOftenError
from studio.people import Argon2PinHasher, NewStaff, Pin
from studio.people.papering import bar_staff
from studio.people.record import read_staff
from studio.people.signing_in import LOCKED_OUT_MS, WRONG_PINS_MAX
from studio.tables import command as c

STAFF = (
    ("boss-7", "2207", "7702", "Paula Pitt", "pit_boss"),
    ("boss-8", "2208", "8802", "Rosa Reyes", "pit_boss"),
    ("dealer-3", "1103", "3011", "Dewi Deal", "dealer"),
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path) as running:
        for id, badge, pin, name, role in STAFF:
            running.floor.staff.add(NewStaff(id, badge, name, (role,), Pin(pin)))
        yield running


def stranger(house: House, badge: str, times: int = 1, pin: str = "0000") -> list[tuple[int, str]]:
    """Somebody nobody knows, at an address of his own: what each of his tries is answered, and when to try again."""
    client = house.studio.app.test_client()
    answers = []
    for _ in range(times):
        answer = client.post("/sign-in", data={"badge": badge, "pin": pin}, environ_base={"REMOTE_ADDR": "10.6.6.6"})
        client.delete_cookie(STATION_COOKIE)
        answers.append((answer.status_code, answer.headers.get("Retry-After", "")))
    return answers


def order(person: Person, *, id: str = "", **fields: str) -> Any:
    """What a button of a page sends."""
    headers = {"X-CSRF-Token": person.csrf}
    asked = {"id": id or fields["command"], "seen": str(person.house.view.moves), **fields}
    return person.client.post(f"/table/{TABLE}/command", json=asked, headers=headers)


def test_a_stranger_at_the_door_does_not_lock_out_a_pit_boss_who_works(house: House) -> None:
    boss = Person(house, "2207", "7702")
    assert boss.is_in()
    assert [status for status, _ in stranger(house, "2207", WRONG_PINS_MAX + 1)] == [401] * WRONG_PINS_MAX + [429]
    house.do(c.CallPit, PIT)
    answer = order(boss, command="freeze_table")
    assert answer.status_code == 200, answer.text
    answer = order(boss, command="release_table", pin="7702", reason_code="other", words="well")
    assert answer.status_code == 200, answer.text
    assert not house.view.now.frozen_by


def test_a_locked_badge_is_told_how_long_and_is_an_alarm_that_names_whose_and_from_where(house: House) -> None:
    stranger(house, "2207", WRONG_PINS_MAX)
    ((status, retry_after),) = stranger(house, "2207", pin="7702")
    assert status == 429
    assert 0 < int(retry_after) <= LOCKED_OUT_MS // 1_000
    (row,) = [row for row in rows_of(house.floor) if row.cause.word == "door"]
    assert row.cause.about.startswith("Paula Pitt (2207), 10.6.6.6")


def test_a_pit_boss_lets_a_locked_badge_in_again_with_one_tap(house: House) -> None:
    stranger(house, "2207", WRONG_PINS_MAX)
    other = Person(house, "2208", "8802")
    page = other.get("/staff/boss-7").text
    assert "10.6.6.6" in page
    assert 'value="let_in"' in page
    assert other.post("/staff", act="let_in", person="boss-7").status_code == 303
    assert [cause.word for cause in causes_of(house.floor) if cause.word == "door"] == []
    assert Person(house, "2207", "7702").is_in()


def test_a_badge_that_nobody_wears_answers_like_one_that_somebody_does(house: House) -> None:
    known = [status for status, _ in stranger(house, "2207", WRONG_PINS_MAX + 2)]
    house.floor.staff._door._by_place.right("10.6.6.6")
    unknown = [status for status, _ in stranger(house, "no such badge", WRONG_PINS_MAX + 2)]
    assert known == unknown


def test_an_address_that_is_wrong_too_often_waits_and_a_station_that_is_known_does_not(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = Person(house, "2207", "7702")
    boss.post("/sign-out")
    now_ms = house.floor.now_ms()
    monkeypatch.setattr(house.floor.staff._door._by_place, "_now_ms", lambda: now_ms)  # it waits two seconds of these
    for number in range(OF_A_PLACE.free):
        stranger(house, f"guess {number}")
    ((status, retry_after),) = stranger(house, "another guess")
    assert (status, retry_after) == (429, "2")
    there = {"REMOTE_ADDR": "10.6.6.6"}
    answer = boss.client.post("/sign-in", data={"badge": "2207", "pin": "7702"}, environ_base=there)
    assert answer.status_code == 303, "the station has been signed in at before"


def test_five_wrong_pins_at_work_end_that_sign_in_and_leave_the_badge_alone(house: House) -> None:
    boss = Person(house, "2207", "7702")
    for number in range(WRONG_PINS_MAX):
        answer = order(boss, command="release_table", pin="0000", id=f"order-{number}")
        assert answer.status_code == 409
    assert "the sign-in here has ended" in answer.text
    assert not boss.is_in()
    assert Person(house, "2207", "7702").is_in()


def test_a_pin_guessed_beside_ones_own_is_locked_told_once_and_lifted_by_the_pit(house: House) -> None:
    """The guesser types his own right PIN in between, as the form of two people has it."""
    dealer, badge = Person(house, "1103", "3011"), "2207"
    (station,) = house.floor.staff.register.people["dealer-3"].stations
    for _ in range(WRONG_PINS_MAX):
        assert house.floor.staff.confirm_pin("dealer-3", "3011", station).id == "dealer-3"
        assert relieved(dealer, house, badge, "10.7.1.1") == 409
    answers = [relieved(dealer, house, badge, "10.7.1.1") for _ in range(100)]
    assert set(answers) == {429}
    assert dealer.is_in()
    assert len(list(house.floor.reader().events(kinds=("SignInRefused",)))) == WRONG_PINS_MAX
    assert len(list(house.floor.reader().events(kinds=("StaffLockedOut",)))) == 1
    (row,) = [row for row in rows_of(house.floor) if row.cause.word == "guessed"]
    assert row.cause.about == f"Paula Pitt (2207) ← Dewi Deal, 10.7.1.1 · {station[:4]}"
    other = Person(house, "2208", "8802")
    assert other.post("/staff", act="let_in", person="boss-7").status_code == 303
    assert [cause.word for cause in causes_of(house.floor) if cause.word == "guessed"] == []
    assert "Your badge was locked: too many wrong PINs." in Person(house, "2207", "7702").get("/sign-ins").text


class SlowHasher(Argon2PinHasher):
    """Compares nothing before `go_on`: as slow as a test wants."""

    def __init__(self) -> None:
        super().__init__(cost=1, memory_kib=8)
        self.go_on = threading.Event()
        self.busy = threading.Semaphore(0)

    def matches(self, kept: str | None, pin: Pin) -> bool:
        self.busy.release()
        assert self.go_on.wait(PATIENCE_S)
        return super().matches(kept, pin)


def relieved(person: Person | None, house: House, badge: str, address: str) -> int:
    """What somebody's try to take the table over is answered: where a person is signed in, or nobody."""
    client = person.client if person is not None else house.studio.app.test_client()
    fields = {"csrf": person.csrf if person is not None else "", "badge": badge, "pin": "0000"}
    answer = client.post(f"/dealer/{TABLE}/relief", data=fields, environ_base={"REMOTE_ADDR": address})
    return int(answer.status_code)


def test_badges_of_nobody_at_a_relief_are_counted_each_by_itself(house: House) -> None:
    """Five of them would have whoever misreads his badge wait for a lock that no pit boss can lift."""
    for number in range(WRONG_PINS_MAX):
        assert relieved(None, house, f"88{number}", f"10.7.{number}.1") == 409
    assert relieved(None, house, "889", "10.7.9.1") == 409
    for number in range(WRONG_PINS_MAX - 1):
        assert relieved(None, house, "889", f"10.8.{number}.1") == 409
    assert relieved(None, house, "889", "10.9.1.1") == 429


@pytest.mark.parametrize("barred", [False, True], ids=["nobody's", "barred"])
def test_who_is_signed_in_fills_the_record_with_no_badges_that_open_nothing(house: House, barred: bool) -> None:
    boss, badge = Person(house, "2207", "7702"), "1103" if barred else ""
    if barred:
        house.floor.staff.change(
            lambda register, now: bar_staff(register, "dealer-3", reason="x", by=FIRST, now_ms=now)
        )
    answers = [relieved(boss, house, badge or f"88{number}", "10.7.1.1") for number in range(3 * OF_A_PLACE.free)]
    assert set(answers[:WRONG_PINS_MAX]) == {409}
    assert set(answers[OF_A_PLACE.free :]) == {429}
    assert len(list(house.floor.reader().events(kinds=("SignInRefused",)))) <= OF_A_PLACE.free
    assert boss.is_in()


def test_a_flood_at_the_door_is_refused_at_once_and_holds_neither_the_floor_nor_who_works(house: House) -> None:
    boss = Person(house, "2207", "7702")
    desk, slow = house.floor.staff, SlowHasher()
    desk._door._lane._hasher = slow
    with ThreadPoolExecutor(30) as strangers:
        tries = [strangers.submit(stranger, house, f"guess {number}") for number in range(30)]
        assert slow.busy.acquire(timeout=PATIENCE_S)
        assert boss.get("/pit").status_code == 200
        assert desk.confirm_pin("boss-7", "7702", next(iter(desk.register.people["boss-7"].stations))).id == "boss-7"
        slow.go_on.set()
        answers = [one.result(PATIENCE_S)[0] for one in tries]
    assert {status for status, _ in answers} == {401, 429}
    assert all(retry_after for status, retry_after in answers if status == 429)


def test_a_lane_that_is_full_refuses_at_once() -> None:
    slow = SlowHasher()
    lane = PinLane(slow, waiting_max=1)
    with ThreadPoolExecutor(2) as people:
        waiting = [people.submit(lane.compare, None, Pin("0000")) for _ in range(2)]
        assert slow.busy.acquire(timeout=PATIENCE_S)
        while lane._places.acquire(blocking=False):
            lane._places.release()
        with pytest.raises(TooOftenError) as refused:
            lane.compare(None, Pin("0000"))
        slow.go_on.set()
        assert [one.result(PATIENCE_S).right for one in waiting] == [False, False]
    assert refused.value.retry_after_s == 2


def test_a_throttle_forgets_who_was_quiet_and_never_holds_more_than_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0]
    throttle = Throttle(Law(1, 1_000, 4_000), lambda: now[0])
    for wait_ms in (1_000, 2_000, 4_000, 4_000):
        throttle.wrong("a")
        assert throttle.wait_ms("a") == wait_ms
        now[0] += wait_ms
        assert throttle.wait_ms("a") == 0
    now[0] += 8_001
    throttle.wrong("a")
    assert throttle.wait_ms("a") == 1_000
    monkeypatch.setattr("dealer_ui.process.throttle.KEYS_MAX", 2)
    throttle.wrong("b")
    throttle.wrong("c")
    assert throttle.wait_ms("a") == 0


def test_a_badge_and_a_pin_typed_wide_on_a_japanese_keyboard_open_the_door(house: House) -> None:
    person = Person(house, "２２０７", "７７０２")
    assert person.get("/pit").status_code == 200
    assert stranger(house, "２２０７", times=2)[-1][0] == 401
    refused = [read_staff(row.body) for row in house.floor.reader().events(kinds=("SignInRefused",))]
    assert [event.id for event in refused] == ["boss-7", "boss-7"]


def test_lifting_the_lock_of_a_badge_that_was_entered_wide_lets_it_try_again() -> None:
    door = PinDoor(Argon2PinHasher(pepper=bytes(32)), lambda: 0)
    for _ in range(WRONG_PINS_MAX):
        door.count("2207", "here", right=False)
    with pytest.raises(TooOftenError):
        door.compare(None, "2207", Pin("7702"), "elsewhere")
    door.lift("２２０７")
    assert not door.compare(None, "2207", Pin("7702"), "elsewhere").right
