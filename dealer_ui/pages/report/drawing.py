"""Says in plain data what a chart shows; a browser draws it from there, and from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from dealer_ui.pages.report.cell import Speaker
from studio.money import format_minor
from studio.reports import Cell, Chart, Column, Money, ReportSheet, Sort

_SECONDS: Final = 1000
POINTS_MAX: Final = 4_000
FACETS_MAX: Final = 12


def drawing_of(sheet: ReportSheet, speaker: Speaker) -> dict[str, Any] | None:
    """None where there is nothing to draw."""
    chart = sheet.chart
    if chart is None or not sheet.rows:
        return None
    up = sheet.place(chart.up)
    if not any(_is_something(row[up]) for row in sheet.rows):
        return None
    names = [chart.across, chart.up, *chart.series, *filter(None, (chart.facet, chart.colour))]
    columns = {name: sheet.columns[sheet.place(name)] for name in names}
    return {
        "drawing": chart.drawing.value,
        "across": chart.across,
        "up": chart.up,
        "series": list(chart.series),
        "facet": chart.facet,
        "colour": chart.colour,
        "labels": {name: _label(column, speaker) for name, column in columns.items()},
        "sorts": {name: column.sort.value for name, column in columns.items()},
        "points": list(_points(sheet, chart, columns, speaker)),
    }


def _is_something(cell: Cell) -> bool:
    return bool(cell.amount_minor if isinstance(cell, Money) else cell)


def _label(column: Column, speaker: Speaker) -> str:
    """The head of the column, with its unit where that is not in every figure."""
    head = speaker.head(column)
    return f"{head} ({speaker.language.say('report.seconds')})" if column.sort is Sort.LENGTH else head


def _points(
    sheet: ReportSheet, chart: Chart, columns: Mapping[str, Column], speaker: Speaker
) -> Iterator[dict[str, str | float | None]]:
    places = {name: sheet.place(name) for name in columns}
    facets: set[str] = set()
    for row in sheet.rows[:POINTS_MAX]:
        if row[places[chart.up]] is None:
            continue  # not known is not nothing
        point = {name: _value(row[place], columns[name], speaker) for name, place in places.items()}
        if chart.facet:
            facets.add(str(point[chart.facet]))
            if len(facets) > FACETS_MAX:
                return
        yield point


def _value(cell: Cell, column: Column, speaker: Speaker) -> str | float | None:
    if isinstance(cell, Money):
        return float(format_minor(cell.amount_minor, cell.currency).split()[0])
    if isinstance(cell, int | float):
        return cell / _SECONDS if column.sort is Sort.LENGTH else cell
    return None if cell is None else speaker.text(cell, column)
