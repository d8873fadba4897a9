"""`evolve(state, event, at_ms)` folds one event into a table's state, and never refuses.

An event that cannot have happened in this state is our bug: `IllegalEventError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from studio.errors import IllegalEventError
from studio.tables.event import table as e
from studio.tables.event.correction import AnyUnsealing
from studio.tables.fold.aftermath import AnyCorrection, evolve_case, evolve_correction, evolve_unsealing
from studio.tables.fold.deck import draw, evolve_deck, hear_machine, unheard
from studio.tables.fold.device import evolve_device, forget_shown, observe, show
from studio.tables.fold.incident import evolve_incident
from studio.tables.fold.room import evolve_room
from studio.tables.fold.round import evolve_round, keep_look, start_round, stop_turn
from studio.tables.state.felt import Felt
from studio.tables.state.identity import Devices
from studio.tables.state.pit import Freeze, PitCall, PitTerms, Seat
from studio.tables.state.shoe import AGAIN, Loose
from studio.tables.state.table import Moves, Status, TableState
from studio.value import replace

_UNSEEN: Final = frozenset((
    e.DeviceOrdered, e.ObservationRecorded, e.BetsPlaced, e.DecisionsTaken, e.CardConfirmed, e.BetsSettled,
    e.BetsVoided, e.BetsReturned, e.DeviceServiced, e.PersonActed, e.PartOpened, e.PartSettled, e.BettorReady,
))  # fmt: skip
"""What nobody acts upon."""
_BESIDE_THE_DEAL: Final = frozenset((
    e.DeckApproved, e.DeckRefused, e.PitCalled, e.PitAnswered, e.ReliefAsked, e.ReliefDeclined, e.RotationPlanned,
    e.DeviceProved, e.PotSeeded, e.CompensationOpened, e.CompensationAssessed, e.CompensationDecided,
    e.CompensationPaid, e.SeatTaken, e.ChipsBought, e.LeaveAsked, e.SeatLeft, e.SeatAway, e.SeatBack, e.TimeBankOpened,
))  # fmt: skip
"""What changes nothing for the dealer's next act. What stops it (a device lost, an incident) is not among them."""


_Fold = Callable[[TableState, Any, int], TableState]


def evolve(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """The state after the event; pure."""
    return _FOLDS[type(event)](state, event, at_ms)


def _follow(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """An event of the table or of its round, which the seats of a poker table follow."""
    fold = _PARTS.get(type(event), _evolve_open_round)
    return evolve_room(fold(move(state, event), event, at_ms), event, at_ms)


def _stop(state: TableState, event: e.IncidentOpened | e.TableFrozen, at_ms: int) -> TableState:
    """An event by which a table is held."""
    return stop_turn(_follow(state, event, at_ms))


def _take_seat(state: TableState, event: e.AnyRoomEvent, at_ms: int) -> TableState:
    return evolve_room(move(state, event), event, at_ms)


def _correct(state: TableState, event: AnyCorrection, at_ms: int) -> TableState:
    return evolve_correction(state, event)


def _unseal(state: TableState, event: AnyUnsealing, at_ms: int) -> TableState:
    return evolve_unsealing(state, event)


def _observe(state: TableState, event: e.ObservationRecorded, at_ms: int) -> TableState:
    seen = event.observation
    return hear_machine(show(observe(state, seen, at_ms), seen, at_ms), seen, at_ms)


def _evolve_incident(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return keep_look(evolve_incident(state, event, at_ms), event)


def _evolve_deck(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return evolve_deck(state, event)


def _evolve_device(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return evolve_device(state, event)


def _stay(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    return state


def _evolve_loose(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    """Cards out of the shoe that are no facts, and what lies on the felt."""
    match event:
        case e.CardSetAside(card=card, why=why):
            loose = Loose(card, why, at_ms)
            state = replace(state, loose=(*state.loose, loose))
            return state if why == AGAIN else draw(state, loose)
        case e.CardDisposed(id=id, to=to):
            kept = tuple(replace(one, to=to) if one.sealed.id == id else one for one in state.loose)
            return replace(state, loose=kept)
    return replace(state, felt=Felt())


def _evolve_open_round(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    if state.round is None:
        raise IllegalEventError(f"{type(event).__name__} happened at {state.config.key} without a round.")
    return evolve_round(state, state.round, event, at_ms)


def _evolve_table(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    match event:
        case e.TablePaused():
            return replace(state, status=Status.PAUSED)
        case e.TableResumed():
            return replace(state, status=Status.OPEN)
        case e.TableFrozen(by=by, by_name=name, floor=floor):
            return replace(state, pit=replace(state.pit, freeze=Freeze(by, name, floor)))
        case e.TableReleased():
            return replace(state, pit=replace(state.pit, freeze=Freeze()))
        case e.PitCalled(by=by, by_name=name):
            return replace(state, pit=replace(state.pit, call=PitCall(by, name)))
        case e.PitAnswered():
            return replace(state, pit=replace(state.pit, call=PitCall()))
        case e.TableRestarted() | e.TableConfigured() | e.TableCarried() | e.PayTableAllowed() | e.TableChanged():
            return evolve_config(state, event)
    return evolve_seat(state, event, at_ms)


def _each(fold: _Fold, *kinds: type) -> dict[type, _Fold]:
    return dict.fromkeys(kinds, fold)


_PARTS: Final[Mapping[type, _Fold]] = {
    **_each(
        _evolve_incident, e.IncidentOpened, e.RulingAsked, e.RulingLapsed, e.IncidentRuled, e.IncidentClosed,
        e.ExceptionRecorded, e.ProceduresInForce,
    ),
    **_each(
        _evolve_deck, e.DeckApproved, e.DeckRefused, e.ShoeLoaded, e.ShoeWithdrawn, e.CutCardCame, e.CountStarted,
        e.CardCounted, e.CountEnded,
    ),
    **_each(
        _evolve_table, e.TableOpened, e.TableClosed, e.DealerChanged, e.ReliefAsked, e.ReliefDeclined,
        e.DealerStoodDown, e.RotationPlanned, e.TablePaused, e.TableResumed, e.TableFrozen, e.TableReleased,
        e.PitCalled, e.PitAnswered, e.TableRestarted, e.TableConfigured, e.TableCarried, e.PayTableAllowed,
        e.TableChanged,
    ),
    **_each(_evolve_device, e.DeviceLost, e.DeviceBack, e.DeviceProved, e.DeviceApproved),
    **_each(_stay, e.DeviceOrdered, e.DeviceServiced, e.PersonActed),
    **_each(start_round, e.RoundStarted),
    **_each(_evolve_loose, e.CardSetAside, e.CardDisposed, e.FeltCleared),
    **_each(
        evolve_case, e.PotSeeded, e.CompensationOpened, e.CompensationAssessed, e.CompensationDecided,
        e.CompensationPaid,
    ),
}  # fmt: skip
"""Who folds which event; every other is an event of the round that is open."""

_FOLDS: Final[Mapping[type, _Fold]] = {
    **_each(_follow, *get_args(e.AnyEvent)),
    **_each(_stop, e.IncidentOpened, e.TableFrozen),
    **_each(_take_seat, *get_args(e.AnyRoomEvent)),
    **_each(_correct, *get_args(AnyCorrection)),
    **_each(_unseal, *get_args(AnyUnsealing)),
    e.ObservationRecorded: _observe,
}
"""The first step of every event there is."""


def move(state: TableState, event: e.AnyEvent) -> TableState:
    """Whether the event moves the table on for the person who acts at it.

    `count` is of what people act upon. `dealt` is what that count was when the deal itself moved last: a dealer who
    starts a round is not too late because the shuffler has meanwhile verified the deck after next, or somebody has sat
    down.
    """
    if type(event) in _UNSEEN:
        return state
    count = state.moves.count + 1
    return replace(state, moves=Moves(count, state.moves.dealt if type(event) in _BESIDE_THE_DEAL else count))


def evolve_config(state: TableState, event: e.AnyEvent) -> TableState:
    terms = state.pit.terms
    match event:
        case e.TableConfigured(config=config):
            allowed = terms.allowed_by if config.same_pay_table(state.config) else ""
            if config.game != state.config.game and state.round is not None and state.round.over:
                state = replace(state, round=None)  # its cards and its result are no words of the new game
            return _with_terms(replace(state, config=config), replace(terms, allowed_by=allowed))
        case e.TableChanged(by_name=name, preset=preset):
            return _with_terms(state, replace(terms, changed_by=name if preset else "", preset=preset))
        case e.TableCarried(rounds=rounds, shoes=shoes, incidents=incidents, moves=moves):
            decks, incident = replace(state.decks, shoes=shoes), replace(state.incidents, count=incidents)
            gone_on = replace(state.moves, count=max(moves, state.moves.count))
            return replace(state, rounds=rounds, decks=decks, incidents=incident, moves=gone_on)
        case e.PayTableAllowed(by_name=name):
            return _with_terms(state, replace(terms, allowed_by=name))
        case e.TableRestarted():
            was = state.devices
            devices = Devices(presences=forget_shown(was.presences), shoe_restarted=was.shoe_restarted)
            decks = replace(state.decks, machine=unheard(state.decks.machine))
            return replace(state, decks=decks, felt=Felt(), devices=devices)
    raise IllegalEventError(f"{type(event).__name__} configures no table.")


def _with_terms(state: TableState, terms: PitTerms) -> TableState:
    return replace(state, pit=replace(state.pit, terms=terms))


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
