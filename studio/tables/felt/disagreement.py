"""Where felt and record differ: a card missing, another card, or one where none belongs."""

from __future__ import annotations

from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.spoken import Slot
from studio.tables.felt.camera_look import agrees, card_at, due_open, may_lie_so, place_of, turned_right
from studio.tables.felt.street_layout import awaited_lay, concerns, lies_on_its_way
from studio.tables.state.felt import Seen
from studio.tables.state.table import Round, TableState


def disagreements(state: TableState) -> tuple[Slot, ...]:
    """Places where felt and record differ: a card missing, another card, or a card where none belongs."""
    round = state.round
    if round is None or not round.live:
        return ()
    owed = {slot for fact in round.cards.values() if (slot := place_of(round, fact.card.id))}
    lay = awaited_lay(state)
    if lay is not None:
        owed |= {(zone, place) for _, zone, place in lay.to}
        owed -= {(lay.box, place) for place, _, _ in lay.to}  # once it is gone from there, it is missed in its row
    watched = (slot for slot in owed | set(state.felt.looks) if slot[0] not in round.mucked)
    wrong = [slot for slot in watched if not _right(state, round, slot, state.felt.looks.get(slot))]
    return tuple(sorted(wrong)) + tuple(("stray", 1) for _ in state.felt.strays)


def _right(state: TableState, round: Round, slot: Slot, look: Seen | None) -> bool:
    fact = card_at(round, slot)
    lay = awaited_lay(state)
    if lay is not None and concerns(lay, slot):
        return lies_on_its_way(state, lay, slot, look)
    if look is not None and may_lie_so(round, slot, look):
        return True
    if fact is None or look is None:
        return fact is None and look is None
    if look.face is CardFace.UP and due_open(state, fact):
        assert isinstance(fact, CardDealt)
        return turned_right(round, fact, slot, look)
    return agrees(fact, look)
