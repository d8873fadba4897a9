"""What is known of the opening of sealed cards at a table."""

from __future__ import annotations

from dataclasses import dataclass

from studio.tables.event.unsealing import UnsealingAsked


@dataclass(frozen=True, slots=True)
class Unsealings:
    """`asked`: a sealed card that one person wants opened; `opened` those that two have; `count` of the askings."""

    asked: UnsealingAsked | None = None
    count: int = 0
    opened: frozenset[str] = frozenset()
