"""Lists the rounds of a period. A round belongs to the period it ended in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import RecordedEvent, before, events, tables
from studio.tables.event import table as e

_ENDS: Final = ("RoundSettled", "RoundRefunded")
_KINDS: Final = ("RoundStarted", "RedealOrdered", "RoundVoided", *_ENDS)


@dataclass(slots=True)
class RoundDealt:
    """One round. `void` is the row that voided it, empty for a settled round; `end_ms` is 0 while it is open.

    `redeals`: so many times its cards were void, and it was dealt again.
    """

    id: str
    table: str
    game: str
    version: int
    rules: dict[str, Any] = field(repr=False)
    dealer: str = ""
    begin_ms: int = 0
    end_ms: int = 0
    void: str = ""
    redeals: int = 0


def rounds(asked: ReportAsked) -> Iterator[RoundDealt]:
    """The wanted rounds that ended in the period, in the order they did."""
    known: dict[str, RoundDealt] = {}
    for one in _lead(asked):
        _take(known, one)
    for one in events(asked.reader, asked.period, _KINDS, asked.choice.table):
        ended = _take(known, one)
        if ended is not None and _wanted(asked, ended):
            yield ended


def _lead(asked: ReportAsked) -> Iterator[RecordedEvent]:
    """Of each table the round it had begun last: no other can be open when the period begins."""
    for table in tables(asked.reader):
        if asked.wants(table):
            yield from before(asked.reader, asked.period, table, _KINDS, "RoundStarted")


def _take(known: dict[str, RoundDealt], one: RecordedEvent) -> RoundDealt | None:
    match one.event:
        case e.RoundStarted(round=id, game=game, version=version, rules=rules, dealer=dealer):
            known[id] = RoundDealt(id, one.table, game, version, rules, dealer, one.at_ms)
        case e.RedealOrdered() if one.round in known:
            known[one.round].redeals += 1
        case e.RoundVoided(row=row) if one.round in known:
            known[one.round].void = row or "?"
        case e.RoundSettled() | e.RoundRefunded() if one.round in known:
            ended = known.pop(one.round)
            ended.end_ms = one.at_ms
            return ended
    return None


def _wanted(asked: ReportAsked, one: RoundDealt) -> bool:
    choice = asked.choice
    return choice.game in ("", one.game) and choice.dealer in ("", one.dealer)
