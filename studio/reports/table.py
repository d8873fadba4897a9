"""The table report: rounds and their pace, what was staked and kept, what held each table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from studio.reports.chips import SEATS
from studio.reports.poker_room import PokerRoom
from studio.reports.record.choice import ReportAsked
from studio.reports.record.ledger_sum import bet_sums
from studio.reports.record.left_out import left_out, left_out_notes
from studio.reports.record.round_log import RoundDealt, rounds
from studio.reports.record.standing import TableStanding, standings
from studio.reports.revenue import Revenue, revenue_sheet
from studio.reports.sheet.shape import Cell, Chart, Column, Drawing, Money, Note, Report, ReportSheet, Row, Sort

HOUR_MS: Final = 3_600_000


@dataclass(slots=True)
class _Work:
    """What one table did."""

    settled: int = 0
    void: int = 0
    money: defaultdict[str, Revenue] = field(default_factory=lambda: defaultdict(Revenue))
    """By currency."""
    by_hour: Counter[int] = field(default_factory=Counter)
    games: set[str] = field(default_factory=set)
    seats: bool = False


def make(asked: ReportAsked) -> Report:
    period = asked.period
    standing = standings(asked)
    room = PokerRoom(asked.choice)
    tests = left_out(asked)
    work = _work(asked, room, tests)
    tables = sorted({*standing, *work})
    narrowed = bool(asked.choice.dealer or asked.choice.game)
    sheets = (
        _pace(tables, standing, work, narrowed=narrowed),
        _money(work, tuple(left_out_notes(asked, tests))),
        *_revenue(work),
        *room.sheets(standing),
        _held(standing),
        _hours(work),
    )
    return Report("table", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def _work(asked: ReportAsked, room: PokerRoom, tests: Collection[str]) -> dict[str, _Work]:
    found: defaultdict[str, _Work] = defaultdict(_Work)
    wanted: set[str] = set()
    for one in rounds(asked):
        wanted.add(one.id)
        _count(found[one.table], one)
        room.deal(one)
    narrowed = bool(asked.choice.dealer or asked.choice.game)
    for sums in bet_sums(asked.reader, asked.period, asked.choice.table, asked.choice.operator, tests):
        if narrowed and sums.round not in wanted:
            continue
        own = found[sums.table]
        own.money[sums.currency].add(sums)
        own.seats |= sums.bet in SEATS
        room.pay(sums)
    return dict(found)


def _count(own: _Work, one: RoundDealt) -> None:
    own.games.add(one.game)
    own.by_hour[one.end_ms // HOUR_MS * HOUR_MS] += 1
    if one.void:
        own.void += 1
    else:
        own.settled += 1


def _pace(
    tables: list[str], standing: dict[str, TableStanding], work: dict[str, _Work], *, narrowed: bool
) -> ReportSheet:
    columns = (
        Column("table"), Column("games", Sort.KEY, "game"), Column("rounds", Sort.COUNT), Column("void", Sort.COUNT),
        Column("void_share", Sort.SHARE), Column("open_for", Sort.LENGTH), Column("rounds_an_hour", Sort.NUMBER),
        Column("held", Sort.LENGTH), Column("held_share", Sort.SHARE),
    )  # fmt: skip
    rows: list[Row] = []
    for table in tables:
        own, stood = work.get(table, _Work()), standing.get(table, TableStanding())
        count = own.settled + own.void
        open_ms = stood.open_ms
        pace = None if narrowed or not open_ms else count * HOUR_MS / open_ms
        rows.append((
            table, " ".join(sorted(own.games)), count, own.void, own.void / count if count else None, open_ms, pace,
            stood.held_ms, stood.held_ms / open_ms if open_ms else None,
        ))  # fmt: skip
    told = Note("table_narrowed", "Rounds an hour are told of a whole table only: leave out the dealer and the game.")
    chart = Chart(Drawing.BARS, "table", "rounds_an_hour", series=("held_share",))
    return ReportSheet("tables", columns, rows, (told,) if narrowed else (), None if narrowed else chart)


def _money(work: dict[str, _Work], left: tuple[Note, ...]) -> ReportSheet:
    columns = (
        Column("table"), Column("currency"), Column("handle", Sort.MONEY), Column("returns", Sort.MONEY),
        Column("hold", Sort.MONEY), Column("hold_share", Sort.SHARE),
    )  # fmt: skip
    rows: list[Row] = []
    for table, own in sorted(work.items()):
        for currency, sums in sorted(own.money.items()):
            stake, hold = sums.stake_minor, sums.revenue_minor
            cells = (Money(stake, currency), Money(sums.returns_minor, currency), Money(hold, currency))
            rows.append((table, currency, *cells, hold / stake if stake else None))
    notes = (*((_OF_SEATS,) if any(own.seats for own in work.values()) else ()), *left)
    chart = Chart(Drawing.BARS, "table", "handle", series=("hold",), colour="currency")
    return ReportSheet("money", columns, rows, notes, chart)


def _revenue(work: dict[str, _Work]) -> tuple[ReportSheet, ...]:
    """Hold with free stakes and without them, of tables at which any were settled."""
    found = {
        (table, currency): sums
        for table, own in work.items()
        for currency, sums in own.money.items()
        if sums.free_stake_minor
    }
    return (revenue_sheet("table", found),) if found else ()


_OF_SEATS: Final = Note("money_room", "At a poker table the handle is what seats put in, and the hold is the rake.")


def _held(standing: dict[str, TableStanding]) -> ReportSheet:
    columns = (
        Column("table"), Column("cause", Sort.KEY, "incident"), Column("times", Sort.COUNT),
        Column("held", Sort.LENGTH), Column("longest", Sort.LENGTH),
    )  # fmt: skip
    rows: list[Row] = []
    for table, stood in standing.items():
        causes = sorted({one.what for one in stood.held})
        for cause in causes:
            lengths = [one.length_ms for one in stood.held if one.what == cause]
            rows.append((table, cause, len(lengths), sum(lengths), max(lengths)))
    rows.sort(key=lambda row: (-_length(row[3]), str(row[0]), str(row[1])))
    told = Note("held_overlap", "Causes at the same time are told each; together they may exceed the time held.")
    return ReportSheet("held", columns, rows, (told,), Chart(Drawing.BARS, "cause", "held", colour="table"))


def _length(cell: Cell) -> int:
    assert isinstance(cell, int)
    return cell


def _hours(work: dict[str, _Work]) -> ReportSheet:
    columns = (Column("hour", Sort.MOMENT), Column("table"), Column("rounds", Sort.COUNT))
    rows: list[Row] = [
        (hour, table, count) for table, own in sorted(work.items()) for hour, count in sorted(own.by_hour.items())
    ]
    return ReportSheet("hours", columns, rows, chart=Chart(Drawing.LINES, "hour", "rounds", colour="table"))
