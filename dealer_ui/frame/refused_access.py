"""Who is signed in and asks for what he may not have is counted, and told in the record ever more rarely.

The first time in a day is a row, then the second, the fourth, the eighth…: whoever asks a million times over writes
some twenty rows, each with how often it was since the row before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog
from flask import Flask, Response, g, request

from dealer_ui.access.auth import API_PREFIX, FOREIGN, PLAY_PREFIX, viewer
from dealer_ui.access.sessions import Viewer
from dealer_ui.frame.console import Console
from studio.errors import RefusedError
from studio.people.refusal_event import AccessRefused

_LOG: Final = structlog.get_logger("dealer_ui.access")
_DAY_MS: Final = 86_400_000
NOT_ALLOWED: Final = "not_allowed"
"""The key of every refusal for want of a right, and the name under which a request remembers it."""
_FORBIDDEN: Final = 403


@dataclass(slots=True)
class _Count:
    day: int
    times: int = 0
    told: int = 0


@dataclass(slots=True)
class RefusedAccess:
    """`keep` writes the row; a disk that takes none stops nobody, and the next row has these as well. Any thread."""

    keep: Callable[[AccessRefused], None]
    now_ms: Callable[[], int]
    _counts: dict[str, _Count] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, who: Viewer, door: str, why: str, address: str) -> None:
        now_ms = self.now_ms()
        with self._lock:
            count = self._counts.get(who.id)
            if count is None or count.day != now_ms // _DAY_MS:
                count = self._counts[who.id] = _Count(now_ms // _DAY_MS)
            count.times += 1
            if count.times & (count.times - 1):
                return
            since, count.told = count.times - count.told, count.times
        told = AccessRefused(
            at_ms=now_ms, id=who.id, door=door, why=why, count=since, station=who.station, address=address
        )  # fmt: skip
        try:
            self.keep(told)
        except RefusedError as error:
            with self._lock:
                count.told -= since
            _LOG.warning("a refused access is not in the record", who=who.id, door=door, why=error.sentence)


def watch(app: Flask, console: Console) -> None:
    """Look at every answer that refuses somebody signed in."""
    staff = console.house.staff
    refused = RefusedAccess(lambda told: _keep(console, told), console.house.now_ms)

    @app.after_request
    def look(response: Response) -> Response:
        who, path = viewer(), request.path
        is_refused = response.status_code == _FORBIDDEN or g.get(NOT_ALLOWED)
        if who is None or not is_refused or path.startswith((API_PREFIX, PLAY_PREFIX)):
            return response
        rule = request.url_rule.rule if request.url_rule is not None else "no such page"
        why, address = "sender" if g.get(FOREIGN) else "role", request.remote_addr or ""
        refused.note(who, " ".join((request.method, rule, g.get("act", ""))).strip(), why, address)
        person = staff.register.people.get(who.id)
        console.turned_away.note("console", NOT_ALLOWED, address, person.badge if person else "")
        return response


def _keep(console: Console, told: AccessRefused) -> None:
    console.house.staff.change(lambda register, now: told)
