"""The register of staff: signing in, lock-out, changes, and that no PIN shows anywhere."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import IllegalEventError, RefusedError
from studio.people import (
    Actor,
    AnyStaffEvent,
    Argon2PinHasher,
    NewStaff,
    Pin,
    PinConfirmed,
    Role,
    SignInRefused,
    StaffAdded,
    StaffLockedOut,
    StaffRegister,
    StaffSignedIn,
    add_staff,
    change_badge,
    change_pin,
    change_roles,
    compare_pin,
    confirm_pin,
    evolve_staff,
    lift_lock_out,
    retire_staff,
    sign_in,
    sign_out,
)
from studio.people.paper_event import SignInEnded
from studio.people.signing_in import LOCKED_OUT_MS, WRONG_PINS_MAX, Attempt

SETUP = Actor("setup", "Setup", frozenset({"admin"}))


class CountingHasher:
    """A fake: hashes by reversing, and keeps what it was asked to compare."""

    def __init__(self) -> None:
        self.compared: list[str | None] = []

    def hash(self, pin: Pin) -> str:
        return f"#{pin.digits()[::-1]}"

    def is_current(self, kept: str) -> bool:
        return True

    def matches(self, kept: str | None, pin: Pin) -> bool:
        self.compared.append(kept)
        return kept == self.hash(pin)


class Desk:
    """The register with its events and its clock, as a test drives it."""

    def __init__(self) -> None:
        self.hasher = CountingHasher()
        self.register = StaffRegister()
        self.events: list[AnyStaffEvent] = []
        self.now_ms = 1_000_000

    def keep(self, events: Iterable[AnyStaffEvent]) -> None:
        for event in events:
            self.events.append(event)
            self.register = evolve_staff(self.register, event)

    def join(self, id: str, roles: tuple[str, ...], pin: str = "1234") -> None:
        new = NewStaff(id, f"badge-{id}", id.title(), roles, Pin(pin))
        self.keep([add_staff(self.register, new, by=SETUP, now_ms=self.now_ms, hasher=self.hasher)])

    def try_pin(self, badge: str, pin: str) -> Attempt:
        compared = compare_pin(self.register.with_badge(badge), Pin(pin), self.hasher)
        attempt = sign_in(self.register, badge, compared, now_ms=self.now_ms, station="t1", address="10.0.0.9")
        self.keep(attempt.events)
        return attempt

    def confirm(self, id: str, pin: str, station: str = "") -> Attempt:
        compared = compare_pin(self.register.active(id), Pin(pin), self.hasher)
        attempt = confirm_pin(self.register, id, compared, now_ms=self.now_ms, station=station)
        self.keep(attempt.events)
        return attempt


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.join("dora", ("dealer",))
    desk.join("petra", ("pit_boss",), "98765432")
    desk.join("alma", ("admin",), "5555")
    return desk


def test_badge_and_pin_open_and_the_pin_is_fresh(desk: Desk) -> None:
    attempt = desk.try_pin("badge-dora", "1234")
    assert attempt.events == (StaffSignedIn(at_ms=desk.now_ms, id="dora", station="t1", new_pin_asked=True),)
    assert attempt.opened() == Actor("dora", "Dora", frozenset({"dealer"}), desk.now_ms)
    assert desk.register.people["dora"].stations == {"t1"}


def test_an_unknown_badge_and_a_wrong_pin_get_the_same_answer_after_the_same_work(desk: Desk) -> None:
    answers = []
    for badge in ("badge-dora", "1234", "badge-nobody"):
        with pytest.raises(RefusedError) as refused:
            desk.try_pin(badge, "4321").opened()
        answers.append((refused.value.key, refused.value.sentence))
    assert len(set(answers)) == 1
    assert len(desk.hasher.compared) == 3


def test_what_was_typed_as_a_badge_is_not_kept_for_it_may_be_a_pin(desk: Desk) -> None:
    attempt = desk.try_pin("55551234", "4321")
    assert attempt.events == (
        SignInRefused(at_ms=desk.now_ms, id="", reason="unknown_badge", station="t1", address="10.0.0.9"),
    )


def test_five_wrong_pins_lock_a_badge_for_five_minutes(desk: Desk) -> None:
    for _ in range(WRONG_PINS_MAX - 1):
        assert [type(event) for event in desk.try_pin("badge-dora", "0000").events] == [SignInRefused]
    last = desk.try_pin("badge-dora", "0000")
    assert last.events[-1] == StaffLockedOut(
        at_ms=desk.now_ms, id="dora", until_ms=desk.now_ms + LOCKED_OUT_MS, station="t1", address="10.0.0.9"
    )
    desk.now_ms += LOCKED_OUT_MS - 1
    locked = desk.try_pin("badge-dora", "1234")
    assert locked.actor is None
    assert desk.hasher.compared[-1] is not None, "the work is the same while locked out"
    desk.now_ms += 1
    assert desk.try_pin("badge-dora", "1234").actor is not None


def test_attempts_while_locked_out_do_not_prolong_it(desk: Desk) -> None:
    for _ in range(3 * WRONG_PINS_MAX):
        desk.try_pin("badge-dora", "0000")
    assert sum(isinstance(event, StaffLockedOut) for event in desk.events) == 1


def test_a_right_pin_forgets_the_wrong_ones(desk: Desk) -> None:
    for _ in range(3):
        for _ in range(WRONG_PINS_MAX - 1):
            desk.try_pin("badge-dora", "0000")
        assert desk.try_pin("badge-dora", "1234").actor is not None


def test_a_lock_out_of_one_badge_leaves_the_others_alone(desk: Desk) -> None:
    for _ in range(WRONG_PINS_MAX):
        desk.try_pin("badge-dora", "0000")
    assert desk.try_pin("badge-petra", "98765432").actor is not None


def test_confirming_a_pin_where_nobody_is_signed_in_counts_as_at_the_door(desk: Desk) -> None:
    right = desk.confirm("petra", "98765432")
    assert right.events == (PinConfirmed(at_ms=desk.now_ms, id="petra"),)
    assert right.opened().pin_is_fresh(desk.now_ms)
    for _ in range(WRONG_PINS_MAX):
        desk.confirm("petra", "1111")
    assert desk.try_pin("badge-petra", "98765432").actor is None


def test_a_lock_out_at_the_door_does_not_touch_who_is_signed_in(desk: Desk) -> None:
    desk.try_pin("badge-petra", "98765432")
    for _ in range(2 * WRONG_PINS_MAX):
        desk.try_pin("badge-petra", "0000")
    assert desk.register.people["petra"].is_locked(desk.now_ms)
    assert desk.confirm("petra", "98765432", "t1").opened().pin_is_fresh(desk.now_ms)


def test_each_further_lock_out_is_longer_until_somebody_is_let_in(desk: Desk) -> None:
    waits = []
    for _ in range(3):
        for _ in range(WRONG_PINS_MAX):
            desk.try_pin("badge-dora", "0000")
        until_ms = desk.register.people["dora"].pin.lock.until_ms
        waits.append(until_ms - desk.now_ms)
        desk.now_ms = until_ms
    assert waits == [LOCKED_OUT_MS, 2 * LOCKED_OUT_MS, 4 * LOCKED_OUT_MS]
    desk.try_pin("badge-dora", "1234").opened()
    for _ in range(WRONG_PINS_MAX):
        desk.try_pin("badge-dora", "0000")
    assert desk.register.people["dora"].pin.lock.until_ms == desk.now_ms + LOCKED_OUT_MS


def test_wrong_pins_at_work_end_the_sign_in_there_and_no_other(desk: Desk) -> None:
    desk.try_pin("badge-petra", "98765432")
    desk.keep([StaffSignedIn(at_ms=1, id="petra", station="pit"), StaffSignedIn(at_ms=1, id="dora", station="t2")])
    for _ in range(WRONG_PINS_MAX - 1):
        assert desk.confirm("petra", "0000", "t1").events[0].reason == "wrong_at_work"  # type: ignore[union-attr]
    last = desk.confirm("petra", "0000", "t1")
    assert last.events[-1] == SignInEnded(at_ms=desk.now_ms, id="petra", station="t1", why="wrong_pins")
    with pytest.raises(RefusedError, match="the sign-in here has ended"):
        last.opened()
    assert desk.register.people["petra"].stations == {"pit"}
    assert not desk.register.people["petra"].is_locked(desk.now_ms)
    assert desk.confirm("petra", "98765432", "pit").actor is not None


def beside_dora(desk: Desk, wrong: int, own: bool = False) -> list[AnyStaffEvent]:
    """Dora is signed in at t1, and PINs of Petra are tried there, each after Dora's `own`: what came of the last."""
    attempt = None
    for _ in range(wrong):
        if own:
            assert desk.confirm("dora", "1234", "t1").actor is not None
        attempt = desk.confirm("petra", "0000", "t1")
    return list(attempt.events) if attempt else []


def test_somebody_elses_pin_typed_at_my_station_counts_for_my_sign_in_and_for_his_badge(desk: Desk) -> None:
    desk.try_pin("badge-dora", "1234")
    *_, locked, ended = beside_dora(desk, WRONG_PINS_MAX)
    assert locked == StaffLockedOut(
        at_ms=desk.now_ms, id="petra", until_ms=desk.now_ms + LOCKED_OUT_MS, station="t1", beside="dora"
    )
    assert ended == SignInEnded(at_ms=desk.now_ms, id="dora", station="t1", why="wrong_pins")
    assert desk.register.people["petra"].pin.wrong == 0
    assert desk.try_pin("badge-petra", "98765432").actor is None


def test_ones_own_right_pin_sets_no_count_of_anothers_badge_back(desk: Desk) -> None:
    desk.try_pin("badge-dora", "1234")
    desk.keep([StaffSignedIn(at_ms=1, id="alma", station="t2")])
    beside_dora(desk, WRONG_PINS_MAX - 2, own=True)
    desk.confirm("petra", "0000", "t2")
    assert any(isinstance(event, StaffLockedOut) for event in beside_dora(desk, 1, own=True)), "at whatever station"
    assert desk.register.people["dora"].stations == {"t1"}
    assert [type(event) for event in desk.confirm("petra", "98765432", "t2").events] == [SignInRefused]
    desk.now_ms += LOCKED_OUT_MS
    assert desk.confirm("petra", "98765432", "t2").actor is not None


def test_whose_pin_was_guessed_works_on_where_he_is_signed_in_himself(desk: Desk) -> None:
    desk.try_pin("badge-dora", "1234")
    desk.keep([StaffSignedIn(at_ms=1, id="petra", station="pit")])
    beside_dora(desk, WRONG_PINS_MAX, own=True)
    assert desk.confirm("petra", "98765432", "t1").actor is None
    assert desk.confirm("petra", "98765432", "pit").actor is not None
    assert desk.register.people["petra"].is_locked(desk.now_ms), "whoever guessed gets no five more for it"


def test_a_right_pin_of_the_badge_forgets_its_wrong_ones(desk: Desk) -> None:
    desk.try_pin("badge-dora", "1234")
    for _ in range(3):
        beside_dora(desk, WRONG_PINS_MAX - 1, own=True)
        assert desk.confirm("petra", "98765432", "t1").actor is not None


def test_a_lock_at_the_door_sets_no_count_beside_others_back(desk: Desk) -> None:
    desk.try_pin("badge-dora", "1234")
    beside_dora(desk, WRONG_PINS_MAX - 1, own=True)
    for _ in range(WRONG_PINS_MAX):
        desk.try_pin("badge-petra", "0000")
    assert desk.register.people["petra"].is_locked(desk.now_ms)
    [locked] = [event for event in beside_dora(desk, 1) if isinstance(event, StaffLockedOut)]
    assert locked.beside == "dora", "and it is told whose sign-in it was"


def test_whoever_stands_beside_me_sets_no_count_of_mine_back(desk: Desk) -> None:
    """Somebody at a sign-in that was left open guesses its owner's PIN and types his own in between."""
    desk.try_pin("badge-dora", "1234")
    for _ in range(WRONG_PINS_MAX):
        desk.confirm("dora", "0000", "t1")
        assert desk.confirm("petra", "98765432", "t1").actor is not None
    assert desk.register.people["dora"].stations == frozenset()
    assert not desk.register.people["dora"].is_locked(desk.now_ms), "who mistypes his own comes in again"


def test_a_right_pin_at_work_forgets_the_wrong_ones_there(desk: Desk) -> None:
    desk.try_pin("badge-petra", "98765432")
    for _ in range(3):
        for _ in range(WRONG_PINS_MAX - 1):
            desk.confirm("petra", "0000", "t1")
        assert desk.confirm("petra", "98765432", "t1").actor is not None


def test_a_pin_that_was_changed_while_it_was_compared_does_not_open(desk: Desk) -> None:
    compared = compare_pin(desk.register.with_badge("badge-dora"), Pin("1234"), desk.hasher)
    desk.keep(
        [change_pin(desk.register, "dora", Pin("4444"), by=desk.register.actor("dora"), now_ms=1, hasher=desk.hasher)]
    )
    assert sign_in(desk.register, "badge-dora", compared, now_ms=2).actor is None


def test_a_pit_boss_or_an_administrator_lifts_a_lock_out(desk: Desk) -> None:
    for _ in range(WRONG_PINS_MAX):
        desk.try_pin("badge-dora", "0000")
    dora, petra = desk.register.actor("dora"), desk.register.actor("petra")
    with pytest.raises(RefusedError):
        lift_lock_out(desk.register, "dora", by=dora, now_ms=desk.now_ms)
    desk.keep([lift_lock_out(desk.register, "dora", by=petra, now_ms=desk.now_ms)])
    assert desk.try_pin("badge-dora", "1234").actor is not None
    with pytest.raises(RefusedError, match="not locked"):
        lift_lock_out(desk.register, "dora", by=petra, now_ms=desk.now_ms)


def test_signing_out_leaves_the_other_stations(desk: Desk) -> None:
    desk.try_pin("badge-petra", "98765432")
    desk.keep([StaffSignedIn(at_ms=1, id="petra", station="pit")])
    assert desk.register.pit_bosses_on_floor() == 1
    desk.keep(sign_out(desk.register, "petra", now_ms=2, station="t1"))
    assert desk.register.pit_bosses_on_floor() == 1
    desk.keep(sign_out(desk.register, "petra", now_ms=3, station="pit"))
    assert desk.register.pit_bosses_on_floor() == 0
    assert sign_out(desk.register, "petra", now_ms=4, station="pit") == ()


def test_who_leaves_the_staff_cannot_sign_in_and_stays_on_record(desk: Desk) -> None:
    desk.keep([retire_staff(desk.register, "dora", by=SETUP, now_ms=1)])
    assert desk.try_pin("badge-dora", "1234").actor is None
    assert desk.register.people["dora"].name == "Dora"
    with pytest.raises(RefusedError):
        desk.register.actor("dora")
    desk.join("dido", ("dealer",))
    desk.keep([change_badge(desk.register, "dido", "badge-dora", by=SETUP, now_ms=1)])
    assert desk.try_pin("badge-dora", "1234").opened().id == "dido"


def test_a_new_pin_ends_a_lock_out(desk: Desk) -> None:
    for _ in range(WRONG_PINS_MAX):
        desk.try_pin("badge-dora", "0000")
    desk.keep(
        [change_pin(desk.register, "dora", Pin("4444"), by=desk.register.actor("dora"), now_ms=1, hasher=desk.hasher)]
    )
    assert desk.try_pin("badge-dora", "1234").actor is None
    assert desk.try_pin("badge-dora", "4444").actor is not None


def test_everybody_may_change_his_own_pin_and_nobody_anothers(desk: Desk) -> None:
    dora, petra, ada = map(desk.register.actor, ("dora", "petra", "alma"))
    change_pin(desk.register, "dora", Pin("4444"), by=dora, now_ms=1, hasher=desk.hasher)
    for other in (petra, ada):
        with pytest.raises(RefusedError, match="Nobody chooses another's PIN"):
            change_pin(desk.register, "dora", Pin("4444"), by=other, now_ms=1, hasher=desk.hasher)


@pytest.mark.parametrize(
    ("new", "key"),
    [
        (NewStaff("dora", "b", "Dora", ("dealer",), Pin("1234")), "id_taken"),
        (NewStaff("System", "b", "Nobody", ("pit_boss",), Pin("1234")), "id_reserved"),
        (NewStaff("camera", "b", "Nobody", ("pit_boss",), Pin("1234")), "id_reserved"),
        (NewStaff("x", "badge-dora", "Xenia", ("dealer",), Pin("1234")), "badge_taken"),
        (NewStaff("x", " ", "Xenia", ("dealer",), Pin("1234")), "badge_missing"),
        (NewStaff("x", "b", " ", ("dealer",), Pin("1234")), "name_missing"),
        (NewStaff("x", "b", "Ann\u202ehtimS", ("dealer",), Pin("1234")), "name_turns"),
        (NewStaff("x", "b", "Ann\nSmith", ("dealer",), Pin("1234")), "name_turns"),
        (NewStaff("x", "b", "Xenia", (), Pin("1234")), "roles_unknown"),
        (NewStaff("x", "b", "Xenia", ("dealer", "king"), Pin("1234")), "roles_unknown"),
    ],
)
def test_who_cannot_join(desk: Desk, new: NewStaff, key: str) -> None:
    with pytest.raises(RefusedError) as refused:
        add_staff(desk.register, new, by=SETUP, now_ms=1, hasher=desk.hasher)
    assert refused.value.key == key


def test_only_an_administrator_manages_the_staff(desk: Desk) -> None:
    petra = desk.register.actor("petra")
    with pytest.raises(RefusedError):
        change_roles(desk.register, "petra", ["pit_boss", "admin"], by=petra, now_ms=1)
    with pytest.raises(RefusedError):
        retire_staff(desk.register, "dora", by=petra, now_ms=1)


def test_the_last_administrator_stays(desk: Desk) -> None:
    alma = desk.register.actor("alma")
    for leave in (
        lambda: retire_staff(desk.register, "alma", by=alma, now_ms=1),
        lambda: change_roles(desk.register, "alma", ["dealer"], by=alma, now_ms=1),
    ):
        with pytest.raises(RefusedError) as refused:
            leave()
        assert refused.value.key == "last_admin"
    desk.keep(change_roles(desk.register, "petra", ["admin", "pit_boss"], by=alma, now_ms=1))
    desk.keep([retire_staff(desk.register, "alma", by=alma, now_ms=1)])
    assert [one.id for one in desk.register.with_role(Role.ADMIN)] == ["petra"]


def test_an_event_that_cannot_be_is_our_own_bug(desk: Desk) -> None:
    with pytest.raises(IllegalEventError):
        evolve_staff(desk.register, StaffSignedIn(at_ms=1, id="nobody"))
    with pytest.raises(IllegalEventError):
        evolve_staff(desk.register, desk.events[0])


def test_events_survive_the_journal_and_fold_to_the_same_register(desk: Desk) -> None:
    desk.try_pin("badge-dora", "1234")
    desk.try_pin("badge-dora", "0000")
    register = StaffRegister()
    for event in desk.events:
        read = msgspec.json.decode(msgspec.json.encode(event), type=AnyStaffEvent)
        register = evolve_staff(register, read)
    assert register == desk.register


@pytest.mark.parametrize("typed", ["", "123", "123456789", "12a4", "12 4", "١٢٣٤", "-1234", "1234\n"])
def test_a_pin_has_4_to_8_digits_and_a_refusal_does_not_repeat_it(typed: str) -> None:
    with pytest.raises(RefusedError) as refused:
        Pin(typed)
    assert refused.value.sentence == "A PIN has 4 to 8 digits. Type it again."


@given(st.from_regex(r"[0-9]{4,8}", fullmatch=True))
def test_a_pin_shows_in_no_repr_and_no_event(digits: str) -> None:
    hasher = Argon2PinHasher(cost=1, memory_kib=8)
    pin = Pin(digits)
    event = add_staff(StaffRegister(), NewStaff("x", "b", "Xenia", ("dealer",), pin), by=SETUP, now_ms=1, hasher=hasher)
    register = evolve_staff(StaffRegister(), event)
    shown = f"{pin!r} {pin} {event!r} {event} {register!r} {hasher!r}"
    assert digits not in shown
    assert event.pin_hash not in shown


def test_argon2_opens_for_the_right_pin_only_and_never_for_nobody() -> None:
    hasher = Argon2PinHasher(pepper=b"beside the database", cost=1, memory_kib=8)
    kept = hasher.hash(Pin("1234"))
    assert kept.startswith("$argon2id$")
    assert kept != hasher.hash(Pin("1234"))
    assert hasher.matches(kept, Pin("1234"))
    assert not hasher.matches(kept, Pin("1235"))
    assert not hasher.matches(None, Pin("1234"))
    assert not hasher.matches("not a hash", Pin("1234"))
    assert not Argon2PinHasher(cost=1, memory_kib=8).matches(kept, Pin("1234")), "worthless without the pepper"


def test_the_first_person_of_the_staff_is_added_by_the_setup() -> None:
    desk = Desk()
    desk.join("alma", ("admin",))
    assert isinstance(desk.events[0], StaffAdded)
    assert desk.events[0].by == "setup"


@pytest.mark.parametrize(
    ("later_ms", "fresh"), [(-5_001, False), (-5_000, True), (0, True), (59_999, True), (60_000, False)]
)
def test_a_pin_typed_at_a_machine_whose_clock_is_a_little_ahead_counts(later_ms: int, fresh: bool) -> None:
    """Its host may be so far behind; more is refused at the start of a machine."""
    typed_ms = 1_700_000_000_000
    actor = Actor("p1", "Petra", frozenset({"pit_boss"})).with_pin(typed_ms)
    assert actor.pin_is_fresh(typed_ms + later_ms) is fresh
