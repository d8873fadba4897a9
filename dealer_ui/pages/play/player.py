"""Who plays on a bettor's page: the browser whose secret the ticket is bound to.

The secret lies in a cookie that goes to this page's own addresses alone. Behind TLS a page in an operator's frame gets
it too. A request that does something repeats a key made from the secret, which only the page itself was told.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final

from flask import request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import PLAY_PREFIX
from dealer_ui.desk.ticket import Ticket, Tickets

COOKIE: Final = "studio_bettor"
KEY_HEADER: Final = "X-Play-Key"
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Player:
    """`fresh`: the browser has no secret yet and is given this one; the ticket is bound when it comes back with it."""

    secret: str = field(repr=False)
    fresh: bool = False

    @property
    def key(self) -> str:
        return hashlib.sha256(f"play key of {self.secret}".encode()).hexdigest()[:32]

    def keep(self, response: Response, token: str, age_s: int) -> None:
        secure = request.is_secure
        response.set_cookie(
            COOKIE, self.secret, max_age=max(age_s, 1), path=f"{PLAY_PREFIX}{token}", httponly=True, secure=secure,
            samesite="None" if secure else "Lax", partitioned=secure,
        )  # fmt: skip


def player_of(tickets: Tickets, ticket: Ticket) -> tuple[Ticket, Player | None]:
    """The ticket as it stands now, and the player whose browser asks; None where it only looks on."""
    kept = request.cookies.get(COOKIE, "")
    if not ticket.plays or not _SECRET.fullmatch(kept):
        return ticket, None
    ticket = tickets.bind(ticket, kept)
    return ticket, Player(kept) if ticket.is_played_by(kept) else None


def newcomer(ticket: Ticket) -> Player | None:
    """A secret for the first browser that opens the page; None where there is one already, or nobody may play."""
    foreseen = request.headers.get("Sec-Purpose", "").startswith("prefetch")
    if not ticket.plays or ticket.player or request.method != "GET" or foreseen:
        return None
    return Player(secrets.token_urlsafe(32), fresh=True)


def has_key(player: Player) -> bool:
    """Whether the request was made by the page that was drawn for this player."""
    return hmac.compare_digest(request.headers.get(KEY_HEADER, "").encode(), player.key.encode())
