"""Folds the record of an incident."""

from __future__ import annotations

from typing import Final

from studio.errors import IllegalEventError
from studio.procedures import Approval, Refund, Ruling
from studio.tables.event import table as e
from studio.tables.state.felt import vouch_of
from studio.tables.state.incident import AskedRuling, GivenRuling, Incident, IncidentScene, KeptProcedures
from studio.tables.state.table import TableState
from studio.value import replace


def evolve_incident(state: TableState, event: e.AnyEvent, at_ms: int) -> TableState:
    incidents = state.incidents
    match event:
        case e.ProceduresInForce(version=version, rows=rows):
            return replace(state, incidents=replace(incidents, procedures=KeptProcedures(version, rows)))
        case e.IncidentOpened():
            opened = (*incidents.open, _opened(event, at_ms))
            return replace(state, incidents=replace(incidents, open=opened, count=incidents.count + 1))
        case e.RulingAsked():
            return _change(state, event.id, asked=_asked(event))
        case e.RulingLapsed(id=id):
            return _change(state, id, asked=None)
        case e.IncidentRuled(id=id, ruling=ruling, arguments=arguments):
            return _vouched(_change(state, id, asked=None, ruled=GivenRuling(ruling, arguments, at_ms)), event)
        case e.IncidentClosed(id=id):
            closed = state.incident(id)
            following = closed if closed is not None and _goes_on(closed) else incidents.following
            if closed is not None and closed.kind == "deck_unverified":  # a machine still at work has its time anew
                machine = replace(state.decks.machine, since_ms=at_ms)
                state = replace(state, decks=replace(state.decks, machine=machine))
            left = tuple(one for one in incidents.open if one.id != id)
            return replace(state, incidents=replace(incidents, open=left, following=following))
        case e.ExceptionRecorded():
            return state
    raise IllegalEventError(f"{type(event).__name__} is no event of an incident.")


def _vouched(state: TableState, event: e.IncidentRuled) -> TableState:
    """The cards of the incident, with the people who said what they are."""
    incident, round = state.incident(event.id), state.round
    vouch = vouch_of(incident.kind, event) if incident is not None else None
    if incident is None or vouch is None or round is None or not round.live:
        return state
    return replace(state, round=round.vouching(dict.fromkeys(incident.scene.cards, vouch)))


def _goes_on(incident: Incident) -> bool:
    return incident.ruled.ruling in _GO_ON or bool(incident.ruled.ruling and set(incident.ruling.afterwards) & _GO_ON)


_GO_ON: Final = frozenset(
    {"void_round", "void_shoe", "reshuffle", "reshuffle_and_redeal", "replace_deck", "change_shoe", "verify_deck"}
)
"""Rulings, and what follows them, that leave something to do when nothing is left to rule."""


def _change(state: TableState, id: str, **changes: object) -> TableState:
    if state.incident(id) is None:
        raise IllegalEventError(f"Incident {id} is not open at {state.config.key}.")
    incidents = state.incidents
    changed = tuple(replace(one, **changes) if one.id == id else one for one in incidents.open)  # type: ignore[arg-type]
    return replace(state, incidents=replace(incidents, open=changed))


def _asked(event: e.RulingAsked) -> AskedRuling:
    return AskedRuling(
        event.ruling, event.arguments, event.asked_by, event.asked_by_name, event.reason_code, event.words,
        event.expires_at_ms,
    )  # fmt: skip


def _opened(event: e.IncidentOpened, at_ms: int) -> Incident:
    return Incident(
        id=event.id,
        kind=event.incident,
        phase=event.phase,
        circumstances=event.circumstances,
        ruling=Ruling(
            event.row, event.ruling, event.options, Approval(event.approval), Refund(event.refund), event.text,
            event.arguments, event.afterwards,
        ),
        reported_by=event.reported_by,
        opened_at_ms=at_ms,
        holds=event.holds,
        scene=IncidentScene(event.cards, event.evidence, event.box, event.place, event.device),
        procedures=event.procedures,
    )  # fmt: skip
