"""The command `studio` as a process of its own, watched from outside."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import warm_process
from patience import PATIENCE_S
from warm_process import WarmProcess

from dealer_ui.api.door import PREFIX

COMMAND: Final = [sys.executable, "-c", "from dealer_ui.cli import main; main()"]
PAUSE_S: Final = 0.02
TRIES: Final = int(PATIENCE_S / PAUSE_S)


_PORTS: Final = range(12_000, 32_000)
"""Below those that the system gives to whoever asks for any."""
_CHANCE: Final = random.Random(os.getpid())


def free_port() -> int:
    """One that nobody has, and that nobody is given by chance until it is listened at, also after a kill."""
    while True:
        port = _CHANCE.choice(_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def ended(*arguments: str, timeout_s: float = PATIENCE_S) -> subprocess.CompletedProcess[str]:
    """Run a command that is to end by itself."""
    if warm_process.is_used():
        return warm_process.ended(arguments, timeout_s)
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=timeout_s, check=False)


class StudioProcess:
    """A studio that serves; `key` is an operator's API key."""

    def __init__(self, *arguments: str, port: int, key: str = "", command: Sequence[str] = ()) -> None:
        self.port = port
        self.key = key
        if not command and warm_process.is_used():
            self.process: subprocess.Popen[str] | WarmProcess = WarmProcess(arguments)
        else:
            self.process = subprocess.Popen(
                [*(command or COMMAND), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        self._pause = threading.Event()

    @classmethod
    def demo(cls, database: Path, *arguments: str, seed: int = 1) -> StudioProcess:
        port = free_port()
        made = cls(
            "demo", "--json", "--port", str(port), "--db", str(database), "--seed", str(seed), *arguments, port=port
        )
        made.key = json.loads(made.line())["api_key"]
        return made

    def __enter__(self) -> StudioProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        self.process.wait()

    def line(self) -> str:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        line = self.process.stdout.readline()
        assert line, f"it ended: {self.process.stderr.read()}"
        return line

    def kill(self) -> None:
        """Without a warning, as when the power goes."""
        self.process.kill()
        self.process.wait()

    def stop(self, told: signal.Signals) -> tuple[int, str]:
        """Tell it to stop; the exit code and what it said to the error stream."""
        self.process.send_signal(told)
        code = self.process.wait(timeout=PATIENCE_S)
        assert self.process.stderr is not None
        return code, self.process.stderr.read()

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """One request to the operators' interface; `OSError` when nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            payload = None if body is None else json.dumps(body)
            headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
            connection.request(method, PREFIX + path, payload, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        finally:
            connection.close()

    def table(self, key: str) -> dict[str, Any]:
        """The table's public state, as soon as anybody answers."""
        for _ in range(TRIES):
            try:
                status, said = self.ask("GET", f"/tables/{key}")
            except OSError:
                self._pause.wait(PAUSE_S)
                continue
            assert status == 200, said
            return dict(said)
        raise AssertionError("nobody answers")

    def until(self, key: str, **wanted: object) -> dict[str, Any]:
        """The table's state once it says so."""
        return self.once(key, lambda state: all(state[name] == value for name, value in wanted.items()))

    def once(self, key: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The table's state once that holds."""
        for _ in range(TRIES):
            state = self.table(key)
            if holds(state):
                return state
            self._pause.wait(PAUSE_S)
        raise AssertionError(f"it never came to that: {state}")
