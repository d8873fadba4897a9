"""What departs from the ordinary course, and what is left of it: incidents with the row that rules them, prizes lost, a
correction, a sealed card that somebody asks to open.
"""

from __future__ import annotations

from heapq import nlargest
from typing import Final

from studio.spoken import Slot
from studio.tables.correction.unsealing import first_kept
from studio.tables.felt.camera_look import place_of
from studio.tables.felt.street_layout import set_to
from studio.tables.irregularity.eye_account import readings
from studio.tables.irregularity.ruling import hindrance
from studio.tables.state.aftermath import Case, Correction
from studio.tables.state.incident import AskedRuling, Incident
from studio.tables.state.table import TableState
from studio.views.device import part_of
from studio.views.procedure import row_words, view_following, view_procedure
from studio.views.shape import (
    AftermathView,
    CaseView,
    CorrectionView,
    HindranceView,
    IncidentsView,
    IncidentView,
    RequestView,
    RowView,
    SealedView,
    UnsealingView,
    WhereView,
)

CLAIMS_SHOWN: Final = 20


def view_incidents(state: TableState) -> IncidentsView:
    return IncidentsView(tuple(_incident(state, one) for one in state.incidents.open), view_following(state))


def _incident(state: TableState, incident: Incident) -> IncidentView:
    scene = incident.scene
    return IncidentView(
        id=incident.id,
        kind=incident.kind,
        phase=incident.phase,
        holds=incident.holds,
        reported_by=incident.reported_by,
        opened_at_ms=incident.opened_at_ms,
        row=_row(state, incident),
        where=WhereView(*scene.slot, *_belongs(state, incident), part_of(state, scene.device)),
        evidence=scene.evidence,
        circumstances=incident.circumstances,
        asked=_asked(incident.asked),
        ruled=incident.ruled.ruling,
        procedure=view_procedure(state, incident),
    )


def _row(state: TableState, incident: Incident) -> RowView:
    ruling = incident.ruling
    return RowView(
        id=ruling.row,
        text=ruling.text,
        ruling=ruling.ruling,
        options=ruling.choices,
        approval=ruling.approval,
        refund=ruling.refund,
        arguments=ruling.arguments,
        words=row_words(state, incident),
        readings=tuple((one.ruling, one.eye, str(one.face)) for one in readings(state, incident)),
        hindered=_hindered(state, incident),
    )


def _asked(asked: AskedRuling | None) -> RequestView:
    if asked is None:
        return RequestView()
    return RequestView(
        asked.asked_by, asked.asked_by_name, asked.reason_code, asked.words, asked.expires_at_ms, asked.ruling,
        asked.arguments, asked.mark,
    )  # fmt: skip


def _hindered(state: TableState, incident: Incident) -> dict[str, HindranceView]:
    ways = () if incident.ruled.ruling else incident.ruling.choices
    found = {way: hindrance(state, incident, way) for way in ways}
    return {
        way: HindranceView(why.sentence, why.words_key, why.values) for way, why in found.items() if why is not None
    }


def _belongs(state: TableState, incident: Incident) -> Slot:
    """Where the card of an incident belongs, if it lies somewhere else."""
    if state.round is None or not incident.scene.cards or not incident.scene.place:
        return ("", 0)
    own = set_to(state, incident.scene.cards[0]) or place_of(state.round, incident.scene.cards[0])
    return own if own is not None and own != incident.scene.slot else ("", 0)


def view_aftermath(state: TableState) -> AftermathView:
    cases = tuple(_case(case, state.config.currency) for case in state.aftermath.cases)
    return AftermathView(cases, _correction(state.aftermath.corrections.current), _sealed(state))


def _case(case: Case, currency: str) -> CaseView:
    """The largest claims come with it: there may be a hundred thousand."""
    largest = nlargest(CLAIMS_SHOWN, case.claims, key=lambda claim: claim.prize_minor)
    return CaseView(
        round=case.id,
        incident=case.incident,
        bet=case.bet,
        line=case.line,
        opened_at_ms=case.opened_at_ms,
        assessed=case.assessed,
        bettors=case.bettors,
        prizes_minor=case.prizes_minor(currency),
        pays=case.pays,
        claims=tuple(
            (claim.account, claim.stake_minor, claim.prize_minor, claim.currency or currency) for claim in largest
        ),
    )


def _correction(correction: Correction | None) -> CorrectionView | None:
    if correction is None:
        return None
    one, approved = correction.asked, correction.approved
    return CorrectionView(
        one.id, one.round, one.number, one.void, one.said, one.bets, one.sums,
        RequestView(one.asked_by, one.asked_by_name, one.reason_code, one.words, one.expires_at_ms), one.evidence,
        approved.approved_by if approved else "", correction.moved, one.facts, one.pays,
    )  # fmt: skip


def _sealed(state: TableState) -> SealedView:
    one = state.aftermath.unsealings.asked
    if one is None:
        return SealedView(first_kept(state))
    asked = UnsealingView(
        one.id, one.round, one.number, one.card, one.zone, one.place, one.deal,
        RequestView(one.asked_by, one.asked_by_name, one.reason_code, one.words, one.expires_at_ms),
    )  # fmt: skip
    return SealedView(first_kept(state), asked)
