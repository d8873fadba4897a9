"""Finds what put a round right after the fact: what an answer `corrected` points to."""

from __future__ import annotations

from typing import Final

from studio.journal import Reader

CORRECTIONS: Final = frozenset({"RoundResettled", "CompensationPaid"})
"""Kinds of the journal that put the money of a round right."""


def correction_of(reader: Reader, round: str) -> int:
    """The journal's number of the newest correction of the round; 0 where there is none."""
    return max((row.seq for row in reader.events(round=round, kinds=CORRECTIONS)), default=0)
