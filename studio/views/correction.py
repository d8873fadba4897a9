"""The correction of a settled round, as the pit's screens show it."""

from __future__ import annotations

from dataclasses import dataclass

from studio.settlement import CorrectionSum
from studio.tables.event.correction import Righting
from studio.tables.event.situation import AnySituation
from studio.tables.state.correction import Correction


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction that waits for its second person, or is being paid (`approved_by`). For the pit alone.

    `said`: what the record has and shall have. `moved` of `bets` differences are done.
    """

    id: str
    round: str
    number: int
    void: bool
    said: tuple[AnySituation, AnySituation]
    bets: int
    sums: tuple[CorrectionSum, ...]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    until_ms: int
    evidence: tuple[str, ...] = ()
    approved_by: str = ""
    moved: int = 0
    facts: tuple[Righting, ...] = ()
    pays: str = ""


def view_correction(correction: Correction | None) -> CorrectionView | None:
    if correction is None:
        return None
    one, approved = correction.asked, correction.approved
    return CorrectionView(
        one.id, one.round, one.number, one.void, one.said, one.bets, one.sums, one.asked_by, one.asked_by_name,
        one.reason_code, one.words, one.expires_at_ms, one.evidence, approved.approved_by if approved else "",
        correction.moved, one.facts, one.pays,
    )  # fmt: skip
