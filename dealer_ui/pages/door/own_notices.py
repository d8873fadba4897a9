"""Somebody sees what happened to his own sign-in; whoever comes in after something did is led here first.

GET, POST /sign-ins   `act` seen, or not_me: his other sign-ins end and the pit is told; `upto_ms`: the newest he was
                      shown; `next`: where he goes afterwards
"""

from __future__ import annotations

from urllib.parse import quote

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import local_path, needs, signed_in
from dealer_ui.frame.console import Console
from studio.errors import RefusedError
from studio.people.signing_in import see_notices


def routes(console: Console) -> Blueprint:
    found = Blueprint("own_notices", __name__)

    @found.get("/sign-ins")
    @needs()
    def look() -> Response:
        return _page(console, local_path(request.args.get("next")))

    @found.post("/sign-ins")
    @needs()
    def seen() -> Response:
        target = local_path(request.form.get("next"))
        try:
            disowned = _seen(console)
        except RefusedError as error:
            return _page(console, target, console.language().refusal(error))
        return redirect(f"/pin?next={quote(target, safe='')}" if disowned else target, 303)

    return found


def _seen(console: Console) -> bool:
    """Keep what he says of it; gives whether some of it was not he."""
    fields, viewer = request.form, signed_in()
    act, upto = fields.get("act", ""), fields.get("upto_ms", "")
    if act not in ("seen", "not_me") or not (upto.isdecimal() and upto.isascii() and len(upto) < 16):
        raise RefusedError("unknown_command", "This page asked for something unknown: load it again.")
    console.house.staff.change(
        lambda register, now: see_notices(
            register, viewer.id, int(upto), station=viewer.station, now_ms=now, disowned=act == "not_me"
        )
    )
    return act == "not_me"


def _page(console: Console, target: str, refused: str = "") -> Response:
    viewer, people = signed_in(), console.house.staff.register.people
    own = people[viewer.id].notices
    told = own.at(viewer.station)
    return console.plain(
        "door/notices.html",
        409 if refused else 200,
        next=target,
        refused=refused,
        told=told[::-1],
        more=own.more,
        names={one.by: people[one.by].name for one in told if one.by in people},
        upto_ms=max((one.at_ms for one in own.told), default=0),
    )
