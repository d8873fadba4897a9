"""A bettor at the demo: `/bettor/<table>` opens a page on which whoever comes plays, with money of the demo's operator.

Each coming opens a new page, as a launch does, so that any browser may play. `?name=` is another bettor.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.desk.ticket import VALID_S_MAX, Tickets
from dealer_ui.floor.operators_floor import OperatorsFloor

NAME: Final = "guest"
PURSE_MINOR: Final = 100_000
"""What a new bettor finds in his purse, once."""
_NAME: Final = re.compile(r"[a-z]{1,16}")


def routes(
    floor: OperatorsFloor, tickets: Tickets, operator: str, session_of: Callable[[str], str] | None = None
) -> Blueprint:
    """`session_of`: how the operator knows a bettor, where he keeps the money himself."""
    found = Blueprint("guest", __name__)

    @found.get("/bettor/<table>")
    def play(table: str) -> Response:
        floor.view(table)
        asked = request.args.get("name", NAME)
        name = asked if _NAME.fullmatch(asked) else NAME
        if session_of is None:
            floor.deposit(operator, name, f"welcome.{name}", PURSE_MINOR)
        else:
            floor.open_session(table, operator, name, session_of(name))
        language = request.args.get("language", "")[:8]
        token, _ = tickets.issue(operator, name, table, language=language, valid_s=VALID_S_MAX, plays=True)
        return redirect(f"/play/{token}", 303)

    return found
