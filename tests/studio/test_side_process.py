"""A call in a process of its own: what it tells, what it answers, and what it raises arrives with its words."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
import warm_process
from patience import wait_until

from studio.errors import BadInputError, InvariantError, RefusedError, StudioError
from studio.journal.postgres.connection import PostgresError
from studio.side_process import SideProcess


@pytest.fixture(autouse=True)
def afresh() -> None:
    """Started as in a studio, also where the tests have what they start forked."""
    warm_process.use(warm=False)


def refused() -> None:
    raise RefusedError("locked", "Wait for Ann.", which="badge", person="Ann")


def server_gone() -> None:
    raise PostgresError(psycopg.OperationalError("the line is cut"))


def bad_input() -> None:
    raise BadInputError("It is no number.", where="studio.toml")


def no_file() -> None:
    open("/no/such/file").close()


class WrongCountError(StudioError):
    """Says more than it is given, so that whoever makes it anew from its words would say it twice."""

    def __init__(self, count: str) -> None:
        super().__init__(f"There are {count} of them.")


def counted() -> None:
    raise WrongCountError("three")


def own_kind() -> None:
    class HiddenError(Exception):
        """Nobody else can name it."""

    raise HiddenError("It is known here alone.")


def unable_to_travel() -> object:
    return threading.Lock()


RAISED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "asks for more than it keeps": (refused, RefusedError, "Wait for Ann."),
    "asks for what it does not keep": (server_gone, PostgresError, "The database answered: the line is cut."),
    "keeps more than its words": (bad_input, BadInputError, "studio.toml: It is no number."),
    "says more than it is given": (counted, WrongCountError, "There are three of them."),
    "of the system": (no_file, FileNotFoundError, "[Errno 2] No such file or directory: '/no/such/file'"),
    "of a kind that has no name": (own_kind, InvariantError, "own_kind.<locals>.HiddenError: It is known here alone."),
    "an answer that cannot travel": (
        unable_to_travel,
        InvariantError,
        "What unable_to_travel answered cannot be carried over: cannot pickle '_thread.lock' object.",
    ),
}


@pytest.mark.parametrize(("ask", "kind", "sentence"), RAISED.values(), ids=RAISED)
def test_what_it_raises_is_raised_where_it_is_waited_for(
    ask: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with SideProcess(ask) as side, pytest.raises(kind) as caught:
        side.answer()
    assert type(caught.value) is kind
    assert str(caught.value) == sentence


def test_a_refusal_arrives_with_all_that_it_names() -> None:
    with SideProcess(refused) as side, pytest.raises(RefusedError) as caught:
        side.answer()
    assert vars(caught.value) == vars(RefusedError("locked", "Wait for Ann.", which="badge", person="Ann"))


def telling(words: int, tell: Callable[[object], None]) -> str:
    for number in range(words):
        tell(number)
    return "done"


def test_what_it_tells_on_its_way_is_heard_before_its_answer() -> None:
    heard: list[int] = []
    with SideProcess(telling, 3, hears=heard.append) as side:
        side.wait_for_word()
        assert heard == [0]
        assert side.answer() == "done"
        side.listen()
    assert heard == [0, 1, 2]


def ended_while_it_tells(tell: Callable[[object], None]) -> None:
    tell(1)
    os._exit(9)


def test_what_was_told_is_heard_of_a_process_that_was_ended() -> None:
    heard: list[int] = []
    with SideProcess(ended_while_it_tells, hears=heard.append) as side:
        for _ in range(2):
            with pytest.raises(BadInputError, match="was ended before it had answered; start it again"):
                side.answer()
        side.listen()
        side.wait_for_word()
    assert heard == [1]


def stuck(tell: Callable[[object], None]) -> None:
    """One step in which no other thread of the process runs, and which takes no end that can be put off."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    tell(os.getpid())
    ctypes.PyDLL(None).sleep(60)


def begin_and_wait(line: Any) -> None:
    side = SideProcess(stuck, hears=line.send)
    side.wait_for_word()
    signal.pause()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_whoever_began_it(how: signal.Signals) -> None:
    ear, line = multiprocessing.Pipe(duplex=False)
    parent = multiprocessing.get_context("spawn").Process(target=begin_and_wait, args=(line,))
    parent.start()
    child = ear.recv()
    os.kill(parent.pid or 0, how)
    parent.join()
    wait_until(lambda: not Path(f"/proc/{child}/cmdline").exists() or not Path(f"/proc/{child}/cmdline").read_bytes())


def test_closing_it_waits_for_nothing_it_does() -> None:
    heard: list[int] = []
    with SideProcess(stuck, hears=heard.append) as side:
        side.wait_for_word()
    assert not Path(f"/proc/{heard[0]}").exists()
