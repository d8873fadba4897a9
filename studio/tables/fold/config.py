"""Folds what a table is configured with, and what it knows after the program came up anew."""

from __future__ import annotations

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.fold.deck import unheard
from studio.tables.fold.device import forget_shown
from studio.tables.state.device import Devices
from studio.tables.state.felt import Felt
from studio.tables.state.pit import Terms
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_config(state: TableState, event: e.AnyEvent) -> TableState:
    terms = state.pit.terms
    match event:
        case e.TableConfigured(config=config):
            allowed = terms.allowed_by if config.same_pay_table(state.config) else ""
            if config.game != state.config.game and state.round is not None and state.round.over:
                state = replace(state, round=None)  # its cards and its result are no words of the new game
            return _with(replace(state, config=config), replace(terms, allowed_by=allowed))
        case e.TableChanged(by_name=name, preset=preset):
            return _with(state, replace(terms, changed_by=name if preset else "", preset=preset))
        case e.TableCarried(rounds=rounds, shoes=shoes, incidents=incidents):
            decks, incident = replace(state.decks, shoes=shoes), replace(state.incidents, count=incidents)
            return replace(state, rounds=rounds, decks=decks, incidents=incident)
        case e.PayTableAllowed(by_name=name):
            return _with(state, replace(terms, allowed_by=name))
        case e.TableRestarted():
            was = state.devices
            devices = Devices(presences=forget_shown(was.presences), shoe_restarted=was.shoe_restarted)
            decks = replace(state.decks, machine=unheard(state.decks.machine))
            return replace(state, decks=decks, felt=Felt(), devices=devices)
    raise IllegalEventError(f"{type(event).__name__} configures no table.")


def _with(state: TableState, terms: Terms) -> TableState:
    return replace(state, pit=replace(state.pit, terms=terms))
