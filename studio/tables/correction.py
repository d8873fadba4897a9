"""The only place for a correction of a settled round as its table knows it, from the asking to the last transfer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.settlement import CorrectionSum
from studio.tables.correction_event import Righting


@dataclass(frozen=True, slots=True)
class Correction:
    """Asked for until `expires_at_ms`; `approved_by` the second person it is being carried out.

    `moved` of its `bets` differences are done. See `CorrectionAsked` for the rest.
    """

    id: str
    round: str
    number: int
    revision: int
    facts: tuple[Righting, ...]
    void: bool
    bets: int
    sums: tuple[CorrectionSum, ...]
    digest: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    said: tuple[str, str]
    asked_by: str
    asked_by_name: str
    reason_code: str
    words: str
    expires_at_ms: int
    evidence: tuple[str, ...] = ()
    approved_by: str = ""
    claw_back: Mapping[str, str] = field(default_factory=dict)
    moved: int = 0
    pot_back: bool = False

    @property
    def owes(self) -> bool:
        """It is approved, and not all of it is moved."""
        return self.approved_by != ""
