"""A question is done once, refused, or unknown and asked after; it is never sent anew."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from patience import wait_until

from dealer_ui.wire.asking import CHECKED_S, HostAsking, UnknownError, UnreachableError
from dealer_ui.wire.call import MOVE, OWN_KEY
from dealer_ui.wire.link import NoAnswerError, NobodyThereError
from dealer_ui.wire.memory import Memory
from dealer_ui.wire.message import VERSION, Ask, Here, Told, pack, read_ask
from dealer_ui.wire.presence import Neighbour
from dealer_ui.wire.web_floor import WebFloor
from studio.diagnosis import Unseen
from studio.errors import BadInputError, RefusedError, StorageError
from studio.money import Answer

DONE = Answer("c1", "b1", "accepted")


def host(run: str = "run-1", version: str = VERSION, *, there: bool = True) -> Neighbour:
    return Neighbour(Here("a", "table", run, version, 0, 0, {"t1": 1}), 0.0, there)


class Ears:
    """A wire whose far end says what a test wants: an answer, or the error of asking."""

    def __init__(self, *says: Told | Exception | Callable[[Ask], Told]) -> None:
        self.says = list(says)
        self.asked: list[Ask] = []
        self.up = True

    def ask(self, subject: str, message: bytes, timeout_s: float) -> bytes:
        self.asked.append(read_ask(message))
        said = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        if isinstance(said, Exception):
            raise said
        return pack(said if isinstance(said, Told) else said(self.asked[-1]))


def asking(wire: Ears) -> HostAsking:
    """Every look at the clock is a second later, and nobody waits."""
    seconds = iter(range(10_000))
    return HostAsking(wire, monotonic=lambda: float(next(seconds)), stopping=_NeverWaits())  # type: ignore[arg-type]


class _NeverWaits(threading.Event):
    def wait(self, timeout: float | None = None) -> bool:
        return False


def move(wire: Ears, at: Neighbour | None = None) -> Any:
    return asking(wire).of(at or host(), "studio.ask.a", MOVE, "deposit", "north", "ann", "c1", 500, "EUR")


def done() -> Told:
    return Told("done", MOVE.pack_answer(DONE))


def test_an_answer_is_the_answer() -> None:
    assert move(Ears(done())) == DONE


def test_where_nobody_is_there_nothing_was_done_and_that_is_said_at_once() -> None:
    wire = Ears(NobodyThereError("studio.ask.a"))
    with pytest.raises(UnreachableError, match=r"The table cannot be reached: .*Nothing was done\."):
        move(wire)
    assert len(wire.asked) == 1


def test_a_host_that_stands_still_is_connected_and_asked_nothing() -> None:
    wire = Ears(NoAnswerError("late"))
    with pytest.raises(UnreachableError, match=r"its host a does not answer\. Nothing was done\."):
        move(wire, host(there=False))
    assert wire.asked == []


def test_an_answer_that_does_not_come_is_asked_after_by_its_own_id_and_never_sent_anew() -> None:
    wire = Ears(NoAnswerError("late"), Told("late"), NoAnswerError("late"), done())
    assert move(wire) == DONE
    first, *after = wire.asked
    assert [one.what for one in wire.asked] == ["move", "fate", "fate", "fate"]
    assert {one.of for one in after} == {first.id}
    assert {one.to for one in wire.asked} == {"run-1"}


def test_what_never_came_to_the_host_was_not_done() -> None:
    with pytest.raises(UnreachableError, match=r"Nothing was done"):
        move(Ears(NoAnswerError("late"), Told("never")))


@pytest.mark.parametrize("says", [NoAnswerError("late"), NobodyThereError("gone"), Told("late")], ids=repr)
def test_what_nobody_knows_is_said_to_be_unknown_after_a_while(says: Told | Exception) -> None:
    wire = Ears(NoAnswerError("late"), says)
    with pytest.raises(UnknownError, match="nobody knows whether it was done"):
        move(wire)
    assert 2 < len(wire.asked) <= CHECKED_S + 2


def test_another_run_of_the_host_does_not_know_what_the_one_before_it_did() -> None:
    with pytest.raises(UnknownError):
        move(Ears(NoAnswerError("late"), Told("lost")))


def test_another_run_of_the_host_that_is_asked_at_once_has_done_nothing() -> None:
    with pytest.raises(UnreachableError, match="started anew"):
        move(Ears(Told("never")))


def test_a_look_is_not_asked_after() -> None:
    wire = Ears(NoAnswerError("late"))
    with pytest.raises(UnreachableError):
        asking(wire).of(host(), "studio.ask.a", OWN_KEY, "north", "ann", "t1-0000001", "card-1")
    assert len(wire.asked) == 1


def test_a_refusal_is_raised_here() -> None:
    with pytest.raises(RefusedError, match="Too late"):
        move(Ears(Told("refused", kind="refused", key="late", sentence="Too late.", values=[])))


def test_an_answer_of_another_shape_is_told_in_a_sentence() -> None:
    with pytest.raises(BadInputError, match="another version"):
        move(Ears(Told("done", [1])))


def test_a_host_of_another_version_is_not_asked() -> None:
    wire = Ears(done())
    with pytest.raises(UnreachableError, match="another version"):
        move(wire, host(version="old"))
    assert wire.asked == []


def test_a_host_nobody_has_heard_of_is_not_asked() -> None:
    with pytest.raises(UnreachableError, match="no host has told of it"):
        asking(Ears(done())).of(None, "studio.ask.", MOVE, "deposit", "north", "ann", "c1", 500, "EUR")


# --- the far end's memory -----------------------------------------------------------------------------------


def test_a_question_that_comes_twice_is_done_once_and_answered_alike() -> None:
    memory, times = Memory(), []
    for _ in range(2):
        assert memory.once("q1", lambda: times.append(1) or done()).of == done().of  # type: ignore[func-returns-value]
    assert times == [1]
    assert memory.fate("q1") == done()


def test_a_question_that_is_asked_after_before_it_came_is_never_done() -> None:
    memory, times = Memory(), []
    assert memory.fate("q1").state == "never"
    assert memory.once("q1", lambda: times.append(1) or done()).state == "never"  # type: ignore[func-returns-value]
    assert times == []


def test_a_question_that_is_being_done_is_late_until_it_is() -> None:
    memory, go_on = Memory(), threading.Event()

    def slowly() -> Told:
        go_on.wait()
        return done()

    doing = threading.Thread(target=memory.once, args=("q1", slowly))
    doing.start()
    wait_until(lambda: memory.fate("q1").state == "late")
    go_on.set()
    doing.join()
    assert memory.fate("q1").state == "done"


def test_what_fails_by_an_error_of_our_own_is_known_by_nobody() -> None:
    memory = Memory()

    def fails() -> Told:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        memory.once("q1", fails)
    assert memory.fate("q1").state == "lost"


def test_only_the_newest_questions_are_remembered() -> None:
    memory = Memory(most=3)
    for number in range(5):
        memory.once(f"q{number}", done)
    assert memory.fate("q4").state == "done"
    assert memory.fate("q0").state == "never"


@pytest.mark.parametrize(
    "said", [BadInputError("of another version"), StorageError("a full disk"), UnknownError("late"), (b"",)], ids=repr
)
def test_what_one_host_says_of_a_picture_costs_no_other_table_its_own(said: Any) -> None:
    ears = Ears(Told("done", said) if isinstance(said, tuple) else said)
    asked = SimpleNamespace(at=lambda table, call, *given: asking(ears).of(host(), "studio.ask.a", call, *given))
    web: Any = SimpleNamespace(_hosts=asked)
    assert WebFloor.camera_jpeg(web, "t1") is Unseen.UNREACHABLE
