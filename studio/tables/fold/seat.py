"""Folds who deals at a table, and who is to."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.state.seat import Seat
from studio.tables.state.table import Status, TableState
from studio.value import replace


def evolve_seat(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """The table after an event of its dealer's seat."""
    seat = state.seat
    match event:
        case e.TableOpened(dealer=dealer, dealer_name=name):
            return replace(state, status=Status.OPEN, seat=Seat(dealer, name, at_ms))
        case e.TableClosed():
            return replace(state, status=Status.CLOSED, seat=Seat())
        case e.DealerChanged(dealer=dealer, dealer_name=name):
            plan = seat.plan[1:] if seat.plan and seat.plan[0].dealer == dealer else seat.plan
            return replace(state, seat=Seat(dealer, name, at_ms, plan=plan))
        case e.ReliefAsked(dealer=dealer, dealer_name=name):
            return replace(state, seat=replace(seat, relief=dealer, relief_name=name, relief_at_ms=at_ms))
        case e.ReliefDeclined():
            return replace(state, seat=replace(seat, relief="", relief_name="", relief_at_ms=0))
        case e.DealerStoodDown(dealer_name=name, why=why):
            gone = replace(seat, dealer="", dealer_name="", since_ms=0, stood_down=name, why=why)
            return replace(state, seat=gone)
        case e.RotationPlanned(turns=turns):
            return replace(state, seat=replace(seat, plan=turns))
    raise IllegalEventError(f"{type(event).__name__} is no event of a dealer's seat.")
