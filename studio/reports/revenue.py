"""Gross gaming revenue, told with the free stakes of operators' promotions and without them.

    revenue        all that was staked, less all that came back: what the tables' own accounts have gained
    own revenue    what bettors staked of their own, less all they were given, wins of free bets among it

Between the two lies what promotions paid: the free stakes, less what of them went back. Shares of pots count as what
came back, as in the hold of a table. Seats of the poker room play for one another's money: their rake is a table's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studio.reports.chips import SEATS
from studio.reports.record.choice import ReportAsked
from studio.reports.record.ledger_sum import (
    LedgerBetSum,
    LedgerMoved,
    LedgerOperatorSum,
    Side,
    operator_sums,
    staked,
)
from studio.reports.sheet.shape import Chart, Column, Drawing, Money, Note, ReportSheet, Row, Sort

HOUSE_KINDS: Final = (
    "post", "reverse_post", "return", "reverse_return", "free_return", "reverse_free_return",
)  # fmt: skip
"""What a table's own account wins and loses by bets."""


@dataclass(slots=True)
class Revenue:
    """Of somebody's bets; each sum in minor units of one currency."""

    stake_minor: int = 0
    free_stake_minor: int = 0
    returns_minor: int = 0
    free_won_minor: int = 0
    free_back_minor: int = 0

    def add(self, sums: LedgerBetSum | LedgerOperatorSum) -> None:
        self.stake_minor += sums.stake_minor
        self.returns_minor += sums.returns_minor
        if sums.is_free:
            self.free_stake_minor += sums.stake_minor
            self.free_back_minor += sums.back_minor
            self.free_won_minor += sums.returns_minor - sums.back_minor

    @property
    def revenue_minor(self) -> int:
        return self.stake_minor - self.returns_minor

    @property
    def own_revenue_minor(self) -> int:
        """Without the promotions' money: what they staked, less what of it went back to them, is no revenue."""
        return self.revenue_minor - (self.free_stake_minor - self.free_back_minor)

    def row(self, owner: str, currency: str) -> Row:
        cells = (
            self.stake_minor, self.free_stake_minor, self.returns_minor, self.free_won_minor, self.free_back_minor,
            self.revenue_minor, self.own_revenue_minor,
        )  # fmt: skip
        return (owner, currency, *(Money(amount, currency) for amount in cells))


def revenue_sheet(name: str, of: Mapping[tuple[str, str], Revenue]) -> ReportSheet:
    """By operator or by table, whichever `name` is, and currency."""
    money = ("handle", "free_stakes", "returns", "free_won", "free_back", "revenue", "own_revenue")
    columns = (Column(name), Column("currency"), *(Column(key, Sort.MONEY) for key in money))
    rows = [own.row(owner, currency) for (owner, currency), own in sorted(of.items())]
    chart = Chart(Drawing.BARS, name, "revenue", series=("own_revenue",), colour="currency")
    return ReportSheet("revenue", columns, rows, (_WITHOUT,), chart)


_WITHOUT: Final = Note(
    "revenue_without",
    "Without free stakes: what bettors staked of their own, less all they were given. Poker hands are not here.",
)


def of_operators(asked: ReportAsked, sums: Iterable[LedgerOperatorSum]) -> ReportSheet:
    """By operator, of the tables and the operator that were asked for; without the seats of the poker room."""
    found: defaultdict[tuple[str, str], Revenue] = defaultdict(Revenue)
    for one in sums:
        wanted = asked.wants(one.table) and asked.choice.operator in ("", one.operator)
        if wanted and one.bet not in SEATS:
            found[one.operator, one.currency].add(one)
    return revenue_sheet("operator", found)


class RevenueCheck:
    """Holds the revenue of all bets against the accounts of tables, and free stakes against the register of bets."""

    def __init__(self, asked: ReportAsked) -> None:
        self.sums: Sequence[LedgerOperatorSum] = operator_sums(asked.reader, asked.period)
        self._register = staked(asked.reader, asked.period)

    def rows(self, moves: Iterable[LedgerMoved], by_kind: Mapping[Side, Mapping[str, int]]) -> Iterator[Row]:
        told: Counter[tuple[str, str]] = Counter()
        for one in self.sums:
            told[one.table, one.currency] += one.stake_minor - one.returns_minor + one.share_minor
        for table, currency in sorted(told):
            both = [by_kind.get(Side("house", table, currency, test), {}) for test in (False, True)]
            got, due = sum(gained.get(kind, 0) for gained in both for kind in HOUSE_KINDS), told[table, currency]
            yield ("revenue", table, currency, Money(got, currency), Money(due, currency), Money(got - due, currency))
        yield from self._free_stakes(moves)

    def _free_stakes(self, moves: Iterable[LedgerMoved]) -> Iterator[Row]:
        register: Counter[tuple[str, str]] = Counter()
        for one in self._register:
            if one.is_free:
                register[one.operator, one.currency] += one.stake_minor
        ledger: Counter[tuple[str, str]] = Counter()
        for move in moves:
            if move.phase == 1 and move.kind == "reserve" and move.debit.sort == "grant":
                ledger[move.debit.owner, move.debit.currency] += move.amount_minor
        for operator, currency in sorted({*register, *ledger}):
            a, b = ledger[operator, currency], register[operator, currency]
            yield ("free_stakes", operator, currency, Money(a, currency), Money(b, currency), Money(a - b, currency))
