"""Who is signed in at which station, in memory: a restart of a studio that is one process signs everybody out.

The staff register keeps the same in the journal. A sign-in that ends there ends here at once. A session also ends here,
and the register is told, when nobody has used it for long or it is longer than a day's work. It counts as used when the
person does something or deals a round, not when a page asks by itself; no session ends in the middle of a round.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from dealer_ui.access.session_shelf import KeptSession, SessionShelf
from studio.errors import RefusedError
from studio.people import Actor, may
from studio.people.paper_event import SignInEnded, StaffBarred
from studio.people.staff_event import (
    AnyStaffEvent,
    StaffPinChanged,
    StaffRetired,
    StaffRolesChanged,
    StaffSignedIn,
    StaffSignedOut,
)

IDLE_MS: Final = 60 * 60 * 1000
LONGEST_MS: Final = 14 * 60 * 60 * 1000
"""The longest shift there is, and an hour or two: after that everybody shows badge and PIN again."""
SESSIONS_MAX: Final = 1_000
TOLD_MS: Final = 60_000
"""So often other processes are told that a session is in use."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody signed in at one station. `address` and `page`: from where, and what he last looked at.

    `elsewhere`: at how many other stations he is signed in. `new_pin_asked`: the PIN he has may not be chosen any more.
    `notices`: how much happened to his sign-in that he has not seen yet.
    """

    token: str
    csrf: str
    id: str
    name: str
    roles: frozenset[str]
    seen_ms: int
    station: str = ""
    address: str = ""
    since_ms: int = 0
    page: str = ""
    elsewhere: int = 0
    new_pin_asked: bool = False
    notices: int = 0

    def may(self, action: str) -> bool:
        return may(self.roles, action)


class SignedInElsewhere:
    """Sessions on a shelf that other processes share. `actor_at` gives who is signed in at a station, by what is on
    record.
    """

    def __init__(
        self, shelf: SessionShelf | None = None, actor_at: Callable[[str, str], Actor | None] = lambda id, at: None
    ) -> None:
        self._shelf = shelf or SessionShelf()
        self._actor_at = actor_at
        self._told: dict[str, int] = {}

    def opened(self, viewer: Viewer) -> None:
        kept = KeptSession(viewer.id, viewer.station, viewer.address, viewer.since_ms, viewer.csrf)
        self._told[viewer.token] = viewer.seen_ms
        self._shelf.keep(viewer.token, kept, viewer.seen_ms)
        self._shelf.lapse(viewer.seen_ms - LONGEST_MS)

    def find(self, token: str) -> Viewer | None:
        """None where nobody has opened it, and where the record says that he has left."""
        if not token or (found := self._shelf.find(token)) is None:
            return None
        kept, seen_ms = found
        if (actor := self._actor_at(kept.id, kept.station)) is None:
            return None
        roles = frozenset(map(str, actor.roles))
        return Viewer(
            token, kept.csrf, actor.id, actor.name, roles, seen_ms, kept.station, kept.address, kept.since_ms
        )  # fmt: skip

    def used(self, token: str, now_ms: int) -> None:
        """Told at most once a minute."""
        if now_ms - self._told.get(token, 0) >= TOLD_MS:
            self._told[token] = now_ms
            self._shelf.used(token, now_ms)

    def seen_ms(self, token: str) -> int | None:
        return self._shelf.seen_ms(token)

    def over(self, token: str) -> None:
        self._told.pop(token, None)
        self._shelf.end(token)

    def close(self) -> None:
        self._shelf.rows.close()


class Sessions:
    """Who is signed in. `fresh_token` gives a new unguessable token at each call.

    `told_over` keeps in the record that a session ended by itself, and why: idle, or limit; what it cannot keep now is
    told again later. `deals` says whether somebody deals a round at this moment, `notices` how much somebody has
    still to see of what happened to his sign-in.
    """

    def __init__(
        self,
        fresh_token: Callable[[], str],
        now_ms: Callable[[], int],
        idle_ms: int = IDLE_MS,
        told_over: Callable[[str, str, str], None] = lambda id, station, why: None,
        deals: Callable[[str], bool] = lambda id: False,
        notices: Callable[[str], int] = lambda id: 0,
    ) -> None:
        self._fresh_token = fresh_token
        self._now_ms = now_ms
        self._idle_ms = idle_ms
        self._told_over = told_over
        self._deals = deals
        self.notices = notices
        self.stations: Callable[[str], int] = lambda id: 0
        """At how many stations somebody is signed in by the record, at whichever process he came in."""
        self._elsewhere = SignedInElsewhere()
        self._lock = threading.Lock()
        self._open: dict[str, Viewer] = {}
        self._asked: frozenset[str] = frozenset()
        self._untold: list[tuple[Viewer, str]] = []

    def share(self, elsewhere: SignedInElsewhere) -> None:
        """Know the sessions of other processes from now on, and have them know those of this one."""
        self._elsewhere = elsewhere

    def let_go(self) -> None:
        """Close what sessions of other processes are asked by."""
        self._elsewhere.close()

    def open(self, actor: Actor, station: str = "", address: str = "") -> Viewer:
        now = self._now_ms()
        roles = frozenset(map(str, actor.roles))
        viewer = Viewer(
            self._fresh_token(), self._fresh_token(), actor.id, actor.name, roles, now, station, address, now
        )  # fmt: skip
        with self._lock:
            while len(self._open) >= SESSIONS_MAX:
                self._untold.append((self._open.pop(self._least_needed(viewer.id)), "idle"))
            self._open[viewer.token] = viewer
        self._elsewhere.opened(viewer)
        self.sweep()
        return viewer

    def find(self, token: str, *, active: bool = True, page: str = "") -> Viewer | None:
        """Who holds this token. `active` is a person's own act, which puts the idle time-out off."""
        now_ms = self._now_ms()
        with self._lock:
            viewer = self._open.get(token)
        if viewer is None and (viewer := self._adopted(token)) is None:
            return None
        if self._over(viewer, now_ms) and not self._is_used_elsewhere(token, now_ms):
            if not self._deals(viewer.id):
                self.sweep()
                return None
            active = True  # the round he deals is what he does
        with self._lock:
            if token not in self._open:
                return None
            if active:
                viewer = self._open[token] = replace(self._open[token], seen_ms=now_ms, page=page or viewer.page)
            here = sum(one.id == viewer.id for one in self._open.values())
        if active:
            self._elsewhere.used(token, now_ms)
        asked, told, others = viewer.id in self._asked, self.notices(viewer.id), max(here, self.stations(viewer.id)) - 1
        return replace(viewer, elsewhere=others, new_pin_asked=asked, notices=told)

    def look(self, token: str) -> Viewer | None:
        """Who holds this token, for whoever must not wait: nothing is ended, kept or put off."""
        with self._lock:
            viewer = self._open.get(token)
        if viewer is None or (self._over(viewer, self._now_ms()) and not self._deals(viewer.id)):
            return None
        return viewer

    def close(self, token: str) -> Viewer | None:
        """End the session of this token; gives whose it was."""
        self._elsewhere.over(token)
        with self._lock:
            return self._open.pop(token, None)

    def _least_needed(self, comes: str) -> str:
        """Of whoever is signed in most often the session used longest ago: nobody puts others out by coming again."""
        often = Counter([comes, *(one.id for one in self._open.values())])
        return min(self._open, key=lambda token: (-often[self._open[token].id], self._open[token].seen_ms))

    def _adopted(self, token: str) -> Viewer | None:
        """The session that another process has opened under this token, known here from now on."""
        viewer = self._elsewhere.find(token)
        if viewer is not None:
            with self._lock:
                viewer = self._open.setdefault(token, viewer)
        return viewer

    def _is_used_elsewhere(self, token: str, now_ms: int) -> bool:
        """Whether a session that seems over is in use at another process, or may be: while nobody can be asked, none is
        ended as idle.
        """
        seen_ms = self._elsewhere.seen_ms(token)
        with self._lock:
            if seen_ms is None:
                return token in self._open and self._over(self._open[token], now_ms) == "idle"
            if token in self._open and seen_ms > self._open[token].seen_ms:
                self._open[token] = replace(self._open[token], seen_ms=seen_ms)
            return token in self._open and not self._over(self._open[token], now_ms)

    def sweep(self) -> None:
        """End what nobody has used for long, or has used for too long, and have it kept."""
        now = self._now_ms()
        with self._lock:
            over = {token: (one, why) for token, one in self._open.items() if (why := self._over(one, now))}
        ended = [
            token for token, (one, _) in over.items()
            if not self._deals(one.id) and not self._is_used_elsewhere(token, now)
        ]  # fmt: skip
        with self._lock:
            untold = [*self._untold, *(over[token] for token in ended if self._open.pop(token, None))]
            self._untold = []
        for at, (viewer, why) in enumerate(untold):
            self._elsewhere.over(viewer.token)
            try:
                self._told_over(viewer.id, viewer.station, why)
            except RefusedError:  # the disk takes nothing now
                with self._lock:
                    self._untold += untold[at:]
                return

    def _over(self, viewer: Viewer, now_ms: int) -> str:
        """Why this session is over by itself; empty while it is not."""
        if now_ms - viewer.since_ms > LONGEST_MS:
            return "limit"
        return "idle" if now_ms - viewer.seen_ms > self._idle_ms else ""

    def hear(self, event: AnyStaffEvent) -> None:
        """What the register says of sign-ins holds here at once."""
        match event:
            case StaffSignedIn(id=id, new_pin_asked=True):
                self._asked |= {id}
            case StaffSignedIn(id=id) | StaffPinChanged(id=id):
                self._asked -= {id}
            case SignInEnded(id=id, station=station) | StaffSignedOut(id=id, station=station):
                self._end(one.token for one in self.of(id) if one.station == station)
            case StaffBarred(id=id) | StaffRetired(id=id):
                self._end(one.token for one in self.of(id))
            case StaffRolesChanged(id=id, roles=roles):
                with self._lock:
                    changed = {t: replace(v, roles=frozenset(roles)) for t, v in self._open.items() if v.id == id}
                    self._open.update(changed)

    def asks_new_pin(self, staff_id: str) -> bool:
        """Whether this person has to choose another PIN."""
        return staff_id in self._asked

    def of(self, staff_id: str) -> tuple[Viewer, ...]:
        """This person's sign-ins, wherever they are open now."""
        with self._lock:
            return tuple(one for one in self._open.values() if one.id == staff_id)

    def _end(self, tokens: Iterable[str]) -> None:
        ended = tuple(tokens)
        for token in ended:
            self._elsewhere.over(token)
        with self._lock:
            for token in ended:
                self._open.pop(token, None)
