"""The only place for the dealer's incident menu: which kinds, in which order, and the question some need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from studio.procedures.incident import KIND_BY_KEY, Reporter

YES_NO: Final = ("true", "false")


@dataclass(frozen=True, slots=True)
class Choice:
    """One kind the dealer may report. `question` is the circumstance asked for, `answers` what it may be."""

    kind: str
    question: str = ""
    answers: tuple[str, ...] = ()


_CHOICES: Final = (
    Choice("dropped_card", "identified", YES_NO),
    Choice("exposed_card"),
    Choice("extra_card", "revealed", YES_NO),
    Choice("early_card", "revealed", YES_NO),
    Choice("misplaced_card"),
    Choice("wrong_order", "pattern", ("reversed", "other")),
    Choice("wrong_count", "revealed", YES_NO),
    Choice("burn_error"),
    Choice("boxed_card", "count", ("1", "2")),
    Choice("unread_card"),
    Choice("cleared_early"),
    Choice("fouled_deck"),
    Choice("shoe_empty"),
    Choice("shuffler_jam"),
    Choice("cut_card"),
)

MENU: Final = tuple(choice for choice in _CHOICES if Reporter.DEALER in KIND_BY_KEY[choice.kind].reporters)
"""What the dealer may report, the commonest first."""
