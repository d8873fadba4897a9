"""The device report: how much of the time each device's link was up, and how it was lost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from studio.ports import LinkDown, LinkUp
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import RecordedEvent, before, events, tables
from studio.reports.record.standing import Stretch
from studio.reports.sheet.shape import Chart, Column, Drawing, Note, Report, ReportSheet, Row, Sort
from studio.tables.event.table import DeviceProved, ObservationRecorded, TableRestarted


@dataclass(slots=True)
class LinkTime:
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

    def close(self, end_ms: int) -> None:
        self.still_down = self.up is False
        self.turn(None, end_ms)

    @property
    def down_ms(self) -> int:
        return sum(one.length_ms for one in self.outages)

    @property
    def share(self) -> float | None:
        """The part of the time that is known in which it was up."""
        known = self.up_ms + self.down_ms
        return self.up_ms / known if known else None

    @property
    def longest_ms(self) -> int | None:
        return max((one.length_ms for one in self.outages), default=None)


Place = tuple[str, str]
"""A table, and what the device is called there."""
Identity = tuple[str, str]
"""Model and serial."""


@dataclass(slots=True)
class _Life:
    time: LinkTime
    places: list[Place] = field(default_factory=list)


class MovedDevices:
    """Fed with what was told of links and proofs, in order. A device counts where it proved itself last."""

    def __init__(self, begin_ms: int) -> None:
        self._begin_ms = begin_ms
        self._lives: dict[Identity, _Life] = {}
        self._at: dict[Place, Identity] = {}
        self._up: dict[Place, bool] = {}

    def take(self, one: RecordedEvent) -> None:
        at_ms = max(one.at_ms, self._begin_ms)
        match one.event:
            case TableRestarted():
                for place in [place for place in self._up if place[0] == one.table]:
                    self._turn(place, None, at_ms)
            case DeviceProved(device=device, model=model, serial=serial):
                self._prove((one.table, device), (model, serial), at_ms)
            case ObservationRecorded(observation=LinkUp(device=device) | LinkDown(device=device) as seen):
                place, up = (one.table, device), isinstance(seen, LinkUp)
                self._up[place] = up
                self._turn(place, up, at_ms, seen.reason if isinstance(seen, LinkDown) else "")

    def sheet(self, end_ms: int) -> ReportSheet:
        """Every device that told a serial, the one most often away first."""
        for life in self._lives.values():
            life.time.close(end_ms)
        lives = sorted(self._lives.items(), key=lambda found: (-found[1].time.down_ms, found[0]))
        rows: list[Row] = [
            (serial, model, ", ".join(f"{device} @ {table}" for table, device in life.places), *_figures(life.time))
            for (model, serial), life in lives
        ]
        told = Note("by_serial", "A device that was moved counts once, by its serial; one that tells none is not here.")
        return ReportSheet("by_serial", _BY_SERIAL, rows, (told,))

    def _prove(self, place: Place, who: Identity, at_ms: int) -> None:
        """Note which device stands at this place from now on; a device that has moved here no longer stands where it
        was.
        """
        if not who[1]:
            self._at.pop(place, None)
            return
        for other in [known for known, one in self._at.items() if one == who and known != place]:
            del self._at[other]
        if self._at.get(place) not in (None, who):
            self._turn(place, None, at_ms)  # taken away, and nobody knows where it is
        self._at[place] = who
        life = self._lives.setdefault(who, _Life(LinkTime(self._begin_ms)))
        if place not in life.places:
            life.places.append(place)
        life.time.turn(self._up.get(place, True), at_ms)

    def _turn(self, place: Place, up: bool | None, at_ms: int, reason: str = "") -> None:
        if (who := self._at.get(place)) is not None:
            self._lives[who].time.turn(up, at_ms, reason)


def _figures(time: LinkTime) -> Row:
    return (time.share, time.up_ms, time.down_ms, time.unknown_ms, len(time.outages), time.longest_ms)


_BY_SERIAL = (
    Column("serial"), Column("model"), Column("stood_at"), Column("up_share", Sort.SHARE), Column("up", Sort.LENGTH),
    Column("down", Sort.LENGTH), Column("not_known", Sort.LENGTH), Column("outages", Sort.COUNT),
    Column("longest", Sort.LENGTH),
)  # fmt: skip


_KINDS: Final = ("LinkUp", "LinkDown", "TableRestarted", "DeviceProved")
_HOUR_MS: Final = 3_600_000


_Device = tuple[str, str]
"""A device and its table."""


def make(asked: ReportAsked) -> Report:
    period = asked.period
    moved = MovedDevices(period.begin_ms)
    links = _links(asked, moved)
    for link in links.values():
        link.close(period.end_ms)
    rows = [_row(device, table, link) for (device, table), link in sorted(links.items())]
    chart = Chart(Drawing.BARS, "device", "up_share", series=("down",))
    sheets = (
        ReportSheet("devices", _COLUMNS, rows, tuple(_notes(links)), chart),
        moved.sheet(period.end_ms),
        _outages(links),
    )
    return Report("uptime", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


_COLUMNS: Final = (
    Column("device", Sort.KEY, "device"), Column("table"), Column("up_share", Sort.SHARE), Column("up", Sort.LENGTH),
    Column("down", Sort.LENGTH), Column("not_known", Sort.LENGTH), Column("outages", Sort.COUNT),
    Column("longest", Sort.LENGTH), Column("between_failures", Sort.LENGTH), Column("down_now", Sort.KEY, "report.yes"),
)  # fmt: skip


def _links(asked: ReportAsked, moved: MovedDevices) -> dict[_Device, LinkTime]:
    links: dict[_Device, LinkTime] = {}
    begin = asked.period.begin_ms
    of_table: defaultdict[str, set[str]] = defaultdict(set)

    def take(one: RecordedEvent) -> None:
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
    stood = [
        one for table in wanted for one in before(asked.reader, asked.period, table, _KINDS, "TableRestarted", few=True)
    ]
    for one in chain(
        sorted(stood, key=lambda one: one.seq), events(asked.reader, asked.period, _KINDS, asked.choice.table)
    ):
        take(one)
        moved.take(one)
    return links


def outages_of(asked: ReportAsked) -> Iterator[tuple[str, str, Stretch]]:
    """Every outage of the period: of which device, at which table, from when to when."""
    for (device, table), link in sorted(_links(asked, MovedDevices(asked.period.begin_ms)).items()):
        link.close(asked.period.end_ms)
        yield from ((device, table, one) for one in link.outages)


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


def _outages(links: dict[_Device, LinkTime]) -> ReportSheet:
    columns = (
        Column("at", Sort.MOMENT), Column("device", Sort.KEY, "device"), Column("table"), Column("lasted", Sort.LENGTH),
        Column("reason_told", Sort.KEY, "link"),
    )  # fmt: skip
    rows: list[Row] = [
        (one.begin_ms, device, table, one.length_ms, one.what)
        for (device, table), link in links.items()
        for one in link.outages
    ]
    return ReportSheet("outages", columns, sorted(rows, key=lambda row: (row[0], row[1])))
