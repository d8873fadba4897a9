"""The one thing the dealer does next, as a message of the catalogue."""

from __future__ import annotations

from typing import Final

from studio.games.placing import MUCK
from studio.games.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Shuffle, Turn
from studio.ports import CardFace
from studio.rounds import Awaiting, Finished
from studio.spoken import Moves, Places, Slot
from studio.tables.deal.course import shoe_is_short, waiting_for_eyes
from studio.tables.felt.camera_look import card_at
from studio.tables.irregularity.outstanding import STUB_KINDS, left_to_do
from studio.tables.irregularity.stub import going_back
from studio.tables.state.table import Round, Stage, Status, TableState
from studio.views.deck import shuffle_act
from studio.views.move import move_act
from studio.views.shape import Words

ONE_BY_ONE: Final = frozenset({"relay_from_discard", "reread_all"})
"""Rulings whose cards are laid one after the other, as they were read: the act is the next of them."""


def next_act(state: TableState) -> Words:
    """The one thing the dealer does next, as a message of the catalogue."""
    if (count := state.decks.count) is not None:
        return Words("act.count", {"done": count.drawn, "of": count.wanted, "deck": count.deck_id})
    if state.status is Status.CLOSED:
        return Words("act.closed")
    if state.held:
        return _held_act(state)
    if state.status is Status.PAUSED:
        return Words("act.paused")
    round = state.round
    if round is None or round.over:
        return _between_rounds(state)
    if round.stage is not Stage.DEALING:
        return Words("act.paying" if round.stage is Stage.SETTLING else "act.refunding")
    if state.deck is None:
        return _load_act(state) if state.felt.clear or round.cards else Words("act.collect_cards")
    match round.standing:
        case Finished():
            done = "act.declare_result" if round.cards else "act.nobody_bet"
            return _eyes_act(state, round, "act.square_cards") or Words(done)
        case Awaiting() as now:
            return _step_act(state, round, now)
    return Words("act.held")


def _eyes_act(state: TableState, round: Round, square: str) -> Words | None:
    """Cards the camera owes its word on: wait for it, and once it has taken too long, square them [HG21]."""
    if not (owed := waiting_for_eyes(round)):
        return None
    late = state.open_incident("camera_unsure") is not None
    return Words(square if late else "act.wait_camera", {"places": Places(owed)})


def _step_act(state: TableState, round: Round, now: Awaiting) -> Words:
    match now.step:
        case Burn(count=count):
            return Words("act.burn", {"count": count, "done": now.done, "left": count - now.done})
        case OpenBets():
            if round.closes_at_ms is not None:
                return Words("act.bets_open")
            return _eyes_act(state, round, "act.square_burn") or Words("act.open_bets")
        case Deal(box=box, face=face):
            return Words(
                "act.deal" if face is CardFace.UP else "act.deal_down", {"box": f"box.{box}", "place": now.place}
            )
        case Decide():
            return Words("act.decide" if round.closes_at_ms is not None else "act.open_decisions")
        case Turn(box=box):
            return Words("act.turn", {"box": f"box.{box}"})
        case Reveal(box=box):
            return Words("act.reveal", {"box": f"box.{box}"})
        case Lay(box=box):
            return Words("act.lay", {"box": f"box.{box}", "moves": moves_of(now.step)})
        case Shuffle():
            return Words("act.shuffle_stub", {"cards": going_back(state)})


def moves_of(lay: Lay) -> Moves:
    """Which card of the street goes where, by its place: the face is nobody's to see yet.

    >>> moves_of(Lay("seat1", ((1, "seat1_top", 2), (3, "seat1_bottom", 1)), (2,))).to
    ((1, 'top'), (2, 'muck'), (3, 'bottom'))
    """
    moves = {place: zone.partition("_")[2] for place, zone, _ in lay.to} | dict.fromkeys(lay.away, MUCK)
    return Moves(tuple(sorted(moves.items())))


def _held_act(state: TableState) -> Words:
    ruled = next((incident for incident in state.incidents.open if incident.ruled and incident.holds), None)
    if ruled is not None:
        left = left_to_do(state, ruled)
        bare = ruled.ruled == "reread_all" and left and not any(_card_lies(state, slot) for slot in left)
        if (moved := move_act(state, ruled, left)) is not None:
            return moved
        shown = left[:1] if ruled.ruled in ONE_BY_ONE and not bare else left
        aside = ruled.ruled == "reshuffle" and ruled.kind in STUB_KINDS
        key = "act.nothing_there" if bare else f"act.carry_out.{'stub' if aside else ruled.ruled}"
        return Words(key, {"places": Places(tuple(shown))})
    holding = next((incident for incident in state.incidents.open if incident.holds), None)
    if holding is None:
        return Words("act.frozen", {"by": state.pit.freeze.by_name})
    return Words("act.held", {"incident": f"incident.{holding.kind}"})


def _card_lies(state: TableState, slot: Slot) -> bool:
    """Whether there is a card to read in this place: one the camera sees, or one on record [HG14]."""
    return slot in state.felt.looks or (state.round is not None and card_at(state.round, slot) is not None)


def _between_rounds(state: TableState) -> Words:
    if not state.felt.clear:
        return Words("act.clear_felt")
    if shoe_is_short(state):
        return _load_act(state)
    return Words("act.start_round")


def _load_act(state: TableState) -> Words:
    if state.approved:
        return Words("act.load_shoe", {"deck": state.approved[-1]})
    return shuffle_act(state)
