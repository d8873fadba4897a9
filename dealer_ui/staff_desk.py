"""The only place where the staff register meets the journal and the clock: sign-in, PIN, and what came of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from studio.errors import RefusedError, StorageError
from studio.journal import Entry, Row, Unit
from studio.people import Actor, Argon2PinHasher, Pin, PinHasher
from studio.people.signing_in import Attempt, confirm_pin, sign_in
from studio.people.staff import StaffRegister, evolve_staff
from studio.people.staff_event import AnyStaffEvent, StaffAdded
from studio.people.staffing import NewStaff, add_staff

_FIRST: Final = Actor("system", "the first set-up", frozenset({"admin"}))


class _StaffRow(msgspec.Struct):
    staff: AnyStaffEvent


class StaffDesk:
    """The register of staff: every change of it, and every try to sign in, is in the journal before it counts."""

    def __init__(
        self, commit: Callable[[Unit], int], now_ms: Callable[[], int], hasher: PinHasher | None = None
    ) -> None:
        self.register = StaffRegister()
        self._commit = commit
        self._now_ms = now_ms
        self._hasher = hasher or Argon2PinHasher()
        self._lock = threading.Lock()

    def restore(self, rows: Iterable[Row]) -> None:
        """Fold what the journal holds of the staff."""
        for row in rows:
            if b'"staff":' in row.body[:20]:
                self.register = evolve_staff(self.register, msgspec.json.decode(row.body, type=_StaffRow).staff)

    def sign_in(self, badge: str, pin: str, now: int) -> Actor:
        typed = Pin(pin)
        with self._lock:
            return self._tried(sign_in(self.register, badge, typed, now_ms=now, hasher=self._hasher))

    def confirm_pin(self, staff_id: str, pin: str) -> Actor:
        typed = Pin(pin)
        with self._lock:
            now = self._now_ms()
            return self._tried(confirm_pin(self.register, staff_id, typed, now_ms=now, hasher=self._hasher))

    def actor(self, staff_id: str) -> Actor:
        return self.register.actor(staff_id)

    def add(self, new: NewStaff, by: Actor = _FIRST) -> None:
        with self._lock:
            now = self._now_ms()
            self._record((add_staff(self.register, new, by=by, now_ms=now, hasher=self._hasher),))

    def _tried(self, attempt: Attempt) -> Actor:
        self._record(attempt.events)
        return attempt.opened()

    def _record(self, events: tuple[AnyStaffEvent, ...]) -> None:
        entries = tuple(
            Entry(type(event).__name__, event.at_ms, msgspec.json.encode(_StaffRow(staff=event))) for event in events
        )
        if not entries:
            return
        try:
            self._commit(Unit(entries=entries))
        except (StorageError, TimeoutError) as error:
            raise RefusedError("disk", "The studio cannot write to its disk now; try again in a moment.") from error
        for event in events:
            self.register = evolve_staff(self.register, event)


STAFF_KINDS: Final = frozenset(kind.__name__ for kind in AnyStaffEvent.__args__)
"""The journal's kinds that concern the staff."""

__all__ = ["STAFF_KINDS", "StaffAdded", "StaffDesk"]
