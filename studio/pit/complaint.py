"""What a bettor's complaint is: made once, answered once, by a person with a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.people import Actor, need_right
from studio.pit.message import clean
from studio.pit.pit_event import ComplaintAnswered, ComplaintMade

OUTCOMES: Final = ("upheld", "declined", "corrected")
WORDS_MAX: Final = 1_000
ANSWER_MAX: Final = 1_000
OPEN_OF_BETTOR_MAX: Final = 5
OPEN_OF_OPERATOR_MAX: Final = 200
LATE_MS: Final = 24 * 60 * 60 * 1000
"""A complaint that waits longer is an alarm."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """`answered_ms` is 0 while it is open; `seq` is where it stands in the journal."""

    id: str
    operator: str
    client_id: str
    bettor: str
    table: str
    round: str
    words: str
    at_ms: int
    outcome: str = ""
    answer: str = ""
    by: str = ""
    by_name: str = ""
    correction: int = 0
    answered_ms: int = 0

    @property
    def open(self) -> bool:
        return not self.answered_ms

    def late(self, now_ms: int) -> bool:
        return self.open and now_ms - self.at_ms >= LATE_MS


def make_complaint(made: ComplaintMade, known: Iterable[Complaint]) -> ComplaintMade | None:
    """The complaint to be kept, without id and time yet; None when the very same was made before."""
    made_words = clean(made.words)
    open_of_operator = open_of_bettor = 0
    for one in known:
        if one.operator != made.operator:
            continue
        if one.client_id == made.client_id:
            if (one.bettor, one.round, one.words) == (made.bettor, made.round, made_words):
                return None
            raise RefusedError("client_id_reused", "This client_id already names another complaint: give it its own.")
        open_of_operator += one.open
        open_of_bettor += one.open and one.bettor == made.bettor
    if not made_words:
        raise RefusedError("complaint_empty", "The complaint has no words: say what is wrong with the round.")
    if open_of_bettor >= OPEN_OF_BETTOR_MAX:
        raise RefusedError("too_many_complaints", "This bettor has five open complaints: wait for an answer to one.")
    if open_of_operator >= OPEN_OF_OPERATOR_MAX:
        raise RefusedError("too_many_complaints", "You have 200 open complaints: wait for an answer to one.")
    return ComplaintMade(
        id="", operator=made.operator, client_id=made.client_id, bettor=made.bettor, table=made.table,
        round=made.round, words=made_words, at_ms=0,
    )  # fmt: skip


def answer_complaint(
    complaint: Complaint, actor: Actor, outcome: str, words: str, correction: int
) -> ComplaintAnswered:
    """The answer, without its time yet; `correction` is what put the round right, 0 where nothing did."""
    need_right(actor, "answer_complaint")
    if not complaint.open:
        raise RefusedError("answered", f"{complaint.by_name} has answered this already; an answer is not changed.")
    if outcome not in OUTCOMES:
        raise RefusedError("unknown_outcome", "Choose what came of it: upheld, declined or corrected.")
    said = clean(words)
    if not said:
        raise RefusedError("answer_empty", "Write the answer: the bettor reads it.")
    if len(said) > ANSWER_MAX:
        raise RefusedError("answer_long", f"The answer is too long: at most {ANSWER_MAX} letters.")
    if (outcome == "corrected") is not bool(correction):
        raise RefusedError(
            "no_correction", "The round's record has no correction: correct the round first, or choose another outcome."
        )
    return ComplaintAnswered(
        id=complaint.id, outcome=outcome, words=said, by=actor.id, by_name=actor.name, correction=correction, at_ms=0
    )
