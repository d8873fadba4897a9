"""Papers, bars, breaks and ended sign-ins: who may do what to whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from studio.errors import RefusedError
from studio.people import (
    Actor,
    ComparedPin,
    NewPaper,
    Pin,
    StaffRegister,
    add_staff,
    evolve_staff,
    retire_staff,
    sign_in,
)
from studio.people.papering import bar_staff, end_sign_ins, issue_paper, lift_bar, withdraw_paper
from studio.people.record import read_staff, write_staff
from studio.people.rest import BREAK_MS_MIN, Spell, begin_break, end_break
from studio.people.staff_event import AnyStaffEvent
from studio.people.staffing import NewStaff, change_roles

GAMES = ("three_knights",)
ADA = Actor("a1", "Ada", frozenset({"admin"}))
PIT = Actor("p1", "Petra", frozenset({"pit_boss"}))
DANA = Actor("d1", "Dana", frozenset({"dealer"}))
SETUP = Actor("system", "set-up", frozenset({"admin"}))


class Hasher:
    def hash(self, pin: Pin) -> str:
        return f"#{pin.digits()}"

    def is_current(self, kept: str) -> bool:
        return True

    def matches(self, kept: str | None, pin: Pin) -> bool:
        return kept == self.hash(pin)


OPENS = ComparedPin("#1234", right=True)


def fold(register: StaffRegister, *events: AnyStaffEvent) -> StaffRegister:
    for event in events:
        register = evolve_staff(register, read_staff(write_staff(event)))
    return register


@pytest.fixture
def register() -> StaffRegister:
    found = StaffRegister()
    for id, role in (("a1", "admin"), ("p1", "pit_boss"), ("d1", "dealer"), ("a2", "admin")):
        new = NewStaff(id, f"b-{id}", id.title(), (role,), Pin("1234"))
        found = fold(found, add_staff(found, new, by=SETUP, now_ms=1, hasher=Hasher()))
    return found


def signed_in(register: StaffRegister, id: str, station: str) -> StaffRegister:
    tried = sign_in(register, f"b-{id}", OPENS, now_ms=2, station=station)
    return fold(register, *tried.events)


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(RefusedError) as error:
        act()
    return error.value.key


def test_a_paper_is_issued_replaced_and_withdrawn(register: StaffRegister) -> None:
    new = NewPaper("three_knights", " C-7 ", "2026-01-01", "2026-12-31")
    issued = issue_paper(register, "d1", new, by=ADA, now_ms=5, games=GAMES)
    register = fold(register, issued)
    assert register.people["d1"].papers["three_knights"].number == "C-7"
    gone = withdraw_paper(register, "d1", "three_knights", reason="lost", by=ADA, now_ms=6)
    assert not fold(register, gone).people["d1"].papers
    assert refused(lambda: withdraw_paper(register, "d1", "licence", reason="x", by=ADA, now_ms=6)) == "no_paper"


@pytest.mark.parametrize(
    ("new", "key"),
    [
        (NewPaper("chess", "1", "2026-01-01", "2026-12-31"), "paper_unknown"),
        (NewPaper("licence", " ", "2026-01-01", "2026-12-31"), "paper_number"),
        (NewPaper("licence", "1" * 61, "2026-01-01", "2026-12-31"), "paper_number"),
        (NewPaper("licence", "1", "soon", "2026-12-31"), "not_a_day"),
        (NewPaper("licence", "1", "2026-02-30", "2026-12-31"), "not_a_day"),
        (NewPaper("licence", "1", "2026-12-31", "2026-01-01"), "paper_days"),
    ],
)
def test_what_is_no_paper_is_refused(register: StaffRegister, new: NewPaper, key: str) -> None:
    assert refused(lambda: issue_paper(register, "d1", new, by=ADA, now_ms=5, games=GAMES)) == key


def test_only_an_administrator_touches_papers_and_bars_and_nobody_his_own(register: StaffRegister) -> None:
    new = NewPaper("licence", "1", "2026-01-01", "2026-12-31")
    for by, whom, key in ((PIT, "d1", "not_allowed"), (DANA, "d1", "not_allowed"), (ADA, "a1", "not_oneself")):
        assert refused(lambda: issue_paper(register, whom, new, by=by, now_ms=5, games=GAMES)) == key  # noqa: B023
        assert refused(lambda: bar_staff(register, whom, reason="x", by=by, now_ms=5)) == key  # noqa: B023
    assert refused(lambda: change_roles(register, "a1", ["admin", "dealer"], by=ADA, now_ms=5)) == "not_oneself"


def test_a_barred_person_opens_nothing_anywhere_until_the_bar_is_lifted_by_another(register: StaffRegister) -> None:
    register = signed_in(signed_in(register, "a2", "s1"), "a2", "s2")
    assert refused(lambda: bar_staff(register, "a2", reason=" ", by=ADA, now_ms=5)) == "reason_needed"
    barred = fold(register, bar_staff(register, "a2", reason="keys lost", by=ADA, now_ms=5))
    person = barred.people["a2"]
    assert (person.barred, person.stations) == ("keys lost", frozenset())
    assert refused(lambda: barred.actor("a2")) == "barred"
    tried = sign_in(barred, "b-a2", OPENS, now_ms=6)
    assert [event.reason for event in tried.events] == ["barred"]  # type: ignore[union-attr]
    assert refused(tried.opened) == "sign_in_refused"
    assert refused(lambda: bar_staff(barred, "a2", reason="x", by=ADA, now_ms=6)) == "barred_already"
    himself = Actor("a2", "Aya", frozenset({"admin"}))
    assert refused(lambda: lift_bar(barred, "a2", reason="sorry", by=himself, now_ms=6)) == "not_oneself"
    assert refused(lambda: lift_bar(register, "a2", reason="x", by=ADA, now_ms=6)) == "not_barred"
    lifted = fold(barred, lift_bar(barred, "a2", reason="found", by=ADA, now_ms=7))
    assert lifted.actor("a2").name == "A2"


def test_the_last_administrator_who_may_act_is_neither_barred_nor_retired(register: StaffRegister) -> None:
    barred = fold(register, bar_staff(register, "a2", reason="x", by=ADA, now_ms=5))
    assert refused(lambda: retire_staff(barred, "a1", by=SETUP, now_ms=6)) == "last_admin"
    assert refused(lambda: bar_staff(barred, "a1", reason="x", by=SETUP, now_ms=6)) == "last_admin"


def test_a_barred_pit_boss_is_not_on_the_floor(register: StaffRegister) -> None:
    register = signed_in(register, "p1", "s1")
    assert register.pit_bosses_on_floor() == 1
    assert fold(register, bar_staff(register, "p1", reason="x", by=ADA, now_ms=5)).pit_bosses_on_floor() == 0


def test_an_administrator_ends_any_sign_in_and_a_pit_boss_a_dealers(register: StaffRegister) -> None:
    register = signed_in(signed_in(signed_in(register, "d1", "s1"), "d1", "s2"), "a2", "s3")
    one = end_sign_ins(register, "d1", by=PIT, now_ms=5, station="s1")
    assert [event.station for event in one] == ["s1"]
    assert fold(register, *one).people["d1"].stations == {"s2"}
    assert len(end_sign_ins(register, "d1", by=ADA, now_ms=5)) == 2
    assert refused(lambda: end_sign_ins(register, "a2", by=PIT, now_ms=5)) == "dealers_only"
    assert refused(lambda: end_sign_ins(register, "d1", by=DANA, now_ms=5)) == "not_allowed"
    assert refused(lambda: end_sign_ins(register, "d1", by=PIT, now_ms=5, station="s9")) == "not_signed_in"


def test_a_break_is_ones_own_or_the_pits_and_not_from_a_table(register: StaffRegister) -> None:
    person = register.people["d1"]
    assert refused(lambda: begin_break(person, "t1", by=DANA, now_ms=5)) == "break_at_table"
    other = Actor("d2", "Hana", frozenset({"dealer"}))
    assert refused(lambda: begin_break(person, "", by=other, now_ms=5)) == "not_your_break"
    assert refused(lambda: end_break(person, by=PIT, now_ms=5)) == "not_on_break"
    resting = fold(register, begin_break(person, "", by=DANA, now_ms=5))
    assert refused(lambda: begin_break(resting.people["d1"], "", by=PIT, now_ms=6)) == "on_break_already"
    back = fold(resting, end_break(resting.people["d1"], by=PIT, now_ms=9))
    assert back.people["d1"].on_break_ms == 0


def test_time_without_a_break_goes_on_from_table_to_table() -> None:
    minute = 60_000
    spell = Spell().begun("t1", 10 * minute).ended(40 * minute).begun("t2", 41 * minute)
    assert spell.dealt_ms(50 * minute) == 40 * minute
    assert spell.rested(45 * minute).dealt_ms(50 * minute) == 5 * minute
    away = spell.ended(50 * minute)
    assert away.dealt_ms(51 * minute) == 0
    assert away.begun("t1", 50 * minute + BREAK_MS_MIN).dealt_ms(50 * minute + BREAK_MS_MIN) == 0
    assert away.begun("t1", 52 * minute).dealt_ms(52 * minute) == 42 * minute
