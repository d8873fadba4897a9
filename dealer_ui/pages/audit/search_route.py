"""The auditor's pages: the search of the record, and the state of its chains.

    GET  /audit          the form, what was found, the state
    GET  /audit/state    the state alone, while a verification runs
    POST /audit/verify   has the database verified; it changes nothing

The database is verified by a process of its own, and a modest one: a running studio proves nothing itself, for the
tables' threads would wait. One verification at a time; the last answer is kept until the next.

Nothing here changes the record; who may only look may use all of it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, signed_in
from dealer_ui.care.checkpoint_desk import CheckpointDesk
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.pages.audit.search import FIELDS, FIRST, GROUPS, SearchFound, as_picked, find, read_query
from studio.errors import RefusedError

NICE: Final = 19


_ROW: Final = re.compile(r"[0-9]{1,18}")


def routes(console: Console) -> Blueprint:
    found = Blueprint("record", __name__)
    verifier = Verifier(console.house.config.record, console.house.now_ms)

    @found.get("/audit")
    @needs("view_audit")
    def page() -> Response:
        given = {name: request.args.get(name, "") for name in FIELDS}
        if not any(name in request.args for name in FIELDS):
            given["kind"] = FIRST
        refused, hits = "", SearchFound((), None, 0)
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
        "program": house.program.standing if house.program else None,
    }


@dataclass(frozen=True, slots=True)
class Verification:
    """One verification of the database: `percent` done while it runs; then its result, as of `ended_at_ms`."""

    running: bool = False
    percent: int = 0
    began_at_ms: int = 0
    ended_at_ms: int = 0
    rounds: int = 0
    events: int = 0
    entries: int = 0
    ok: bool | None = None
    sentence: str = ""
    by: str = ""


class Verifier:
    def __init__(self, record: str, now_ms: Callable[[], int]) -> None:
        self.state = Verification()
        self._record = record
        self._now_ms = now_ms
        self._door = threading.Lock()

    def start(self, by: str) -> bool:
        """Begin, unless one is under way; returns at once."""
        with self._door:
            if self.state.running:
                return False
            self.state = Verification(running=True, began_at_ms=self._now_ms(), by=by)
        threading.Thread(target=self._run, name="verify", daemon=True).start()
        return True

    def _run(self) -> None:
        try:
            said = self._asked()
        except (OSError, ValueError) as error:
            said = {"ok": None, "error": str(error)}
        wrong = said.get("first_wrong") or {}
        self.state = replace(
            self.state, running=False, percent=100, ended_at_ms=self._now_ms(), ok=said.get("ok"),
            sentence=str(wrong.get("sentence") or said.get("error") or ""),
            rounds=said.get("rounds", 0), events=said.get("events", 0), entries=said.get("entries", 0),
        )  # fmt: skip

    def _asked(self) -> dict[str, Any]:
        """What the other process says at the end; its other lines tell how far it is."""
        code = "from dealer_ui.cli import main; main()"
        command = [sys.executable, "-c", code, "verify", self._record, "--json", "--progress"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            answer: dict[str, Any] = {"error": "The verification ended without an answer: try it again."}
            assert process.stdout is not None
            for line in process.stdout:
                if not line.endswith("\n"):
                    break  # it was ended in mid-word
                said = json.loads(line)
                if "percent" in said:
                    self.state = replace(self.state, percent=int(said["percent"]))
                else:
                    answer = said
            return answer
