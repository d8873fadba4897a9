"""A simulated player's look at a table: the open facts, and the cards of his own seat."""

from __future__ import annotations

from dealer_ui.rehearsal.poker.sight import Sight
from studio.cards import Card
from studio.games.hand_terms import BOARD
from studio.games.ofc_hand import row_zone
from studio.games.open_face import ROWS
from studio.games.script import Turn
from studio.rounds import CardDealt, Chose, PlainFact, Revealed
from studio.tables.state.table import TableState

_OUT = frozenset({"fold", "muck"})


def sight_of(state: TableState, turn: Turn) -> Sight:
    """What the seat of this turn may know of the hand."""
    round, room = state.round, state.room
    assert round is not None
    plain = round.plain
    out = {fact.box for fact in plain if isinstance(fact, Chose) and fact.option in _OUT}
    return Sight(
        game=state.game.key,
        hole=tuple(fact.card.card() for fact in plain if isinstance(fact, CardDealt) and fact.box == turn.box),
        board=tuple(face for fact in plain if (face := _on_board(fact)) is not None),
        options=turn.options,
        owed_minor=turn.owed_minor,
        to_minor=turn.to_minor,
        pot_minor=sum(one.in_minor for one in room.players.values()),
        opponents=len(set(room.dealt_in) - out) - 1,
        shown=tuple(fact.faces for fact in plain if isinstance(fact, Revealed)),
    )


def street_of(state: TableState, seat: str) -> tuple[tuple[Card, ...], dict[str, list[Card]]]:
    """The cards a seat has to set, none where it has not looked at them, and its rows as they lie."""
    round = state.round
    assert round is not None
    cards = [(slot, fact) for slot, fact in sorted(round.cards.items()) if isinstance(fact, CardDealt)]
    seen = seat in state.room.seen
    street = tuple(fact.card.card() for (zone, _), fact in cards if zone == seat and seen)
    rows = {row: [fact.face for (zone, _), fact in cards if zone == row_zone(seat, row) and fact.face] for row in ROWS}
    return street, rows


def _on_board(fact: PlainFact) -> Card | None:
    return fact.face if isinstance(fact, CardDealt) and fact.box == BOARD else None
