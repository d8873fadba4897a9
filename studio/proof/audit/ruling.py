"""Holds rulings against their incidents, and what only a ruling may do against the ruling that did it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, get_args

from studio.people import are_two
from studio.procedures import Approval, Refund, Ruling, effective_approval
from studio.procedures.meaning import RULING_BY_KEY, VOIDS
from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact, CardReplaced, Correction, HandsSwapped, HandVoided
from studio.tables.event import table as e

_REDEALS: Final = frozenset({"reshuffle", "reshuffle_and_redeal", "replace_deck"})
_BY_RULING: Final = frozenset(get_args(Correction))
"""What changes the facts of a deal, whatever a device read."""
_OF_OTHERS: Final = (e.ObservationRecorded, e.RoundStarted, e.BetsOpened, e.BetsPlaced, e.DecisionsTaken)
"""What stands in no commit behind a ruling: with it the ruling has done what it does."""
_CAMERA: Final = "camera"
_ON_RECORD: Final = frozenset({Approval.PIT_BOSS, Approval.TWO_PEOPLE})


class RulingAudit:
    """The incidents of one table that are open, what was asked for there, and the ruling that is being carried out."""

    def __init__(self) -> None:
        self._open: dict[str, e.IncidentOpened] = {}
        self._asked: dict[str, e.RulingAsked] = {}
        self._ruled: e.IncidentRuled | None = None
        self._unrecorded: set[str] = set()
        """Incidents of which a ruling takes an exception record that is not there yet."""
        self._needed = Approval.NONE

    def take(self, event: e.AnyEvent, seq: int, at_ms: int, shown: Callable[[], bool]) -> None:
        """Follow one event. `shown`: whether the live round has been revealed, so that two people must void it."""
        match event:
            case e.IncidentOpened():
                self._open[event.id] = event
            case e.RulingAsked():
                self._asked[event.id] = event
            case e.RulingLapsed(id=id):
                self._asked.pop(id, None)
            case e.IncidentRuled():
                self._rule(event, seq, at_ms, shown)
            case e.ExceptionRecorded(incident=id) if not event.revision:
                self._unrecorded.discard(id)
            case e.IncidentClosed(id=id):
                self._close(id, seq)
            case e.RoundVoided():
                self._void(event, seq)
            case e.RedealOrdered(row=row):
                ruled = self._done(seq, "dealt again")
                if ruled.ruling not in _REDEALS or ruled.row != row:
                    wrong(seq, f"A round was dealt again by row {row}, and the ruling was {ruled.ruling}.")
                self._ruled = None  # once
            case e.CardConfirmed(id=id, by=by) if by != _CAMERA:
                given = self._ruled
                if given is None or given.id not in self._open or by not in (given.asked_by, given.approved_by):
                    wrong(seq, f"{by} confirmed the card {id} without a ruling.")
            case e.FactStood(fact=fact) if type(fact) in _BY_RULING:
                self._change(fact, seq)
            case _ if isinstance(event, _OF_OTHERS):
                self._ruled = None

    def _rule(self, told: e.IncidentRuled, seq: int, at_ms: int, shown: Callable[[], bool]) -> None:
        opened = self._open.get(told.id)
        if opened is None:
            wrong(seq, f"Incident {told.id} was ruled on, and is not open.")
        if told.row != opened.row or told.ruling not in (opened.ruling, *opened.options):
            wrong(seq, f"Incident {told.id} was ruled {told.ruling} by row {told.row}, which does not offer that.")
        asked = self._asked.pop(told.id, None)
        self._needed = _needed(opened, told.ruling, shown=told.ruling in VOIDS and shown())
        if told.approved_by or (self._needed is Approval.TWO_PEOPLE and told.reason_code):
            _need_two(told, asked, seq, at_ms)
        if self._needed in _ON_RECORD and told.reason_code:
            self._unrecorded.add(told.id)
        self._ruled = told

    def _void(self, told: e.RoundVoided, seq: int) -> None:
        ruled = self._done(seq, "voided")
        by = ruled.approved_by or ruled.asked_by
        if ruled.ruling not in VOIDS or (told.incident, told.row, told.by) != (ruled.id, ruled.row, by):
            wrong(seq, f"A round was voided on incident {told.incident}, and nobody had ruled so.")

    def _change(self, fact: AnyFact, seq: int) -> None:
        ruled = self._done(seq, "changed")
        opened, key = self._open[ruled.id], ruled.ruling
        match fact:
            case CardReplaced(id=id, face=face, source=source):
                fits = key == source and id in opened.cards
                fits = fits and (key != "manual" or str(face) == ruled.arguments[0])
            case HandsSwapped():
                fits = key == "swap_hands"
            case HandVoided():
                fits = key == "void_hand"
            case _:
                fits = True
        if not fits:
            wrong(seq, f"The deal was changed by a {type(fact).__name__}, and the ruling was {key}.")

    def _done(self, seq: int, what: str) -> e.IncidentRuled:
        """The ruling by which this was done; an exception of it has to be on record before its incident is closed."""
        ruled = self._ruled
        if ruled is None or ruled.id not in self._open:
            wrong(seq, f"A round was {what} without a ruling.")
        if self._needed is Approval.TWO_PEOPLE and not are_two(ruled.asked_by, ruled.approved_by):
            wrong(seq, f"A round was {what} by one person; it takes two.")
        if self._needed in _ON_RECORD:
            self._unrecorded.add(ruled.id)
        return ruled

    def _close(self, id: str, seq: int) -> None:
        self._open.pop(id, None)
        self._asked.pop(id, None)
        if id in self._unrecorded:
            wrong(seq, f"Incident {id} was ruled on by the pit, and no exception is on record for it.")


def _needed(opened: e.IncidentOpened, ruling: str, *, shown: bool) -> Approval:
    """Who had to agree at least; whoever ruled may have had to for more reasons than the record tells."""
    if ruling not in RULING_BY_KEY:
        return Approval.NONE
    offered = Ruling(
        opened.row,
        opened.ruling,
        (*opened.options, opened.ruling),
        Approval(opened.approval),
        Refund(opened.refund),
        "",
    )
    return effective_approval(ruling, offered, revealed_done=shown)


def _need_two(told: e.IncidentRuled, asked: e.RulingAsked | None, seq: int, at_ms: int) -> None:
    """One asked for just this, and another agreed within the minute."""
    if not are_two(told.asked_by, told.approved_by):
        wrong(seq, f"Incident {told.id} was ruled on by one person; {told.ruling} takes two here.")
    if asked is None or (asked.ruling, asked.asked_by) != (told.ruling, told.asked_by) or at_ms > asked.expires_at_ms:
        wrong(seq, f"Incident {told.id} was ruled on by two people, and the first had not asked for that in time.")
