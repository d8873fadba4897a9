"""Reads from an address which span and which tables, games, people a report is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from studio.errors import RefusedError
from studio.journal import Reader
from studio.reports import GamingDay, Period, ReportChoice, between, cut
from studio.reports.shift import ShiftSpan, shifts

SPANS: Final = ("day", "week", "shift", "range")
_NARROWS: Final = ("table", "game", "dealer", "operator")
_SECOND_MS: Final = 1000
_YEARS: Final = range(1971, 3000)
"""As at the command line; a day half typed has the year 2."""


@dataclass(frozen=True, slots=True)
class WantedReport:
    """What was asked for. `span` is one of `SPANS`; only its own fields count."""

    span: str
    day: date
    begin: str
    end: str
    shift: int
    choice: ReportChoice

    @property
    def query(self) -> str:
        """The part of an address that asks for the same again."""
        own: dict[str, str] = {"span": self.span}
        if self.span in ("day", "week"):
            own["day"] = self.day.isoformat()
        elif self.span == "shift":
            own["shift"] = str(self.shift)
        else:
            own |= {"from": self.begin, "to": self.end}
        own |= {name: value for name in _NARROWS if (value := getattr(self.choice, name))}
        return urlencode(own)

    def beside(self, days: int) -> WantedReport:
        """The span of that many days, or weeks, later."""
        step = timedelta(days=days * (7 if self.span == "week" else 1))
        return WantedReport(self.span, self.day + step, self.begin, self.end, self.shift, self.choice)


def read_wanted(given: Mapping[str, str], today: date) -> WantedReport:
    """The report that the address asks for; `RefusedError` when its span, day or shift is not valid."""
    span = given.get("span", "day")
    if span not in SPANS:
        raise _refused("report_span", "There is no such span: choose a day, a week, a shift, or two moments.")
    choice = ReportChoice(*(given.get(name, "") for name in _NARROWS))
    return WantedReport(
        span, _day(given.get("day", ""), today), given.get("from", ""), given.get("to", ""),
        _number(given.get("shift", "")), choice,
    )  # fmt: skip


def period_of(wanted: WantedReport, reader: Reader, day: GamingDay, now_ms: int) -> Period:
    """The rows of the span; of one that is not over yet, up to now."""
    if wanted.span == "shift":
        return _of_shift(reader, wanted.shift, now_ms)
    if wanted.span == "range":
        begin, end = _moment(wanted.begin, day), _moment(wanted.end, day)
        if begin is not None and end is not None and end <= begin:
            raise _refused("report_order", "The span ends before it begins: put the earlier moment first.")
        return cut(reader, begin, end, now_ms)
    monday = wanted.day - timedelta(days=wanted.day.weekday())
    first, days = (monday, 7) if wanted.span == "week" else (wanted.day, 1)
    return cut(reader, *day.span_ms(first, days), now_ms)


def _of_shift(reader: Reader, seq: int, now_ms: int) -> Period:
    found = next((one for one in shifts(reader, seq - 1) if one.opened_seq == seq), None)
    if found is None:
        raise _refused("report_shift", "There is no such shift: choose one of the list.")
    return shift_period(reader, found, now_ms)


def shift_period(reader: Reader, shift: ShiftSpan, now_ms: int) -> Period:
    """The period of a shift, from the row that opened it to the row that closed it; up to the newest row while it is
    open.
    """
    upto = shift.closed_seq or reader.head().seq
    return between(
        reader, shift.opened_seq - 1, upto, begin_ms=shift.opened_ms, end_ms=shift.closed_ms or now_ms,
    )  # fmt: skip


def _day(text: str, today: date) -> date:
    if not text:
        return today
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.year not in _YEARS:
        raise _refused("report_day", "This is no day: choose one from the calendar.")
    return found


def _moment(text: str, day: GamingDay) -> int | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.year not in _YEARS:
        raise _refused("report_moment", "This is no moment: choose a day and a time.")
    local = found if found.tzinfo else found.replace(tzinfo=day.zone)
    return int(local.timestamp() * _SECOND_MS)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _refused(key: str, sentence: str) -> RefusedError:
    return RefusedError(key, sentence)
