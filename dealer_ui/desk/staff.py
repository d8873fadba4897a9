"""The desk where the staff register meets the journal and the clock: sign-in, PIN, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from dealer_ui.desk.book import DeskLock, kept_anew
from dealer_ui.desk.pin_door import PinDoor, PinLane, need_to_stand_by
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.process.address import neighbours
from studio.errors import StorageError, not_written
from studio.journal import Entry, Row, Unit
from studio.people import STAFF_KINDS, Actor, Argon2PinHasher, Pin, PinHasher
from studio.people.paper_event import SignInEnded
from studio.people.papering import all_sign_ins
from studio.people.record import read_staff, write_staff
from studio.people.signing_in import (
    Attempt,
    confirm_pin,
    hashed_anew,
    is_weak,
    sign_in,
    sign_out,
)
from studio.people.staff import StaffRegister, as_worn, evolve_staff
from studio.people.staff_event import AnyStaffEvent, StaffLockOutLifted, StaffPinChanged, StaffSignedIn
from studio.people.staffing import NewStaff, add_staff

FIRST: Final = Actor("system", "the first set-up", frozenset({"admin"}))
"""Who acts upon the staff from the command line, while the studio is stopped."""

Change = Callable[[StaffRegister, int], AnyStaffEvent | tuple[AnyStaffEvent, ...]]
"""What somebody wants of the register at a time; refuses, or gives what happens."""


class StaffDesk:
    """The register of staff: every change of it, and every try to sign in, is in the journal before it counts.

    `listeners` hear of each fact once it is kept, on the thread of whoever brought it about. `sweep` ends sign-ins
    nobody has used for long; it is asked before anybody counts who is here. `second` says who needs a code beside the
    PIN; `others` gives what other processes have kept of the staff since it was asked last.
    """

    def __init__(
        self, commit: Callable[[Unit], int], now_ms: Callable[[], int], hasher: PinHasher | None = None
    ) -> None:
        self.register = StaffRegister()
        self.listeners: list[Callable[[AnyStaffEvent], None]] = []
        self.sweep: Callable[[], None] = lambda: None
        self.others: Callable[[], Iterable[Row]] = tuple
        self._commit = commit
        self._now_ms = now_ms
        self._hasher = hasher or Argon2PinHasher()
        self._door = PinDoor(self._hasher, now_ms)
        self._at_work = PinLane(self._hasher, waiting_max=7)
        self._stations: set[str] = set()
        self._lock = DeskLock()
        self._owed: tuple[AnyStaffEvent, ...] = ()
        self._unanswered: tuple[StaffSignedIn, ...] = ()
        self.second = SecondFactors(self)

    def restore(self, rows: Iterable[Row], *, signs_out: bool = True) -> None:
        """Fold what the journal holds of the staff.

        Nobody is signed in any more: that is kept with the next fact. Where others serve the consoles, sign-ins are
        theirs and outlive this process: `signs_out` is off.
        """
        for row in rows:
            if row.kind in STAFF_KINDS:
                self._fold(read_staff(row.body))
        if not signs_out:
            return
        people = self.register.people.values()
        now = self._now_ms() if any(one.stations for one in people) else 0
        self._owed = tuple(event for one in people for event in all_sign_ins(one, "restart", now_ms=now))
        for event in self._owed:
            self._fold(event)

    def sign_in(self, badge: str, pin: str, now: int, station: str = "", address: str = "") -> Actor:
        """Let somebody in; whoever forgot to sign out at this station is signed out.

        `TooOftenError` where this place or this badge was wrong too often, or where too many come in at once;
        `CodeNeededError` or `OwnPinNeededError` where the PIN was right and is not enough.
        """
        badge = as_worn(badge)
        place = station if station in self._stations else neighbours(address)
        compared = self._door.compare(self.register.with_badge(badge), badge, Pin(pin), place)

        def let_in() -> tuple[Attempt, tuple[AnyStaffEvent, ...]]:
            with self._lock:
                tried = sign_in(self.register, badge, compared, now_ms=now, station=station, address=address)
                if tried.actor is not None:
                    self._record(hashed_anew(self.register.people[tried.actor.id], compared, now))
                    self.second.halt(self.register.people[tried.actor.id], station, address, weak=compared.weak)
                left = self.forgotten(station, tried.actor, now)
                self._record((*left, *tried.events))
                return tried, left

        tried, left = kept_anew(self.catch_up, let_in)
        self._tell((*left, *tried.events))
        self._door.count(badge, place, right=tried.actor is not None)
        return tried.opened()

    def confirm_pin(self, staff_id: str, pin: str, station: str = "", address: str = "", *, badge: str = "") -> Actor:
        """The PIN of somebody for one act, typed at a station where somebody is signed in; elsewhere at the door.
        `badge`: what was typed as one, where it is nobody's. That and a barred person's are tried as at the door.
        """
        person, place = self.register.active(staff_id), station if station in self._stations else neighbours(address)
        at_work = person is not None and not person.barred and self.register.at_station(station) is not None
        badge = person.badge if person else as_worn(badge)
        if person is not None and at_work:
            need_to_stand_by(person, station, self._now_ms())
            compared = self._at_work.compare(person, Pin(pin))
        else:
            compared = self._door.compare(person, badge, Pin(pin), place)

        def confirm() -> Attempt:
            with self._lock:
                now = self._now_ms()
                tried = confirm_pin(self.register, staff_id, compared, now_ms=now, station=station, address=address)
                self._record((*(hashed_anew(person, compared, now) if person else ()), *tried.events))
                return tried

        tried = kept_anew(self.catch_up, confirm)
        self._tell(tried.events)
        if not at_work:
            self._door.count(badge, place, right=tried.actor is not None)
        return tried.opened()

    def sign_out(self, staff_id: str, station: str) -> None:
        self.change(lambda register, now: sign_out(register, staff_id, now_ms=now, station=station))

    def sign_in_ended(self, staff_id: str, station: str, why: str) -> None:
        """A session is over that nobody ended, as one that was idle."""

        def ended(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            person = register.people.get(staff_id)
            if person is None or station not in person.stations:
                return ()
            return (SignInEnded(at_ms=now, id=staff_id, station=station, why=why),)

        self.change(ended)

    def take_station(self, staff_id: str, station: str, pin: Pin) -> None:
        """Somebody whose PIN was just confirmed is signed in here; whoever was is not any more."""

        def taken(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self.second.refuse_at_work(staff_id)
            left = self.forgotten(station, register.actor(staff_id), now)
            weak = is_weak(register.people[staff_id], pin)
            return *left, StaffSignedIn(at_ms=now, id=staff_id, station=station, new_pin_asked=weak)

        self.change(taken)

    def actor(self, staff_id: str) -> Actor:
        return self.register.actor(staff_id)

    def pit_bosses_on_floor(self) -> int:
        """How many pit bosses are signed in somewhere, now."""
        self.sweep()
        return self.register.pit_bosses_on_floor()

    def add(self, new: NewStaff, by: Actor = FIRST) -> None:
        self.change(lambda register, now: add_staff(register, new, by=by, now_ms=now, hasher=self._hasher))

    def change(self, change: Change) -> tuple[AnyStaffEvent, ...]:
        """Carry out what somebody wants of the register, or refuse; then tell whoever listens."""

        def carry_out() -> tuple[AnyStaffEvent, ...]:
            with self._lock:
                made = change(self.register, self._now_ms())
                events = made if isinstance(made, tuple) else (made,)
                self._record(events)
                return events

        events = kept_anew(self.catch_up, carry_out)
        self._tell(events)
        return events

    def catch_up(self) -> None:
        """Take what other processes have kept of the staff, and tell whoever listens."""
        with self._lock:
            events = tuple(read_staff(row.body) for row in self.others())
            for event in events:
                self._fold(event)
            if events:
                # whoever kept something has kept what was owed with it
                self._owed = _of_nobody(events, self._unanswered, self._now_ms)
                for event in self._owed:
                    self._fold(event)
        self._tell(events)

    def now_ms(self) -> int:
        return self._now_ms()

    @property
    def hasher(self) -> PinHasher:
        return self._hasher

    def forgotten(self, station: str, actor: Actor | None, now: int) -> tuple[AnyStaffEvent, ...]:
        """The ends of what others forgot to end at this station, where this person comes in."""
        if actor is None or not station:
            return ()
        others = (one for one in self.register.people.values() if station in one.stations and one.id != actor.id)
        return tuple(SignInEnded(at_ms=now, id=one.id, station=station, why="next", by=actor.id) for one in others)

    def _tell(self, events: Iterable[AnyStaffEvent]) -> None:
        for event in events:
            self.second.hear(event)
            for listener in self.listeners:
                listener(event)

    def _record(self, events: tuple[AnyStaffEvent, ...]) -> None:
        if not events:
            return
        entries = tuple(
            Entry(type(event).__name__, event.at_ms, write_staff(event)) for event in (*self._owed, *events)
        )
        try:
            self._commit(Unit(entries=entries))
        except (StorageError, TimeoutError) as error:
            self._unanswered = _coming_in(self.register, events)
            raise not_written(error) from error
        self._owed = ()
        for event in events:
            self._fold(event)

    def _fold(self, event: AnyStaffEvent) -> None:
        self.register = evolve_staff(self.register, event)
        if isinstance(event, StaffSignedIn) and event.station:
            self._stations.add(event.station)
        if isinstance(event, StaffSignedIn | StaffLockOutLifted | StaffPinChanged):
            self._door.lift(self.register.people[event.id].badge)


def _coming_in(register: StaffRegister, events: Iterable[AnyStaffEvent]) -> tuple[StaffSignedIn, ...]:
    signed_in = (one for one in events if isinstance(one, StaffSignedIn))
    return tuple(one for one in signed_in if one.station not in register.people[one.id].stations)


def _of_nobody(
    kept: tuple[AnyStaffEvent, ...], unanswered: Iterable[StaffSignedIn], now_ms: Callable[[], int]
) -> tuple[SignInEnded, ...]:
    """Whoever was told that nobody knows whether he came in has no session: he is not there, though it was kept."""
    late = [one for one in unanswered if one in kept]
    return tuple(SignInEnded(at_ms=now_ms(), id=one.id, station=one.station, why="idle") for one in late)
