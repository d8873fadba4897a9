"""The shift report: who had the floor, what was handed over, what happened meanwhile, and where both chains stood at
either end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from studio.errors import BadInputError
from studio.journal import Head, Reader
from studio.people.record import read_shift
from studio.people.shift_event import OpenMatter, ShiftClosed, ShiftOpened
from studio.reports import closing, exception, incident, table, uptime
from studio.reports.record.choice import ReportAsked
from studio.reports.record.period import Period, head_at, ledger_head_at
from studio.reports.record.source import Between, pages
from studio.reports.record.standing import standings
from studio.reports.sheet.shape import Column, Note, Report, ReportSheet, Row, Sort

_KINDS: Final = ("ShiftOpened", "ShiftClosed")


@dataclass(frozen=True, slots=True)
class ShiftSpan:
    """One shift. `closed_seq` and what follows it are empty while it is open."""

    name: str
    opened_seq: int
    opened_ms: int
    opened_by: str
    closed_seq: int = 0
    closed_ms: int = 0
    closed_by: str = ""
    words: str = ""
    matters: tuple[OpenMatter, ...] = ()


def shifts(reader: Reader, after_seq: int = 0) -> list[ShiftSpan]:
    """The shifts that were opened after that row, the newest first."""
    found: dict[str, ShiftSpan] = {}
    for row in pages(reader, _WHERE, _KINDS, Between(after_seq, reader.head().seq)):
        try:
            event = read_shift(row.body)
        except BadInputError:
            continue
        match event:
            case ShiftOpened(shift=name, at_ms=at_ms, by_name=by):
                found[name] = ShiftSpan(name, row.seq, at_ms, by)
            case ShiftClosed(shift=name, at_ms=at_ms, by_name=by) if name in found:
                one = found[name]
                found[name] = ShiftSpan(
                    name, one.opened_seq, one.opened_ms, one.opened_by, row.seq, at_ms, by, event.words, event.matters
                )
    return sorted(found.values(), key=lambda one: -one.opened_seq)


_WHERE: Final = "kind IN (?, ?)"


def make(asked: ReportAsked) -> Report:
    period = asked.period
    own = list(_within(asked))
    acts = list(exception.acts(asked, standings(asked)))
    tables = table.make(asked)
    room = [sheet for sheet in tables.sheets if sheet.key == "poker_room"]
    parts = (
        tables.sheet("tables"), tables.sheet("money"), *room, incident.make(asked).sheet("by_kind"),
        exception.by_act(acts), uptime.make(asked).sheet("devices"), closing.make(asked).sheet("agreement"),
    )  # fmt: skip
    sheets = (_shifts(own), _matters(own), _heads(asked.reader, period), *parts)
    return Report("shift", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _within(asked: ReportAsked) -> Iterator[ShiftSpan]:
    """The shifts that overlap the period. The shift open at its beginning is found too, by its close."""
    period = asked.period
    begun = [one for one in shifts(asked.reader, _long_before(asked)) if one.opened_seq <= period.upto_seq]
    return (one for one in reversed(begun) if not one.closed_seq or one.closed_seq > period.after_seq)


def _long_before(asked: ReportAsked) -> int:
    """Far enough back for a shift that was open when the period began: the last that was opened before it."""
    rows = asked.reader.read(
        "SELECT seq FROM journal WHERE kind = 'ShiftOpened' AND seq <= ? ORDER BY seq DESC LIMIT 1",
        (asked.period.after_seq,),
    )
    return int(rows[0][0]) - 1 if rows else asked.period.after_seq


def _shifts(own: Sequence[ShiftSpan]) -> ReportSheet:
    columns = (
        Column("shift"), Column("opened", Sort.MOMENT), Column("opened_by"), Column("closed", Sort.MOMENT),
        Column("closed_by"), Column("words"),
    )  # fmt: skip
    rows: list[Row] = [
        (one.name, one.opened_ms, one.opened_by, one.closed_ms or None, one.closed_by, one.words) for one in own
    ]
    told = Note("shift_none", "No shift was opened in this span; everything else is of the span as it is.")
    return ReportSheet("shifts", columns, rows, () if rows else (told,))


def _matters(own: Sequence[ShiftSpan]) -> ReportSheet:
    columns = (
        Column("shift"), Column("table"), Column("matter", Sort.KEY, "report.matter"),
        Column("incident", Sort.KEY, "about"), Column("since", Sort.MOMENT),
    )  # fmt: skip
    rows: list[Row] = [
        (one.name, matter.table, matter.what, matter.kind or matter.about, matter.since_ms or None)
        for one in own
        for matter in one.matters
    ]
    return ReportSheet("matters", columns, rows)


def _heads(reader: Reader, period: Period) -> ReportSheet:
    """The last rows before the span and at its end: with them nobody can take a row away unseen."""
    columns = (Column("chain", Sort.KEY, "report.chain_name"), Column("moment", Sort.KEY, "report.end"),
               Column("seq", Sort.COUNT), Column("hash"))  # fmt: skip
    first, ledger_first = head_at(reader, period.after_seq), ledger_head_at(reader, period.ledger_after)
    rows = [
        _head("journal", "begin", first), _head("journal", "end", period.head),
        _head("ledger", "begin", ledger_first), _head("ledger", "end", period.ledger_head),
    ]  # fmt: skip
    return ReportSheet("heads", columns, rows)


def _head(chain: str, moment: str, head: Head) -> Row:
    return (chain, moment, head.seq, head.hash)
