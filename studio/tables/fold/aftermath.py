"""Folds what is left of rounds that are over: a correction, cases of compensation, the opening of sealed cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from studio.cards import Card
from studio.errors import IllegalEventError
from studio.rounds import CardDealt, CardReplaced, play
from studio.tables.event import table as e
from studio.tables.event.correction import AnyUnsealing, CardUnsealed, UnsealingAsked
from studio.tables.state.aftermath import Case, Correction, Corrections, Unsealings
from studio.tables.state.felt import Vouch
from studio.tables.state.round import Round, RoundDeal, Stage, by_place
from studio.tables.state.shoe import Deck
from studio.tables.state.table import TableState
from studio.value import replace

CaseEvent = e.PotSeeded | e.CompensationOpened | e.CompensationAssessed | e.CompensationDecided | e.CompensationPaid


AnyCorrection = (
    e.CorrectionAsked | e.CorrectionLapsed | e.CorrectionApproved | e.PotTakenBack | e.PotClaimedLate | e.PotClaimUndone
    | e.BetsResettled | e.RoundResettled
)  # fmt: skip


def evolve_correction(state: TableState, event: AnyCorrection) -> TableState:
    corrections = state.aftermath.corrections
    if isinstance(event, e.CorrectionAsked):
        asked = replace(corrections, current=Correction(event), count=corrections.count + 1)
        return _with(state, asked)
    correction = corrections.current
    if correction is None or correction.round != event.round:
        raise IllegalEventError(f"{type(event).__name__} speaks of round {event.round}, which is not being corrected.")
    match event:
        case e.CorrectionLapsed():
            return _with(state, replace(corrections, current=None))
        case e.CorrectionApproved():
            return _with(state, replace(corrections, current=replace(correction, approved=event)))
        case e.PotTakenBack() | e.PotClaimedLate() | e.PotClaimUndone():
            return _with(state, replace(corrections, current=replace(correction, pot_moved=True)))
        case e.BetsResettled(cursor=cursor):
            return _with(state, replace(corrections, current=replace(correction, moved=cursor)))
    revisions = {**corrections.revisions, event.round: event.revision}
    state = _with(state, replace(corrections, current=None, revisions=revisions))
    if state.round is None or state.round.id != event.round:
        return state
    before = state.round
    return replace(
        state, round=corrected_round(state, before, correction, event), deck=_deck(state, before, correction)
    )


def _with(state: TableState, corrections: Corrections) -> TableState:
    return replace(state, aftermath=replace(state.aftermath, corrections=corrections))


def corrected_round(state: TableState, round: Round, correction: Correction, told: e.RoundResettled) -> Round:
    """The table's last round as it is from now on."""
    if told.void:
        return replace(round, stage=Stage.VOIDED, outcome=None)
    facts = (*round.deal.facts, *correction.asked.facts)
    standing = play(state.game.deal.script(round.rules), facts)
    return replace(
        round.vouching(_vouched(correction)),
        deal=RoundDeal(standing, round.deal.attempt, facts, by_place(facts)),
        outcome=told.outcome,
        paid=replace(round.paid, returns_minor=told.returns_minor, digest=told.digest),
    )


def _vouched(correction: Correction) -> Mapping[str, Vouch]:
    """The cards that two people read otherwise once the round was settled."""
    asked, approved = correction.asked, correction.approved
    vouch = Vouch(
        "correction", asked.asked_by, asked.asked_by_name, approved.approved_by if approved else "",
        (approved.approved_by_name or approved.approved_by) if approved else "",
    )  # fmt: skip
    return {fact.id: vouch for fact in asked.facts if isinstance(fact, CardReplaced)}


def _deck(state: TableState, round: Round, correction: Correction) -> Deck | None:
    """The faces the public has seen of the shoe that is still in play: a card read wrongly is another from now on."""
    deck = state.deck
    if deck is None or correction.asked.void:
        return deck
    faces: Mapping[Card, int] = deck.faces
    old = {fact.card.id: fact.face for fact in round.deal.cards.values() if isinstance(fact, CardDealt)}
    for fact in correction.asked.facts:
        if isinstance(fact, CardReplaced) and (wrong := old.get(fact.id)) is not None and faces.get(wrong):
            faces = {**faces, wrong: faces[wrong] - 1}
            faces = {**faces, fact.face: faces.get(fact.face, 0) + 1}
    return replace(deck, faces=faces)


__all__ = ["AnyCorrection", "corrected_round", "evolve_correction"]


def evolve_case(state: TableState, event: CaseEvent, at_ms: int) -> TableState:
    cases = state.aftermath.cases
    match event:
        case e.PotSeeded():
            return state  # what lies in a pot is no table's own
        case e.CompensationOpened():
            opened = Case(
                event.case, event.incident, event.bet, event.line, event.ratio, event.bets, at_ms, event.rates
            )
            return _with_cases(state, (*cases, opened))
        case e.CompensationPaid(over=True):
            return _with_cases(state, (one for one in cases if one.id != event.case))
    if (case := state.case(event.case)) is None:
        raise IllegalEventError(f"{type(event).__name__} speaks of case {event.case}, which is not open.")
    changed = _changed_case(case, event)
    return _with_cases(state, (changed if one.id == event.case else one for one in cases))


def _with_cases(state: TableState, cases: Iterable[Case]) -> TableState:
    return replace(state, aftermath=replace(state.aftermath, cases=tuple(cases)))


def _changed_case(case: Case, event: e.AnyEvent) -> Case:
    match event:
        case e.CompensationAssessed(claims=claims):
            return replace(case, claims=(*case.claims, *claims))
        case e.CompensationDecided(pays=pays, amount_minor=amount_minor):
            return replace(case, pays=pays, amount_minor=amount_minor)
        case e.CompensationPaid(cursor=cursor, amount_minor=amount_minor):
            return replace(case, paid=cursor, paid_minor=amount_minor)
    raise IllegalEventError(f"{type(event).__name__} changes no open case.")


def evolve_unsealing(state: TableState, event: AnyUnsealing) -> TableState:
    unsealings = state.aftermath.unsealings
    if isinstance(event, UnsealingAsked):
        return _with_unsealings(state, replace(unsealings, asked=event, count=unsealings.count + 1))
    if unsealings.asked is None or unsealings.asked.id != event.id:
        raise IllegalEventError(f"{type(event).__name__} speaks of {event.id}, which nobody has asked for.")
    opened = {event.card.id} if isinstance(event, CardUnsealed) else set()
    return _with_unsealings(state, replace(unsealings, asked=None, opened=unsealings.opened | opened))


def _with_unsealings(state: TableState, unsealings: Unsealings) -> TableState:
    return replace(state, aftermath=replace(state.aftermath, unsealings=unsealings))
