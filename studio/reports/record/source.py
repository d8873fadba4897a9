"""The journal as reports read it: rows of a period, page by page, so that no report holds them all."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from studio.journal import Reader, Row
from studio.reports.record.period import Period
from studio.tables.event.record import read_body
from studio.tables.event.table import AnyEvent

PAGE: Final = 2_000
_ROW: Final = "seq, at, kind, CAST(body AS BLOB)"


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One event of a table, with its place and time."""

    seq: int
    at_ms: int
    kind: str
    table: str
    round: str
    event: AnyEvent


def events(reader: Reader, period: Period, kinds: Collection[str], table: str = "") -> Iterator[RecordedEvent]:
    """The events of these kinds in the period, in order; of one table where it is named."""
    return (told(row) for row in rows(reader, period, kinds, table))


def rows(reader: Reader, period: Period, kinds: Collection[str], table: str = "") -> Iterator[Row]:
    """The journal's rows of these kinds in the period, as they were written."""
    where, given = f"kind IN ({_marks(kinds)})", tuple(kinds)
    if table:
        where, given = f'"table" = ? AND {where}', (table, *given)
    return pages(reader, where, given, period)


def rows_but(reader: Reader, period: Period, silent: Collection[str], common: str, ordinary: str) -> Iterator[Row]:
    """The journal's rows of the period, without those of the `silent` kinds. Of the `common` kind, which is told with
    most cards, only the rows whose text does not contain `ordinary`.
    """
    where = f"kind NOT IN ({_marks(silent)}) AND (kind <> ? OR instr(body, ?) = 0)"
    return pages(reader, where, (*silent, common, ordinary), period)


def before(
    reader: Reader, period: Period, table: str, kinds: Collection[str], since: str, *, few: bool = False
) -> Iterator[RecordedEvent]:
    """What had happened at a table when the period began: from the last event of the kind `since` on, or from the first
    row, where there was none.

    `few`: of these kinds there are few at all tables together, so they are found by their kind, not by the table.
    """
    return _from(reader, period, table, kinds, _last(reader, period, table, since), few=few)


def since_opened(reader: Reader, period: Period, table: str, kinds: Collection[str]) -> Iterator[RecordedEvent]:
    """What had happened at a table since it was last opened when the period began: how it stood then.

    The rounds of a table that is open may be many, and what `kinds` tell is not told with every round: it is found by
    its kind. At a table that is closed nothing much happens any more, and it is found by the table.
    """
    opened, closed = (_last(reader, period, table, kind) for kind in ("TableOpened", "TableClosed"))
    return _from(reader, period, table, kinds, opened, few=opened > closed)


def _last(reader: Reader, period: Period, table: str, kind: str) -> int:
    """The number of the last row of this kind before the period, 0 where there is none; found by the kind."""
    sql = 'SELECT seq FROM journal WHERE +"table" = ? AND seq <= ? AND kind = ? ORDER BY seq DESC LIMIT 1'
    found = reader.read(sql, (table, period.after_seq, kind))
    return int(found[0][0]) if found else 0


def _from(
    reader: Reader, period: Period, table: str, kinds: Collection[str], seq: int, *, few: bool
) -> Iterator[RecordedEvent]:
    where = f'{"+" if few else ""}"table" = ? AND kind IN ({_marks(kinds)})'
    rows = pages(reader, where, (table, *kinds), Between(max(seq - 1, 0), period.after_seq))
    return (told(row) for row in rows)


def tables(reader: Reader) -> list[str]:
    """Every table the journal knows, in the order of their keys; read from the index, not row by row."""
    found: list[str] = []
    while True:
        least = 'SELECT min("table") FROM journal WHERE "table" IS NOT NULL AND "table" > ?'
        [[name]] = reader.read(least, (found[-1] if found else "",))
        if name is None:
            return found
        found.append(name)


def told(row: Row) -> RecordedEvent:
    body = read_body(row.body)
    return RecordedEvent(row.seq, row.at_ms, row.kind, body.table, body.round, body.event)


@dataclass(frozen=True, slots=True)
class Between:
    """Rows after the one, up to the other."""

    after_seq: int
    upto_seq: int


def pages(reader: Reader, where: str, given: tuple[Any, ...], between: Between | Period) -> Iterator[Row]:
    """The rows a condition of ours picks, a page at a time."""
    after, upto = between.after_seq, between.upto_seq
    sql = f"SELECT {_ROW} FROM journal WHERE {where} AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"  # noqa: S608 - names of our own
    while True:
        page = reader.read(sql, (*given, after, upto, PAGE))
        yield from (Row(*row) for row in page)
        if len(page) < PAGE:
            return
        after = page[-1][0]


def _marks(names: Collection[str]) -> str:
    return ", ".join("?" * len(names))
