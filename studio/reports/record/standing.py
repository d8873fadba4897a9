"""When each table was open, held and why, and who dealt there, folded from the journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import RecordedEvent, events, since_opened, tables
from studio.tables.event import table as e

KINDS: Final = (
    "TableOpened", "TableClosed", "TablePaused", "TableResumed", "DealerChanged", "TableFrozen", "TableReleased",
    "IncidentOpened", "IncidentClosed",
)  # fmt: skip
FROZEN: Final = "frozen"
"""The cause of a hold that is no incident: somebody froze the table."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Something that lasted; `what` is the dealer's id, or the cause of a hold."""

    begin_ms: int
    end_ms: int
    what: str = ""

    @property
    def length_ms(self) -> int:
        return self.end_ms - self.begin_ms


@dataclass(slots=True)
class TableStanding:
    """One table in a period."""

    open: list[Stretch] = field(default_factory=list)
    paused: list[Stretch] = field(default_factory=list)
    held: list[Stretch] = field(default_factory=list)
    dealt: list[Stretch] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def open_ms(self) -> int:
        """The time in which it could have dealt: open and not paused."""
        return sum(one.length_ms for one in self.open) - sum(one.length_ms for one in self.paused)

    @property
    def held_ms(self) -> int:
        """However many causes there were at a time."""
        return covered_ms(self.held)

    def dealer_at(self, at_ms: int) -> str:
        return next((one.what for one in self.dealt if one.begin_ms <= at_ms <= one.end_ms), "")


def covered_ms(stretches: Iterable[Stretch]) -> int:
    """The time covered by any of them.

    >>> covered_ms([Stretch(0, 5), Stretch(3, 9), Stretch(20, 21)])
    10
    """
    total, reached = 0, None
    for one in sorted(stretches, key=lambda stretch: stretch.begin_ms):
        begin = one.begin_ms if reached is None else max(one.begin_ms, reached)
        total += max(one.end_ms - begin, 0)
        reached = one.end_ms if reached is None else max(reached, one.end_ms)
    return total


def standings(asked: ReportAsked) -> dict[str, TableStanding]:
    """Every wanted table that was there, as it stood through the period."""
    watched: defaultdict[str, _Watch] = defaultdict(lambda: _Watch(asked.period.begin_ms))
    for table in (table for table in tables(asked.reader) if asked.wants(table)):
        for one in since_opened(asked.reader, asked.period, table, KINDS):
            watched[table].take(one)
    for watch in watched.values():
        watch.begin()
    for one in events(asked.reader, asked.period, KINDS, asked.choice.table):
        watched[one.table].take(one)
    return {table: watch.close(asked.period.end_ms) for table, watch in sorted(watched.items())}


class _Watch:
    """What lasts at a table now, each with its beginning, but not before the period's own."""

    def __init__(self, begin_ms: int) -> None:
        self._begin_ms = begin_ms
        self._open: int | None = None
        self._paused: int | None = None
        self._dealer: tuple[str, int] | None = None
        self._holds: dict[str, tuple[str, int]] = {}
        self._found = TableStanding()

    def take(self, one: RecordedEvent) -> None:
        at = max(one.at_ms, self._begin_ms)
        match one.event:
            case e.TableOpened(dealer=dealer, dealer_name=name):
                self._open = at if self._open is None else self._open
                self._sit(dealer, name, at)
            case e.DealerChanged(dealer=dealer, dealer_name=name):
                self._sit(dealer, name, at)
            case e.TableClosed():
                self._end(at)
            case e.TablePaused():
                self._paused = at if self._paused is None else self._paused
            case e.TableResumed():
                self._resume(at)
            case e.TableFrozen():
                self._holds.setdefault(FROZEN, (FROZEN, at))
            case e.TableReleased():
                self._let_go(FROZEN, at)
            case e.IncidentOpened(id=id, incident=kind, holds=True):
                self._holds[id] = (kind, at)
            case e.IncidentClosed(id=id):
                self._let_go(id, at)

    def begin(self) -> None:
        """The period begins: what was over before is no part of it, however short."""
        self._found = TableStanding(names=self._found.names)

    def close(self, end_ms: int) -> TableStanding:
        self._end(end_ms)
        for id in tuple(self._holds):
            self._let_go(id, end_ms)
        return self._found

    def _sit(self, dealer: str, name: str, at: int) -> None:
        self._stand_up(at)
        self._dealer = (dealer, at)
        self._found.names[dealer] = name

    def _stand_up(self, at: int) -> None:
        if self._dealer is not None:
            self._found.dealt.append(Stretch(self._dealer[1], at, self._dealer[0]))
        self._dealer = None

    def _resume(self, at: int) -> None:
        if self._paused is not None:
            self._found.paused.append(Stretch(self._paused, at))
        self._paused = None

    def _let_go(self, id: str, at: int) -> None:
        if id in self._holds:
            cause, since = self._holds.pop(id)
            self._found.held.append(Stretch(since, at, cause))

    def _end(self, at: int) -> None:
        self._stand_up(at)
        self._resume(at)
        if self._open is not None:
            self._found.open.append(Stretch(self._open, at))
        self._open = None
