"""What the pit and an operator see of a round's exposure: how much is used, of how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.tables.books.book import Book
from studio.tables.books.exposure import Told
from studio.tables.config import OperatorLimit
from studio.tables.state.table import TableState

NEAR_PERCENT: Final = 80
"""From here on the pit is told that a table fills up."""


@dataclass(frozen=True, slots=True)
class OwnExposure:
    """One operator's share of a round; a limit of 0 is none."""

    now_minor: int
    bets: int
    limit: OperatorLimit


@dataclass(frozen=True, slots=True)
class ExposureView:
    """What the house could lose on this round, and may; `refused`: the bets of the round that found no room.

    `limits` by operator; `*` stands for every operator without a line of his own.
    """

    now_minor: int
    most_minor: int
    refused: int
    own: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    limits: Mapping[str, OperatorLimit] = field(default_factory=dict)

    @property
    def percent(self) -> int:
        return min(100 * self.now_minor // self.most_minor, 100) if self.most_minor else 0

    @property
    def tone(self) -> str:
        """`full` when bets were refused, `near` from four fifths on, else empty."""
        return "full" if self.refused else "near" if self.percent >= NEAR_PERCENT else ""

    def of(self, operator: str) -> OwnExposure:
        now_minor, bets = self.own.get(operator, (0, 0))
        limit = self.limits.get(operator) or self.limits.get("*") or OperatorLimit()
        return OwnExposure(now_minor, bets, limit)


def view_exposure(state: TableState, book: Book) -> ExposureView | None:
    """None where the seats play among themselves: the house has nothing to lose."""
    if state.game.peers is not None:
        return None
    round, config = state.round, state.config
    told = book.exposed.told if round is not None and not round.over and book.round == round.id else Told()
    return ExposureView(
        told.most_minor, config.exposure_most_minor, told.refused, dict(told.own), dict(config.operator_limits)
    )
