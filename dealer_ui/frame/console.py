"""What every console route shares: house, words, artist, who may look at what, and how somebody comes in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote

from flask import abort, current_app, make_response, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import keep_cookie, token_in, viewer
from dealer_ui.access.sessions import Sessions
from dealer_ui.access.turned_away import TurnedAway
from dealer_ui.access.violation import BrokenPolicies
from dealer_ui.floor.house import House
from dealer_ui.frame.screen import Artist, Asked, Screen
from dealer_ui.live.lane import StreamLanes
from dealer_ui.words.language import LANGUAGES, Language, Languages
from studio.errors import RefusedError
from studio.people import Actor
from studio.views import TableView

LANGUAGE_COOKIE: Final = "studio_language"
_YEAR_S: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Console:
    """`title` is the studio's name. `closing` is set when the server goes down, and ends every stream.

    `tour`: the tables whose pages lead to each other, as a demo's do; a table's own pages lead nowhere else.
    """

    house: House
    title: str
    languages: Languages
    sessions: Sessions
    lanes: StreamLanes
    monotonic: Callable[[], float]
    closing: threading.Event
    turned_away: TurnedAway
    artist: Artist = field(default_factory=Artist)
    violations: BrokenPolicies = field(default_factory=BrokenPolicies)
    tour: list[str] = field(default_factory=list)

    def close(self) -> None:
        """End every stream, and seat nobody any more."""
        self.closing.set()
        self.lanes.close()

    def language(self) -> Language:
        """As asked in the address, else of who is signed in, else this station's, else the studio's own."""
        here = request.cookies.get(LANGUAGE_COOKIE, "")
        return self.languages.choose((request.args.get("language", ""), self._own_language(), here))

    def _own_language(self) -> str:
        who = viewer()
        person = self.house.staff.register.people.get(who.id) if who else None
        return person.language if person else ""

    def asked(self, table: str) -> Asked:
        if table and table not in self.house.tables:
            abort(404)
        return Asked(self.house, table, viewer(), self.language())

    def show(self, screen: Screen, table: str = "", **values: Any) -> Response:
        """The page of a live screen; who may see it is asked here as well as on its stream."""
        if not screen.open_to(viewer()):
            abort(403)
        asked = self.asked(table)
        return self._kept(
            self.artist.page(screen, asked, title=self.title, other_tables=self.other_tables(table), **values)
        )

    def other_tables(self, table: str) -> tuple[TableView, ...]:
        """The other tables of the demo's tour, to which this table's pages link; empty when this table is not part of
        the tour.
        """
        return tuple(self.house.view(key) for key in self.tour if key != table) if table in self.tour else ()

    def plain(self, template: str, status: int = 200, **values: Any) -> Response:
        """A page that does not live."""
        html = self.artist.draw(
            template, self.language(), viewer(), title=self.title, now_ms=self.house.now_ms(), **values
        )
        response = self._kept(html)
        response.status_code = status
        return response

    def _kept(self, html: str) -> Response:
        response = make_response(html.encode(errors="replace"))  # half a letter, as JSON can name it, has no bytes
        chosen = request.args.get("language", "")
        if chosen in LANGUAGES:
            response.set_cookie(
                LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, samesite="Lax", httponly=True, secure=request.is_secure
            )
        return response


def told_away(console: Console, error: RefusedError, badge: str) -> None:
    """Note who was refused at the door. What was typed as a badge is told only where somebody wears it."""
    worn = console.house.staff.register.with_badge(badge) is not None
    console.turned_away.note("sign_in", error.key, request.remote_addr, badge if worn else "")


def led_on(console: Console, actor: Actor, target: str) -> str:
    """Where somebody who came in goes: first to choose another PIN, where he must, and to see what happened to his
    sign-in, where something did.
    """
    if console.sessions.notices(actor.id):
        target = f"/sign-ins?next={quote(target, safe='')}"
    return f"/pin?next={quote(target, safe='')}" if console.sessions.asks_new_pin(actor.id) else target


def enter_as(console: Console, actor: Actor, at: str, target: str, page: Response | None = None) -> Response:
    """The session of somebody whose sign-in at this station is on record; the one before it here is over. `page` is
    what he sees first, instead of being sent to `target` at once.
    """
    before = console.sessions.close(token_in(request.cookies, secure=request.is_secure))
    if before is not None and (before.id, before.station) != (actor.id, at):
        console.house.staff.sign_out(before.id, before.station)
    viewer = console.sessions.open(actor, at, request.remote_addr or "")
    return keep_cookie(redirect(target, 303) if page is None else page, viewer)


def dealer_room() -> str:
    """Where a dealer works: at the console, or at the demo's page that has his hands too."""
    return "hands" if "hands" in current_app.blueprints else "dealer"
