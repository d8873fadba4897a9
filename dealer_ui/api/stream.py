"""The only place where the interface tells of a table as it changes: server-sent events, numbered by the journal.

    retry: 1000
    event: state      id: <seq>   data: the whole public state of the table, as GET /tables/<table> gives it
    event: beat                   data: {"seq", "now_ms"}, after 2 s in which nothing else was sent

Every state is whole, so one who comes back with `Last-Event-ID` has missed nothing once he has the newest.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import msgspec
from flask import Response, request

from dealer_ui.api.answer import AnswerError
from dealer_ui.api.port import OperatorsFloor, StreamGate
from dealer_ui.api.state import public_state
from dealer_ui.api.table import find_view
from studio.errors import StudioError

BEAT_S: Final = 2.0
_RETRY_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class StreamDesk:
    """Once `closing` is set every stream ends at its next word."""

    floor: OperatorsFloor
    gate: StreamGate
    closing: threading.Event
    monotonic: Callable[[], float]

    def stream(self, operator: str, table: str) -> Response:
        find_view(self.floor, table)
        last_seq = _last_seq()
        return event_stream(self.gate, self._changes(table, last_seq))

    def _changes(self, table: str, last_seq: int | None) -> Iterator[bytes]:
        try:
            yield from self._events(table, last_seq)
        except StudioError:  # the house is closing: the reader comes back and is told so
            return

    def _events(self, table: str, last_seq: int | None) -> Iterator[bytes]:
        view = self.floor.view(table)
        told = public_state(view) if view.seq == last_seq else None
        due_s = self.monotonic()
        while not self.closing.is_set():
            view = self.floor.view(table)
            state = public_state(view)
            stamp = {"seq": view.seq, "now_ms": self.floor.now_ms()}
            if state != told:
                told, due_s = state, self.monotonic() + BEAT_S
                yield event("state", state | stamp, view.seq)
            elif self.monotonic() >= due_s:
                due_s = self.monotonic() + BEAT_S
                yield event("beat", stamp)
            self.floor.wait(table, view.seq, max(0.0, due_s - self.monotonic()))


def event_stream(gate: StreamGate, changes: Iterator[bytes]) -> Response:
    """A stream of those events, if the house can serve one more."""
    if not gate.take():
        sentence = "Every stream the studio can serve is taken: ask for the table's state instead, or try later."
        raise AnswerError(503, "streams_taken", sentence, {"Retry-After": "2"})
    body = chain((b"retry: %d\n\n" % _RETRY_MS,), changes)
    response = Response(body, content_type="text/event-stream; charset=utf-8")
    response.call_on_close(gate.leave)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def event(name: str, data: dict[str, Any], id: int | None = None) -> bytes:
    number = b"" if id is None else b"id: %d\n" % id
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), number, msgspec.json.encode(data))


def _last_seq() -> int | None:
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
