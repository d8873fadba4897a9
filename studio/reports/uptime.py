"""The only place for the device report: how much of the time each device's link was up, and how it was lost."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from studio.ports import LinkDown, LinkUp
from studio.reports.choice import Asked
from studio.reports.shape import Chart, Column, Drawing, Note, Report, Row, Sheet, Sort
from studio.reports.source import Told, before, events, tables
from studio.reports.standing import Stretch
from studio.tables.event import ObservationRecorded, TableRestarted

_KINDS: Final = ("LinkUp", "LinkDown", "TableRestarted")
_HOUR_MS: Final = 3_600_000


_Device = tuple[str, str]
"""A device and its table."""


@dataclass(slots=True)
class _Link:
    """A device's link: `up` is None while nobody can know, before its first word and after the program came up."""

    since_ms: int
    up: bool | None = None
    reason: str = ""
    up_ms: int = 0
    unknown_ms: int = 0
    outages: list[Stretch] = field(default_factory=list)
    still_down: bool = False

    def turn(self, up: bool | None, at_ms: int, reason: str = "") -> None:
        at_ms = max(at_ms, self.since_ms)
        length = at_ms - self.since_ms
        if self.up:
            self.up_ms += length
        elif self.up is None:
            self.unknown_ms += length
        elif up is False:
            return  # it was down already, and stays so
        else:
            self.outages.append(Stretch(self.since_ms, at_ms, self.reason))
        self.up, self.since_ms, self.reason = up, at_ms, reason


def make(asked: Asked) -> Report:
    period = asked.period
    links = _links(asked)
    for link in links.values():
        link.still_down = link.up is False
        link.turn(None, period.end_ms)
    rows = [_row(device, table, link) for (device, table), link in sorted(links.items())]
    chart = Chart(Drawing.BARS, "device", "up_share", series=("down",))
    sheets = (
        Sheet("devices", _COLUMNS, rows, tuple(_notes(links)), chart),
        _outages(links),
    )
    return Report("uptime", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


_COLUMNS: Final = (
    Column("device"), Column("table"), Column("up_share", Sort.SHARE), Column("up", Sort.LENGTH),
    Column("down", Sort.LENGTH), Column("not_known", Sort.LENGTH), Column("outages", Sort.COUNT),
    Column("longest", Sort.LENGTH), Column("between_failures", Sort.LENGTH), Column("down_now", Sort.KEY, "report.yes"),
)  # fmt: skip


def _links(asked: Asked) -> dict[_Device, _Link]:
    links: dict[_Device, _Link] = {}
    begin = asked.period.begin_ms
    of_table: defaultdict[str, set[str]] = defaultdict(set)

    def take(one: Told) -> None:
        match one.event:
            case TableRestarted():
                for device in of_table[one.table]:
                    links[device, one.table].turn(None, max(one.at_ms, begin))
            case ObservationRecorded(observation=LinkUp(device=device) | LinkDown(device=device) as seen):
                link = links.setdefault((device, one.table), _Link(begin))
                of_table[one.table].add(device)
                reason = seen.reason if isinstance(seen, LinkDown) else ""
                link.turn(isinstance(seen, LinkUp), max(one.at_ms, begin), reason)

    for table in tables(asked.reader):
        if asked.wants(table):
            for one in before(asked.reader, asked.period, table, _KINDS, since="TableRestarted"):
                take(one)
    for one in events(asked.reader, asked.period, _KINDS, asked.choice.table):
        take(one)
    return links


def _row(device: str, table: str, link: _Link) -> Row:
    down = sum(one.length_ms for one in link.outages)
    known = link.up_ms + down
    return (
        device, table, link.up_ms / known if known else None, link.up_ms, down, link.unknown_ms,
        len(link.outages), max((one.length_ms for one in link.outages), default=None),
        link.up_ms // len(link.outages) if link.outages else None, "yes" if link.still_down else "",
    )  # fmt: skip


def _notes(links: dict[_Device, _Link]) -> list[Note]:
    told = []
    if any(link.unknown_ms > _HOUR_MS // 60 for link in links.values()):
        sentence = "Time in which nothing was known of a link counts neither as up nor as down."
        told.append(Note("uptime_unknown", sentence))
    down = [device for (device, _), link in sorted(links.items()) if link.still_down]
    if down:
        sentence = "Down at the end of the span: {devices}."
        told.append(Note("uptime_down", sentence, {"devices": ", ".join(down)}, loud=True))
    return told


def _outages(links: dict[_Device, _Link]) -> Sheet:
    columns = (
        Column("at", Sort.MOMENT), Column("device"), Column("table"), Column("lasted", Sort.LENGTH),
        Column("reason_told"),
    )  # fmt: skip
    rows: list[Row] = [
        (one.begin_ms, device, table, one.length_ms, one.what)
        for (device, table), link in links.items()
        for one in link.outages
    ]
    return Sheet("outages", columns, sorted(rows, key=lambda row: (row[0], row[1])))
