"""What is left to do about rounds that are over."""

from __future__ import annotations

from dataclasses import dataclass, field

from studio.tables.state.case import Case
from studio.tables.state.correction import Corrections
from studio.tables.state.unsealing import Unsealings


@dataclass(frozen=True, slots=True)
class Aftermath:
    """`cases`: prizes lost with voided rounds, until they are decided and paid."""

    cases: tuple[Case, ...] = ()
    corrections: Corrections = field(default_factory=Corrections)
    unsealings: Unsealings = field(default_factory=Unsealings)
