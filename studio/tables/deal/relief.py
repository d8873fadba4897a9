"""Who deals: relief at the table, the pit's change, the rotation that is planned.

Whether a person may deal the game at all is known to the staff register, and asked before a command comes here.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from studio.errors import RefusedError
from studio.people import need_right
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.state.table import Status, TableState

TURNS_MAX: Final = 12


def change_dealer(draft: Draft, command: c.ChangeDealer) -> None:
    """The pit makes the change, at any time; whoever waits for the table in mid-round is confirmed so."""
    need_right(command.actor, "change_dealer")
    need_open(draft.state)
    draft.emit(e.DealerChanged(dealer=command.dealer, dealer_name=command.dealer_name, by=command.actor.id))


def take_table(draft: Draft, command: c.TakeTable) -> None:
    """The next dealer takes over: between rounds by himself, in mid-round the pit confirms."""
    need_right(command.actor, "take_table")
    state, actor = draft.state, command.actor
    need_open(state)
    if state.seat.dealer == actor.id:
        raise RefusedError("yours_already", "This table is yours already.")
    if state.round is None or state.round.over:
        draft.emit(e.DealerChanged(dealer=actor.id, dealer_name=actor.name, by=actor.id))
        return
    if state.seat.relief == actor.id:
        raise RefusedError(
            "relief_asked", "You have asked already: the pit boss confirms, or wait for the round to end."
        )
    draft.emit(e.ReliefAsked(dealer=actor.id, dealer_name=actor.name))


def decline_relief(draft: Draft, command: c.DeclineRelief) -> None:
    """The pit would rather have this dealer finish the round."""
    need_right(command.actor, "change_dealer")
    if not draft.state.seat.relief:
        raise RefusedError("no_relief", "Nobody waits to take this table over any more.")
    draft.emit(e.ReliefDeclined(dealer=draft.state.seat.relief, by=command.actor.id))


def stand_down(draft: Draft, command: c.StandDown) -> None:
    """The table's dealer has been barred or has left the staff: nobody deals here until another one takes over."""
    need_right(command.actor, "stand_down")
    state = draft.state
    if state.seat.dealer != command.dealer or state.status is Status.CLOSED:
        raise RefusedError("not_dealing", "This person does not deal at the table.")
    draft.emit(
        e.DealerStoodDown(
            dealer=state.seat.dealer, dealer_name=state.seat.dealer_name, why=command.why, by=command.actor.id
        )
    )  # fmt: skip
    if not state.pit.call.by:
        draft.emit(e.PitCalled(by=command.actor.id, by_name=command.actor.name))


def plan_rotation(draft: Draft, command: c.PlanRotation) -> None:
    """Who deals here next, and when: one after the other, from now on."""
    need_right(command.actor, "plan_rotation")
    need_open(draft.state)
    if len(command.turns) > TURNS_MAX:
        raise RefusedError("plan_too_long", f"Plan at most {TURNS_MAX} turns at a time.")
    times = [draft.at_ms, *(turn.at_ms for turn in command.turns)]
    if any(later <= earlier for earlier, later in pairwise(times)):
        raise RefusedError("plan_order", "Each turn of the plan comes after the one before it, and none in the past.")
    draft.emit(e.RotationPlanned(turns=command.turns, by=command.actor.id))


def need_dealer(state: TableState) -> None:
    """Refuse a new round where the dealer was stood down and nobody has taken the table over."""
    if not state.seat.dealer:
        gone = f"{state.seat.stood_down} may not deal any more" if state.seat.stood_down else "Nobody deals here"
        raise RefusedError("no_dealer", f"{gone}: the next dealer signs in at the table and takes it over.")


def need_open(state: TableState) -> None:
    if state.status is Status.CLOSED:
        raise RefusedError("closed", "The table is closed; a pit boss opens it.")
