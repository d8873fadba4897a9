"""A call in a process of its own, while this one goes on: the only place that starts our own code beside itself."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, TypeVar

from studio.errors import BadInputError, InvariantError

_Answer = TypeVar("_Answer")
_AFRESH: Final = multiprocessing.get_context("spawn")
"""A process that begins with nothing: what is forked off in mid-work keeps locks that nobody lets go."""
_END_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux."""
_TOLD, _RETURNED, _RAISED = "told", "returned", "raised"


class SideProcess(Generic[_Answer]):
    """`ask(*args)`, begun at once. Ask, arguments and answer are carried over, so they are values and named functions.

    With `hears` it is `ask(*args, tell)`: what it tells on its way comes to `hears`, in the thread that listens or
    waits for the answer.

    To be closed, by the thread that began it: that ends the process wherever it is, and so does that thread's end.
    An interrupt is for whoever waits, and not for it.
    `BadInputError` where it cannot be started.
    """

    def __init__(self, ask: Callable[..., _Answer], *args: object, hears: Callable[[Any], None] | None = None) -> None:
        self._pipe, end = _AFRESH.Pipe(duplex=False)
        self._process = _AFRESH.Process(target=_ask, args=(end, ask, args, hears is not None), daemon=True)
        self._hears = hears or (lambda told: None)
        self._said: tuple[str, Any] | None = None
        try:
            self._process.start()
        except OSError as error:
            self._pipe.close()
            sentence = f"No process can be started beside this one ({error.strerror}): make room for it, and try again."
            raise BadInputError(sentence) from error
        finally:
            end.close()

    def listen(self) -> None:
        """Hear what it has told by now; does not wait."""
        while self._said is None and self._pipe.poll():
            self._hear()

    def wait_for_word(self) -> None:
        """Wait until it tells something, has answered, or was ended."""
        if self._said is None:
            self._hear()

    def answer(self) -> _Answer:
        """Wait for it; raises what the call raised. `BadInputError` where somebody ended the process."""
        while self._said is None:
            self._hear()
        how, found = self._said
        if how == _RAISED:
            raise found
        answer: _Answer = found
        return answer

    def _hear(self) -> None:
        try:
            how, found = self._pipe.recv()
        except (EOFError, OSError):
            sentence = "A process that was at work beside this one was ended before it had answered; start it again."
            how, found = _RAISED, BadInputError(sentence)
        except Exception as error:  # whatever its own code says to being made anew
            how, found = _RAISED, InvariantError(f"What a process answered cannot be read here: {error!r}.")
        if how == _TOLD:
            self._hears(found)
        else:
            self._said = how, found

    def close(self) -> None:
        self._process.kill()  # which nobody puts off, so that waiting for it has an end
        self._process.join()
        self._process.close()
        self._pipe.close()

    def __enter__(self) -> SideProcess[_Answer]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _ask(end: Connection, ask: Callable[..., Any], args: tuple[object, ...], tells: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_whoever_began_it()
    try:
        said = _RETURNED, ask(*args, lambda told: end.send((_TOLD, told))) if tells else ask(*args)
    except Exception as error:
        said = _RAISED, _to_carry(error)
    with suppress(BrokenPipeError):  # whoever asked is gone
        try:
            end.send(said)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            end.send((_RAISED, InvariantError(f"What {ask.__qualname__} answered cannot be carried over: {error}.")))


def _end_with_whoever_began_it() -> None:
    """However it ends. Linux does it where a single step of this process lets no other thread of it run."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    threading.Thread(target=_watch_parent, daemon=True).start()


def _watch_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _to_carry(error: Exception) -> Exception | _Parts:
    """The exception as it is, where it says the same on the other side; else its parts; else its words alone."""
    for carried in (error, _Parts(error)):
        with suppress(Exception):  # whatever its own code says to being made anew
            found = pickle.loads(pickle.dumps(carried))  # noqa: S301 - our own, of this moment
            if type(found) is type(error) and str(found) == str(error):
                return carried
    return InvariantError(f"{type(error).__qualname__}: {error}")


class _Parts:
    """An exception that arrives without its `__init__`, which may ask for what it has not kept."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __reduce__(self) -> tuple[Any, ...]:
        return _put_together, (type(self._error), self._error.args, vars(self._error))


def _put_together(kind: type[Exception], args: tuple[object, ...], kept: Mapping[str, Any]) -> Exception:
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(kept)
    return error
