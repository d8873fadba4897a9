"""Where a table goes: drains, sendings, and whatever of them is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from studio.errors import RefusedError
from studio.people import Actor
from studio.pit import pit_event as e
from studio.pit.move import (
    Moved,
    MoveOrder,
    Moves,
    RunningHost,
    drain_host,
    evolve_moves,
    keep_table,
    return_host,
    send_table,
)

NOW = 1_000_000
ALL = ("t1", "t2", "t3")
A = RunningHost("a", ("t1", "t2"), ALL, there=True)
B = RunningHost("b", ("t3",), ALL, there=True)
C = RunningHost("c", (), ALL, there=True)
HOSTS = (A, B, C)
PAUL = Actor("paul", "Paul", frozenset({"pit_boss"})).with_pin(NOW)
ORDER = MoveOrder(PAUL, "drill", "a new disk", NOW)


def after(*events: Moved) -> Moves:
    moves = Moves()
    for event in events:
        moves = evolve_moves(moves, event)
    return moves


DRAINED = after(drain_host(Moves(), ORDER, "a", HOSTS))
SENT = after(send_table(Moves(), ORDER, "t1", "b", HOSTS))


def test_nothing_goes_anywhere_unless_somebody_orders_it() -> None:
    assert [Moves().goal(table, "a", HOSTS) for table in ALL] == ["", "", ""]


def test_a_table_of_a_drained_host_goes_to_the_one_that_has_the_fewest() -> None:
    assert DRAINED.goal("t1", "a", HOSTS) == "c"
    assert DRAINED.goal("t1", "a", (A, B, replace(C, may=("t3",)))) == "b"
    assert DRAINED.goal("t3", "b", HOSTS) == ""


@pytest.mark.parametrize(
    "others",
    [(), (replace(B, there=False),), (replace(B, may=("t3",)),)],
    ids=["no other host", "it is gone", "its devices are elsewhere"],
)
def test_where_nobody_may_have_it_a_table_of_a_drained_host_deals_on(others: tuple[RunningHost, ...]) -> None:
    assert DRAINED.goal("t1", "a", (A, *others)) == ""


def test_a_table_of_a_drained_host_does_not_go_to_another_that_is_drained() -> None:
    both = evolve_moves(DRAINED, drain_host(DRAINED, ORDER, "c", HOSTS))
    assert both.goal("t1", "a", HOSTS) == "b"


def test_a_table_that_was_sent_goes_there_and_not_where_a_drain_would_have_it() -> None:
    both = evolve_moves(SENT, drain_host(SENT, ORDER, "a", HOSTS))
    assert (both.goal("t1", "a", HOSTS), both.goal("t2", "a", HOSTS)) == ("b", "c")


def test_a_table_waits_for_the_host_it_was_sent_to_and_stays_once_it_has_arrived() -> None:
    assert SENT.goal("t1", "a", (A, replace(B, there=False))) == ""
    assert SENT.goal("t1", "b", HOSTS) == ""
    assert evolve_moves(SENT, e.TableArrived(table="t1", host="b", at_ms=2)).goal("t1", "a", HOSTS) == ""


def test_what_is_taken_back_goes_nowhere() -> None:
    assert evolve_moves(SENT, keep_table(SENT, ORDER, "t1")) == Moves()
    assert evolve_moves(DRAINED, return_host(DRAINED, ORDER, "a", HOSTS)) == Moves()


def test_who_ordered_it_and_why_is_kept() -> None:
    drain = DRAINED.drained["a"]
    assert (drain.by, drain.by_name, drain.reason_code, drain.words) == ("paul", "Paul", "drill", "a new disk")


GONE_A, GONE_B = replace(A, there=False), replace(B, there=False)
NOWHERE = (A, replace(B, may=("t3",)))
REFUSED: dict[str, tuple[str, Callable[[], object]]] = {
    "drain: no such host": ("no_such_host", lambda: drain_host(Moves(), ORDER, "x", HOSTS)),
    "drain: it is gone": ("host_gone", lambda: drain_host(Moves(), ORDER, "a", (GONE_A, B))),
    "drain: no other host": ("no_other_host", lambda: drain_host(Moves(), ORDER, "a", (A,))),
    "drain: devices on a cable": ("no_other_host", lambda: drain_host(Moves(), ORDER, "a", NOWHERE)),
    "drain: drained already": ("drained_already", lambda: drain_host(DRAINED, ORDER, "a", HOSTS)),
    "take back: not drained": ("not_drained", lambda: return_host(Moves(), ORDER, "a", HOSTS)),
    "send: no such host": ("no_such_host", lambda: send_table(Moves(), ORDER, "t1", "x", HOSTS)),
    "send: it is there": ("there_already", lambda: send_table(Moves(), ORDER, "t1", "a", HOSTS)),
    "send: the host is gone": ("target_gone", lambda: send_table(Moves(), ORDER, "t1", "b", (A, GONE_B))),
    "send: its own host is gone": ("nobody_has_it", lambda: send_table(Moves(), ORDER, "t1", "b", (GONE_A, B))),
    "send: devices on a cable": ("cannot_run_there", lambda: send_table(Moves(), ORDER, "t1", "b", NOWHERE)),
    "send: to a drained host": ("target_drained", lambda: send_table(DRAINED, ORDER, "t3", "a", HOSTS)),
    "keep: not sent": ("not_sent", lambda: keep_table(Moves(), ORDER, "t1")),
    "no reason": ("reason_needed", lambda: drain_host(Moves(), replace(ORDER, reason_code=""), "a", HOSTS)),
    "no PIN": ("pin_needed", lambda: send_table(Moves(), replace(ORDER, at_ms=NOW + 10**9), "t1", "b", HOSTS)),
    "a dealer": (
        "not_allowed",
        lambda: drain_host(Moves(), replace(ORDER, actor=Actor("d", "Dora", frozenset({"dealer"}))), "a", HOSTS),
    ),
}


@pytest.mark.parametrize(("key", "act"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(key: str, act: Callable[[], object]) -> None:
    with pytest.raises(RefusedError) as found:
        act()
    assert found.value.key == key
    assert found.value.sentence.endswith(".")
