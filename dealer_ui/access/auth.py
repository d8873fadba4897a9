"""Who asks from a station: the cookies, the guard of every route, the headers of answers.

A session is a random token in an `HttpOnly`, `SameSite=Lax` cookie; what it stands for lies in `sessions`. A second
cookie names the station for good, so that the next sign-in there ends a forgotten one. Every POST must come from our
own pages: its `Origin` is ours, and the signed-in sender repeats the session's CSRF token.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final, NoReturn, ParamSpec
from urllib.parse import SplitResult, quote, urlsplit

from flask import Flask, Response, abort, current_app, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.access.sessions import Sessions
from dealer_ui.access.sessions import Viewer as Viewer

COOKIE: Final = "studio_session"
STATION_COOKIE: Final = "studio_station"
_YEAR_S: Final = 365 * 24 * 3600
_STATION: Final = re.compile(r"[0-9a-f]{12}")
SIGN_IN: Final = "/sign-in"
SIGN_IN_CODE: Final = "/sign-in/code"
SIGN_IN_PASSKEY: Final = "/sign-in/passkey"
SIGN_IN_PIN: Final = "/sign-in/pin"
_AT_THE_DOOR: Final = (SIGN_IN, SIGN_IN_CODE, SIGN_IN_PASSKEY, SIGN_IN_PIN)
BEAT: Final = "/beat"
STREAM: Final = "/stream/"
VIEW: Final = "/view/"
PLAY_PREFIX: Final = "/play/"
"""A bettor's page knows its own browser, and no session of the staff."""
API_PREFIX: Final = "/api/"
"""The operators' interface answers for itself: it knows keys, not cookies."""

VIOLATIONS: Final = "/violations"
"""Where browsers tell that a page broke its policy; no session of anybody's is looked at there."""

CONTENT_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    f"report-uri {VIOLATIONS}"
)

PERMISSIONS: Final = (
    "camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)"
)
"""What pages may ask the browser for: passkeys, and not in a frame of another site."""

FORM_BYTES_MAX: Final = 64 * 1024
"""No form of ours is longer, and of more a stranger would have it read field by field, for seconds on end."""

FOREIGN: Final = "foreign"
"""Under this name a request remembers that it came from a page that is not ours."""
_SPACE: Final = 0x20
"""Signs before it are no part of an address, and some end a header."""

P = ParamSpec("P")


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
        token, page = token_in(request.cookies, secure=request.is_secure), _page_asked()
        g.viewer = sessions.find(token, active=_by_hand(page), page=page)
        if g.viewer is None or not request.is_json:
            request.max_content_length = FORM_BYTES_MAX  # an address of the interface has a limit of its own
        is_act = request.method not in ("GET", "HEAD", "OPTIONS") and request.path != VIOLATIONS
        if is_act and not request.path.startswith(API_PREFIX):
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
        if request.is_secure:
            headers.setdefault("Strict-Transport-Security", f"max-age={_YEAR_S}")
        headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response


def cookie_name(name: str, *, secure: bool) -> str:
    """Behind TLS the name itself binds a cookie to this host: no neighbour can set it."""
    return f"__Host-{name}" if secure else name


def token_in(cookies: Mapping[str, str], *, secure: bool) -> str:
    """The session these cookies bring; empty without one."""
    return cookies.get(cookie_name(COOKIE, secure=secure), "")


def station(fresh_token: Callable[[], str] = lambda: secrets.token_hex(6)) -> str:
    """The name of the station that asks; a new one where it has none yet."""
    kept = request.cookies.get(cookie_name(STATION_COOKIE, secure=request.is_secure), "")
    return kept if _STATION.fullmatch(kept) else fresh_token()


def keep_cookie(response: AnyResponse, found: Viewer) -> AnyResponse:
    secure = request.is_secure
    own, here = cookie_name(COOKIE, secure=secure), cookie_name(STATION_COOKIE, secure=secure)
    response.set_cookie(own, found.token, httponly=True, samesite="Lax", secure=secure)
    response.set_cookie(here, found.station, max_age=_YEAR_S, httponly=True, samesite="Lax", secure=secure)
    return response


def drop_cookie(response: AnyResponse) -> AnyResponse:
    secure = request.is_secure
    response.delete_cookie(cookie_name(COOKIE, secure=secure), httponly=True, samesite="Lax", secure=secure)
    return response


def local_path(target: str | None) -> str:
    """Where to go after signing in: a path of this house, never another's address.

    >>> local_path("/pit/t1"), local_path("//elsewhere/x"), local_path("https://elsewhere")
    ('/pit/t1', '/', '/')
    """
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")):
        return "/"
    parts = _address(target)
    if parts is None or any(ord(letter) < _SPACE for letter in target):
        return "/"
    return "/" if parts.scheme or parts.netloc or parts.path in _AT_THE_DOOR else target


def _address(text: str) -> SplitResult | None:
    """Its parts; None where it is no address at all."""
    try:
        return urlsplit(text)
    except ValueError:
        return None


def _page_asked() -> str:
    """The page a person looks at, for whoever asks where he is; empty for pictures, streams and orders."""
    is_page = request.method == "GET" and request.accept_mimetypes.best_match(("image/png", "text/html")) == "text/html"
    return request.path if is_page and "text/html" in request.headers.get("Accept", "") else ""


def _by_hand(page: str) -> bool:
    """A person opened a page or sent something. What pages fetch by themselves is nobody's act."""
    return bool(page) or (request.method not in ("GET", "HEAD", "OPTIONS") and request.path != VIOLATIONS)


def _check_sender() -> None:
    origin = request.headers.get("Origin")
    if origin and ((address := _address(origin)) is None or address.netloc != request.host):
        _foreign()
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        _foreign()
    found = viewer()
    if found is None or request.path in _AT_THE_DOOR or request.path.startswith(PLAY_PREFIX):
        return  # a form of the sign-in may be older than the session that another tab of this browser began
    given = request.headers.get("X-CSRF-Token") or request.form.get("csrf", "")
    if not hmac.compare_digest(given.encode(), found.csrf.encode()):
        _foreign()


def _foreign() -> NoReturn:
    setattr(g, FOREIGN, True)
    abort(403)


def _sign_in_first() -> AnyResponse:
    wanted = request.accept_mimetypes.best_match(("application/json", "text/html"))
    if wanted != "text/html":
        return current_app.make_response(({"refused": "Sign in again: nobody is signed in at this station."}, 401))
    page = _asked_again()
    target = "" if page == "/" else f"?next={quote(page)}"
    return redirect(f"{SIGN_IN}{target}", 302 if request.method == "GET" else 303)


def _asked_again() -> str:
    """The page to show after a sign-in: the one asked for, whole; of a form that was sent, the page it stands on."""
    if request.method == "GET":
        return request.full_path.removesuffix("?")
    stands_on = _address(request.headers.get("Referer", ""))
    if stands_on is None or stands_on.netloc != request.host:
        return "/"
    return stands_on.path + (f"?{stands_on.query}" if stands_on.query else "")
