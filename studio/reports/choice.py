"""What a report is asked for beside its span, and its means."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, time
from fractions import Fraction
from typing import Any, Final

from studio.journal import Reader
from studio.reports.period import GamingDay, Period

CALENDAR_DAY: Final = GamingDay(time(), UTC)


@dataclass(frozen=True, slots=True)
class Choice:
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
class Asked:
    """Everything a report is made from. `names`: of people by their ids, as far as they are known."""

    reader: Reader
    period: Period
    choice: Choice = Choice()
    names: Mapping[str, str] = field(default_factory=dict)
    theory: Theory = unproved
    day: GamingDay = CALENDAR_DAY

    def name(self, id: str) -> str:
        return self.names.get(id, id)

    def wants(self, table: str) -> bool:
        return self.choice.table in ("", table)
