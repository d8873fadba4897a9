"""What a simulated player sees when it is his turn: no more than his seat may know."""

from __future__ import annotations

from dataclasses import dataclass

from studio.cards import Card
from studio.games.ofc_hand import row_zone
from studio.rounds import CardDealt, Chose, PlainFact, Revealed
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.open_face import ROWS
from studio.rulebook.script import Turn
from studio.tables.state.table import TableState

_OUT = frozenset({"fold", "muck"})


@dataclass(frozen=True, slots=True)
class PlayerSight:
    """One turn as its seat sees it; amounts in minor units.

    `to_minor`: from and to what he may bet or raise, None where he may not. `opponents` are still in the hand; `shown`
    are the hands of those who turned theirs at the end.
    """

    game: str
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    options: tuple[str, ...]
    owed_minor: int
    to_minor: tuple[int, int] | None
    pot_minor: int
    opponents: int
    shown: tuple[tuple[Card, ...], ...] = ()


def sight_of(state: TableState, turn: Turn) -> PlayerSight:
    """What the seat of this turn may know of the hand."""
    round, room = state.round, state.room
    assert round is not None
    plain = round.deal.plain
    out = {fact.box for fact in plain if isinstance(fact, Chose) and fact.option in _OUT}
    return PlayerSight(
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
    """The cards that a seat has to set (none before it has looked at them), and the cards in each of its rows."""
    round = state.round
    assert round is not None
    cards = [(slot, fact) for slot, fact in sorted(round.deal.cards.items()) if isinstance(fact, CardDealt)]
    seen = seat in state.room.seen
    street = tuple(fact.card.card() for (zone, _), fact in cards if zone == seat and seen)
    rows = {row: [fact.face for (zone, _), fact in cards if zone == row_zone(seat, row) and fact.face] for row in ROWS}
    return street, rows


def _on_board(fact: PlainFact) -> Card | None:
    return fact.face if isinstance(fact, CardDealt) and fact.box == BOARD else None
