"""In which lane a request waits: that of staff, of operators, of bettors or of the public.

The lane follows from what the request brings: a session, an operator's key, a bettor's ticket. It decides only where
the request waits for a thread, in turn with the others in its lane; whether the request is allowed is decided later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from werkzeug.http import parse_cookie

from dealer_ui.access.auth import API_PREFIX, token_in
from dealer_ui.process.address import neighbours
from dealer_ui.serving.proxy import Origin

Lane: TypeAlias = Literal["staff", "operators", "bettors", "public"]
PLAY: Final = "/play/"


def readable_cookie(header: str) -> str:
    """The header as WSGI writes it, byte for letter, with a sign in place of what is no UTF-8: nobody must read it.

    >>> readable_cookie("a=b; c=" + chr(255)).startswith("a=b; c=")
    True
    """
    return header.encode("latin-1", "replace").decode(errors="replace").encode().decode("latin-1")


@dataclass(frozen=True, slots=True)
class LanePlace:
    lane: Lane
    holder: str


@dataclass(frozen=True, slots=True)
class Usher:
    """Each is asked with what the request brought; nothing found is the public. Fast, and blocks nowhere."""

    has_session: Callable[[str], bool] = lambda token: False
    operator_of: Callable[[str], str | None] = lambda key: None
    has_ticket: Callable[[str], bool] = lambda token: False

    def place(self, path: str, headers: Mapping[str, str], origin: Origin) -> LanePlace:
        """`headers` by their names in capitals, with underscores."""
        address = neighbours(origin.address)
        if path.startswith(API_PREFIX):
            operator = self.operator_of(headers.get("AUTHORIZATION", "").partition(" ")[2].strip())
            return LanePlace("operators", operator) if operator else LanePlace("public", address)
        if path.startswith(PLAY):
            token = path.removeprefix(PLAY).partition("/")[0]
            return LanePlace("bettors", token) if self.has_ticket(token) else LanePlace("public", address)
        cookies = parse_cookie(readable_cookie(headers.get("COOKIE", "")))
        token = token_in(cookies, secure=origin.scheme == "https")
        return LanePlace("staff", token) if token and self.has_session(token) else LanePlace("public", address)
