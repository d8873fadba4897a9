"""The game a table deals with its terms, the bets of a round, and what the house could lose on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.money import Rates
from studio.procedures.record import Records
from studio.tables.config import OperatorLimit

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


@dataclass(frozen=True, slots=True)
class BetsView:
    """`closes_at_ms` while the window is open. `by_bet`: bet key to (number, stake in minor units)."""

    open: bool
    closes_at_ms: int | None
    count: int
    stake_minor: int
    currency: str
    by_bet: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    deciding: tuple[str, ...] = ()
    """What every bettor may choose while a decision is open; at a turn, what the box may."""
    turn: str = ""
    """The box or row whose turn it is, while its window is open."""
    asked: int = 0
    decided: int = 0
    """Of so many bettors, or boxes, who are asked while a decision is open, so many have decided."""
    ready: int = 0
    bettors: int = 0
    """Of so many bettors who have bet so far, so many have said that they bet no more, where a game asks that."""
    opened: bool = False
    """Whether the bets of this round were ever open; they may be closed again."""
    exposure: ExposureView | None = None
    """What the house could lose on this round, for the pit; each operator is told his own."""


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


@dataclass(frozen=True, slots=True)
class PayTableView:
    """What was proved of what the table pays. `trouble` says why it may not deal, as the key of a refusal, empty when
    it may; `allowed_by` the administrator who lets it all the same.
    """

    certificate: str = ""
    highest_bet: str = ""
    highest_percent: float | None = None
    over: tuple[str, ...] = ()
    trouble: str = ""
    allowed_by: str = ""


@dataclass(frozen=True, slots=True)
class GameView:
    """The game that is dealt, and on which terms. `limits`: the least and the most of each bet."""

    key: str
    title: str
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    needs: Mapping[str, str] = field(default_factory=dict)
    """Side bets, and the bet each stands only beside."""
    currencies: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    """What bettors may bring beside `bets.currency`, with the limits as they are in it, by bet key. All sums of a round
    are in `bets.currency`, at these rates."""
    rates: Rates | None = None
    rules: Mapping[str, str | int | bool] = field(default_factory=dict)
    window_s: float = 15.0
    own_rows: Records = ()
    """The studio's own rows of procedures at this table."""
    pot: PotView | None = None
    pay_table: PayTableView = field(default_factory=PayTableView)
    changed_by: str = ""
    """Who of the pit changed game or limits, while they are not those of the configuration; `preset` names them."""
    preset: str = ""
    mark: str = ""
    """Of these terms: a change that was written over them carries it."""
