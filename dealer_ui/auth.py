"""The only place for who is signed in at a station: sessions, the guard of every route, the headers of answers.

A session is a random token in an `HttpOnly`, `SameSite=Lax` cookie; what it stands for lies in memory here, so a
restart signs everybody out. Every POST must come from our own pages: its `Origin` is ours, and the signed-in
sender repeats the session's CSRF token.
"""

from __future__ import annotations

import hmac
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Final, ParamSpec
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from studio.people import Actor, may

COOKIE: Final = "studio_session"
IDLE_MS: Final = 60 * 60 * 1000
SESSIONS_MAX: Final = 1_000
API_PREFIX: Final = "/api/"
"""The operators' interface answers for itself: it knows keys, not cookies."""

CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody signed in at one station."""

    token: str
    csrf: str
    id: str
    name: str
    roles: frozenset[str]
    seen_ms: int

    def may(self, action: str) -> bool:
        return may(self.roles, action)


class Sessions:
    """Who is signed in, in memory. `fresh_token` gives a new unguessable token at each call."""

    def __init__(self, fresh_token: Callable[[], str], now_ms: Callable[[], int], idle_ms: int = IDLE_MS) -> None:
        self._fresh_token = fresh_token
        self._now_ms = now_ms
        self._idle_ms = idle_ms
        self._lock = threading.Lock()
        self._open: dict[str, Viewer] = {}

    def open(self, actor: Actor) -> Viewer:
        now_ms = self._now_ms()
        viewer = Viewer(
            self._fresh_token(), self._fresh_token(), actor.id, actor.name, frozenset(map(str, actor.roles)), now_ms
        )
        with self._lock:
            self._forget_idle(now_ms)
            self._open[viewer.token] = viewer
        return viewer

    def find(self, token: str, *, active: bool = True) -> Viewer | None:
        """Who holds this token. `active` is a person's own act, which puts the idle time-out off."""
        now_ms = self._now_ms()
        with self._lock:
            viewer = self._open.get(token)
            if viewer is None:
                return None
            if now_ms - viewer.seen_ms > self._idle_ms:
                del self._open[token]
                return None
            if active:
                viewer = self._open[token] = replace(viewer, seen_ms=now_ms)
            return viewer

    def close(self, token: str) -> None:
        with self._lock:
            self._open.pop(token, None)

    def _forget_idle(self, now_ms: int) -> None:
        kept = {token: one for token, one in self._open.items() if now_ms - one.seen_ms <= self._idle_ms}
        while len(kept) >= SESSIONS_MAX:
            del kept[min(kept, key=lambda token: kept[token].seen_ms)]
        self._open = kept


def viewer() -> Viewer | None:
    """Who asks, if signed in."""
    found: Viewer | None = g.get("viewer")
    return found


def signed_in() -> Viewer:
    """Who asks, on a route that `needs` somebody."""
    found = viewer()
    assert found is not None, "the route is guarded by `needs`"
    return found


def needs(*actions: str) -> Callable[[Callable[P, AnyResponse]], Callable[P, AnyResponse]]:
    """Guard a route: somebody signed in who may do one of the actions; with none named, anybody signed in."""

    def guard(route: Callable[P, AnyResponse]) -> Callable[P, AnyResponse]:
        @wraps(route)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> AnyResponse:
            found = viewer()
            if found is None:
                return _sign_in_first()
            if actions and not any(found.may(action) for action in actions):
                abort(403)
            return route(*args, **kwargs)

        return guarded

    return guard


def guard_app(app: Flask, sessions: Sessions) -> None:
    """Put the guard before every request and the headers after it."""

    @app.before_request
    def know_viewer() -> None:
        g.viewer = sessions.find(request.cookies.get(COOKIE, ""))
        if request.method not in ("GET", "HEAD", "OPTIONS") and not request.path.startswith(API_PREFIX):
            _check_sender()

    @app.after_request
    def add_headers(response: Response) -> Response:
        headers = response.headers
        if "Content-Security-Policy" not in headers:  # a page with a policy of its own says who may frame it
            headers.setdefault("X-Frame-Options", "DENY")
        headers.setdefault("Content-Security-Policy", CONTENT_POLICY)
        headers.setdefault("Cache-Control", "no-store")
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Referrer-Policy", "same-origin")
        headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response


def keep_cookie(response: AnyResponse, found: Viewer) -> AnyResponse:
    response.set_cookie(COOKIE, found.token, httponly=True, samesite="Lax", secure=request.is_secure, path="/")
    return response


def local_path(target: str | None) -> str:
    """Where to go after signing in: a path of this house, never another's address.

    >>> local_path("/pit/t1"), local_path("//elsewhere/x"), local_path("https://elsewhere")
    ('/pit/t1', '/', '/')
    """
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")):
        return "/"
    parts = urlsplit(target)
    return "/" if parts.scheme or parts.netloc else target


def _check_sender() -> None:
    origin = request.headers.get("Origin")
    if origin and urlsplit(origin).netloc != request.host:
        abort(403)
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        abort(403)
    found = viewer()
    if found is None:
        return
    given = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if not hmac.compare_digest(given.encode(), found.csrf.encode()):
        abort(403)


def _sign_in_first() -> AnyResponse:
    wanted = request.accept_mimetypes.best_match(("application/json", "text/html"))
    wants_page = request.method == "GET" and wanted == "text/html"
    if not wants_page:
        return current_app.make_response(({"refused": "Sign in again: nobody is signed in at this station."}, 401))
    target = "" if request.path == "/" else f"?next={request.path}"
    return redirect(f"/sign-in{target}")
