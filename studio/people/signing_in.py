"""What an entered PIN leads to: in, refused, or locked out. Pure: the clock and the compared PIN are given.

An unknown badge, a wrong PIN and a locked-out badge get the same sentence, after the same work. Wrong PINs where people
come in lock the badge there, each time for longer, until a pit boss or an administrator lifts it; they never touch
somebody who is signed in. Wrong PINs typed where somebody is signed in count for that sign-in, and end it; and for the
badge whose PIN they should have been, which then stands beside nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.errors import RefusedError
from studio.people.actor import Actor, need_right
from studio.people.choosing_pin import weakness
from studio.people.paper_event import SignInEnded
from studio.people.pin import Pin, PinHasher
from studio.people.staff import Staff, StaffRegister
from studio.people.staff_event import (
    AnyStaffEvent,
    LanguageChosen,
    OwnNoticesSeen,
    PinConfirmed,
    SignInDisowned,
    SignInRefused,
    StaffLockedOut,
    StaffLockOutLifted,
    StaffPinRehashed,
    StaffSignedIn,
    StaffSignedOut,
)

WRONG_PINS_MAX = 5
LOCKED_OUT_MS = 5 * 60_000
LOCKED_OUT_MS_MAX = 80 * 60_000

_SENTENCE = "Badge and PIN do not match. Try again; after five wrong PINs a badge is locked for five minutes."
_WRONG_SENTENCE = "That is not the right PIN. Type it again; after five wrong ones in a row the sign-in here ends."
_OVER_SENTENCE = "The time of this code is over. Ask an administrator for another one."
_ENDED_SENTENCE = "Five wrong PINs in a row: the sign-in here has ended. Sign in again."


@dataclass(frozen=True, slots=True)
class ComparedPin:
    """A typed PIN and what came of comparing it with `kept`, somebody's hash (None: nobody's).

    `weak`: it may not be chosen any more. `anew`: its hash as it is kept today, where `kept` is of another pepper.
    """

    kept: str | None
    right: bool
    weak: bool = False
    anew: str = field(default="", repr=False)

    def opens(self, person: Staff) -> bool:
        """Whether the PIN was right and is still the person's: it may have been changed since the comparison."""
        return self.right and self.kept == person.pin.hash


def compare_pin(person: Staff | None, pin: Pin, hasher: PinHasher) -> ComparedPin:
    """The slow part, which needs no lock: as slow for nobody's PIN as for somebody's."""
    kept = person.pin.hash if person else None
    weak = person is not None and is_weak(person, pin)
    right = hasher.matches(kept, pin)
    anew = hasher.hash(pin) if right and kept is not None and not hasher.is_current(kept) else ""
    return ComparedPin(kept, right, weak, anew)


def hashed_anew(person: Staff, pin: ComparedPin, now_ms: int) -> tuple[StaffPinRehashed, ...]:
    """A right PIN whose hash is of another pepper is kept under the newest one from now on."""
    if not pin.anew or not pin.opens(person):
        return ()
    return (StaffPinRehashed(at_ms=now_ms, id=person.id, pin_hash=pin.anew),)


def is_weak(person: Staff, pin: Pin) -> bool:
    """Whether he may not choose it any more."""
    return weakness(pin.digits(), badge=person.badge, roles=person.roles) is not None


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a PIN led to. The events are journalled whether it opened or not."""

    events: tuple[AnyStaffEvent, ...]
    actor: Actor | None

    def opened(self) -> Actor:
        """The person, the PIN fresh; else the refusal, which tells nothing of the badge."""
        if self.actor is not None:
            return self.actor
        if any(isinstance(event, SignInEnded) for event in self.events):
            raise RefusedError("pins_wrong_at_work", _ENDED_SENTENCE)
        if any(isinstance(event, SignInRefused) and event.reason == "wrong_at_work" for event in self.events):
            raise RefusedError("pin_wrong_at_work", _WRONG_SENTENCE)
        if any(isinstance(event, SignInRefused) and event.reason == "code_over" for event in self.events):
            raise RefusedError("code_over", _OVER_SENTENCE)
        raise RefusedError("sign_in_refused", _SENTENCE)


def sign_in(
    register: StaffRegister, badge: str, pin: ComparedPin, *, now_ms: int, station: str = "", address: str = ""
) -> Attempt:
    """Somebody holds a badge to the reader and types a PIN. With a one-time code he is not in before he has chosen one:
    there is no event of it.
    """
    person = register.with_badge(badge)
    refused = _refusal(person, pin, now_ms, station, address)
    if refused or person is None:
        return Attempt(refused, None)
    if person.has_code:
        return Attempt((), person.actor(now_ms))
    came = StaffSignedIn(at_ms=now_ms, id=person.id, station=station, new_pin_asked=pin.weak)
    return Attempt((came,), person.actor(now_ms))


def confirm_pin(
    register: StaffRegister, staff_id: str, pin: ComparedPin, *, now_ms: int, station: str = "", address: str = ""
) -> Attempt:
    """Somebody types his PIN again, for one act.

    Where somebody is signed in at the `station`, himself or whoever he stands beside, wrong ones count for that sign-in
    and for his badge; elsewhere they count as at the door. A one-time code confirms nothing.
    """
    person, holder = register.active(staff_id), register.at_station(station)
    if person is not None and holder is not None and not person.barred:
        if not (person.has_code and pin.opens(person)):
            return _confirm_at_work(person, holder, pin, now_ms, station, address)
    else:
        refused = _refusal(person, pin, now_ms, station, address)
        if refused or person is None:
            return Attempt(refused, None)
        if not person.has_code:
            return Attempt((PinConfirmed(at_ms=now_ms, id=person.id),), person.actor(now_ms))
    sentence = "This code opens the sign-in page alone. Come in there and choose your own PIN first."
    raise RefusedError("code_is_no_pin", sentence)


def _confirm_at_work(
    person: Staff, holder: Staff, pin: ComparedPin, now_ms: int, station: str, address: str
) -> Attempt:
    def refused(reason: str) -> SignInRefused:
        return SignInRefused(at_ms=now_ms, id=person.id, reason=reason, station=station, address=address)

    if person.stands_beside_nobody(station, now_ms):
        return Attempt((refused("locked_out"),), None)
    if pin.opens(person):
        return Attempt((PinConfirmed(at_ms=now_ms, id=person.id, station=station),), person.actor(now_ms))
    events: list[AnyStaffEvent] = [refused("wrong_at_work")]
    if person.id != holder.id:
        events += _locked(person, person.pin.wrong_within, now_ms, station, address, holder.id)
    if holder.wrong_at_work.get(station, 0) + 1 >= WRONG_PINS_MAX:
        events.append(SignInEnded(at_ms=now_ms, id=holder.id, station=station, why="wrong_pins"))
    return Attempt(tuple(events), None)


def lift_lock_out(register: StaffRegister, staff_id: str, *, by: Actor, now_ms: int) -> StaffLockOutLifted:
    """A pit boss or an administrator lets a locked badge open the door again."""
    need_right(by, "lift_lock_out")
    person = register.active(staff_id)
    if person is None or not person.is_locked(now_ms):
        raise RefusedError("not_locked_out", "This badge is not locked. Look at the list of staff.")
    return StaffLockOutLifted(at_ms=now_ms, id=person.id, by=by.id)


def locked_out_ms(lock_outs: int) -> int:
    """How long a badge stays locked, in milliseconds, after `lock_outs` lock-outs in a row.

    >>> [locked_out_ms(times) // 60_000 for times in range(6)]
    [5, 10, 20, 40, 80, 80]
    """
    return min(LOCKED_OUT_MS << min(lock_outs, 10), LOCKED_OUT_MS_MAX)


def sign_out(register: StaffRegister, staff_id: str, *, now_ms: int, station: str = "") -> tuple[AnyStaffEvent, ...]:
    """Sign a person out at one station; no event where he was not signed in there."""
    person = register.people.get(staff_id)
    if person is None or station not in person.stations:
        return ()
    return (StaffSignedOut(at_ms=now_ms, id=staff_id, station=station),)


def _refusal(
    person: Staff | None, pin: ComparedPin, now_ms: int, station: str, address: str
) -> tuple[AnyStaffEvent, ...]:
    """The events of a refusal, none where the PIN opens."""

    def refused(reason: str) -> SignInRefused:
        id = person.id if person else ""
        return SignInRefused(at_ms=now_ms, id=id, reason=reason, station=station, address=address)

    if person is None:
        return (refused("unknown_badge"),)
    if person.barred:
        return (refused("barred"),)
    if person.is_locked(now_ms):
        return (refused("locked_out"),)
    if pin.opens(person):
        return (refused("code_over"),) if person.code_is_over(now_ms) else ()
    return (refused("wrong_pin"), *_locked(person, person.pin.wrong, now_ms, station, address))


def _locked(
    person: Staff, wrong: int, now_ms: int, station: str, address: str, beside: str = ""
) -> tuple[StaffLockedOut, ...]:
    """The lock-out, where this was one wrong PIN or code too many after the `wrong` ones before."""
    if wrong + 1 < WRONG_PINS_MAX:
        return ()
    until_ms = now_ms + locked_out_ms(person.pin.lock.times)
    locked = StaffLockedOut(
        at_ms=now_ms, id=person.id, until_ms=until_ms, station=station, address=address, beside=beside
    )
    return (locked,)


def refuse_factor(person: Staff, reason: str, *, now_ms: int, station: str, address: str) -> tuple[AnyStaffEvent, ...]:
    """The code or the passkey beside a right PIN was wrong, or used before: it counts as a wrong PIN does."""
    reason = "locked_out" if person.is_locked(now_ms) else reason
    refused = SignInRefused(at_ms=now_ms, id=person.id, reason=reason, station=station, address=address)
    if reason == "locked_out":
        return (refused,)
    return refused, *_locked(person, person.pin.wrong, now_ms, station, address)


def choose_language(
    register: StaffRegister, staff_id: str, language: str, *, now_ms: int
) -> tuple[LanguageChosen, ...]:
    """Set the language that every station speaks to this person; no event where it is that already."""
    if register.people[staff_id].language == language:
        return ()
    return (LanguageChosen(at_ms=now_ms, id=staff_id, language=language),)


def see_notices(
    register: StaffRegister, staff_id: str, upto_ms: int, *, station: str, now_ms: int, disowned: bool
) -> tuple[AnyStaffEvent, ...]:
    """He has seen what happened to his sign-in up to then; where some of it was not he, his other sign-ins end."""
    person = register.people[staff_id]
    seen = OwnNoticesSeen(at_ms=now_ms, id=staff_id, station=station, upto_ms=min(upto_ms, now_ms))
    if not disowned:
        return (seen,) if person.notices.told else ()
    others = sorted(person.stations - {station})
    ended = (SignInEnded(at_ms=now_ms, id=staff_id, station=other, why="ended", by=staff_id) for other in others)
    return seen, SignInDisowned(at_ms=now_ms, id=staff_id, station=station), *ended
