"""The device report: how much of the time each device's link was up, and how it was lost."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import Final

from studio.ports import LinkDown, LinkUp
from studio.reports.choice import Asked
from studio.reports.link_time import LinkTime
from studio.reports.moved_device import MovedDevices
from studio.reports.shape import Chart, Column, Drawing, Note, Report, Row, Sheet, Sort
from studio.reports.source import Told, before, events, tables
from studio.tables.event.table import ObservationRecorded, TableRestarted

_KINDS: Final = ("LinkUp", "LinkDown", "TableRestarted", "DeviceProved")
_HOUR_MS: Final = 3_600_000


_Device = tuple[str, str]
"""A device and its table."""


def make(asked: Asked) -> Report:
    period = asked.period
    moved = MovedDevices(period.begin_ms)
    links = _links(asked, moved)
    for link in links.values():
        link.close(period.end_ms)
    rows = [_row(device, table, link) for (device, table), link in sorted(links.items())]
    chart = Chart(Drawing.BARS, "device", "up_share", series=("down",))
    sheets = (
        Sheet("devices", _COLUMNS, rows, tuple(_notes(links)), chart),
        moved.sheet(period.end_ms),
        _outages(links),
    )
    return Report("uptime", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


_COLUMNS: Final = (
    Column("device", Sort.KEY, "device"), Column("table"), Column("up_share", Sort.SHARE), Column("up", Sort.LENGTH),
    Column("down", Sort.LENGTH), Column("not_known", Sort.LENGTH), Column("outages", Sort.COUNT),
    Column("longest", Sort.LENGTH), Column("between_failures", Sort.LENGTH), Column("down_now", Sort.KEY, "report.yes"),
)  # fmt: skip


def _links(asked: Asked, moved: MovedDevices) -> dict[_Device, LinkTime]:
    links: dict[_Device, LinkTime] = {}
    begin = asked.period.begin_ms
    of_table: defaultdict[str, set[str]] = defaultdict(set)

    def take(one: Told) -> None:
        match one.event:
            case TableRestarted():
                for device in of_table[one.table]:
                    links[device, one.table].turn(None, max(one.at_ms, begin))
            case ObservationRecorded(observation=LinkUp(device=device) | LinkDown(device=device) as seen):
                link = links.setdefault((device, one.table), LinkTime(begin))
                of_table[one.table].add(device)
                reason = seen.reason if isinstance(seen, LinkDown) else ""
                link.turn(isinstance(seen, LinkUp), max(one.at_ms, begin), reason)

    wanted = (table for table in tables(asked.reader) if asked.wants(table))
    stood = [one for table in wanted for one in before(asked.reader, asked.period, table, _KINDS, "TableRestarted")]
    for one in chain(
        sorted(stood, key=lambda one: one.seq), events(asked.reader, asked.period, _KINDS, asked.choice.table)
    ):
        take(one)
        moved.take(one)
    return links


def _row(device: str, table: str, link: LinkTime) -> Row:
    return (
        device, table, link.share, link.up_ms, link.down_ms, link.unknown_ms, len(link.outages), link.longest_ms,
        link.up_ms // len(link.outages) if link.outages else None, "yes" if link.still_down else "",
    )  # fmt: skip


def _notes(links: dict[_Device, LinkTime]) -> list[Note]:
    told = []
    if any(link.unknown_ms > _HOUR_MS // 60 for link in links.values()):
        sentence = "Time in which nothing was known of a link counts neither as up nor as down."
        told.append(Note("uptime_unknown", sentence))
    down = [device for (device, _), link in sorted(links.items()) if link.still_down]
    if down:
        sentence = "Down at the end of the span: {devices}."
        told.append(Note("uptime_down", sentence, {"devices": ", ".join(down)}, loud=True))
    return told


def _outages(links: dict[_Device, LinkTime]) -> Sheet:
    columns = (
        Column("at", Sort.MOMENT), Column("device", Sort.KEY, "device"), Column("table"), Column("lasted", Sort.LENGTH),
        Column("reason_told", Sort.KEY, "link"),
    )  # fmt: skip
    rows: list[Row] = [
        (one.begin_ms, device, table, one.length_ms, one.what)
        for (device, table), link in links.items()
        for one in link.outages
    ]
    return Sheet("outages", columns, sorted(rows, key=lambda row: (row[0], row[1])))
