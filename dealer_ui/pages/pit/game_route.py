"""The page on which the pit changes a table's game, pay table, limits and window.

GET  /pit/<table>/game?preset=NAME     what may be chosen, and its limits in every currency of the table
POST /pit/<table>/game                 → 303 to the table, or the page with the refusal
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.frame.command_form import read_fields
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_way import REASONS
from dealer_ui.pages.pit.game_choice import choices, command_of, limits_shown
from studio.errors import RefusedError
from studio.games import find_game
from studio.money import format_minor
from studio.views.hand.room import stakes_of


def routes(console: Console) -> Blueprint:
    found = Blueprint("game", __name__)

    @found.get("/pit/<table>/game")
    @needs("change_table")
    def page(table: str) -> Response:
        return _page(console, table, request.args.get("preset"))

    @found.post("/pit/<table>/game")
    @needs("change_table")
    def change(table: str) -> Response:
        if table not in console.house.tables:
            abort(404)
        fields = read_fields(request.get_json(silent=True), request.form)
        try:
            console.house.command(table, command_of(console.house, table, fields, who_acts(console.house, fields)))
        except RefusedError as error:
            new = ("pin", "csrf", "shown") if error.key == "terms_changed" else ("pin", "csrf")
            kept = {name: value for name, value in fields.items() if name not in new}
            return _page(console, table, fields.get("preset"), console.language().refusal(error), kept)
        return redirect(f"/pit/{table}", 303)

    return found


def _page(
    console: Console, table: str, preset: str | None, refused: str = "", kept: Mapping[str, str] | None = None
) -> Response:
    if table not in console.house.tables:
        abort(404)
    view, offered = console.house.view(table), choices(console.house, table)
    preset = view.game.preset if preset is None else preset
    chosen = next((one for one in offered if one.name == preset), offered[0])
    currency = chosen.config.currency
    typed = {
        bet: (_plain(limit.least_minor, currency), _plain(limit.most_minor, currency))
        for bet, limit in chosen.config.limits.items()
    }
    stakes = stakes_of(find_game(chosen.config.game), chosen.config.rules)
    return console.plain(
        "pit_table/game.html", 409 if refused else 200, view=view, choices=offered, chosen=chosen, typed=typed,
        shown=limits_shown(chosen.config), stakes=stakes, refused=refused, kept=kept or {}, reasons=REASONS,
        exposure_typed=_plain(chosen.config.exposure_most_minor, currency),
    )  # fmt: skip


def _plain(amount_minor: int, currency: str) -> str:
    """The figure alone, as it is typed."""
    return format_minor(amount_minor, currency).split()[0]
