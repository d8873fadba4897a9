"""What a report is: sheets of cells that mean the same on a screen, on paper and in a file.

A cell is a plain value; its column's `sort` says what it means. Whoever shows it makes words and figures of it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field

from studio.journal import Head
from studio.tables.event.situation import Situation


class Sort(enum.StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    """As it was written down: a name, an id, a person's words."""
    KEY = "key"
    """A stable key, which has its words in the catalogue under the column's `family`."""
    COUNT = "count"
    NUMBER = "number"
    SHARE = "share"
    """A part of one, shown in percent."""
    MONEY = "money"
    MOMENT = "moment"
    """UTC milliseconds."""
    DAY = "day"
    """The moment a gaming day begins with, shown as its date."""
    LENGTH = "length"
    """A length of time in milliseconds."""
    CHANCE = "chance"
    """A p-value."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units of a currency."""

    amount_minor: int
    currency: str


Cell = str | int | float | Money | Situation | None
"""None: not known, or there is none to tell."""

Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    sort: Sort = Sort.TEXT
    family: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence under a sheet: its key in the catalogue, in English, with what is filled in. `loud`: look here."""

    key: str
    sentence: str
    values: dict[str, str | int] = field(default_factory=dict)
    loud: bool = False

    @property
    def english(self) -> str:
        return self.sentence.format(**self.values)


class Drawing(enum.StrEnum):
    BARS = "bars"
    """Lengths by a name."""
    SPANS = "spans"
    """A point with its interval, by a name; `centre`, `low` and `high` are columns."""
    FUNNEL = "funnel"
    """Points over time between limits of two and three standard deviations, about a middle."""
    SUITS = "suits"
    """A field of 13 by 4, one for each card, by colour."""
    LINES = "lines"
    """Lengths by moment."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of a sheet: which of its columns to draw, and how. The sheet stays beside it, for whoever reads.

    `series` are further columns: the second colour of bars; low and high of spans; of a funnel the middle and the four
    limits. `facet`: a column whose values part the rows into pictures of their own.
    """

    drawing: Drawing
    across: str
    up: str
    series: tuple[str, ...] = ()
    facet: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """One table of a report."""

    key: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    notes: tuple[Note, ...] = ()
    chart: Chart | None = None

    def place(self, column: str) -> int:
        return next(at for at, one in enumerate(self.columns) if one.key == column)


@dataclass(frozen=True, slots=True)
class Report:
    """`head` and `ledger_head`: the last rows it was made from, so that it can be made again."""

    kind: str
    begin_ms: int
    end_ms: int
    head: Head
    ledger_head: Head
    sheets: tuple[ReportSheet, ...]

    def sheet(self, key: str) -> ReportSheet:
        return next(sheet for sheet in self.sheets if sheet.key == key)

    @property
    def loud(self) -> tuple[Note, ...]:
        return tuple(note for sheet in self.sheets for note in sheet.notes if note.loud)
