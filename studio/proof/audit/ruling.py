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
    """The incidents of one table that are open, what was asked for, and the rulings that are being carried out."""

    def __init__(self) -> None:
        self._open: dict[str, e.IncidentOpened] = {}
        self._asked: dict[str, e.RulingAsked] = {}
        self._in_force: dict[str, tuple[e.IncidentRuled, Approval]] = {}
        """By incident, with who had to agree at least."""
        self._unrecorded: set[str] = set()
        """Incidents of which a ruling takes an exception record that is not there yet."""

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
            case _ if isinstance(event, _OF_OTHERS):
                self._in_force.clear()
            case _:
                self._carry_out(event, seq)

    def _carry_out(self, event: e.AnyEvent, seq: int) -> None:
        """What nothing but a ruling does."""
        match event:
            case e.RoundVoided(row=row, incident=id, by=by):
                self._need(
                    lambda told: told.ruling in VOIDS and (told.id, told.row, told.approved_by or told.asked_by)
                    == (id, row, by),
                    f"The round was voided on incident {id}, and nobody had ruled so.", seq,
                )  # fmt: skip
            case e.RedealOrdered(row=row):
                said = f"The round was dealt again by row {row}, and nobody had ruled so."
                del self._in_force[self._need(lambda told: told.ruling in _REDEALS and told.row == row, said, seq)]
            case e.FactStood(fact=fact) if type(fact) in _BY_RULING:
                said = f"The deal was changed by a {type(fact).__name__}, and nobody had ruled so."
                self._need(lambda told: _changes(told, self._open[told.id], fact), said, seq)
            case e.CardConfirmed(id=id, by=by) if by != _CAMERA:
                if not any(by in (told.asked_by, told.approved_by) for told, _ in self._in_force.values()):
                    wrong(seq, f"{by} confirmed the card {id} without a ruling.")

    def _rule(self, told: e.IncidentRuled, seq: int, at_ms: int, shown: Callable[[], bool]) -> None:
        opened = self._open.get(told.id)
        if opened is None:
            wrong(seq, f"Incident {told.id} was ruled on, and is not open.")
        if told.row != opened.row or told.ruling not in (opened.ruling, *opened.options):
            wrong(seq, f"Incident {told.id} was ruled {told.ruling} by row {told.row}, which does not offer that.")
        asked = self._asked.pop(told.id, None)
        needed = _needed(opened, told.ruling, shown=told.ruling in VOIDS and shown())
        if told.approved_by or (needed is Approval.TWO_PEOPLE and told.reason_code):
            _need_two(told, asked, seq, at_ms)
        if needed in _ON_RECORD and told.reason_code:
            self._unrecorded.add(told.id)
        self._in_force[told.id] = told, needed

    def _need(self, fits: Callable[[e.IncidentRuled], bool], said: str, seq: int) -> str:
        """The incident by whose ruling this was done; an exception of it has to be on record before that is closed."""
        told, needed = next((one for one in self._in_force.values() if fits(one[0])), (None, Approval.NONE))
        if told is None:
            wrong(seq, said)
        if needed is Approval.TWO_PEOPLE and not are_two(told.asked_by, told.approved_by):
            wrong(seq, f"Incident {told.id} was ruled on by one person; {told.ruling} takes two here.")
        if needed in _ON_RECORD:
            self._unrecorded.add(told.id)
        return told.id

    def _close(self, id: str, seq: int) -> None:
        self._open.pop(id, None)
        self._asked.pop(id, None)
        self._in_force.pop(id, None)
        if id in self._unrecorded:
            wrong(seq, f"Incident {id} was ruled on by the pit, and no exception is on record for it.")


def _changes(told: e.IncidentRuled, opened: e.IncidentOpened, fact: AnyFact) -> bool:
    """Whether this ruling may change the deal so."""
    match fact:
        case CardReplaced(id=id, face=face, source=source):
            named = told.ruling == source and id in opened.cards
            return named and (source != "manual" or told.arguments[:1] == (str(face),))
        case HandsSwapped():
            return told.ruling == "swap_hands"
        case HandVoided():
            return told.ruling == "void_hand"
        case _:
            return True


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
