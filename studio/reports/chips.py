"""The poker room in the books: chips bought, played and paid out, table by table, and the rake.

Both are held against what the journal tells of seats and hands, which is written apart from the ledger.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from studio.games import PEER_GAMES
from studio.reports.record.choice import ReportAsked
from studio.reports.record.ledger_sum import KEPT, ChipSide, ChipsMoved, bet_sums
from studio.reports.record.source import RecordedEvent, before, events, tables
from studio.reports.sheet.shape import Column, Money, Note, ReportSheet, Row, Sort
from studio.tables.event import table as e

_KINDS: Final = {
    "buy_in": "bought", "reserve": "put_in", "void": "voids", "return": "taken", "cash_out": "paid_out",
}  # fmt: skip
_MONEY: Final = (*_KINDS.values(), "other")
_SOLD: Final = {"buy_in": "chips_bought", "cash_out": "chips_paid"}
_TOLD: Final = (
    "TableConfigured", "RoundStarted", "SeatTaken", "ChipsBought", "SeatLeft", "ResultDeclared", "BetsSettled",
    "RoundResettled",
)  # fmt: skip
_OF_SEATS: Final = frozenset(game.key for game in PEER_GAMES)
SEATS: Final = frozenset(seat for game in PEER_GAMES if game.peers for seat in game.peers.seats)
"""What a seat puts in is a bet on its own name; no game against the house has such a bet."""

Place = tuple[str, str]
"""A table and a currency."""


@dataclass(slots=True)
class _Stack:
    """The chips of one operator's bettors at one table."""

    opening_minor: int = 0
    closing_minor: int = 0
    by_kind: Counter[str] = field(default_factory=Counter)

    @property
    def difference_minor(self) -> int:
        return self.opening_minor + self.by_kind.total() - self.closing_minor


def chip_sheet(asked: ReportAsked, moves: Sequence[ChipsMoved]) -> ReportSheet | None:
    """Nothing where nobody ever had chips."""
    stacks = sorted(_stacks(moves).items(), key=lambda one: (one[0].table, one[0].operator, one[0].currency))
    wanted = [
        (side, own)
        for side, own in stacks
        if asked.wants(side.table) and asked.choice.operator in ("", side.operator) and _is_used(own)
    ]
    if not wanted:
        return None
    used = [key for key in _MONEY if key != "other" or any(own.by_kind["other"] for _, own in wanted)]
    columns = (
        Column("table"), Column("operator"), Column("currency"),
        *(Column(key, Sort.MONEY) for key in ("opening", *used, "closing", "difference")),
    )  # fmt: skip
    rows: list[Row] = []
    for side, own in wanted:
        cells = (own.opening_minor, *(own.by_kind[key] for key in used), own.closing_minor, own.difference_minor)
        rows.append((side.table, side.operator, side.currency, *(Money(cell, side.currency) for cell in cells)))
    told = Note("chips_meaning", "Chips at a table are part of what the operator's bettors hold above.")
    return ReportSheet("chips", columns, rows, (told, *_loud(wanted)))


def _is_used(own: _Stack) -> bool:
    return bool(own.opening_minor or own.closing_minor or own.by_kind)


def _stacks(moves: Sequence[ChipsMoved]) -> dict[ChipSide, _Stack]:
    found: defaultdict[ChipSide, _Stack] = defaultdict(_Stack)
    for one in moves:
        own = found[one.side]
        if one.phase == 0:
            own.opening_minor += one.won_minor
        elif one.phase == 1:
            own.by_kind[_KINDS.get(one.kind, "other")] += one.won_minor
        else:
            own.closing_minor += one.won_minor if one.phase == KEPT else -one.won_minor
    return dict(found)


def _loud(stacks: Sequence[tuple[ChipSide, _Stack]]) -> Iterator[Note]:
    sentence = "{owner}, {currency}: the balance differs from its transfers by {amount} minor units."
    for side, own in stacks:
        if own.difference_minor:
            values: dict[str, str | int] = {
                "owner": f"{side.operator}/{side.table}", "currency": side.currency,
                "amount": str(own.difference_minor),
            }  # fmt: skip
            yield Note("closing_differs", sentence, values, loud=True)


def room_checks(asked: ReportAsked, moves: Sequence[ChipsMoved]) -> Iterator[Row]:
    """Chips sold and paid out, and rake: by the ledger, and by what seats and hands told."""
    seats = _Seats()
    for told, within in _told(asked):
        seats.take(told, within=within)
    booked = _booked(asked, moves, seats.tables)
    for check, sums in seats.sums().items():
        for table, currency in sorted({*sums, *booked[check]}):
            a, b = booked[check][table, currency], sums[table, currency]
            yield (check, table, currency, Money(a, currency), Money(b, currency), Money(a - b, currency))


def _booked(
    asked: ReportAsked, moves: Sequence[ChipsMoved], peer_tables: Iterable[str]
) -> defaultdict[str, Counter[Place]]:
    """What the ledger says. A table may have dealt other games, too: rake is what is left of the bets of seats."""
    found: defaultdict[str, Counter[Place]] = defaultdict(Counter)
    for one in moves:
        if one.phase == 1 and one.kind in _SOLD:
            found[_SOLD[one.kind]][one.side.table, one.side.currency] += abs(one.won_minor)
    for table in sorted(peer_tables):
        for sums in bet_sums(asked.reader, asked.period, table):
            if sums.bet in SEATS:
                found["rake"][table, sums.currency] += sums.stake_minor - sums.returns_minor
    return found


def _told(asked: ReportAsked) -> Iterator[tuple[RecordedEvent, bool]]:
    """What was told of seats and hands; before the span, only what tables were configured with and were dealing."""
    for table in tables(asked.reader):
        for one in before(asked.reader, asked.period, table, ("TableConfigured",), "TableConfigured"):
            yield one, False
        for one in before(asked.reader, asked.period, table, ("RoundStarted", "ResultDeclared"), "RoundStarted"):
            yield one, False
    for one in events(asked.reader, asked.period, _TOLD):
        yield one, True


class _Seats:
    """What the journal tells of one span: by table and currency. Only what moved within the span counts."""

    def __init__(self) -> None:
        self.bought: Counter[Place] = Counter()
        self.paid: Counter[Place] = Counter()
        self.rake: Counter[Place] = Counter()
        self.tables: set[str] = set()
        """That dealt a hand, or were dealing one."""
        self._currency: dict[str, str] = {}
        self._hands: dict[str, int] = {}
        """The rake that was declared of each hand that is not settled yet."""

    def sums(self) -> dict[str, Counter[Place]]:
        return {"chips_bought": self.bought, "chips_paid": self.paid, "rake": self.rake}

    def take(self, told: RecordedEvent, *, within: bool) -> None:
        place = (told.table, self._currency.get(told.table, ""))
        match told.event:
            case e.TableConfigured(config=config):
                self._currency[told.table] = config.currency
            case e.RoundStarted(game=game) if game in _OF_SEATS:
                self._hands[told.round] = 0
                self.tables.add(told.table)
            case e.ResultDeclared(outcome=outcome) if told.round in self._hands:
                self._hands[told.round] = rake_of(outcome)
            case e.BetsSettled() if told.round in self._hands:
                rake_minor = self._hands.pop(told.round)
                self.rake[place] += rake_minor if within else 0
            case e.RoundResettled(outcome=outcome, before=before, void=void) if within and "rake" in before | outcome:
                self.rake[place] += (0 if void else rake_of(outcome)) - rake_of(before)
            case e.SeatTaken(stack_minor=amount) | e.ChipsBought(amount_minor=amount) if within:
                self.bought[place] += amount
            case e.SeatLeft(stack_minor=amount) if within:
                self.paid[place] += amount


def rake_of(outcome: dict[str, Any]) -> int:
    """The rake of a hand, from its result; 0 for a game that is played for points."""
    return int(outcome.get("rake", 0))
