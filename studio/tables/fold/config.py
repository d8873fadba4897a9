"""Folds what a table is configured with, and what it knows after the program came up anew."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.fold.deck import unheard
from studio.tables.fold.device import forget_shown
from studio.tables.state.device import Devices
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_config(state: TableState, event: e.AnyEvent) -> TableState:
    match event:
        case e.TableConfigured(config=config):
            allowed = state.terms.allowed_by if config.same_pay_table(state.config) else ""
            if config.game != state.config.game and state.round is not None and state.round.over:
                state = replace(state, round=None)  # its cards and its result are no words of the new game
            return replace(state, config=config, terms=replace(state.terms, allowed_by=allowed))
        case e.TableChanged(by_name=name, preset=preset):
            return replace(state, terms=replace(state.terms, changed_by=name if preset else "", preset=preset))
        case e.TableCarried(rounds=rounds, shoes=shoes, incidents=incidents):
            return replace(state, rounds=rounds, shoes=shoes, incident_count=incidents)
        case e.PayTableAllowed(by_name=name):
            return replace(state, terms=replace(state.terms, allowed_by=name))
        case e.TableRestarted():
            was = state.devices
            devices = Devices(presences=forget_shown(was.presences), shoe_restarted=was.shoe_restarted)
            state = replace(state, machine=unheard(state.machine))
            return replace(state, felt={}, strays=frozenset(), devices=devices)
    raise IllegalEventError(f"{type(event).__name__} configures no table.")
