"""The report of purses: what lies in bettors' purses here, by operator, and which of them nobody has moved for long.

A purse is whatever its bettor has with the studio in a currency, chips at poker tables included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from studio.care.event import PursesCarried, read_care
from studio.journal import Reader
from studio.money import format_minor
from studio.reports.record.choice import ReportAsked
from studio.reports.record.left_out import left_out
from studio.reports.sheet.shape import Column, Money, Note, Report, ReportSheet, Row, Sort

_DAY_MS: Final = 86_400_000
_SIDE: Final = """
SELECT CASE WHEN instr({0}, '/') > 0 THEN substr({0}, 1, instr({0}, '/') - 1) ELSE {0} END AS account, currency,
       {1}amount AS amount, CASE WHEN kind <> 'carry' THEN at END AS moved_at, at
FROM ledger WHERE seq <= ?1 AND substr({0}, 1, 7) = 'bettor:'
"""
_PURSES: Final = f"""
SELECT account, currency, sum(amount), min(at), max(moved_at)
FROM ({_SIDE.format("debit", "-")} UNION ALL {_SIDE.format("credit", "")}) AS moved
GROUP BY account, currency ORDER BY account, currency
"""  # noqa: S608 - our own expressions


@dataclass(frozen=True, slots=True)
class Purse:
    """`moved_ms`: when money last came into it or went out of it, stakes and returns included.

    Carried from a closed year it is the purse it was there.
    """

    operator: str
    bettor: str
    currency: str
    held_minor: int
    opened_ms: int
    moved_ms: int


@dataclass(slots=True)
class _Sum:
    purses: int = 0
    held_minor: int = 0
    dormant: int = 0
    dormant_minor: int = 0


def make(asked: ReportAsked) -> Report:
    period, long_ago = asked.period, asked.period.end_ms - asked.regard.dormant_days * _DAY_MS
    sums: dict[tuple[str, str], _Sum] = {}
    dormant: list[Row] = []
    left: Counter[str] = Counter()
    tests = left_out(asked)
    for one in purses(asked):
        if one.operator in tests:
            left[one.currency] += one.held_minor
            continue
        found = sums.setdefault((one.operator, one.currency), _Sum())
        found.purses += 1
        found.held_minor += one.held_minor
        if one.held_minor > 0 and one.moved_ms <= long_ago:
            found.dormant += 1
            found.dormant_minor += one.held_minor
            held = Money(one.held_minor, one.currency)
            idle_days = (period.end_ms - one.moved_ms) // _DAY_MS
            dormant.append((one.operator, one.bettor, held, one.opened_ms, one.moved_ms, idle_days))
    sheets = (_by_operator(sums, left), _dormant(asked, dormant))
    return Report("purses", period.begin_ms, period.end_ms, period.head, period.ledger_head, sheets)


def purses(asked: ReportAsked) -> Iterator[Purse]:
    """Every purse there was, as the span ends; of one operator where he is named."""
    period = asked.period
    for one in purses_at(asked.reader, period.upto_seq, period.ledger_upto):
        if asked.choice.operator in ("", one.operator):
            yield one


def purses_at(reader: Reader, upto_seq: int, ledger_upto: int) -> Iterator[Purse]:
    """Every purse there was, up to these rows of the journal and of the ledger."""
    carried = _carried(reader, upto_seq)
    for account, currency, held_minor, begun_ms, last_ms in reader.stream(_PURSES, (ledger_upto,)):
        operator, _, bettor = account.removeprefix("bettor:").partition(":")
        opened_ms, moved_ms = carried.get((operator, bettor, currency), (begun_ms, begun_ms))
        yield Purse(operator, bettor, currency, held_minor, opened_ms, moved_ms if last_ms is None else last_ms)


def _carried(reader: Reader, upto_seq: int) -> dict[tuple[str, str, str], tuple[int, int]]:
    """When the purses of closed years were opened and last moved."""
    found: dict[tuple[str, str, str], tuple[int, int]] = {}
    for row in reader.events(kinds=(PursesCarried.__name__,), rare=True):
        if row.seq > upto_seq:
            break
        told = read_care(row.body)
        assert isinstance(told, PursesCarried)
        for one in told.purses:
            found[one.operator, one.bettor, one.currency] = one.opened_ms, one.moved_ms
    return found


def _by_operator(sums: dict[tuple[str, str], _Sum], left: Mapping[str, int]) -> ReportSheet:
    columns = (
        Column("operator"), Column("currency"), Column("purses", Sort.COUNT), Column("held_here", Sort.MONEY),
        Column("dormant", Sort.COUNT), Column("dormant_sum", Sort.MONEY),
    )  # fmt: skip
    rows: list[Row] = [
        (
            operator, currency, one.purses, Money(one.held_minor, currency), one.dormant,
            Money(one.dormant_minor, currency),
        )
        for (operator, currency), one in sorted(sums.items())
    ]  # fmt: skip
    none = Note("purses_none", "No operator has ever kept his bettors' money here.")
    notes = (*(() if rows else (none,)), *(_left(currency, held) for currency, held in sorted(left.items())))
    return ReportSheet("by_operator", columns, rows, notes)


def _left(currency: str, held_minor: int) -> Note:
    sentence = (
        "Test accounts are left out: {held} in their purses. Narrow the report to their operator to see them alone."
    )
    return Note("test_purses_left_out", sentence, {"held": format_minor(held_minor, currency)})


def _dormant(asked: ReportAsked, rows: list[Row]) -> ReportSheet:
    columns = (
        Column("operator"), Column("bettor"), Column("held_here", Sort.MONEY), Column("opened", Sort.MOMENT),
        Column("last_moved", Sort.MOMENT), Column("idle_days", Sort.COUNT),
    )  # fmt: skip
    sentence = "Purses with money that nothing moved for {days} days; a launch that moved none does not count."
    return ReportSheet(
        "dormant", columns, rows, (Note("purses_dormant", sentence, {"days": asked.regard.dormant_days}),)
    )
