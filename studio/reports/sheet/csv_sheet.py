"""Writes a sheet as CSV: RFC 4180, UTF-8 with its mark, the same in every language.

Moments are ISO 8601 in UTC, lengths milliseconds, money minor units and a decimal beside them. The mark at the
beginning lets spreadsheets read Japanese names as what they are. A text that a spreadsheet would compute is defused by
a quote.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from studio.money import format_minor
from studio.reports.sheet.shape import Cell, Column, Money, ReportSheet, Row, Sort
from studio.tables.event.situation import Situation

MARK: Final = "\ufeff"
_COMPUTED: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def write_csv(sheet: ReportSheet) -> str:
    """The whole sheet, its mark included."""
    return MARK + "".join(csv_lines(sheet))


def csv_lines(sheet: ReportSheet) -> Iterator[str]:
    """The lines of the sheet, each with its line end: first the heads of the columns, then the rows."""
    yield _line([head for column in sheet.columns for head in _heads(column)])
    for row in sheet.rows:
        yield _line(_plain(sheet, row))


def defused(text: str) -> str:
    """
    >>> defused("=1+1"), defused("Made")
    ("'=1+1", 'Made')
    """
    return f"'{text}" if text.startswith(_COMPUTED) else text


def iso(at_ms: int) -> str:
    """
    >>> iso(1_767_225_600_000)
    '2026-01-01T00:00:00.000Z'
    """
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03d}Z"


def plain(cell: Cell, column: Column) -> str | int | float | None:
    """A cell as JSON and files have it; money is its minor units."""
    if cell is None:
        return None
    if isinstance(cell, Money):
        return cell.amount_minor
    if isinstance(cell, Situation):
        return str(cell)
    if column.sort in (Sort.MOMENT, Sort.DAY) and isinstance(cell, int):
        return iso(cell)
    return cell


def _heads(column: Column) -> tuple[str, ...]:
    if column.sort is Sort.MONEY:
        return f"{column.key}_minor", column.key
    return (f"{column.key}_ms",) if column.sort is Sort.LENGTH else (column.key,)


def _plain(sheet: ReportSheet, row: Row) -> Iterator[str]:
    for column, cell in zip(sheet.columns, row, strict=True):
        if column.sort is Sort.MONEY:
            yield from _amounts(cell)
        elif isinstance(cell, str | Situation):
            yield defused(str(cell))
        else:
            told = plain(cell, column)
            yield "" if told is None else str(told)


def _amounts(cell: Cell) -> tuple[str, str]:
    if not isinstance(cell, Money):
        return "", ""
    return str(cell.amount_minor), format_minor(cell.amount_minor, cell.currency).split()[0]


def _line(cells: Iterator[str] | list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()
