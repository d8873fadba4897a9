"""A decision while it is made: a draft emits events and sees the state they lead to."""

from __future__ import annotations

from typing import NamedTuple

from studio.tables.event.table import AnyEvent
from studio.tables.fold.table import evolve
from studio.tables.state.round import Round
from studio.tables.state.table import TableState


class Decided(NamedTuple):
    """What happens, and the state it leads to."""

    events: tuple[AnyEvent, ...]
    after: TableState


class Draft:
    """The events decided so far, and the state as it will be after them. Dropped whole when anything refuses."""

    __slots__ = ("at_ms", "events", "state")

    def __init__(self, state: TableState, at_ms: int) -> None:
        self.state = state
        self.at_ms = at_ms
        self.events: list[AnyEvent] = []

    def emit(self, *events: AnyEvent) -> None:
        for event in events:
            self.state = evolve(self.state, event, self.at_ms)
            self.events.append(event)

    @property
    def decided(self) -> Decided:
        return Decided(tuple(self.events), self.state)

    @property
    def round(self) -> Round | None:
        return self.state.round
