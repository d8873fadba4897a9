"""Has the database verified while the studio works: by a process of its own, and a modest one.

A running studio proves nothing itself: the tables' threads would wait. One verification at a time; the last answer is
kept until the next.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

NICE: Final = 19


@dataclass(frozen=True, slots=True)
class Verification:
    """How far it is. `percent` while it runs; then what it said, as of `ended_at_ms`."""

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
    def __init__(self, database: Path, now_ms: Callable[[], int]) -> None:
        self.state = Verification()
        self._database = database
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
        command = [sys.executable, "-c", code, "verify", str(self._database), "--json", "--progress"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            last: dict[str, Any] = {"error": "The verification ended without an answer: try it again."}
            assert process.stdout is not None
            for line in process.stdout:
                last = json.loads(line)
                if "percent" in last:
                    self.state = replace(self.state, percent=int(last["percent"]))
            return last
