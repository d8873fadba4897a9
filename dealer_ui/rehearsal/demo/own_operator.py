"""The demo's operator where he keeps his bettors' money himself: a server in a process of his own, with his own till.

It is started again whenever it ends, at the same address and with the same balances, as an operator's would be.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_ui.config.shape import WalletSection
from dealer_ui.rehearsal.operator.server import CONTROL
from dealer_ui.rehearsal.person.interface import Interface
from studio.errors import BadInputError

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
