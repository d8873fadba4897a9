"""Who may do what, and when it takes two: the whole table, once more, as a person would say it."""

from __future__ import annotations

import dataclasses

import pytest

from studio.errors import InvariantError, RefusedError
from studio.people import (
    ACTIONS,
    PIN_VALID_MS,
    TWO_PEOPLE_ACTIONS,
    Actor,
    Role,
    TwoPeople,
    may,
    need_approver,
    need_asker,
    need_decliner,
    need_fresh_pin,
    need_right,
    need_waiting,
)
from studio.people.actor import CLOCKS_APART_MS


def words(text: str) -> set[str]:
    return set(text.split())


EVERYBODY = words("freeze call_pit")
FLOOR = words(
    "start_round open_bets close_bets declare_result confirm_felt load_shoe report_incident rule_dealer "
    "ask_two_people view_dealer"
)
PIT_ONLY = words(
    "answer_call rule_pit approve_two_people confirm_card void_round override_card override_result enter_card "
    "open_sealed_card resettle_round compensate release open_table close_table pause_table change_shoe verify_deck "
    "change_dealer dismiss_seat keep_shift plan_rotation acknowledge_alarm tell_bettors answer_complaint"
)
RIGHTS = {
    Role.DEALER: EVERYBODY | FLOOR | {"take_table", "keep_break"} | {"witness_decks"},
    Role.PIT_BOSS: EVERYBODY
    | FLOOR
    | PIT_ONLY
    | {"view_pit", "view_audit", "view_technician", "inspect_round", "view_reports", "command_device"}
    | {"view_staff", "end_sign_in", "lift_lock_out", "witness_reset", "view_shift", "keep_break"}
    | {"stand_down", "close_owed", "move_table", "move_pot"}
    | {"view_decks", "view_devices", "manage_decks", "witness_decks", "approve_device", "change_table"},
    Role.AUDITOR: EVERYBODY
    | {"view_pit", "view_audit", "inspect_round", "view_reports", "view_staff", "view_shift", "witness_reset"}
    | {"view_decks", "view_devices", "witness_decks"},
    Role.TECHNICIAN: EVERYBODY
    | {"report_incident", "view_technician", "manage_devices", "command_device"}
    | {"view_devices", "approve_device"},
    Role.ADMIN: EVERYBODY
    | {
        "view_audit", "view_technician", "view_reports",
        "manage_devices", "manage_staff",
        "allow_pay_table", "view_staff", "end_sign_in", "lift_lock_out", "view_shift", "stand_down",
        "view_decks", "view_devices", "manage_decks", "witness_decks", "reset_second_factor", "witness_reset",
    },
}  # fmt: skip
for _role in (Role.PIT_BOSS, Role.AUDITOR, Role.TECHNICIAN, Role.ADMIN):
    RIGHTS[_role] |= {"freeze_floor"}
for _role in (Role.PIT_BOSS, Role.ADMIN):
    RIGHTS[_role] |= {"hear_alarms"}
for _role in (Role.PIT_BOSS, Role.AUDITOR, Role.ADMIN):
    RIGHTS[_role] |= {"view_operators", "witness_pot"}


@dataclasses.dataclass(frozen=True)
class Wish:
    """Something that one person asked for."""

    asked_by: str
    asked_by_name: str = "Petra"
    expires_at_ms: int = 60_000


DEALER = Actor("d1", "Dora", frozenset({"dealer"}))
PIT = Actor("p1", "Petra", frozenset({"pit_boss"}), pin_at_ms=10_000)
OTHER_PIT = Actor("p2", "Paul", frozenset({"pit_boss"}), pin_at_ms=10_000)
AUDITOR = Actor("a1", "Ada", frozenset({"auditor"}), pin_at_ms=10_000)


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_every_cell_of_the_table_of_rights(role: Role, action: str) -> None:
    assert may(role, action) == (action in RIGHTS[role])


def test_the_table_has_no_other_actions() -> None:
    assert set(ACTIONS) == set.union(*RIGHTS.values())


def test_rights_add_up_over_roles_and_no_role_has_none() -> None:
    assert may(["technician", "admin"], "manage_staff")
    assert may(frozenset({"dealer", "auditor"}), "view_audit")
    assert not may([], "freeze")
    assert not may("nobody", "freeze")


def test_an_action_that_is_not_in_the_table_is_our_own_mistake() -> None:
    with pytest.raises(InvariantError):
        may("admin", "fly")


@pytest.mark.parametrize("action", sorted({"void_round", "approve_two_people", "release", *TWO_PEOPLE_ACTIONS}))
def test_a_dealer_alone_can_never_void_override_or_approve(action: str) -> None:
    assert not may("dealer", action)


def test_a_refusal_names_the_person_and_whom_to_ask() -> None:
    with pytest.raises(RefusedError, match=r"^Dora may not do this\. Ask a pit boss\.$"):
        need_right(DEALER, "void_round")
    need_right(PIT, "void_round")


def test_a_pin_counts_for_60_seconds_and_one_act() -> None:
    need_fresh_pin(PIT, 10_000)
    need_fresh_pin(PIT, 10_000 + PIN_VALID_MS - 1)
    early_ms = 10_000 - CLOCKS_APART_MS - 1
    for actor, now_ms in ((PIT, 10_000 + PIN_VALID_MS), (PIT, early_ms), (PIT.after_act(), 10_000), (DEALER, 10_000)):
        with pytest.raises(RefusedError, match="Enter your PIN again"):
            need_fresh_pin(actor, now_ms)
    need_fresh_pin(DEALER.with_pin(5), 5)


@pytest.mark.parametrize(
    ("asked_by", "approver", "right", "key"),
    [
        pytest.param("p1", PIT, "void_round", "same_person", id="nobody approves his own request"),
        pytest.param("d1", DEALER.with_pin(10_000), "void_round", "same_person", id="a dealer his own neither"),
        pytest.param("p1", DEALER.with_pin(10_000), "freeze", "not_allowed", id="a dealer approves nothing"),
        pytest.param("d1", AUDITOR, "void_round", "not_allowed", id="an auditor has no pit rights"),
        pytest.param("d1", PIT, "manage_staff", "not_allowed", id="nor whoever may not do the act himself"),
        pytest.param("d1", PIT.after_act(), "void_round", "pin_needed", id="without the PIN"),
    ],
)
def test_a_second_person_is_refused(asked_by: str, approver: Actor, right: str, key: str) -> None:
    with pytest.raises(RefusedError) as refused:
        need_approver(Wish(asked_by), approver, 12_000, rights=(right,))
    assert refused.value.key == key


@pytest.mark.parametrize("right", sorted(TWO_PEOPLE_ACTIONS))
def test_another_pit_boss_is_the_second_person_of_every_act_that_takes_two(right: str) -> None:
    both = need_approver(Wish("p1"), OTHER_PIT, 12_000, rights=(right,))
    assert both == TwoPeople("p1", "Petra", "p2", "Paul")


def test_with_one_pit_boss_on_the_floor_the_tables_dealer_may_ask() -> None:
    dealer, auditor = DEALER.with_pin(12_000), AUDITOR.with_pin(12_000)
    need_asker(dealer, 12_000, pit_bosses_on_floor=1, dealer="d1")
    need_asker(PIT, 12_000, pit_bosses_on_floor=2, dealer="d1")
    refusals = [
        (dealer, 2, "d1", "pit_asks"), (dealer, 1, "d2", "not_allowed"), (auditor, 1, "a1", "not_allowed"),
        (DEALER, 1, "d1", "pin_needed"), (PIT.after_act(), 1, "d1", "pin_needed"),
    ]  # fmt: skip
    for person, bosses, deals, key in refusals:
        with pytest.raises(RefusedError) as refused:
            need_asker(person, 12_000, pit_bosses_on_floor=bosses, dealer=deals)
        assert refused.value.key == key


def test_a_request_waits_a_minute_and_is_ended_by_whoever_asked_or_may_approve() -> None:
    wish = Wish("d1", expires_at_ms=60_000)
    assert need_waiting(wish, 60_000) is wish
    for asked, now_ms in ((wish, 60_001), (None, 0)):
        with pytest.raises(RefusedError, match="within the last minute"):
            need_waiting(asked, now_ms)
    need_decliner(wish, DEALER)
    need_decliner(wish, PIT)
    with pytest.raises(RefusedError, match="Ada may not do this"):
        need_decliner(wish, AUDITOR)


def test_an_actor_is_a_value() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEALER.name = "Eve"  # type: ignore[misc]
