"""What a report tells of the poker room: hands, their pace, pots, and rake by table and hour."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from studio.games import PEER_GAMES
from studio.reports.chips import SEATS
from studio.reports.record.choice import ReportChoice
from studio.reports.record.ledger_sum import LedgerBetSum
from studio.reports.record.round_log import RoundDealt
from studio.reports.record.standing import TableStanding
from studio.reports.sheet.shape import Cell, Chart, Column, Drawing, Money, Note, ReportSheet, Row, Sort
from studio.rulebook.hand_terms import HAND

_HOUR_MS: Final = 3_600_000
_PEERS: Final = frozenset(game.key for game in PEER_GAMES)


@dataclass(slots=True)
class _Hands:
    """The hands of one table. Money by currency, in minor units."""

    settled: int = 0
    void: int = 0
    redeals: int = 0
    dealt_in: int = 0
    pots: Counter[str] = field(default_factory=Counter)
    rake: Counter[str] = field(default_factory=Counter)
    by_hour: Counter[tuple[int, str]] = field(default_factory=Counter)


class PokerRoom:
    """Fed with the rounds and the money of a table report; keeps what seats play among themselves."""

    def __init__(self, choice: ReportChoice) -> None:
        self._whole = not (choice.dealer or choice.game)
        self._all_seats = not choice.operator
        self._tables: defaultdict[str, _Hands] = defaultdict(_Hands)

    def deal(self, one: RoundDealt) -> None:
        if one.game not in _PEERS:
            return
        own = self._tables[one.table]
        own.redeals += one.redeals
        own.dealt_in += len(one.rules[HAND]["seats"])
        own.void += bool(one.void)
        own.settled += not one.void

    def pay(self, sums: LedgerBetSum) -> None:
        """Count in what one seat put in and took. What the seats of a hand put in and none of them took is its rake."""
        if sums.bet not in SEATS or not self._all_seats:
            return
        own, rake_minor = self._tables[sums.table], sums.stake_minor - sums.returns_minor
        own.pots[sums.currency] += sums.stake_minor
        own.rake[sums.currency] += rake_minor
        own.by_hour[sums.at_ms // _HOUR_MS * _HOUR_MS, sums.currency] += rake_minor

    def sheets(self, standing: Mapping[str, TableStanding]) -> Iterator[ReportSheet]:
        """None where no seat was dealt in."""
        if self._tables:
            yield self._hands(standing)
            yield self._hours()

    def _hands(self, standing: Mapping[str, TableStanding]) -> ReportSheet:
        columns = (
            Column("table"), Column("currency"), Column("hands", Sort.COUNT), Column("void", Sort.COUNT),
            Column("dealt_again", Sort.COUNT), Column("seats_dealt_in", Sort.NUMBER),
            Column("hands_an_hour", Sort.NUMBER), Column("pots_paid_in", Sort.MONEY), Column("average_pot", Sort.MONEY),
            Column("rake", Sort.MONEY), Column("rake_share", Sort.SHARE), Column("rake_an_hour", Sort.MONEY),
        )  # fmt: skip
        rows: list[Row] = []
        for table, own in sorted(self._tables.items()):
            open_ms = standing[table].open_ms if self._whole and table in standing else 0
            hands = own.settled + own.void
            counts: tuple[Cell, ...] = (
                hands, own.void, own.redeals, own.dealt_in / hands if hands else None,
                hands * _HOUR_MS / open_ms if open_ms else None,
            )  # fmt: skip
            for currency in sorted(own.pots) or [""]:
                rows.append((table, currency, *counts, *_money(own, currency, open_ms)))
        return ReportSheet(
            "poker_room", columns, rows, tuple(self._notes()), Chart(Drawing.BARS, "table", "rake_an_hour")
        )

    def _notes(self) -> Iterator[Note]:
        yield Note("room_pots", "Pots are what seats put in, less what went back; a bet that nobody called is in it.")
        if not self._all_seats:
            yield Note("room_operator", "A pot and its rake are of all its seats: leave out the operator.")
        if not self._whole:
            yield Note("room_narrowed", "What an hour brings is told of a whole table: leave dealer and game out.")

    def _hours(self) -> ReportSheet:
        columns = (
            Column("hour", Sort.MOMENT), Column("table"), Column("currency"), Column("rake", Sort.MONEY),
        )  # fmt: skip
        rows: list[Row] = [
            (hour, table, currency, Money(rake_minor, currency))
            for table, own in sorted(self._tables.items())
            for (hour, currency), rake_minor in sorted(own.by_hour.items())
        ]
        return ReportSheet("rake_hours", columns, rows, chart=Chart(Drawing.LINES, "hour", "rake", colour="table"))


def _money(own: _Hands, currency: str, open_ms: int) -> Iterator[Cell]:
    """Pots, the middle one, rake, its share of the pots, and what it comes to in an hour; averages rounded down."""
    if not currency:
        yield from (None,) * 5
        return
    pots, rake = own.pots[currency], own.rake[currency]
    yield Money(pots, currency)
    yield Money(pots // own.settled, currency) if own.settled else None
    yield Money(rake, currency)
    yield rake / pots if pots else None
    yield Money(rake * _HOUR_MS // open_ms, currency) if open_ms else None
