"""At the door of second factors something else happens between two looks: who was quicker had the last word, what is
answered late still opens, and a locked badge is not tried any more.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest
from running_studio import House
from soft_passkey import SoftKey
from test_code_at_the_door import ADA, PETRA, Device
from test_passkey_at_the_door import Owner, house, person, rows

from dealer_ui.desk.book import LateError
from studio.journal import Unit
from studio.people.record import read_staff
from studio.people.signing_in import WRONG_PINS_MAX

__all__ = ["house"]
OF_A_TRY = ("SignInRefused", "StaffLockedOut", "PasskeyUsed", "StaffSignedIn")


def meanwhile(monkeypatch: pytest.MonkeyPatch, acts: Any, name: str, happens: Callable[[], object]) -> None:
    """The next time that this is done, something happens just before."""
    done = getattr(acts, name)

    def first(*given: Any) -> Any:
        monkeypatch.setattr(acts, name, done)
        happens()
        return done(*given)

    monkeypatch.setattr(acts, name, first)


@pytest.mark.parametrize("by", ["code", "passkey"])
def test_whoever_knows_the_pin_alone_sets_up_nothing_over_the_owner_who_was_quicker(
    by: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    thief, owner = Owner(house, *PETRA, SoftKey(b"thief")), Owner(house, *PETRA)
    act = "enrol_device" if by == "code" else "enrol_passkey"
    meanwhile(monkeypatch, house.floor.staff.second._acts, act, owner.enrol)
    if by == "code":
        told = thief.type("000000")
        assert told.status_code == 401
        thief.page = told.text
    else:
        assert thief.send(thief.key.make(thief.asked)) == 401
    assert "Begin again with your PIN" in thief.page
    assert 'name="half"' not in thief.page
    assert len(rows(house, "SecondFactorEnrolled")) == 1
    assert not person(house, "p1").passkeys


def test_a_device_whose_enrolment_is_kept_late_opens(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner was told that nobody knows: the secret is kept as long as that is so."""
    staff, held = house.floor.staff, list[Unit]()

    def late(unit: Unit) -> int:
        held.append(unit)
        raise LateError(Future())

    petra = Device(house, *PETRA)
    petra.scan()
    with monkeypatch.context() as slow:
        slow.setattr(staff, "_commit", late)
        told = petra.type(petra.code())
    assert "may yet be done" in told.text
    house.floor.commit(held[0])
    for entry in held[0].entries:
        staff._fold(read_staff(entry.body))
    again = Device(house, *PETRA)
    again.secret, again.used = petra.secret, petra.used
    assert again.type(again.code()).status_code == 303


@pytest.mark.parametrize("right", [False, True])
def test_while_the_badge_is_locked_nothing_is_looked_at_and_nothing_recorded(right: bool, house: House) -> None:
    ada = Owner(house, *ADA).set_up()
    thief = Owner(house, *ADA, SoftKey(ada.key.credential))
    for _ in range(WRONG_PINS_MAX):
        assert thief.send(thief.key.show(thief.asked)) == 401
    before = [rows(house, kind) for kind in OF_A_TRY]
    thief.key.private = ada.key.private if right else thief.key.private
    for _ in range(3):
        assert thief.send(thief.key.show(thief.asked)) == 429
        assert "Too many wrong PINs. Wait 5 minutes" in thief.page
    assert [rows(house, kind) for kind in OF_A_TRY] == before


def test_who_sets_up_a_factor_while_his_badge_is_locked_is_told_so(house: House) -> None:
    ada = Owner(house, *ADA)
    for _ in range(WRONG_PINS_MAX):
        ada.client.post("/sign-in", data={"badge": ADA[0], "pin": "000000"})
    assert ada.send(ada.key.make(ada.asked)) == 429
    assert "Too many wrong PINs" in ada.page
    assert not person(house).passkeys
