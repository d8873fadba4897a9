"""The running studio, as the machine sees it: started, asked, limited, killed, and what it holds."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from soak.studio import SoakOptions

STOP_S = 20
"""A studio ends within 5 seconds; a busy machine is given longer."""
ROOT = Path(__file__).parents[1]
_PAGE = os.sysconf("SC_PAGE_SIZE")


class StudioGoneError(Exception):
    """The process ended by itself; what it said last is in its log."""


class Holding(msgspec.Struct, frozen=True):
    """What the process holds: memory in MB, open files, threads."""

    rss_mb: float
    files: int
    threads: int


class RunningStudio:
    """One life of the studio, from its start to its end. Used by one thread.

    It runs with as few arenas of the allocator as `config/studio.service` gives it.
    """

    def __init__(self, options: SoakOptions, log: IO[str]) -> None:
        self.options = options
        told = msgspec.json.encode(options).decode()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "soak.studio", told],
            cwd=ROOT, env={**os.environ, "MALLOC_ARENA_MAX": "2"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
        )  # fmt: skip
        opened = self._answer()
        self.api_key: str = opened["api_key"]
        self.tables: tuple[str, ...] = tuple(opened["tables"])

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, do: str, **what: Any) -> Any:
        """Give an order and hear what it said; None where it was refused, as an act of a person may be."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **what}) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise StudioGoneError(f"The studio does not listen any more: {error}.") from error
        return self._answer().get("said")

    def holding(self) -> Holding:
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
            threads = len(os.listdir(f"/proc/{self.pid}/task"))
            files = len(os.listdir(f"/proc/{self.pid}/fd"))
        except OSError as error:
            raise StudioGoneError("The studio has ended by itself.") from error
        return Holding(round(pages * _PAGE / 1e6, 1), files, threads)

    def disk_takes(self, most_bytes: int | None) -> None:
        """Let no file of the studio grow beyond so many bytes, as on a full disk; None: there is room again."""
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(
            self.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY if most_bytes is None else most_bytes, hard)
        )

    def kill(self) -> None:
        """Without a warning, as when the power goes."""
        self._process.kill()
        self._ended()

    def stop(self) -> int:
        """Tell it to stop; its exit code, or that of its kill when it does not end."""
        self._process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        self._process.kill()
        return self._ended()

    def _ended(self) -> int:
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        return code

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise StudioGoneError("The studio has ended by itself.")
        said: dict[str, Any] = json.loads(line)
        return said


def free_port() -> int:
    """A port nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
