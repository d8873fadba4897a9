"""What is known of the opening of sealed cards at a table."""

from __future__ import annotations

from dataclasses import dataclass

from studio.tables.event.unsealing import UnsealingAsked


@dataclass(frozen=True, slots=True)
class Unsealings:
    """Sealed cards that people open: the one that is `asked` for, those that were `opened`, and a `count` of the
    requests.
    """

    asked: UnsealingAsked | None = None
    count: int = 0
    opened: frozenset[str] = frozenset()
