"""Folds a case of compensation."""

from __future__ import annotations

from collections.abc import Iterable

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.state.case import Case
from studio.tables.state.table import TableState
from studio.value import replace

CaseEvent = e.PotSeeded | e.CompensationOpened | e.CompensationAssessed | e.CompensationDecided | e.CompensationPaid


def evolve_case(state: TableState, event: CaseEvent, at_ms: int) -> TableState:
    cases = state.aftermath.cases
    match event:
        case e.PotSeeded():
            return state  # what lies in a pot is no table's own
        case e.CompensationOpened():
            opened = Case(
                event.case, event.incident, event.bet, event.line, event.ratio, event.bets, at_ms, event.rates
            )
            return _with(state, (*cases, opened))
        case e.CompensationPaid(over=True):
            return _with(state, (one for one in cases if one.id != event.case))
    if (case := state.case(event.case)) is None:
        raise IllegalEventError(f"{type(event).__name__} speaks of case {event.case}, which is not open.")
    changed = _changed(case, event)
    return _with(state, (changed if one.id == event.case else one for one in cases))


def _with(state: TableState, cases: Iterable[Case]) -> TableState:
    return replace(state, aftermath=replace(state.aftermath, cases=tuple(cases)))


def _changed(case: Case, event: e.AnyEvent) -> Case:
    match event:
        case e.CompensationAssessed(claims=claims):
            return replace(case, claims=(*case.claims, *claims))
        case e.CompensationDecided(pays=pays, amount_minor=amount_minor):
            return replace(case, pays=pays, amount_minor=amount_minor)
        case e.CompensationPaid(cursor=cursor, amount_minor=amount_minor):
            return replace(case, paid=cursor, paid_minor=amount_minor)
    raise IllegalEventError(f"{type(event).__name__} changes no open case.")
