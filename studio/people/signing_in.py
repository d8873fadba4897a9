"""The only place for what an entered PIN leads to: in, refused, or locked out. Pure: clock and hasher are given.

An unknown badge, a wrong PIN and a locked-out badge get the same sentence, after the same work.
"""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import RefusedError
from studio.people.actor import Actor
from studio.people.pin import Pin, PinHasher
from studio.people.staff import Staff, StaffRegister
from studio.people.staff_event import (
    AnyStaffEvent,
    LanguageChosen,
    PinConfirmed,
    SignInRefused,
    StaffLockedOut,
    StaffSignedIn,
    StaffSignedOut,
)

WRONG_PINS_MAX = 5
LOCKED_OUT_MS = 5 * 60_000

_SENTENCE = "Badge and PIN do not match. Try again; after five wrong PINs a badge is locked for five minutes."


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a PIN led to. The events are journalled whether it opened or not."""

    events: tuple[AnyStaffEvent, ...]
    actor: Actor | None

    def opened(self) -> Actor:
        """The person, the PIN fresh; else the refusal that tells nothing of the badge."""
        if self.actor is None:
            raise RefusedError("sign_in_refused", _SENTENCE)
        return self.actor


def sign_in(
    register: StaffRegister, badge: str, pin: Pin, *, now_ms: int, hasher: PinHasher, station: str = ""
) -> Attempt:
    """Somebody holds a badge to the reader and types a PIN."""
    person = register.with_badge(badge)
    refused = _refusal(person, pin, now_ms, hasher, station)
    if refused or person is None:
        return Attempt(refused, None)
    return Attempt((StaffSignedIn(at_ms=now_ms, id=person.id, station=station),), person.actor(now_ms))


def confirm_pin(
    register: StaffRegister, staff_id: str, pin: Pin, *, now_ms: int, hasher: PinHasher, station: str = ""
) -> Attempt:
    """Somebody signed in types the PIN again, for one act; wrong PINs count towards the same lock-out."""
    person = register.active(staff_id)
    refused = _refusal(person, pin, now_ms, hasher, station)
    if refused or person is None:
        return Attempt(refused, None)
    return Attempt((PinConfirmed(at_ms=now_ms, id=person.id),), person.actor(now_ms))


def sign_out(register: StaffRegister, staff_id: str, *, now_ms: int, station: str = "") -> tuple[AnyStaffEvent, ...]:
    """Somebody leaves a station; nothing happens where he was not signed in."""
    person = register.people.get(staff_id)
    if person is None or station not in person.stations:
        return ()
    return (StaffSignedOut(at_ms=now_ms, id=staff_id, station=station),)


def _refusal(person: Staff | None, pin: Pin, now_ms: int, hasher: PinHasher, station: str) -> tuple[AnyStaffEvent, ...]:
    """The events of a refusal, none where the PIN opens. The PIN is hashed in every case, for the time it takes."""
    right = hasher.matches(person.pin_hash if person else None, pin)
    if person is None:
        return (SignInRefused(at_ms=now_ms, id="", reason="unknown_badge", station=station),)
    if person.barred:
        return (SignInRefused(at_ms=now_ms, id=person.id, reason="barred", station=station),)
    if person.is_locked(now_ms):
        return (SignInRefused(at_ms=now_ms, id=person.id, reason="locked_out", station=station),)
    if right:
        return ()
    refused = SignInRefused(at_ms=now_ms, id=person.id, reason="wrong_pin", station=station)
    if person.wrong_pins + 1 < WRONG_PINS_MAX:
        return (refused,)
    return (refused, StaffLockedOut(at_ms=now_ms, id=person.id, until_ms=now_ms + LOCKED_OUT_MS))


def choose_language(
    register: StaffRegister, staff_id: str, language: str, *, now_ms: int
) -> tuple[LanguageChosen, ...]:
    """From now on it is this person's, at every station; nothing where it is already."""
    if register.people[staff_id].language == language:
        return ()
    return (LanguageChosen(at_ms=now_ms, id=staff_id, language=language),)
