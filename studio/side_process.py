"""A call in a process of its own, while this one goes on: the only place that starts our own code beside itself."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Final, Generic, TypeVar

from studio.errors import BadInputError

_Answer = TypeVar("_Answer")
_AFRESH: Final = multiprocessing.get_context("spawn")
"""A process that begins with nothing: what is forked off in mid-work keeps locks that nobody lets go."""


class SideProcess(Generic[_Answer]):
    """`ask(*args)`, begun at once. Ask, arguments and answer are carried over, so they are values and named functions.

    To be closed, which ends the process wherever it is. An interrupt is for whoever waits, and not for it.
    `BadInputError` where it cannot be started.
    """

    def __init__(self, ask: Callable[..., _Answer], *args: object) -> None:
        self._answer, end = _AFRESH.Pipe(duplex=False)
        self._process = _AFRESH.Process(target=_ask, args=(end, ask, args), daemon=True)
        self._told: tuple[bool, Any] | None = None
        try:
            self._process.start()
        except OSError as error:
            self._answer.close()
            sentence = f"No process can be started beside this one ({error.strerror}): make room for it, and try again."
            raise BadInputError(sentence) from error
        finally:
            end.close()

    def has_answered(self) -> bool:
        """Whether `answer` would not wait: it has answered, or somebody ended it."""
        return self._told is not None or self._answer.poll()

    def answer(self) -> _Answer:
        """Wait for it; raises what the call raised. `BadInputError` where somebody ended the process."""
        if self._told is None:
            self._told = self._heard()
        returned, found = self._told
        if isinstance(found, Exception) and not returned:
            raise found
        answer: _Answer = found
        return answer

    def _heard(self) -> tuple[bool, Any]:
        try:
            returned, found = self._answer.recv()
        except (EOFError, OSError):
            sentence = "A process that was at work beside this one was ended before it had answered; start it again."
            raise BadInputError(sentence) from None
        return returned, found

    def close(self) -> None:
        self._process.terminate()
        self._process.join()
        self._process.close()
        self._answer.close()

    def __enter__(self) -> SideProcess[_Answer]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _ask(end: Connection, ask: Callable[..., Any], args: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        found = (True, ask(*args))
    except Exception as error:
        found = (False, error)
    end.send(found)
