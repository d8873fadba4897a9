"""The register of staff: who is in it, and what an event makes of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from studio.errors import IllegalEventError, RefusedError
from studio.people.actor import Actor
from studio.people.factor_event import FactorEvent, SecondFactorEnrolled, SecondFactorReset, SecondFactorUsed
from studio.people.own_notice import OwnNotices, noted
from studio.people.paper import Paper, read_day
from studio.people.passkey import Passkey, evolve_passkeys
from studio.people.right import Role
from studio.people.staff_event import (
    AnyStaffEvent,
    BreakBegun,
    BreakEnded,
    LanguageChosen,
    PaperIssued,
    PaperWithdrawn,
    PinConfirmed,
    SignInEnded,
    SignInRefused,
    StaffAdded,
    StaffBadgeChanged,
    StaffBarLifted,
    StaffBarred,
    StaffLockedOut,
    StaffLockOutLifted,
    StaffPinChanged,
    StaffPinRehashed,
    StaffRetired,
    StaffRolesChanged,
    StaffSignedIn,
    StaffSignedOut,
)

RECOVERY_CODES: Final = 8
"""For a day without the device; each opens once."""


def as_worn(badge: str) -> str:
    """A badge as a reader says it, whatever keyboard it was typed on: a Japanese one may give wide digits.

    >>> as_worn(" ２００１ ")
    '2001'
    """
    return unicodedata.normalize("NFKC", badge).strip()


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """What is known of the device that shows somebody codes: its name, since when he has it, which codes are used up.

    `last_step`: no code of a step up to it opens. `used`: the numbers of the recovery codes that were taken.
    """

    id: str
    since_ms: int
    last_step: int
    used: frozenset[int] = frozenset()

    @property
    def left(self) -> int:
        """How many recovery codes still open."""
        return RECOVERY_CODES - len(self.used)


@dataclass(frozen=True, slots=True)
class BadgeLock:
    """The badge opens no door before `until_ms`; it was locked `times` times in a row, the last time by somebody `at`
    that station and address. `beside`: at whose sign-in; empty at the door.
    """

    until_ms: int = 0
    times: int = 0
    at: tuple[str, str] = ("", "")
    beside: str = ""


@dataclass(frozen=True, slots=True)
class KeptPin:
    """What is typed beside a badge where people come in. `code_until_ms`: `hash` is that of a one-time code until he
    has chosen a PIN of his own; 0 once he has. `wrong`: so many were typed in a row there; `wrong_within`: where
    somebody is signed in, whoever that is. `lock`: how they have locked his badge; whoever is signed in already works
    on.
    """

    hash: str = field(repr=False)
    code_until_ms: int = 0
    wrong: int = 0
    wrong_within: int = 0
    lock: BadgeLock = field(default_factory=BadgeLock)


@dataclass(frozen=True, slots=True)
class Staff:
    """One person of the staff. `stations`: where signed in. `wrong_at_work`: PINs typed wrong in a row in his sign-ins,
    by station.

    `papers`: the licence and the certificates, by what they are for. `barred`: why nothing opens for him, empty when it
    does. `on_break_ms`: since when he is on a break. `language`: what he chose to be spoken to in, empty before he did.
    `new_pin_asked`: he signed in with a PIN that may not be chosen any more, and has not chosen another.
    `factor`: the device that shows him codes, None where he has none; `passkeys`: his keys, by credential. `notices`:
    what he is told of his own sign-in.
    """

    id: str
    badge: str
    name: str
    roles: frozenset[str]
    pin: KeptPin
    active: bool = True
    stations: frozenset[str] = frozenset()
    wrong_at_work: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    papers: Mapping[str, Paper] = field(default_factory=lambda: MappingProxyType({}))
    barred: str = ""
    on_break_ms: int = 0
    language: str = ""
    new_pin_asked: bool = False
    factor: SecondFactor | None = None
    passkeys: Mapping[str, Passkey] = field(default_factory=lambda: MappingProxyType({}))
    notices: OwnNotices = field(default_factory=OwnNotices)

    @property
    def has_code(self) -> bool:
        """He has no PIN of his own now, but a code to come in with and choose one."""
        return self.pin.code_until_ms > 0

    def code_is_over(self, now_ms: int) -> bool:
        """He has no PIN, and the code in its place lets him in no more."""
        return self.has_code and now_ms >= self.pin.code_until_ms

    def is_locked(self, now_ms: int) -> bool:
        return now_ms < self.pin.lock.until_ms

    def stands_beside_nobody(self, station: str, now_ms: int) -> bool:
        """Whether his PIN does nothing at this station, for it was guessed at others' sign-ins; at his own it does."""
        return self.is_locked(now_ms) and bool(self.pin.lock.beside) and station not in self.stations

    @property
    def locked_from(self) -> str:
        """The address that the wrong PINs came from, and the first signs of the station."""
        station, address = self.pin.lock.at
        return " · ".join(filter(None, (address, station[:4]))) or "–"

    def actor(self, pin_at_ms: int | None = None) -> Actor:
        return Actor(self.id, self.name, self.roles, pin_at_ms)


@dataclass(frozen=True, slots=True)
class StaffRegister:
    """Everybody who is or was of the staff, by id: a fold of the events."""

    people: Mapping[str, Staff] = field(default_factory=lambda: MappingProxyType({}))

    def active(self, staff_id: str) -> Staff | None:
        found = self.people.get(staff_id)
        return found if found is not None and found.active else None

    def with_badge(self, badge: str) -> Staff | None:
        """Who wears this badge now, in whatever width it was typed."""
        worn = as_worn(badge)
        return next((one for one in self.people.values() if one.active and as_worn(one.badge) == worn), None)

    def at_station(self, station: str) -> Staff | None:
        """Who is signed in there."""
        return next((one for one in self.people.values() if station and station in one.stations), None)

    def actor(self, staff_id: str) -> Actor:
        """The person as an actor without a PIN; refused where he is not of the staff."""
        found = self.active(staff_id)
        if found is None:
            raise RefusedError("not_staff", "This person is not of the staff any more. Sign in again.")
        if found.barred:
            raise RefusedError("barred", f"{found.name} is barred. Ask an administrator.")
        return found.actor()

    def with_role(self, role: Role) -> tuple[Staff, ...]:
        """Everybody who has this role and may use it; people who left or are barred do not count."""
        return tuple(one for one in self.people.values() if one.active and not one.barred and role in one.roles)

    def pit_bosses_on_floor(self) -> int:
        """How many pit bosses are signed in somewhere."""
        return sum(1 for one in self.with_role(Role.PIT_BOSS) if one.stations)


def evolve_staff(register: StaffRegister, event: AnyStaffEvent) -> StaffRegister:
    """The register after the event; never refuses."""
    if isinstance(event, StaffAdded):
        if event.id in register.people:
            raise IllegalEventError(f"staff '{event.id}' was added twice")
        pin = KeptPin(event.pin_hash, event.code_until_ms)
        return _with(register, Staff(event.id, event.badge, event.name, frozenset(event.roles), pin))
    if isinstance(event, SignInRefused) and not event.id:
        return register
    if event.id not in register.people:
        raise IllegalEventError(f"staff '{event.id}' was never added")
    register = _told(register, event)
    register = _counted_at_work(register, event)
    return _with(register, _evolve_person(register.people[event.id], event))


def _counted_at_work(register: StaffRegister, event: AnyStaffEvent) -> StaffRegister:
    """A PIN typed wrong where somebody is signed in counts for his sign-in, whoever's it should have been."""
    if not isinstance(event, SignInRefused) or event.reason != "wrong_at_work":
        return register
    holder = register.at_station(event.station)
    if holder is None:
        return register
    return _with(register, _at_work(holder, event.station, holder.wrong_at_work.get(event.station, 0) + 1))


def _told(register: StaffRegister, event: AnyStaffEvent) -> StaffRegister:
    """He is told of it, where it concerns his own sign-in. What he mistypes where he is signed in himself does not."""
    person = register.people[event.id]
    if isinstance(event, SignInRefused) and event.reason == "wrong_at_work" and event.station in person.stations:
        return register
    return _with(register, replace(person, notices=noted(person.notices, event)))


def _evolve_person(person: Staff, event: AnyStaffEvent) -> Staff:
    match event:
        case StaffRolesChanged(roles=roles):
            return replace(person, roles=frozenset(roles))
        case StaffBadgeChanged(badge=badge):
            return replace(person, badge=badge)
        case StaffPinChanged(pin_hash=pin_hash, code_until_ms=until_ms):
            return replace(person, pin=KeptPin(pin_hash, until_ms), new_pin_asked=False)
        case StaffPinRehashed(pin_hash=pin_hash):
            return replace(person, pin=replace(person.pin, hash=pin_hash))
        case StaffRetired():
            return replace(person, active=False, stations=frozenset(), on_break_ms=0)
        case StaffSignedIn(station=station, new_pin_asked=asked):
            return replace(_let_in(person), stations=person.stations | {station}, new_pin_asked=asked)
        case StaffSignedOut(station=station) | SignInEnded(station=station):
            return replace(_at_work(person, station, 0), stations=person.stations - {station})
        case StaffLockOutLifted():
            return _let_in(person)
    return _evolve_wrong_pins(person, event)


def _evolve_wrong_pins(person: Staff, event: AnyStaffEvent) -> Staff:
    pin = person.pin
    match event:
        case SignInRefused(reason="wrong_pin" | "wrong_code" | "wrong_passkey"):
            return replace(person, pin=replace(pin, wrong=pin.wrong + 1))
        case SignInRefused(reason="wrong_at_work"):
            return replace(person, pin=replace(pin, wrong_within=pin.wrong_within + 1))
        case StaffLockedOut(until_ms=until_ms, station=station, address=address, beside=beside):
            lock = BadgeLock(until_ms, pin.lock.times + 1, (station, address), beside)
            within = 0 if beside else pin.wrong_within  # whoever guesses at a sign-in sets no count back at the door
            return replace(person, pin=replace(pin, wrong=0, wrong_within=within, lock=lock))
        case PinConfirmed(station="") if not (person.factor or person.passkeys):  # a PIN alone forgets no wrong factor
            return replace(person, pin=replace(pin, wrong=0, wrong_within=0))
        case PinConfirmed(station=station):
            return replace(_at_work(person, station, 0), pin=replace(pin, wrong_within=0))
    return _evolve_standing(person, event)


def _let_in(person: Staff) -> Staff:
    """The wrong PINs at the door are forgotten."""
    return replace(person, pin=KeptPin(person.pin.hash, person.pin.code_until_ms))


def _at_work(person: Staff, station: str, wrong: int) -> Staff:
    left = {name: count for name, count in person.wrong_at_work.items() if name != station}
    return replace(person, wrong_at_work=MappingProxyType({**left, station: wrong} if wrong else left))


def _evolve_standing(person: Staff, event: AnyStaffEvent) -> Staff:
    """What a person may do here at all: papers, bars, breaks."""
    match event:
        case PaperIssued(paper=key, number=number, valid_from=first, valid_until=last):
            held = Paper(key, number, read_day(first), read_day(last))
            return replace(person, papers=MappingProxyType({**person.papers, key: held}))
        case PaperWithdrawn(paper=key):
            left = {name: one for name, one in person.papers.items() if name != key}
            return replace(person, papers=MappingProxyType(left))
        case StaffBarred(reason=reason):
            return replace(person, barred=reason, stations=frozenset(), on_break_ms=0)
        case StaffBarLifted():
            return replace(person, barred="")
        case BreakBegun(at_ms=at_ms):
            return replace(person, on_break_ms=at_ms)
        case BreakEnded():
            return replace(person, on_break_ms=0)
        case LanguageChosen(language=language):
            return replace(person, language=language)
    return _evolve_factor(person, event)


def _evolve_factor(person: Staff, event: AnyStaffEvent) -> Staff:
    if isinstance(event, FactorEvent):
        person = replace(person, passkeys=MappingProxyType(dict(evolve_passkeys(person.passkeys, event))))
    match event:
        case SecondFactorEnrolled(factor=id, step=step, at_ms=at_ms):
            return replace(person, factor=SecondFactor(id, at_ms, step))
        case SecondFactorUsed(step=step, recovery=number) if (own := person.factor) is not None:
            if number:
                return replace(person, factor=replace(own, used=own.used | {number}))
            return replace(person, factor=replace(own, last_step=max(own.last_step, step)))
        case SecondFactorReset():
            return replace(person, factor=None)
    return person


def _with(register: StaffRegister, person: Staff) -> StaffRegister:
    return StaffRegister(MappingProxyType({**register.people, person.id: person}))
