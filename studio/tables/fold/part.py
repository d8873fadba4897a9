"""How a part of a settlement changes the table's state."""

from __future__ import annotations

from studio.tables.event.part import PartOpened, PartSettled
from studio.tables.state.table import Round, TableState
from studio.value import replace


def evolve_part(state: TableState, round: Round, event: PartOpened | PartSettled) -> TableState:
    """A part that takes something back is the next revision of its round: a later correction counts on from there."""
    state = replace(state, round=replace(round, parts=round.parts.after(event)))
    if isinstance(event, PartOpened) and event.revision:
        was = state.aftermath.corrections
        corrections = replace(was, revisions={**was.revisions, round.id: event.revision})
        return replace(state, aftermath=replace(state.aftermath, corrections=corrections))
    return state
