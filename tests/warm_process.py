"""Our own commands and our own processes beside a test, forked from one that has the studio loaded.

A start costs some 1.5 s of a processor, nearly all of it to import what every other start imports. What `make test`
starts is forked from here; the long tests, and those of the night, start what a person starts.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.reduction import DupFd
from typing import Any, Final

from studio import side_process

LOADED: Final = (
    "dealer_ui.cli", "dealer_ui.verbs.running", "dealer_ui.verbs.operators", "dealer_ui.rehearsal.demo.demo",
    "dealer_ui.rehearsal.simulate", "dealer_ui.assembly.bootstrap", "devices.cli", "studio.proof.audit.database",
)  # fmt: skip
"""What is imported before anything is asked for; whatever else a command needs it imports by itself."""
_AFRESH: Final = side_process._AFRESH
_WARM: Final = multiprocessing.get_context("forkserver")
_WARM.set_forkserver_preload(list(LOADED))


def use(*, warm: bool) -> None:
    """Whether what starts from now on in this process of the tests is forked, or begins with nothing."""
    side_process._AFRESH = _WARM if warm else _AFRESH  # type: ignore[misc,assignment]


def is_used() -> bool:
    return side_process._AFRESH is _WARM  # type: ignore[comparison-overlap]


class WarmProcess:
    """`studio ...`, with as much of `subprocess.Popen` as the tests ask for; both its streams are text in pipes."""

    def __init__(self, arguments: Sequence[str]) -> None:
        out, its_out = os.pipe()
        err, its_err = os.pipe()
        self.stdout, self.stderr = open(out, encoding="utf-8"), open(err, encoding="utf-8")  # noqa: SIM115
        self._process = _WARM.Process(
            target=_run, args=(tuple(arguments), _End(its_out), _End(its_err), dict(os.environ), os.getcwd())
        )
        try:
            self._process.start()
        finally:
            os.close(its_out)
            os.close(its_err)
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if (code := self._process.exitcode) is None:
            raise subprocess.TimeoutExpired("studio", timeout or 0)
        return code

    def send_signal(self, told: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, told)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def ended(arguments: Sequence[str], timeout_s: float) -> subprocess.CompletedProcess[str]:
    """Run a command that is to end by itself."""
    process = WarmProcess(arguments)
    said: list[str] = []
    with process.stdout, process.stderr:
        listening = threading.Thread(target=lambda: said.append(process.stdout.read()))
        listening.start()
        complained = process.stderr.read()
        listening.join()
    try:
        return subprocess.CompletedProcess(list(arguments), process.wait(timeout_s), said[0], complained)
    finally:
        process.kill()


class _End:
    """The end of a pipe that goes over to the process which is begun."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _came_over, (DupFd(self._number),)


def _came_over(end: Any) -> int:
    number: int = end.detach()
    return number


def _run(arguments: Sequence[str], out: int, err: int, environment: Mapping[str, str], folder: str) -> None:
    for number, place in ((out, 1), (err, 2)):
        os.dup2(number, place)
        os.close(number)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv[:] = ["studio", *arguments]
    from dealer_ui.cli import main

    try:
        main()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
