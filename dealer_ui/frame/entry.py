"""How somebody comes in at a station, at the sign-in form or as the next dealer of a table: his session, or why not."""

from __future__ import annotations

from flask import current_app, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import keep_cookie, token_in
from dealer_ui.frame.console import Console
from studio.errors import RefusedError
from studio.people import Actor


def told_away(console: Console, error: RefusedError, badge: str) -> None:
    """Note who was refused at the door. What was typed as a badge is told only where somebody wears it."""
    worn = console.house.staff.register.with_badge(badge) is not None
    console.turned_away.note("sign_in", error.key, request.remote_addr, badge if worn else "")


def enter_as(console: Console, actor: Actor, at: str, target: str) -> Response:
    """The session of somebody whose sign-in at this station is on record; the one before it here is over."""
    before = console.sessions.close(token_in(request.cookies, secure=request.is_secure))
    if before is not None and (before.id, before.station) != (actor.id, at):
        console.house.staff.sign_out(before.id, before.station)
    viewer = console.sessions.open(actor, at, request.remote_addr or "")
    return keep_cookie(redirect(target, 303), viewer)


def dealer_room() -> str:
    """Where a dealer works: at the console, or at the demo's page that has his hands too."""
    return "hands" if "hands" in current_app.blueprints else "dealer"
