"""Which rows of the journal and the ledger a report is about.

A period is cut between two rows of the journal, and the ledger at what was committed by then. So the periods of two
days that follow one another share no row and lose none, even where a clock was set back between.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

from studio.errors import BadInputError
from studio.journal import Head, Reader
from studio.journal.link import GENESIS
from studio.journal.reader import last_row, ledger_upto

DAY: Final = timedelta(days=1)
_LINK: Final = "SELECT seq, hash FROM journal WHERE seq = ?"
_LEDGER_LINK: Final = "SELECT seq, hash FROM ledger WHERE seq = ?"


@dataclass(frozen=True, slots=True)
class Period:
    """Rows after `after_seq` up to `upto_seq`; of the ledger likewise. `head` is the row it ends with."""

    begin_ms: int
    end_ms: int
    after_seq: int
    upto_seq: int
    ledger_after: int
    ledger_upto: int
    head: Head
    ledger_head: Head

    @property
    def length_ms(self) -> int:
        return max(self.end_ms - self.begin_ms, 0)


@dataclass(frozen=True, slots=True)
class GamingDay:
    """When a day of the studio begins, and in which zone; a night's work belongs to the day before it.

    >>> from zoneinfo import ZoneInfo
    >>> day = GamingDay(time(6), ZoneInfo("Asia/Makassar"))
    >>> day.of_ms(1_767_225_600_000)
    datetime.date(2026, 1, 1)
    """

    begins: time
    zone: tzinfo

    def of_ms(self, at_ms: int) -> date:
        day = datetime.fromtimestamp(at_ms / 1000, self.zone).date()
        return day if at_ms >= self.begin_ms(day) else day - DAY

    def begin_ms(self, day: date) -> int:
        return int(datetime.combine(day, self.begins, self.zone).timestamp() * 1000)

    def span_ms(self, day: date, days: int = 1) -> tuple[int, int]:
        """From its first moment to the first of the day after the last."""
        return self.begin_ms(day), self.begin_ms(day + timedelta(days=days))


def cut(reader: Reader, begin_ms: int | None, end_ms: int | None, newest_ms: int | None = None) -> Period:
    """The period between two moments; from the first row, or up to the newest, where one is not given.

    `newest_ms` is the present: a period that is not over yet ends then.
    """
    if begin_ms is not None and end_ms is not None and end_ms <= begin_ms:
        raise BadInputError("The span ends before it begins: give the earlier moment first.")
    head = reader.head().seq
    after = 0 if begin_ms is None else seq_before(reader, begin_ms, head)
    upto = head if end_ms is None else max(seq_before(reader, end_ms, head), after)
    newest = reader.newest_ms() if newest_ms is None else newest_ms
    first = begin_ms if begin_ms is not None else _first_ms(reader, newest)
    last = newest if end_ms is None else min(end_ms, max(newest, first))
    return between(reader, after, upto, begin_ms=first, end_ms=max(last, first))


def between(reader: Reader, after_seq: int, upto_seq: int, *, begin_ms: int, end_ms: int) -> Period:
    """The period of exactly these rows."""
    first, last = ledger_upto(reader, after_seq), ledger_upto(reader, upto_seq)
    return Period(
        begin_ms, end_ms, after_seq, upto_seq, first, last, head_at(reader, upto_seq), ledger_head_at(reader, last)
    )  # fmt: skip


def seq_before(reader: Reader, at_ms: int, head: int) -> int:
    """The number of the last row written before this moment, at most `head`; 0 where there is none.

    Rows are in the order of time except where a clock was set back. There the answer is one of the possible ones, and
    stays the same whatever is written later.
    """
    found, step = 0, 1 << 62
    while step:
        probe = found + step
        if probe <= head and last_row(reader, probe)[1] < at_ms:
            found = probe
        step >>= 1
    return last_row(reader, found)[0]


def head_at(reader: Reader, seq: int) -> Head:
    """The row of the journal a chain ends with there."""
    return _link(reader, _LINK, seq)


def ledger_head_at(reader: Reader, seq: int) -> Head:
    return _link(reader, _LEDGER_LINK, seq)


def _first_ms(reader: Reader, newest: int) -> int:
    """When the first row with a time was written; money that was paid in before any clock ran has no time."""
    rows = reader.read("SELECT at FROM journal WHERE at > 0 ORDER BY seq LIMIT 1", ())
    return int(rows[0][0]) if rows else newest


def _link(reader: Reader, sql: str, seq: int) -> Head:
    rows = reader.read(sql, (seq,))
    return Head(*rows[0]) if rows else GENESIS
