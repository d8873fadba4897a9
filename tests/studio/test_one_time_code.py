"""One-time codes in the place of a PIN: who gives them, what they open, and how they end."""

from __future__ import annotations

import pytest
from test_people_staff import Desk
from test_people_staff import desk as desk

from studio.errors import RefusedError
from studio.people import (
    Actor,
    Pin,
    Role,
    change_pin,
    change_roles,
    compare_pin,
    confirm_pin,
    fresh_code,
    give_code,
    retire_staff,
)
from studio.people.papering import bar_staff
from studio.people.signing_in import WRONG_PINS_MAX
from studio.people.staff_event import StaffBarred, StaffLockedOut, StaffSignedIn
from studio.people.staffing import CODE_MS

CODE = Pin("40718823")


def coded(desk: Desk, now_ms: int = 999_000) -> None:
    """Alma gives Dora a code."""
    alma = desk.register.actor("alma")
    desk.keep([give_code(desk.register, "dora", CODE, by=alma, now_ms=now_ms, hasher=desk.hasher)])


def test_a_code_takes_the_place_of_the_pin_and_is_no_sign_in_by_itself(desk: Desk) -> None:
    coded(desk)
    assert desk.register.people["dora"].has_code
    assert desk.try_pin("badge-dora", "1234").actor is None
    came = desk.try_pin("badge-dora", CODE.digits())
    assert (came.opened().id, came.events) == ("dora", ())
    assert not desk.register.people["dora"].stations


def test_a_code_is_given_by_an_administrator_alone_and_to_somebody_else(desk: Desk) -> None:
    for by, whom, said in (("petra", "dora", "may not do this"), ("alma", "alma", "Nobody does this to himself")):
        with pytest.raises(RefusedError, match=said):
            give_code(desk.register, whom, CODE, by=desk.register.actor(by), now_ms=1, hasher=desk.hasher)


def test_a_code_that_is_too_late_opens_nothing_and_is_no_wrong_pin(desk: Desk) -> None:
    coded(desk, desk.now_ms - CODE_MS)
    tried = desk.try_pin("badge-dora", CODE.digits())
    assert [getattr(event, "reason", "") for event in tried.events] == ["code_over"]
    with pytest.raises(RefusedError, match="Ask an administrator for another"):
        tried.opened()
    assert desk.register.people["dora"].pin.wrong == 0


def test_wrong_codes_lock_the_badge_as_wrong_pins_do(desk: Desk) -> None:
    coded(desk)
    for _ in range(WRONG_PINS_MAX):
        assert desk.try_pin("badge-dora", "40718824").actor is None
    assert desk.register.people["dora"].is_locked(desk.now_ms)
    assert desk.try_pin("badge-dora", CODE.digits()).actor is None


def test_a_code_confirms_no_act(desk: Desk) -> None:
    coded(desk)
    compared = compare_pin(desk.register.people["dora"], CODE, desk.hasher)
    with pytest.raises(RefusedError, match="choose your own PIN first"):
        confirm_pin(desk.register, "dora", compared, now_ms=desk.now_ms)


@pytest.mark.parametrize("station", ["", "at-petra"], ids=["at the door", "at work"])
@pytest.mark.parametrize("how", ["locked", "over", "barred"])
def test_a_code_confirms_no_act_of_a_badge_that_opens_nothing_now_either(desk: Desk, how: str, station: str) -> None:
    desk.keep([StaffSignedIn(at_ms=desk.now_ms, id="petra", station="at-petra")])
    coded(desk, desk.now_ms - (CODE_MS if how == "over" else 1))
    if how == "locked":
        desk.keep([StaffLockedOut(at_ms=desk.now_ms, id="dora", until_ms=desk.now_ms + 1)])
    if how == "barred":
        desk.keep([StaffBarred(at_ms=desk.now_ms, id="dora", reason="x", by="alma")])
    compared = compare_pin(desk.register.people["dora"], CODE, desk.hasher)
    with pytest.raises(RefusedError) as refused:
        confirm_pin(desk.register, "dora", compared, now_ms=desk.now_ms, station=station).opened()
    assert (refused.value.key == "code_is_no_pin") == (station != "" and how != "barred"), "nothing is told at the door"


def test_ones_own_pin_uses_the_code_up(desk: Desk) -> None:
    coded(desk)
    dora = desk.register.actor("dora")
    desk.keep([change_pin(desk.register, "dora", Pin("8305"), by=dora, now_ms=1_000_001, hasher=desk.hasher)])
    assert not desk.register.people["dora"].has_code
    assert desk.try_pin("badge-dora", CODE.digits()).actor is None
    assert desk.try_pin("badge-dora", "8305").opened().id == "dora"


def test_an_administrator_whose_code_has_lapsed_is_not_the_one_who_remains(desk: Desk) -> None:
    desk.join("ben", ("admin",))
    alma, setup = desk.register.actor("alma"), Actor("system", "Set-up", frozenset({"admin"}))
    desk.keep([give_code(desk.register, "ben", CODE, by=alma, now_ms=1, hasher=desk.hasher)])
    for leaves in (
        lambda: retire_staff(desk.register, "alma", by=setup, now_ms=2 + CODE_MS),
        lambda: change_roles(desk.register, "alma", ["dealer"], by=setup, now_ms=2 + CODE_MS),
        lambda: bar_staff(desk.register, "alma", reason="x", by=setup, now_ms=2 + CODE_MS),
    ):
        with pytest.raises(RefusedError, match="the only administrator who can come in"):
            leaves()
    assert retire_staff(desk.register, "alma", by=setup, now_ms=CODE_MS).id == "alma", "he may take it still"
    desk.keep([retire_staff(desk.register, "ben", by=setup, now_ms=2 + CODE_MS)])
    assert [one.id for one in desk.register.with_role(Role.ADMIN)] == ["alma"]


def test_codes_have_eight_digits_and_are_drawn_from_all_of_them() -> None:
    asked: list[int] = []
    code = fresh_code(lambda below: asked.append(below) or 42)  # type: ignore[func-returns-value]
    assert (code.digits(), asked) == ("00000042", [100_000_000])
