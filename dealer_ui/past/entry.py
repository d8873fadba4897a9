"""What the pages of a past round ask first: may he be here, who is it, is there such a round."""

from __future__ import annotations

from flask import abort
from werkzeug.wrappers import Response

from dealer_ui.access.auth import signed_in
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Asked
from studio.errors import RefusedError


def not_here(console: Console, error: RefusedError) -> Response:
    """There is no such round; of one that lies in an archive the page says so."""
    if error.key != "closed_year":
        abort(404)
    return console.plain("error.html", 404, sentence=console.language().refusal(error))


def need_place(console: Console, table: str, action: str) -> None:
    """Whoever may do this, and the dealer of the table, who asks where there is one pit boss alone on the floor."""
    asked = console.asked(table)
    if not signed_in().may(action) and signed_in().id != asked.house.view(table).seat.dealer:
        abort(403)


def may_look(asked: Asked) -> bool:
    """The same of a page that lives: the pit, and the dealer of this table."""
    viewer = asked.viewer
    return viewer is not None and (viewer.may("view_pit") or viewer.id == asked.house.view(asked.table).seat.dealer)
