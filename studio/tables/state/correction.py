"""A correction of a settled round as its table knows it, from the asking to the last transfer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.tables.event.correction import CorrectionApproved, CorrectionAsked


@dataclass(frozen=True, slots=True)
class Correction:
    """`asked` until its minute is over; once `approved` it is carried out, and `moved` of its differences are done.

    `pot_moved`: what it does to the round's pot before any bet is done.
    """

    asked: CorrectionAsked
    approved: CorrectionApproved | None = None
    moved: int = 0
    pot_moved: bool = False

    @property
    def id(self) -> str:
        return self.asked.id

    @property
    def round(self) -> str:
        return self.asked.round

    @property
    def owes(self) -> bool:
        """It is approved, and not all of it is moved."""
        return self.approved is not None

    @property
    def claw_back(self) -> Mapping[str, str]:
        return self.approved.claw_back if self.approved else {}


@dataclass(frozen=True, slots=True)
class Corrections:
    """`current`: of a settled round, from the asking until all is moved. `count` of the askings; `revisions` says how
    often which round was corrected.
    """

    current: Correction | None = None
    count: int = 0
    revisions: Mapping[str, int] = field(default_factory=dict)
