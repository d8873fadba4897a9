"""The request to correct a settled round: one person asks, another approves, and nothing else counts.

What is approved is what was shown: the second person's approval is refused when anything differs by then.
"""

from __future__ import annotations

from studio.errors import RefusedError
from studio.people import (
    REQUEST_VALID_MS,
    TwoPeople,
    has_lapsed,
    need_approver,
    need_asker,
    need_decliner,
    need_waiting,
)
from studio.rounds import CardReplaced
from studio.tables import command as c
from studio.tables.correction.preview import WeighedCorrection, moved, weigh
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import InRound, Situation
from studio.tables.past.dossier import Dossier

ROW = "resettle"
"""Stands for the row of an exception: no incident led to it, but the law's own words on a change of a settled round."""


def ask_correction(draft: Draft, command: c.AskCorrection) -> None:
    """The first person: exactly this, with what it changes, for a minute; sent again meanwhile it is the same."""
    need_asker(command.actor, draft.at_ms, pit_bosses_on_floor=command.pit_bosses, dealer=draft.state.seat.dealer)
    if _waits_already(draft, command):
        return
    _need_free(draft)
    words = command.words.strip()
    if not command.reason_code or not words:
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept with the correction.")
    weighed = _weighed(draft, command.dossier, command.facts, void=command.void, pays=command.pays)
    if command.digest and command.digest != weighed.digest:
        raise RefusedError("changed_meanwhile", "What this changes is not what you were shown; look at it again.")
    number = draft.state.aftermath.corrections.count + 1
    draft.emit(
        e.CorrectionAsked(
            id=f"{draft.state.config.key}-c{number}", round=command.dossier.round.id,
            number=command.dossier.round.number, revision=weighed.revision, facts=weighed.facts, void=weighed.void,
            bets=len(weighed.differences), sums=weighed.sums, digest=weighed.digest, before=dict(weighed.before),
            after=dict(weighed.after), said=weighed.said, asked_by=command.actor.id,
            asked_by_name=command.actor.name, reason_code=command.reason_code, words=words,
            expires_at_ms=draft.at_ms + REQUEST_VALID_MS, evidence=command.evidence, pays=command.pays,
        )
    )  # fmt: skip


def approve_correction(draft: Draft, command: c.ApproveCorrection) -> None:
    """A second person with pit rights approves the request within the minute; refused when the round has changed since
    it was asked.
    """
    asked = _asked(draft, command.correction)
    both = need_approver(asked, command.actor, draft.at_ms, rights=rights_of(asked))
    dossier = command.dossier
    weighed = _weighed(draft, dossier, asked.facts, void=asked.void, pays=asked.pays)
    if (dossier.round.id, weighed.revision, weighed.digest) != (asked.round, asked.revision, asked.digest):
        raise RefusedError("changed_meanwhile", "The round is not what it was when this was asked; ask for it again.")
    draft.emit(
        e.CorrectionApproved(
            id=asked.id, round=asked.round, revision=asked.revision, facts=asked.facts, void=asked.void,
            digest=asked.digest, asked_by=both.asked_by, approved_by=both.approved_by,
            claw_back=dict(draft.state.config.claw_back), pays=asked.pays, approved_by_name=both.approved_by_name,
        ),
        _exception(asked, weighed, both),
    )  # fmt: skip


def rights_of(asked: e.CorrectionAsked) -> tuple[str, ...]:
    """What a person needs for this correction: another card, or another result though every card is what it was."""
    cards = any(isinstance(fact, CardReplaced) for fact in asked.facts)
    result = any(not isinstance(fact, CardReplaced) for fact in asked.facts)
    wanted = {"resettle_round": True, "override_card": cards, "override_result": result, "void_round": asked.void}
    return tuple(right for right, needed in wanted.items() if needed)


def decline_correction(draft: Draft, command: c.DeclineCorrection) -> None:
    """Drop the request: the person who asked takes it back, or one who could approve it says no."""
    asked = _asked(draft, command.correction)
    need_decliner(asked, command.actor)
    draft.emit(e.CorrectionLapsed(id=asked.id, round=asked.round, by=command.actor.id))


def lapse_correction(draft: Draft) -> None:
    """A minute has passed and nobody has agreed."""
    asked = draft.state.aftermath.corrections.current
    if asked is not None and not asked.owes and has_lapsed(asked.asked, draft.at_ms):
        draft.emit(e.CorrectionLapsed(id=asked.id, round=asked.round))


def _weighed(
    draft: Draft, dossier: Dossier, facts: tuple[e.Righting, ...], *, void: bool, pays: str
) -> WeighedCorrection:
    """What the correction of this round comes to; refused where the dossier is of another table or older than the last
    correction.
    """
    if dossier.table != draft.state.config.key:
        raise RefusedError("no_such_round", "There is no such round at this table; open it from the table's list.")
    if dossier.revision != draft.state.aftermath.corrections.revisions.get(dossier.round.id, 0):
        raise RefusedError("changed_meanwhile", "The round was corrected meanwhile; look at it again.")
    return weigh(dossier, facts, void=void, pays=pays)


def _asked(draft: Draft, id: str) -> e.CorrectionAsked:
    current = draft.state.aftermath.corrections.current
    waits = current is not None and current.id == id and not current.owes
    return need_waiting(current.asked if current is not None and waits else None, draft.at_ms)


def _need_free(draft: Draft) -> None:
    other = draft.state.aftermath.corrections.current
    if other is not None and other.owes:
        raise RefusedError("correcting", "Another correction of this table is being paid; ask again when it is done.")
    if other is not None and not has_lapsed(other.asked, draft.at_ms):
        raise RefusedError("correction_open", "Another correction waits for its second person; end that one first.")
    lapse_correction(draft)


def _waits_already(draft: Draft, command: c.AskCorrection) -> bool:
    """Whether just this waits, asked by just this person."""
    other = draft.state.aftermath.corrections.current
    if other is None or other.owes or has_lapsed(other.asked, draft.at_ms):
        return False
    one = other.asked
    return (one.asked_by, one.round, one.facts, one.void, one.pays, one.reason_code, one.words) == (
        command.actor.id, command.dossier.round.id, tuple(command.facts), command.void, command.pays,
        command.reason_code, command.words.strip(),
    )  # fmt: skip


def _exception(asked: e.CorrectionAsked, weighed: WeighedCorrection, both: TwoPeople) -> e.ExceptionRecorded:
    return e.ExceptionRecorded(
        incident=asked.id, act="void_settled_round" if asked.void else "resettle", asked_by=both.asked_by,
        approved_by=both.approved_by, before=Situation((InRound(asked.round), *weighed.readings[0])),
        after=Situation((*weighed.readings[1], *moved(weighed))),
        reason_code=asked.reason_code, words=asked.words, row=ROW, evidence=asked.evidence, bets=asked.bets,
        round=asked.round, revision=asked.revision,
    )  # fmt: skip
