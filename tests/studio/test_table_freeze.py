"""Freezing a table, calling the pit and coming: right at any moment, kept with who did it and for which reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEALER, PIT, Bench, bench

from studio.errors import InvariantError, RefusedError
from studio.people import Actor
from studio.tables import command as c
from studio.tables import decide
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.record import read_body

BOSS = PIT.with_pin(1_700_000_000_000)
TECHNICIAN = Actor("t1", "Tom", frozenset({"technician"}))


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as one:
        yield one.open()


@pytest.mark.parametrize(("command", "actor"), [(c.FreezeTable, DEALER), (c.CallPit, DEALER), (c.AnswerCall, PIT)])
def test_no_look_is_too_old_to_freeze_to_call_and_to_come(table: Bench, command: type[c.Command], actor: Actor) -> None:
    table.start()
    for seen in (0, 10_000):
        table.do(command, actor, seen=seen)
    assert table.refused(c.OpenBetting, seen=0) == "moved_on"


def test_a_release_asked_by_an_older_look_is_refused(table: Bench) -> None:
    table.do(c.FreezeTable)
    told = {"reason_code": "drill", "words": "All looked at."}
    assert table.refused(c.ReleaseTable, BOSS, seen=table.state.moves.count - 1, **told) == "moved_on"
    table.do(c.ReleaseTable, BOSS, seen=table.state.moves.count, **told)
    assert not table.state.held


@pytest.mark.parametrize(("actor", "calls"), [(DEALER, True), (TECHNICIAN, True), (BOSS, False)])
def test_a_freeze_calls_the_pit_unless_the_pit_itself_froze(table: Bench, actor: Actor, calls: bool) -> None:
    table.do(c.FreezeTable, actor, floor="F-3")
    state = table.state
    assert (state.pit.freeze.by, state.pit.freeze.by_name, state.pit.freeze.floor) == (actor.id, actor.name, "F-3")
    assert (state.pit.call.by, state.pit.call.by_name) == ((actor.id, actor.name) if calls else ("", ""))
    table.do(c.ReleaseTable, BOSS, reason_code="drill", words="All looked at.")
    assert len(table.rows("PitAnswered")) == len(table.rows("PitCalled")) == calls
    assert (table.state.pit.freeze.by, table.state.pit.freeze.by_name, table.state.pit.freeze.floor) == ("", "", "")


def test_a_freeze_kept_before_floors_were_named_is_of_one_table() -> None:
    body = b'{"table":"t1","round":"","event":{"kind":"TableFrozen","by":"d1","by_name":"Dana"}}'
    assert read_body(body).event == e.TableFrozen(by="d1", by_name="Dana", floor="")


def test_an_error_of_our_own_stops_a_table_that_stands_with_the_floor_by_itself(
    table: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.do(c.FreezeTable, BOSS, floor="F-3")

    def broken(draft: Draft, command: c.Command) -> None:
        raise InvariantError("So it is.")

    with monkeypatch.context() as patch:
        patch.setitem(decide.OBEYED, c.CallPit, broken)
        with pytest.raises(RefusedError, match="made an error"):
            table.do(c.CallPit)
    told = {"reason_code": "drill", "words": "All looked at."}
    assert table.refused(c.ReleaseTable, BOSS, floor="F-3", **told) == "not_frozen"
    assert table.state.pit.freeze.by == "system"
    table.do(c.ReleaseTable, BOSS, **told)
    assert not table.state.held
