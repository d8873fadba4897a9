"""Finished rounds, for the display and the statistics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ResultView:
    """One finished round for the display and the statistics; `outcome` as the game describes it.

    `corrected` after its settlement: then `before` is the outcome that was told first.
    """

    round: str
    number: int
    at_ms: int
    voided: bool
    outcome: Mapping[str, Any]
    corrected: bool = False
    before: Mapping[str, Any] = field(default_factory=dict)
    revision: int = 0
    """Of the correction done last."""
    shoe: int = 0
    """Which of the shoes that were opened here dealt it; 0 where none is."""


@dataclass(frozen=True, slots=True)
class RoadMark:
    """What a road says of one round: who won, which is no side where they tied, and which hands began with a pair."""

    winner: str
    pairs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PastView:
    """Rounds that are over: who won, the oldest first, how long each bet did not, and the last results, newest last.

    Where a shoe is dealt through many rounds, `winners` and `marks` are those of the newest one.
    """

    winners: tuple[str, ...] = ()
    missed: Mapping[str, int] = field(default_factory=dict)
    marks: tuple[RoadMark, ...] = ()
    results: tuple[ResultView, ...] = ()
