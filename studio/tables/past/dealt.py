"""The facts of a recorded round, read back from the journal as they count today."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, get_args

from studio.journal import Reader
from studio.rounds import AnyFact
from studio.tables.event import table as e
from studio.tables.event.record import read_body

_KINDS: Final = frozenset(
    {*(fact.__name__ for fact in get_args(AnyFact)), "RedealOrdered", "CorrectionApproved", "RoundResettled"}
)


def facts_of(reader: Reader, round: str) -> tuple[AnyFact, ...]:
    """The facts of the deal that counts and of the corrections since its settlement, those not applied yet."""
    facts: list[AnyFact] = []
    approved: Sequence[AnyFact] = ()
    for row in reader.events(round=round, kinds=_KINDS):
        match read_body(row.body).event:
            case e.RedealOrdered():
                facts.clear()
            case e.CorrectionApproved(facts=righted):
                approved = righted
            case e.RoundResettled():
                facts.extend(approved)
            case e.FactStood(fact=fact):
                facts.append(fact)
    return tuple(facts)
