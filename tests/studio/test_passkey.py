"""Passkeys as the record has them: which opens, which counts for whom, what nobody takes away himself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.errors import RefusedError
from studio.people import Staff, StaffRegister, evolve_staff
from studio.people.factor_rule import FactorRule, enrol_passkey, has_factor, remove_passkey
from studio.people.passkey import PASSKEYS_MAX, NewPasskey, Passkey
from studio.people.staff_event import (
    AnyStaffEvent,
    PasskeyCopied,
    PasskeyEnrolled,
    PasskeyRemoved,
    PasskeyUsed,
    SecondFactorEnrolled,
    SecondFactorReset,
    StaffAdded,
)

EITHER, KEYS_ALONE = FactorRule(frozenset({"admin"})), FactorRule(passkey=frozenset({"admin"}))
CODES = SecondFactorEnrolled(at_ms=2, id="a1", factor="f1", step=1)
KEY = PasskeyEnrolled(at_ms=3, id="a1", credential="k1", public_key="p1", count=0, name="Blue")
OTHER = PasskeyEnrolled(at_ms=4, id="a1", credential="k2", public_key="p2", count=7, name="Green")
COPIED = PasskeyCopied(at_ms=5, id="a1", credential="k1", count=1, station="s1")
OTHER_COPIED = PasskeyCopied(at_ms=6, id="a1", credential="k2", count=1, station="s1")


def ada(*events: AnyStaffEvent) -> Staff:
    return register(*events).people["a1"]


def register(*events: AnyStaffEvent) -> StaffRegister:
    made = StaffRegister()
    added = StaffAdded(at_ms=1, id="a1", badge="9001", name="Ada", roles=("admin",), pin_hash="h", by="system")
    for event in (added, *events):
        made = evolve_staff(made, event)
    return made


@pytest.mark.parametrize(
    ("kept", "count", "behind"),
    [(0, 0, False), (0, 1, False), (4, 5, False), (4, 4, True), (4, 3, True), (4, 0, True)],
)
def test_a_count_goes_on_or_there_is_none(kept: int, count: int, behind: bool) -> None:
    assert Passkey("k", "p", "Blue", 1, kept).is_behind(count) is behind


RULES = {
    "nothing, either": (EITHER, (), (True, False)),
    "codes, either": (EITHER, (CODES,), (False, True)),
    "key, either": (EITHER, (KEY,), (False, False)),
    "both, either": (EITHER, (CODES, KEY), (False, True)),
    "nothing, keys alone": (KEYS_ALONE, (), (True, False)),
    "codes, keys alone": (KEYS_ALONE, (CODES,), (True, True)),
    "key, keys alone": (KEYS_ALONE, (KEY,), (False, False)),
    "both, keys alone": (KEYS_ALONE, (CODES, KEY), (False, False)),
    "a copied key and codes, keys alone": (KEYS_ALONE, (CODES, KEY, COPIED), (True, False)),
    "a copied key, either": (EITHER, (KEY, COPIED), (True, False)),
    "nobody must": (FactorRule(), (), (False, False)),
    "nobody must, codes": (FactorRule(), (CODES,), (False, True)),
}


@pytest.mark.parametrize(("rule", "events", "owes_takes"), RULES.values(), ids=RULES)
def test_who_owes_a_factor_and_who_is_asked_for_a_code(
    rule: FactorRule, events: tuple[AnyStaffEvent, ...], owes_takes: tuple[bool, bool]
) -> None:
    assert (rule.owes(ada(*events)), rule.takes_code(ada(*events))) == owes_takes


def test_a_use_is_counted_and_a_copy_closes_the_key() -> None:
    used = PasskeyUsed(at_ms=9, id="a1", credential="k2", count=8, station="s1")
    assert ada(KEY, OTHER, used).passkeys["k2"] == Passkey("k2", "p2", "Green", 4, 8, uses=1, used_ms=9)
    assert ada(KEY, OTHER, COPIED).passkeys["k1"].copied
    assert has_factor(ada(KEY, COPIED)), "whoever has the PIN alone sets up no other"


def test_a_reset_takes_all_of_them() -> None:
    reset = SecondFactorReset(at_ms=9, id="a1", factor="", by="a2", beside="p1", reason="lost")
    assert not has_factor(ada(CODES, KEY, OTHER, reset))


@pytest.mark.parametrize(
    ("rule", "events", "key"),
    [
        (EITHER, (KEY,), "last_factor"),
        (EITHER, (KEY, CODES), ""),
        (KEYS_ALONE, (KEY, CODES), "last_factor"),
        (KEYS_ALONE, (KEY, OTHER), ""),
        (KEYS_ALONE, (OTHER,), "no_passkey"),
        (KEYS_ALONE, (KEY, COPIED, OTHER), ""),
        (FactorRule(), (KEY,), ""),
        (FactorRule(), (KEY, OTHER, OTHER_COPIED), "copied_left"),
        (FactorRule(), (KEY, OTHER, OTHER_COPIED, CODES), ""),
        (FactorRule(), (KEY, OTHER, COPIED), ""),
    ],
)
def test_nobody_removes_the_last_factor_of_a_role_that_needs_one(
    rule: FactorRule, events: tuple[AnyStaffEvent, ...], key: str
) -> None:
    if not key:
        gone = remove_passkey(ada(*events), "k1", rule, station="s1", now_ms=9)
        assert gone == PasskeyRemoved(at_ms=9, id="a1", credential="k1", station="s1")
        assert "k1" not in ada(*events, gone).passkeys
        return
    with pytest.raises(RefusedError) as refused:
        remove_passkey(ada(*events), "k1", rule, station="s1", now_ms=9)
    assert refused.value.key == key


def test_a_key_is_set_up_once_under_a_name() -> None:
    new, people = NewPasskey("k9", "p9", 0), register(KEY)
    assert enrol_passkey(people, people.people["a1"], new, "  My \t key ", 9).name == "My key"
    many = replace(people.people["a1"], passkeys={f"k{n}": Passkey(f"k{n}", "p", "n", 1) for n in range(PASSKEYS_MAX)})
    for person, made, name, key in (
        (people.people["a1"], new, " ", "passkey_name"),
        (people.people["a1"], new, "x" * 41, "passkey_name"),
        (people.people["a1"], new, "yek\u202e", "passkey_name"),
        (people.people["a1"], NewPasskey("k1", "p1", 0), "Again", "passkey_known"),
        (many, new, "One more", "passkeys_many"),
    ):
        with pytest.raises(RefusedError) as refused:
            enrol_passkey(people, person, made, name, 9)
        assert refused.value.key == key
