"""Folds a count of cards."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.state.count import Count, Counted
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_count(state: TableState, event: e.CountStarted | e.CardCounted | e.CountEnded) -> TableState:
    decks = state.decks
    if isinstance(event, e.CountStarted):
        count = Count(event.deck_id, event.whole, event.wanted, event.by, event.by_name)
        return replace(state, decks=replace(decks, count=count, counted=None))
    if isinstance(event, e.CountEnded):
        counted = Counted(
            event.deck_id, event.whole, event.counted, event.wanted, event.verdict, event.missing, event.doubled
        )
        return replace(state, decks=replace(decks, count=None, counted=counted))
    if decks.count is None:
        raise IllegalEventError(f"A card was counted at {state.config.key}, where nobody counts.")
    unread = decks.count.unread + (not event.read)
    return replace(state, decks=replace(decks, count=replace(decks.count, drawn=decks.count.drawn + 1, unread=unread)))
