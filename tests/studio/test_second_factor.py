"""The code beside the PIN: RFC 6238, codes that open once, and two people who take a factor away."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from studio.errors import RefusedError, SealedError
from studio.people import Actor, Staff, StaffRegister, evolve_staff
from studio.people.factor_event import SecondFactorReset
from studio.people.second_factor import (
    RECOVERY_CODES,
    STEP_MS,
    ProvedCode,
    TotpSecret,
    enrol,
    fresh_recovery_codes,
    is_recovery_code,
    reset_factor,
)
from studio.people.signing_in import LOCKED_OUT_MS, WRONG_PINS_MAX, refuse_factor
from studio.people.staff_event import AnyStaffEvent, SignInEnded, StaffAdded, StaffLockedOut, StaffSignedIn

RFC = TotpSecret(b"12345678901234567890")
NOW_MS = 1_790_000_000_000
ADMIN = Actor("a1", "Ada", frozenset({"admin"}), NOW_MS)
PIT = Actor("p2", "Yuki", frozenset({"pit_boss"}), NOW_MS)


@pytest.mark.parametrize(
    ("at_s", "code"),
    [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ],
)  # fmt: skip
def test_the_codes_are_those_of_rfc_6238(at_s: int, code: str) -> None:
    assert RFC.code(at_s * 1000 // STEP_MS) == code
    assert RFC.step_of(code, at_s * 1000) == at_s * 1000 // STEP_MS


@pytest.mark.parametrize(("off", "fits"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_clock_may_be_off_by_one_step(off: int, fits: bool) -> None:
    step = NOW_MS // STEP_MS
    assert (RFC.step_of(RFC.code(step + off), NOW_MS) == step + off) is fits


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "abcdef", "１２３４５６", "\udcff"])
def test_what_is_no_code_fits_nothing(typed: str) -> None:
    assert RFC.step_of(typed.encode("utf-8", "replace").decode(), NOW_MS) is None


def test_a_secret_is_in_no_repr_and_is_not_pickled() -> None:
    assert "12345" not in repr(RFC) + str(RFC)
    with pytest.raises(SealedError):
        pickle.dumps(RFC)


def test_a_device_is_told_studio_person_and_secret() -> None:
    assert RFC.address("North studio", "Made & co") == (
        "otpauth://totp/North%20studio:Made%20%26%20co?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=North%20studio"
    )
    assert RFC.typed() == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ"


def test_recovery_codes_are_all_different_and_as_one_types_them() -> None:
    codes = fresh_recovery_codes(Random(1).randbytes)
    assert len(set(codes)) == RECOVERY_CODES
    assert all(is_recovery_code(code) for code in codes)


class Register:
    """Made, a pit boss with a factor, and what happens to him."""

    def __init__(self) -> None:
        self.people = StaffRegister()
        self.take(StaffAdded(at_ms=1, id="p1", badge="2001", name="Made", roles=("pit_boss",), pin_hash="#", by="a1"))
        self.take(enrol(self.made, ProvedCode("f1", step=10), 5))

    @property
    def made(self) -> Staff:
        return self.people.people["p1"]

    def take(self, *events: AnyStaffEvent) -> None:
        for event in events:
            self.people = evolve_staff(self.people, event)


def test_a_code_opens_once_and_none_of_before_it_does() -> None:
    register = Register()
    assert not ProvedCode("f1", step=10).opens(register.made), "it showed the device, and is used up"
    assert ProvedCode("f1", step=12).opens(register.made)
    register.take(ProvedCode("f1", step=12).used(register.made, "s", 7))
    assert [ProvedCode("f1", step=step).opens(register.made) for step in (11, 12, 13)] == [False, False, True]


def test_a_recovery_code_opens_once_and_others_still_do() -> None:
    register = Register()
    register.take(ProvedCode("f1", recovery=3).used(register.made, "s", 7))
    assert [ProvedCode("f1", recovery=number).opens(register.made) for number in (2, 3, 4)] == [True, False, True]
    factor = register.made.factor
    assert factor is not None
    assert (factor.left, factor.last_step) == (RECOVERY_CODES - 1, 10)


def test_codes_of_a_factor_of_before_open_nothing() -> None:
    register = Register()
    register.take(enrol(register.made, ProvedCode("f2", step=20), 9))
    assert not ProvedCode("f1", step=30).opens(register.made)
    assert not ProvedCode("f1", recovery=1).opens(register.made)
    assert ProvedCode("f2", recovery=1).opens(register.made)


def test_wrong_codes_lock_the_badge_as_wrong_pins_do() -> None:
    register = Register()
    for _ in range(WRONG_PINS_MAX - 1):
        events = refuse_factor(register.made, "wrong_code", now_ms=NOW_MS, station="s", address="127.0.0.1")
        assert [type(event).__name__ for event in events] == ["SignInRefused"]
        register.take(*events)
    *_, locked = refuse_factor(register.made, "wrong_code", now_ms=NOW_MS, station="s", address="127.0.0.1")
    assert isinstance(locked, StaffLockedOut)
    assert locked.until_ms == NOW_MS + LOCKED_OUT_MS


def test_two_people_take_a_factor_away_and_end_the_sign_ins() -> None:
    register = Register()
    register.take(StaffSignedIn(at_ms=6, id="p1", station="s1"))
    away, ended = reset_factor(register.people, "p1", by=ADMIN, beside=PIT, reason=" lost ", now_ms=NOW_MS)
    assert away == SecondFactorReset(at_ms=NOW_MS, id="p1", factor="f1", by="a1", beside="p2", reason="lost")
    assert isinstance(ended, SignInEnded)
    register.take(away, ended)
    assert register.made.factor is None
    assert not register.made.stations


@pytest.mark.parametrize(
    ("by", "beside", "reason", "key"),
    [
        (PIT, ADMIN, "lost", "not_allowed"),
        (ADMIN, None, "lost", "second_missing"),
        (ADMIN, ADMIN, "lost", "same_person"),
        (ADMIN, Actor("p2", "Yuki", frozenset({"pit_boss"})), "lost", "pin_needed"),
        (Actor("a1", "Ada", frozenset({"admin"})), PIT, "lost", "pin_needed"),
        (ADMIN, Actor("d1", "Dewi", frozenset({"dealer"}), NOW_MS), "lost", "not_allowed"),
        (ADMIN, Actor("p1", "Made", frozenset({"pit_boss"}), NOW_MS), "lost", "not_oneself"),
        (ADMIN, PIT, "  ", "reason_needed"),
    ],
)
def test_nobody_takes_a_factor_away_alone(by: Actor, beside: Actor | None, reason: str, key: str) -> None:
    register = Register()
    with pytest.raises(RefusedError) as refused:
        reset_factor(register.people, "p1", by=by, beside=beside, reason=reason, now_ms=NOW_MS)
    assert refused.value.key == key


def test_who_has_no_factor_has_none_to_lose() -> None:
    register = Register()
    register.take(*reset_factor(register.people, "p1", by=ADMIN, beside=PIT, reason="lost", now_ms=NOW_MS))
    with pytest.raises(RefusedError, match="nothing to reset"):
        reset_factor(register.people, "p1", by=ADMIN, beside=PIT, reason="lost", now_ms=NOW_MS)
