"""The auditor's pages: the search of the record, and the state of its chains.

    GET  /audit          the form, what was found, the state
    GET  /audit/state    the state alone, while a verification runs
    POST /audit/verify   has the database verified; it changes nothing

Nothing here changes the record; who may only look may use all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, signed_in
from dealer_ui.care.checkpoint_desk import CheckpointDesk
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.pages.audit.search import FIELDS, FIRST, GROUPS, Found, as_picked, find, read_query
from dealer_ui.pages.audit.verifying import Verifier
from studio.errors import RefusedError

_ROW: Final = re.compile(r"[0-9]{1,18}")


def routes(console: Console) -> Blueprint:
    found = Blueprint("record", __name__)
    verifier = Verifier(Path(console.house.config.studio.database), console.house.now_ms)

    @found.get("/audit")
    @needs("view_audit")
    def page() -> Response:
        given = {name: request.args.get(name, "") for name in FIELDS}
        if not any(name in request.args for name in FIELDS):
            given["kind"] = FIRST
        refused, hits = "", Found((), None, 0)
        try:
            before = request.args.get("before", "")
            query = read_query(console.house, given)
            hits = find(
                console.house, console.language(), given["what"], query, int(before) if _ROW.fullmatch(before) else None
            )
        except RefusedError as error:
            refused = console.language().refusal(error)
        return console.plain(
            "audit/search.html",
            given=given,
            found=hits,
            refused=refused,
            groups=GROUPS,
            tables=[(key, console.house.view(key).title) for key in console.house.tables],
            older=_link(given, hits.before),
            picked={"from": as_picked(given["from"]), "to": as_picked(given["to"], last=True)},
            first=not request.args.get("before"),
            **_state(console.house, verifier),
        )

    @found.get("/audit/state")
    @needs("view_audit")
    def state() -> Response:
        return console.plain("audit/state.html", **_state(console.house, verifier))

    @found.post("/audit/verify")
    @needs("view_audit")
    def verify() -> Response:
        verifier.start(signed_in().name)
        return redirect("/audit#state", 303)

    return found


def _link(given: Mapping[str, str], before: int | None) -> str:
    if before is None:
        return ""
    return "/audit?" + urlencode({**{name: value for name, value in given.items() if value}, "before": before})


def _state(house: House, verifier: Verifier) -> Mapping[str, Any]:
    desk: CheckpointDesk | None = house.checkpoints
    reader = house.reader()
    return {
        "verification": verifier.state,
        "journal_head": reader.head(),
        "ledger_head": reader.ledger_head(),
        "checkpoint": desk.last if desk else None,
        "witnesses": desk.standings if desk else (),
        "public_key": desk.public_key if desk else "",
    }
