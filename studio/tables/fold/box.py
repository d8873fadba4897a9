"""Folds what happens to boxes: bet on, taken up on an offer, at their turn, void."""

from __future__ import annotations

from collections.abc import Sequence

from studio.games.rulebook import Game
from studio.games.script import Decide, Turn
from studio.rounds import Awaiting
from studio.tables.event import table as e
from studio.tables.state.table import Round, TableState, awaited
from studio.value import replace


def stop_turn(state: TableState) -> TableState:
    """While the table is held no box decides: its turn begins anew, with all of its time, when the table goes on."""
    now, round = awaited(state), state.round
    if round is None or now is None or not state.held or not isinstance(now.step, Turn):
        return state
    return replace(state, round=replace(round, closes_at_ms=None))


def with_boxes(game: Game, round: Round, bets: Sequence[str]) -> Round:
    """Where the deal depends on them: the boxes with a bet, in the order they are dealt."""
    if game.owned is None or not (taken := {*round.boxes, *game.owned.boxes_of(bets)} - set(round.boxes)):
        return round
    boxes = tuple(box for box in game.felt.boxes if box in taken or box in round.boxes)
    return replace(round, boxes=boxes)


def with_takers(game: Game, round: Round, decisions: Sequence[e.Decision]) -> Round:
    """The boxes that took what a window offers; to let it pass is to take nothing."""
    step = round.standing.step if isinstance(round.standing, Awaiting) else None
    if game.owned is None or not isinstance(step, Decide):
        return round
    nothing = step.default
    taken = {*round.took, *(one.box for one in decisions if one.option != nothing)}
    return replace(round, took=tuple(box for box in round.boxes if box in taken))


def without_hand(round: Round, box: str, zones: Sequence[str]) -> Round:
    return replace(
        round,
        boxes=tuple(one for one in round.boxes if one != box),
        took=tuple(one for one in round.took if one != box),
        missed={slot: since_ms for slot, since_ms in round.missed.items() if slot[0] not in zones},
        unread=frozenset(slot for slot in round.unread if slot[0] not in zones),
        giving_back=(*round.giving_back, box),
    )
