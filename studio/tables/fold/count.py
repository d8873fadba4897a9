"""Folds a count of cards."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.state.count import Count, Counted
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_count(state: TableState, event: e.CountStarted | e.CardCounted | e.CountEnded) -> TableState:
    if isinstance(event, e.CountStarted):
        count = Count(event.deck_id, event.whole, event.wanted, event.by, event.by_name)
        return replace(state, count=count, counted=None)
    if isinstance(event, e.CountEnded):
        counted = Counted(
            event.deck_id, event.whole, event.counted, event.wanted, event.verdict, event.missing, event.doubled
        )
        return replace(state, count=None, counted=counted)
    if state.count is None:
        raise IllegalEventError(f"A card was counted at {state.config.key}, where nobody counts.")
    unread = state.count.unread + (not event.read)
    return replace(state, count=replace(state.count, drawn=state.count.drawn + 1, unread=unread))
