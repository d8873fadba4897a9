"""Which keys of which operator are good: the file's, the journal's, and what ends one."""

from __future__ import annotations

import hashlib
from types import MappingProxyType

import pytest

from studio.errors import RefusedError
from studio.operators import Operator, OperatorRegister, evolve_operators
from studio.operators.changing import (
    Why,
    add_operator,
    resume_operator,
    revoke_keys,
    rotate_key,
    suspend_operator,
)
from studio.operators.operator_event import AnyOperatorEvent, read_operator, write_operator


def digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


OLD, NEW = digest("old"), digest("new")
FILE = {"north": Operator(MappingProxyType({OLD: None}))}
WHY = Why("root at the machine", "leaked", 1_000)
EMPTY = OperatorRegister()


def after(*events: AnyOperatorEvent) -> OperatorRegister:
    register = EMPTY
    for event in events:
        register = evolve_operators(register, read_operator(write_operator(event)))
    return register


def test_both_keys_are_good_until_the_old_one_ends() -> None:
    told = after(rotate_key(FILE, "north", NEW, hours=0.001, why=WHY)).in_force(FILE)["north"]
    assert (told.good(4_599), told.good(4_600)) == ((OLD, NEW), (NEW,))


def test_a_revoked_key_stays_ended_whatever_the_file_says_and_for_whomever() -> None:
    register = after(revoke_keys(FILE, "north", "", WHY))
    moved = {"south": Operator(MappingProxyType({OLD: None}))}
    assert register.in_force(FILE)["north"].good(1_000) == register.in_force(moved)["south"].good(9_000) == ()


def test_revoking_brings_the_end_of_a_rotated_key_forward() -> None:
    rotated = rotate_key(FILE, "north", NEW, hours=1, why=WHY)
    revoked = revoke_keys(after(rotated).in_force(FILE), "north", OLD[:12], Why("r", "leaked", 2_000))
    assert after(rotated, revoked).in_force(FILE)["north"].good(2_000) == (NEW,)


def test_an_operator_of_no_file_is_there_once_he_was_added() -> None:
    told = after(add_operator(FILE, "south", NEW, WHY)).in_force(FILE)
    assert list(told) == ["north", "south"]
    assert told["south"].good(0) == (NEW,)


def test_whoever_the_file_names_no_more_is_gone_with_the_keys_he_was_given_since() -> None:
    register = after(rotate_key(FILE, "north", NEW, hours=1, why=WHY))
    assert register.in_force({}) == {}


def test_an_operator_of_test_accounts_is_born_one_and_stays_one_whatever_the_file_says() -> None:
    added = add_operator(FILE, "qa", NEW, WHY, test=True)
    told = after(added).in_force({**FILE, "qa": Operator()})
    assert {name: one.test for name, one in told.items()} == {"north": False, "qa": True}
    rotated = rotate_key(told, "qa", digest("newer"), hours=1, why=WHY)
    assert after(added, rotated, suspend_operator(told, "qa", WHY)).in_force({})["qa"].test


def test_an_operator_added_before_there_were_test_accounts_is_none() -> None:
    row = write_operator(add_operator(FILE, "south", NEW, WHY))
    assert b"test" not in row
    assert not after(read_operator(row)).in_force(FILE)["south"].test  # type: ignore[arg-type]


def test_suspended_by_the_journal_until_resumed() -> None:
    suspended = suspend_operator(FILE, "north", WHY)
    there = after(suspended).in_force(FILE)
    assert there["north"].suspended
    assert not after(suspended, resume_operator(there, "north", WHY, FILE)).in_force(FILE)["north"].suspended


@pytest.mark.parametrize(
    ("act", "key"),
    [
        (lambda: add_operator(FILE, "north", NEW, WHY), "name_taken"),
        (lambda: add_operator(FILE, "No:rth", NEW, WHY), "name_wrong"),
        (lambda: add_operator(FILE, "south", OLD, WHY), "digest_wrong"),
        (lambda: add_operator(FILE, "south", "x", WHY), "digest_wrong"),
        (lambda: add_operator(FILE, "south", NEW, WHY, test=True, used=True), "name_used"),
        (lambda: add_operator(FILE, "north", NEW, WHY, test=True), "name_taken"),
        (lambda: suspend_operator(FILE, "south", WHY), "operator_unknown"),
        (lambda: suspend_operator(FILE, "north", Why("r", " ", 0)), "reason"),
        (lambda: resume_operator(FILE, "north", WHY, FILE), "not_suspended"),
        (lambda: revoke_keys(FILE, "north", OLD[:3], WHY), "key_short"),
        (lambda: revoke_keys(FILE, "north", NEW[:12], WHY), "key_unknown"),
        (lambda: rotate_key(FILE, "north", NEW, hours=-1, why=WHY), "hours"),
        (lambda: rotate_key(FILE, "north", NEW, hours=float("nan"), why=WHY), "hours"),
        (lambda: suspend_operator(FILE, "north", Why("r", "a\x1b[2J", 0)), "reason"),
        (
            lambda: resume_operator(
                {"north": Operator(suspended=True)}, "north", WHY, {"north": Operator(suspended=True)}
            ),
            "suspended_by_file",
        ),
    ],
)
def test_what_cannot_be_done_is_refused(act: object, key: str) -> None:
    with pytest.raises(RefusedError) as refused:
        act()  # type: ignore[operator]
    assert refused.value.key == key
