"""The page of the progressive pots: what lies in each, who feeds it, and moving what rests in one that nobody feeds.

GET  /pit/pots
POST /pit/pots      `pot` `to` `words`, the PIN, and badge and PIN of a second person   → 303, or the page again
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.desk.pot import KeptPot, PotMove, pots
from dealer_ui.floor.house import House
from dealer_ui.floor.pot_feed import feeders
from dealer_ui.frame.command_door import second_person
from dealer_ui.frame.command_form import read_fields
from dealer_ui.frame.console import Console
from studio.errors import RefusedError


def known_pots(house: House) -> Sequence[KeptPot]:
    return pots(house.reader(), feeders(house))


def routes(console: Console) -> Blueprint:
    found = Blueprint("pots", __name__)

    def shown(refused: str = "", kept: Mapping[str, str] | None = None) -> Response:
        every = known_pots(console.house)
        return console.plain("pots/page.html", 409 if refused else 200, pots=every, refused=refused, kept=kept or {})

    @found.get("/pit/pots")
    @needs("view_pit")
    def page() -> Response:
        return shown()

    @found.post("/pit/pots")
    @needs("move_pot")
    def act() -> Response:
        fields = read_fields(request.get_json(silent=True), request.form)
        asked = PotMove(fields.get("pot", ""), fields.get("to", ""), fields.get("words", ""), fields.get("shown", ""))
        try:
            by, beside = who_acts(console.house, fields), second_person(console, fields)
            console.house.move_pot(asked, feeders(console.house), by, beside)
        except RefusedError as error:
            kept = {"pot": asked.pot, "to": asked.to, "words": asked.words}
            return shown(console.language().refusal(error), kept)
        return redirect("/pit/pots", 303)

    return found
