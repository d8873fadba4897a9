"""What a report is asked for beside its span, and its means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, time
from fractions import Fraction
from typing import Any, Final

from studio.journal import Reader
from studio.reports.record.period import GamingDay, Period

CALENDAR_DAY: Final = GamingDay(time(), UTC)


@dataclass(frozen=True, slots=True)
class ReportChoice:
    """Empty is every one."""

    table: str = ""
    game: str = ""
    dealer: str = ""
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What was proved of one bet: of `basis` (stake, initial, total) so much comes back.

    `prizes`: in so many of all deals a stake of 1 comes back as that; empty where bettors decide, and the spread of
    their returns depends on them.
    """

    bet: str
    basis: str
    share: Fraction
    covers: tuple[str, ...]
    prizes: tuple[tuple[Fraction, int], ...] = ()


Theory = Callable[[str, int, Mapping[str, Any]], Sequence[Expected]]
"""What was proved of a game's version under these rules; nothing where it never was."""


def unproved(game: str, version: int, rules: Mapping[str, Any]) -> Sequence[Expected]:
    return ()


@dataclass(frozen=True, slots=True)
class Regard:
    """What is significant here. `large_minor`: from how much on a sum is, by currency, none where it is not named.

    `outage_ms`: how long something has to be away. Events of the classes in `told` are told to the regulator within
    `tell_ms`. A purse that nothing moves for `dormant_days` is dormant.
    """

    large_minor: Mapping[str, int] = field(default_factory=dict)
    outage_ms: int = 300_000
    told: tuple[str, ...] = ("program", "outage", "result")
    tell_ms: int = 86_400_000
    dormant_days: int = 365


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """Everything a report is made from. `names`: of people by their ids, as far as they are known."""

    reader: Reader
    period: Period
    choice: ReportChoice = ReportChoice()
    names: Mapping[str, str] = field(default_factory=dict)
    theory: Theory = unproved
    day: GamingDay = CALENDAR_DAY
    regard: Regard = Regard()

    def name(self, id: str) -> str:
        return self.names.get(id, id)

    def wants(self, table: str) -> bool:
        return self.choice.table in ("", table)
