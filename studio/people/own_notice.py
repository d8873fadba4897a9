"""What somebody is told of his own sign-in: tries that were not his, changes of what opens for him, sign-ins elsewhere.

A fold of the staff's events, kept until he has said that he has seen it. Pure; what is told of whom is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from studio.people.factor_event import (
    PasskeyCopied,
    PasskeyEnrolled,
    PasskeyRemoved,
    SecondFactorEnrolled,
    SecondFactorReset,
)
from studio.people.notice_event import OwnNoticesSeen, SignInDisowned
from studio.people.staff_event import (
    AnyStaffEvent,
    SignInRefused,
    StaffBadgeChanged,
    StaffLockedOut,
    StaffLockOutLifted,
    StaffPinChanged,
    StaffRetired,
    StaffRolesChanged,
    StaffSignedIn,
)

NOTICES_MAX: Final = 30
"""So many are kept of each person, the newest; of the others only their number."""
STATIONS_MAX: Final = 100
SLIP_MS: Final = 120_000
"""Wrong PINs typed so shortly before a right one, at the same station, are a slip of his own."""
LONG_AWAY_MS: Final = 60 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class OwnNotice:
    """One thing to tell. `what`: tried pin_right tried_beside locked let_in pin code badge roles factor factor_reset
    passkey passkey_removed passkey_copied station away. `by`: who did it, where that was somebody; `station` and
    `address`: where, as far as it is known.
    """

    what: str
    at_ms: int
    station: str = ""
    address: str = ""
    by: str = ""
    own: bool = False
    """He did it himself, with his PIN."""

    @property
    def loud(self) -> bool:
        return not self.own and self.what != "station"


@dataclass(frozen=True, slots=True)
class OwnNotices:
    """What one person has not seen yet, oldest first. `more`: how many came before those that are kept.

    `stations`: where he has signed in before; `in_ms`: when last; `disowned_ms`: since when he says that a sign-in was
    not his, until he has another PIN; 0 where he does not.
    """

    told: tuple[OwnNotice, ...] = ()
    more: int = 0
    stations: tuple[str, ...] = ()
    in_ms: int = 0
    disowned_ms: int = 0

    @property
    def loud(self) -> int:
        """How many he is led to: not what he did himself, nor that he came to a station for the first time."""
        return sum(one.loud for one in self.told) + self.more

    def at(self, station: str) -> tuple[OwnNotice, ...]:
        """What he is shown at this station: not that he is there for the first time."""
        return tuple(one for one in self.told if (one.what, one.station) != ("station", station))


def noted(before: OwnNotices, event: AnyStaffEvent) -> OwnNotices:
    """After an event of this person's."""
    match event:
        case OwnNoticesSeen(upto_ms=upto_ms):
            return replace(before, told=tuple(one for one in before.told if one.at_ms > upto_ms), more=0)
        case SignInDisowned(at_ms=at_ms):
            return replace(before, disowned_ms=at_ms)
        case StaffSignedIn():
            return _came_in(before, event)
        case StaffRetired():
            return OwnNotices()
        case StaffPinChanged():
            before = replace(before, disowned_ms=0)
    found = _notice_of(event)
    return _with(before, found) if found is not None else before


def _notice_of(event: AnyStaffEvent) -> OwnNotice | None:
    at_ms = event.at_ms
    match event:
        case SignInRefused(reason=reason, station=station, address=address) if reason in _TRIED:
            return OwnNotice(_TRIED[reason], at_ms, station, address)
        case StaffLockedOut(station=station, address=address):
            return OwnNotice("locked", at_ms, station, address)
        case StaffLockOutLifted(by=by):
            return OwnNotice("let_in", at_ms, by=by)
        case StaffPinChanged(by=by, code_until_ms=until_ms) if until_ms:
            return OwnNotice("code", at_ms, by=by)
        case StaffPinChanged(by=by):
            return OwnNotice("pin", at_ms, by=by, own=by == event.id)
        case StaffBadgeChanged(by=by):
            return OwnNotice("badge", at_ms, by=by, own=by == event.id)
        case StaffRolesChanged(by=by):
            return OwnNotice("roles", at_ms, by=by)
        case SecondFactorEnrolled():
            return OwnNotice("factor", at_ms, own=True)
        case PasskeyEnrolled():
            return OwnNotice("passkey", at_ms, own=True)
        case PasskeyRemoved(station=station):
            return OwnNotice("passkey_removed", at_ms, station, own=True)
        case PasskeyCopied(station=station):
            return OwnNotice("passkey_copied", at_ms, station)
        case SecondFactorReset(by=by):
            return OwnNotice("factor_reset", at_ms, by=by)
    return None


_TRIED: Final = {
    "wrong_pin": "tried", "locked_out": "tried", "wrong_code": "pin_right", "wrong_passkey": "pin_right",
    "wrong_at_work": "tried_beside",
}  # fmt: skip
"""How a refused try is told, by its reason."""


def _came_in(before: OwnNotices, event: StaffSignedIn) -> OwnNotices:
    """His own slips are forgotten; a station where he never was and a long time away are told."""
    slips = ("tried", event.station)
    told = tuple(
        one for one in before.told if (one.what, one.station) != slips or one.at_ms < event.at_ms - SLIP_MS
    )  # fmt: skip
    found = replace(before, told=told, in_ms=event.at_ms)
    if before.in_ms and event.at_ms - before.in_ms > LONG_AWAY_MS:
        found = _with(found, OwnNotice("away", event.at_ms, event.station))
    if not event.station or event.station in before.stations:
        return found
    found = replace(found, stations=(*before.stations, event.station)[-STATIONS_MAX:])
    return _with(found, OwnNotice("station", event.at_ms, event.station)) if before.stations else found


def _with(before: OwnNotices, one: OwnNotice) -> OwnNotices:
    told = (*before.told, one)
    left = max(0, len(told) - NOTICES_MAX)
    return replace(before, told=told[left:], more=before.more + left)
