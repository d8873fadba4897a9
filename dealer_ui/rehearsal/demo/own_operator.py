"""The demo's operator: his page on which whoever comes plays, and his own till where he keeps bettors' money himself.

The till is a server in a process of its own. It is started again whenever it ends, at the same address and with the
same balances, as an operator's would be.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.config.shape import WalletSection
from dealer_ui.desk.ticket import VALID_S_MAX, Tickets
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.rehearsal.operator.server import CONTROL
from dealer_ui.rehearsal.person.interface import Interface
from studio.errors import BadInputError

GUEST: Final = "guest"
PURSE_MINOR: Final = 100_000
"""What a new bettor finds in his purse, once."""
_NAME: Final = re.compile(r"[a-z]{1,16}")

WELCOME_MINOR: Final = 10_000_000
"""What whoever is new to him finds in his account."""
_AGAIN_S: Final = 0.5
_LOOK_S: Final = 0.2
_STOP_S: Final = 5.0


class OwnOperator:
    """At `address` from the beginning to `close`; `keep` starts his server again where it ends."""

    def __init__(self, folder: Path, dialect: str) -> None:
        """`BadInputError` where he cannot be started."""
        self._folder = folder
        self.dialect = dialect
        self._port = 0
        self._process = self._started()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def control(self) -> str:
        """Where his faults are switched."""
        return f"{self.address}/{CONTROL}"

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def section(self) -> WalletSection:
        key = self._folder / f"studio.{self.dialect}"
        return WalletSection.model_validate({"dialect": self.dialect, "address": self.address, "key_file": str(key)})

    def keep(self, stop: threading.Event) -> None:
        while not stop.wait(_LOOK_S):
            if self._process.poll() is not None:
                try:
                    self._process = self._started()
                except BadInputError:  # somebody else has his port for the moment
                    stop.wait(_AGAIN_S)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        command = [
            sys.executable, "-m", "dealer_ui.cli", "wallet", "operator", str(self._folder), "--dialect", self.dialect,
            "--port", str(self._port), "--welcome", str(WELCOME_MINOR), "--json",
        ]  # fmt: skip
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)  # noqa: S603 - our own program
        assert process.stdout is not None
        with process.stdout:
            line = process.stdout.readline()
        try:
            told: dict[str, Any] = msgspec.json.decode(line)
        except msgspec.DecodeError:
            process.kill()
            process.wait()
            raise BadInputError(f"The demo's operator could not be started in {self._folder}.") from None
        self._port = int(str(told["address"]).rpartition(":")[2])
        return process


def session_of(bettor: str) -> str:
    """By which the operator knows him."""
    return f"session-{bettor}"


class LaunchingInterface(Interface):
    """For a crowd whose money is with its operator: instead of paying in, a bettor is launched, once."""

    def __init__(self, host: str, port: int, api_key: str, table: str) -> None:
        super().__init__(host, port, api_key)
        self._table = table
        self._launched: set[str] = set()

    def deposit(self, bettor: str, client_id: str, amount_minor: int) -> int:
        if bettor not in self._launched:
            self.launch(self._table, bettor, session_of(bettor))
            self._launched.add(bettor)
        return WELCOME_MINOR


def guest_routes(
    floor: OperatorsFloor, tickets: Tickets, operator: str, session_of: Callable[[str], str] | None = None
) -> Blueprint:
    """`/bettor/<table>` opens a page with money of the demo's operator; `?name=` is another bettor.

    Each coming opens a new page, as a launch does, so that any browser may play. `session_of`: how the operator knows a
    bettor, where he keeps the money himself.
    """
    found = Blueprint("guest", __name__)

    @found.get("/bettor/<table>")
    def play(table: str) -> Response:
        floor.view(table)
        asked = request.args.get("name", GUEST)
        name = asked if _NAME.fullmatch(asked) else GUEST
        if session_of is None:
            floor.deposit(operator, name, f"welcome.{name}", PURSE_MINOR)
        else:
            floor.launch(table, operator, name, session_of(name), None)
        language = request.args.get("language", "")[:8]
        token, _ = tickets.issue(operator, name, table, language=language, valid_s=VALID_S_MAX, plays=True)
        return redirect(f"/play/{token}", 303)

    return found
