"""A NATS server of a test's own, with the rights of `nats-server.conf`, stopped and started as the test wants."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Final

import pytest
from closed_again import closed_again
from patience import wait_until

CONFIG: Final = Path(__file__).parent.parent / "dealer_ui/wire/nats-server.conf"
PASSWORDS: Final = {"table": "a-password-of-table-hosts", "web": "a-password-of-web-nodes"}
PROGRAM: Final = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")

needs_nats = pytest.mark.skipif(
    PROGRAM is None, reason="nats-server is not installed: run 'make setup' as root, or 'apt-get install nats-server'."
)


class NatsServer:
    """On a port of its own, which it keeps when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.address = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        text = CONFIG.read_text(encoding="utf-8").replace("127.0.0.1:4222", f"127.0.0.1:{self.port}")
        (folder / "nats-server.conf").write_text(text, encoding="utf-8")
        for role, password in PASSWORDS.items():
            self.secret_of(role).write_text(f"{role}:{password}\n", encoding="utf-8")

    def secret_of(self, role: str) -> Path:
        return self.folder / f"{role}.secret"

    def start(self) -> None:
        assert PROGRAM is not None
        named = {f"{role.upper()}_PASSWORD": password for role, password in PASSWORDS.items()}
        with (self.folder / "nats-server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "--config", str(self.folder / "nats-server.conf")], stdout=log, stderr=log,
                env={**os.environ, **named},
            )  # fmt: skip
        with closed_again(self.stop):
            wait_until(self._answers)

    def stop(self) -> None:
        """At once, as when its machine goes."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> NatsServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
