"""Folds the opening of sealed cards: which is asked for, which are open."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event.unsealing import AnyUnsealing, CardUnsealed, UnsealingAsked
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_unsealing(state: TableState, event: AnyUnsealing) -> TableState:
    if isinstance(event, UnsealingAsked):
        return replace(state, unsealing=event, unsealings=state.unsealings + 1)
    if state.unsealing is None or state.unsealing.id != event.id:
        raise IllegalEventError(f"{type(event).__name__} speaks of {event.id}, which nobody has asked for.")
    opened = {event.card.id} if isinstance(event, CardUnsealed) else set()
    return replace(state, unsealing=None, unsealed=state.unsealed | opened)
