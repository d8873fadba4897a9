"""The only place for what the pages of a past round ask first: may he be here, who is it, is there such a round."""

from __future__ import annotations

from flask import abort, request
from werkzeug.wrappers import Response

from dealer_ui.auth import signed_in
from dealer_ui.console import Console
from studio.errors import RefusedError
from studio.people import Actor


def not_here(console: Console, error: RefusedError) -> Response:
    """There is no such round; of one that lies in an archive the page says so."""
    if error.key != "closed_year":
        abort(404)
    return console.plain("error.html", 404, sentence=console.language().refusal(error))


def need_place(console: Console, table: str, action: str) -> None:
    """Whoever may do this, and the dealer of the table, who asks where there is one pit boss alone on the floor."""
    asked = console.asked(table)
    if not signed_in().may(action) and signed_in().id != asked.house.view(table).dealer:
        abort(403)


def who_acts(console: Console) -> Actor:
    """Who asks; with a PIN typed, the PIN is checked and speaks for this one act."""
    desk, pin = console.house.staff, request.form.get("pin", "")
    return desk.confirm_pin(signed_in().id, pin) if pin else desk.actor(signed_in().id)
