"""Which operators a report leaves out: those whose bettors are test accounts, unless the report is of one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from studio.money import format_minor
from studio.operators import read_operator
from studio.operators.operator_event import OperatorAdded
from studio.reports.record.choice import ReportAsked
from studio.reports.record.ledger_sum import bet_sums
from studio.reports.sheet.shape import Note


def left_out(asked: ReportAsked) -> frozenset[str]:
    """The operators whose accounts are tests. Whoever a report is narrowed to is looked at whatever he is."""
    added = (read_operator(row.body) for row in asked.reader.events(kinds=("OperatorAdded",)))
    return frozenset(one.operator for one in added if isinstance(one, OperatorAdded) and one.test) - {
        asked.choice.operator
    }


def left_out_notes(asked: ReportAsked, tests: Iterable[str]) -> Iterator[Note]:
    """What their settled bets of the period come to, by currency: with it, a report agrees with the ledger.

    Nothing is told of them where the report is narrowed to another operator: there it agrees without them.
    """
    if asked.choice.operator:
        return
    staked: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    for name in sorted(tests):
        for one in bet_sums(asked.reader, asked.period, asked.choice.table, name):
            staked[one.currency] += one.stake_minor
            returned[one.currency] += one.returns_minor
    for currency in sorted({*staked, *returned}):
        sentence = (
            "Test accounts are left out: {staked} staked, {returned} returned."
            " Narrow the report to their operator to see them alone."
        )
        values: dict[str, str | int] = {
            "staked": format_minor(staked[currency], currency),
            "returned": format_minor(returned[currency], currency),
        }
        yield Note("tests_left_out", sentence, values)
