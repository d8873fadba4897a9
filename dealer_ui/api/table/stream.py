"""Tells of a table as it changes: server-sent events, numbered by the journal.

    retry: 1000
    event: state      id: <seq>   data: the whole public state of the table, as GET /tables/<table> gives it
    event: beat                   data: {"seq", "now_ms"}, after 2 s in which nothing else was sent

Every state is whole, so one who comes back with `Last-Event-ID` has missed nothing once he has the newest.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from flask import g, request
from werkzeug.wrappers import Response as AnyResponse

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.shape.table import Stamp, TableState, TableTold
from dealer_ui.api.table.state import public_state
from dealer_ui.api.table.table import find_view
from dealer_ui.floor.operators_floor import OperatorsFloor, StreamGate
from dealer_ui.live.telling import Rest, Telling
from studio.errors import StudioError
from studio.views.shape import TableView

BEAT_S: Final = 2.0
RETRY: Final = b"retry: 1000\n\n"


@dataclass(frozen=True, slots=True)
class StreamDesk:
    """Once `closing` is set every stream ends at its next word."""

    floor: OperatorsFloor
    gate: StreamGate
    closing: threading.Event
    monotonic: Callable[[], float]
    _states: dict[str, tuple[TableView, TableState]] = field(default_factory=dict)

    def table_stream(self, operator: str, table: str) -> AnyResponse:
        """A table as it changes. Come back with `Last-Event-ID`, and you hear only what is new."""
        find_view(self.floor, table)
        last_seq = _last_seq()
        return event_stream(self.gate, operator, self._changes(table, last_seq))

    def _changes(self, table: str, last_seq: int | None) -> Telling:
        yield RETRY
        try:
            yield from self._events(table, last_seq)
        except StudioError:  # the house is closing: the reader comes back and is told so
            return

    def _events(self, table: str, last_seq: int | None) -> Telling:
        view = self.floor.view(table)
        told = self._state(view) if view.seq == last_seq else None
        due_s = self.monotonic()
        while not self.closing.is_set():
            view = self.floor.view(table)
            state = self._state(view)
            stamp: Stamp = {"seq": view.seq, "now_ms": self.floor.now_ms()}
            if state is not told and state != told:
                told, due_s = state, self.monotonic() + BEAT_S
                told_now: TableTold = {**state, **stamp}
                yield event("state", told_now, view.seq)
            elif self.monotonic() >= due_s:
                due_s = self.monotonic() + BEAT_S
                yield event("beat", stamp)
            yield Rest(max(0.0, due_s - self.monotonic()), table, view.seq)

    def _state(self, view: TableView) -> TableState:
        """The state of that view, made once for all who follow the table."""
        made = self._states.get(view.table)
        if made is None or made[0] is not view:
            made = self._states[view.table] = (view, public_state(view))
        return made[1]


def event_stream(gate: StreamGate, operator: str, changes: Telling) -> AnyResponse:
    """A stream of those events, if the operator may have one more."""
    response = gate.open(_while_let_in(changes, g.still_let_in), operator)
    if response is None:
        sentence = "Every stream you may have open is taken: ask for the table's state instead, or close one first."
        raise AnswerError(503, "streams_taken", sentence, {"Retry-After": "2"})
    response.headers["Cache-Control"] = "no-store"
    return response


def _while_let_in(changes: Telling, still: Callable[[], bool]) -> Telling:
    """Pass the telling on until the key ends or the operator is suspended."""
    try:
        said = next(changes)
        while still():
            try:
                newest = yield said
            except StudioError as closing:
                said = changes.throw(closing)
            else:
                said = changes.send(newest) if isinstance(said, Rest) else next(changes)
    except StopIteration:
        return
    finally:
        changes.close()


def event(name: str, data: Mapping[str, Any], id: int | None = None) -> bytes:
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), number, msgspec.json.encode(data))


def _last_seq() -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
