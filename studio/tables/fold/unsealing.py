"""Folds the opening of sealed cards: which is asked for, which are open."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event.unsealing import AnyUnsealing, CardUnsealed, UnsealingAsked
from studio.tables.state.table import TableState
from studio.tables.state.unsealing import Unsealings
from studio.value import replace


def evolve_unsealing(state: TableState, event: AnyUnsealing) -> TableState:
    unsealings = state.aftermath.unsealings
    if isinstance(event, UnsealingAsked):
        return _with(state, replace(unsealings, asked=event, count=unsealings.count + 1))
    if unsealings.asked is None or unsealings.asked.id != event.id:
        raise IllegalEventError(f"{type(event).__name__} speaks of {event.id}, which nobody has asked for.")
    opened = {event.card.id} if isinstance(event, CardUnsealed) else set()
    return _with(state, replace(unsealings, asked=None, opened=unsealings.opened | opened))


def _with(state: TableState, unsealings: Unsealings) -> TableState:
    return replace(state, aftermath=replace(state.aftermath, unsealings=unsealings))
