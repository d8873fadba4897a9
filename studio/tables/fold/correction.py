"""Folds the correction of a settled round."""

from __future__ import annotations

from collections.abc import Mapping

from studio.cards import Card
from studio.errors import IllegalEventError
from studio.rounds import CardDealt, CardReplaced, play
from studio.tables.event import table as e
from studio.tables.state.correction import Correction, Corrections
from studio.tables.state.table import Deck, Round, Stage, TableState, by_place
from studio.tables.state.vouch import Vouch
from studio.value import replace

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
    facts = (*round.facts, *correction.asked.facts)
    standing = play(state.game.deal.script(round.rules), facts)
    return replace(
        round, facts=facts, cards=by_place(facts), standing=standing, outcome=told.outcome,
        returns_minor=told.returns_minor, digest=told.digest, vouched={**round.vouched, **_vouched(correction)},
    )  # fmt: skip


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
    old = {fact.card.id: fact.face for fact in round.cards.values() if isinstance(fact, CardDealt)}
    for fact in correction.asked.facts:
        if isinstance(fact, CardReplaced) and (wrong := old.get(fact.id)) is not None and faces.get(wrong):
            faces = {**faces, wrong: faces[wrong] - 1}
            faces = {**faces, fact.face: faces.get(fact.face, 0) + 1}
    return replace(deck, faces=faces)


__all__ = ["AnyCorrection", "corrected_round", "evolve_correction"]
