"""Cards that leave the shoe while a seat has its turn: a burn, a card too many, a street too early.

Nobody knows at the first card what it is going to be; so the incident is told anew with each card that follows, and
with each one that the camera sees on the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.rulebook.hand_terms import BOARD
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import card_at, may_lie_so
from studio.tables.incident import Circumstances, open_incident
from studio.tables.state.table import TableState
from studio.tables.street import STREETS, acts_on_street, hand_of, on_board, seat_has_turn

_KINDS: Final = ("extra_card", "early_card", "burn_error")
_NOWHERE: Final[Slot] = ("", 0)
_FLOP: Final = 3


@dataclass(frozen=True, slots=True)
class Premature:
    """What the cards are taken for, as far as anybody has seen."""

    kind: str
    found: Circumstances
    cards: tuple[str, ...]
    slot: Slot


def premature(state: TableState) -> Premature | None:
    """What came out of the shoe while a seat has its turn; None where nothing did."""
    round = hand_of(state)
    if round is None or not seat_has_turn(state):
        return None
    cards = tuple(one.sealed.id for one in state.undisposed)
    board = tuple(
        slot
        for slot, look in sorted(state.felt.looks.items())
        if slot[0] == BOARD and card_at(round, slot) is None and not may_lie_so(round, slot, look)
    )
    if not cards and not board:
        return None
    count = max(1, len(cards))
    found: dict[str, str | int | bool] = {
        "count": count,
        "revealed": any(state.felt.looks[at].face == "up" for at in board),
    }
    slot, acts = (board[0] if board else _NOWHERE), acts_on_street(round)
    street, _ = STREETS.get(on_board(round), ("", 0))
    if not street or not (board or (count > 1 and acts)):
        return Premature("extra_card", found, cards, slot)  # [PK3]
    if on_board(round) == _FLOP and count == 1 and not acts:
        return Premature(
            "extra_card", {**found, "board": "flop", "board_cards": on_board(round) + 1}, cards, slot
        )  # [PK7]
    return Premature("early_card", {**found, "board": street}, cards, slot)  # [PK8] [PK9] [PK10]


def tell_premature(draft: Draft, by: str) -> bool:
    """Open the incident, or tell the open one anew where more is known by now. False where there is nothing to tell."""
    if (told := premature(draft.state)) is None:
        return False
    known = next((one for one in draft.state.incidents.open if one.kind in _KINDS), None)
    if known is None and draft.state.held:
        return False  # the table was held for something else: what came out is told when it goes on
    if known is not None:
        same = (known.kind, known.scene.cards) == (told.kind, told.cards)
        if known.ruled.ruling or known.asked or (same and told.found.items() <= known.circumstances.items()):
            return True
        draft.emit(e.IncidentClosed(id=known.id))
    open_incident(draft, told.kind, by=by, circumstances=told.found, cards=told.cards, slot=told.slot)
    return True
