"""The incident report: what departed from procedure, where, how long it held, who ruled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Final

from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import events, since_opened, tables
from studio.reports.record.standing import TableStanding, standings
from studio.reports.sheet.shape import Chart, Column, Drawing, Note, Report, ReportSheet, Row, Sort
from studio.tables.event import table as e

_KINDS: Final = ("IncidentOpened", "IncidentRuled", "IncidentClosed")


@dataclass(slots=True)
class ReportedIncident:
    """One incident and what has become of it so far. `end_ms` is 0 while it is open; `held_ms` is how long it held the
    table within the period.
    """

    id: str
    at_ms: int
    table: str
    round: str
    kind: str
    row: str
    holds: bool
    reported_by: str
    device: str
    dealer: str = ""
    ruling: str = ""
    asked_by: str = ""
    approved_by: str = ""
    reason: str = ""
    words: str = ""
    end_ms: int = 0
    held_ms: int = 0


def incidents(asked: ReportAsked, standing: dict[str, TableStanding]) -> list[ReportedIncident]:
    """Every incident that was opened in the period, and those still open when it began."""
    found = [one for table in tables(asked.reader) if asked.wants(table) for one in _of_table(asked, table)]
    for one in found:
        own = standing.get(one.table)
        one.dealer = own.dealer_at(max(one.at_ms, asked.period.begin_ms)) if own else ""
        if one.holds:
            end = one.end_ms or asked.period.end_ms
            one.held_ms = max(end - max(one.at_ms, asked.period.begin_ms), 0)
    kept = (one for one in found if asked.choice.dealer in ("", one.dealer))
    return sorted(kept, key=lambda one: one.at_ms)


def _of_table(asked: ReportAsked, table: str) -> Iterator[ReportedIncident]:
    known: dict[str, ReportedIncident] = {}
    for one in since_opened(asked.reader, asked.period, table, _KINDS):
        _take(known, one.at_ms, one.table, one.round, one.event)
    known = {id: incident for id, incident in known.items() if not incident.end_ms}
    for one in events(asked.reader, asked.period, _KINDS, table):
        _take(known, one.at_ms, one.table, one.round, one.event)
    return iter(known.values())


def _take(known: dict[str, ReportedIncident], at_ms: int, table: str, round: str, event: e.AnyEvent) -> None:
    match event:
        case e.IncidentOpened(id=id):
            known[id] = ReportedIncident(
                id, at_ms, table, round, event.incident, event.row, event.holds, event.reported_by, event.device
            )
        case e.IncidentRuled(id=id) if id in known:
            one = known[id]
            one.ruling, one.row = event.ruling, event.row or one.row
            one.asked_by, one.approved_by = event.asked_by, event.approved_by
            one.reason, one.words = event.reason_code, event.words
        case e.IncidentClosed(id=id) if id in known:
            known[id].end_ms = at_ms


def make(asked: ReportAsked) -> Report:
    found = incidents(asked, standings(asked))
    period = asked.period
    sheets = (
        _grouped("by_kind", found, lambda one: (one.kind,), (Column("incident", Sort.KEY, "incident"),), drawn=True),
        _grouped("by_row", found, lambda one: (one.row, one.kind), _ROW_COLUMNS),
        _grouped("by_table", found, lambda one: (one.table,), (Column("table"),)),
        _grouped("by_dealer", found, lambda one: (asked.name(one.dealer),), (Column("dealer"),)),
        _grouped("by_ruler", found, lambda one: _ruler(asked, one), (Column("ruler", Sort.KEY, "person"),)),
        _list(asked, found),
    )
    return Report("incident", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


_ROW_COLUMNS: Final = (Column("row"), Column("incident", Sort.KEY, "incident"))
_MEASURES: Final = (
    Column("count", Sort.COUNT), Column("holding", Sort.COUNT), Column("open", Sort.COUNT),
    Column("held", Sort.LENGTH), Column("median_held", Sort.LENGTH), Column("longest_held", Sort.LENGTH),
)  # fmt: skip


def _ruler(asked: ReportAsked, one: ReportedIncident) -> tuple[str]:
    """The name of the person who ruled, or both names where it took two."""
    return (" + ".join(asked.name(id) for id in (one.asked_by, one.approved_by) if id),)


def _grouped(
    key: str,
    found: list[ReportedIncident],
    by: Callable[[ReportedIncident], tuple[str, ...]],
    columns: tuple[Column, ...],
    *,
    drawn: bool = False,
) -> ReportSheet:
    groups: defaultdict[tuple[str, ...], list[ReportedIncident]] = defaultdict(list)
    for one in found:
        groups[by(one)].append(one)
    rows = sorted((_measured(name, group) for name, group in groups.items()), key=_most_first(len(columns)))
    chart = Chart(Drawing.BARS, columns[0].key, "count", series=("held",)) if drawn else None
    return ReportSheet(key, (*columns, *_MEASURES), rows, chart=chart)


def _most_first(at: int) -> Callable[[Row], tuple[float, str]]:
    def order(row: Row) -> tuple[float, str]:
        count = row[at]
        assert isinstance(count, int)
        return -count, str(row[0])

    return order


def _measured(name: tuple[str, ...], group: list[ReportedIncident]) -> Row:
    holds = [one.held_ms for one in group if one.holds]
    still = sum(not one.end_ms for one in group)
    middle = round(median(holds)) if holds else None
    return (*name, len(group), len(holds), still, sum(holds), middle, max(holds, default=None))


def _list(asked: ReportAsked, found: list[ReportedIncident]) -> ReportSheet:
    columns = (
        Column("at", Sort.MOMENT), Column("table"), Column("round"), Column("dealer"),
        Column("incident", Sort.KEY, "incident"), Column("row"), Column("ruling", Sort.KEY, "ruling"),
        Column("asked_by", Sort.KEY, "person"), Column("approved_by", Sort.KEY, "person"),
        Column("reason", Sort.KEY, "reason"), Column("words"),
        Column("held", Sort.LENGTH), Column("ended", Sort.MOMENT), Column("reported_by", Sort.KEY, "person"),
        Column("device", Sort.KEY, "device"),
    )  # fmt: skip
    rows = [
        (
            one.at_ms, one.table, one.round, asked.name(one.dealer), one.kind, one.row, one.ruling,
            asked.name(one.asked_by), asked.name(one.approved_by), one.reason, one.words,
            one.held_ms if one.holds else None, one.end_ms or None, asked.name(one.reported_by), one.device,
        )
        for one in found
    ]  # fmt: skip
    still = sum(not one.end_ms for one in found)
    told = Note("incident_open", "Still open at the end of the span: {count}.", {"count": still}, loud=True)
    return ReportSheet("incidents", columns, rows, (told,) if still else ())
