"""A progressive pot as screens show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PotView:
    """What lies in a progressive pot now; other tables may feed it and win it too."""

    key: str
    currency: str
    amount_minor: int
    due_minor: int = 0
    """What the stakes of the open round will add to it when betting closes."""
    sharers: int = 0
    """How many bettors of the open round would share it."""
