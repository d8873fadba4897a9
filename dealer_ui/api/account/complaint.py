"""An operator complains for a bettor about a round, and reads what the pit answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Body
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.account import ComplaintAnswer, ComplaintKept, Complaints, ComplaintTold
from dealer_ui.desk.complaint import complain, complaint_of, complaints_of
from dealer_ui.floor.bet_offer import STRICT, ClientId
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.journal.extract.played import (
    hand_dealt,
    played_in,
)
from studio.pit.complaint import WORDS_MAX, Complaint
from studio.pit.pit_event import ComplaintMade
from studio.tables.event.record import read_body

BODY_BYTES_MAX: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class ComplaintOrder:
    """A complaint of a bettor about a round he bet on, or a hand he was dealt into."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: ClientId
    round: Annotated[str, StringConstraints(min_length=1, max_length=64), Field(examples=["t1-0000017"])]
    words: Annotated[str, StringConstraints(min_length=1, max_length=WORDS_MAX), Field(examples=["It closed early."])]
    """His own words."""


COMPLAINT: Final = Body(ComplaintOrder, BODY_BYTES_MAX)


@dataclass(frozen=True, slots=True)
class ComplaintDesk:
    floor: OperatorsFloor

    def complain(self, operator: str, bettor: str) -> ComplaintKept:
        """Keep a complaint. It is on disk when it is answered, and the same complaint sent again is kept once."""
        name, wanted = check_id("bettor", bettor), COMPLAINT.read()
        table = self._table_of(wanted.round)
        if not table:
            sentence = "The studio has dealt no such round: take the round's id from the bet or from the record."
            raise AnswerError(404, "unknown_round", sentence)
        self._need_played(operator, name, wanted.round)
        made = ComplaintMade(
            id="", operator=operator, client_id=wanted.client_id, bettor=name, table=table, round=wanted.round,
            words=wanted.words, at_ms=0,
        )  # fmt: skip
        kept, is_new = complain(self.floor.pit, made)
        return {**complaint_line(kept), "duplicate": not is_new}

    def complaint(self, operator: str, client_id: str) -> ComplaintTold:
        """Where a complaint stands."""
        found = complaint_of(self.floor.pit, operator, check_id("client_id", client_id))
        if found is None:
            raise AnswerError(404, "complaint_not_found", "You have made no complaint with this client_id.")
        return complaint_line(found)

    def complaints(self, operator: str, bettor: str) -> Complaints:
        """All of a bettor's, newest first."""
        found = complaints_of(self.floor.pit, operator, check_id("bettor", bettor))
        return {"bettor": bettor, "complaints": [complaint_line(one) for one in found]}

    def _need_played(self, operator: str, bettor: str, round: str) -> None:
        """A bet in it, or cards of a hand of the poker room."""
        reader = self.floor.reader()
        if played_in(reader, operator, bettor, round) is None and hand_dealt(reader, operator, bettor, round) is None:
            sentence = f"The bettor '{bettor}' did not play in this round: take the round's id from his bets or hands."
            raise AnswerError(404, "round_not_found", sentence)

    def _table_of(self, round: str) -> str:
        rows = self.floor.reader().events(round=round, kinds=("RoundStarted",), limit=1)
        return next((read_body(row.body).table for row in rows), "")


def complaint_line(one: Complaint) -> ComplaintTold:
    """A complaint as its operator sees it; who answered is the studio's own affair."""
    answer: ComplaintAnswer = {
        "outcome": one.outcome, "words": one.answer, "at_ms": one.answered_ms, "correction": one.correction or None,
    }  # fmt: skip
    return {
        "client_id": one.client_id,
        "complaint": one.id,
        "bettor": one.bettor,
        "table": one.table,
        "round": one.round,
        "words": one.words,
        "at_ms": one.at_ms,
        "status": "open" if one.open else "answered",
        "answer": None if one.open else answer,
    }
