"""A bettor's session as his page tells it all the time: when it began, and what he has won or lost in it.

A page is drawn many times a round, so what is over is added up once: of each bettor only the bets of his last rounds
are looked at again, and everything where a round was corrected.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.desk.ticket import Ticket
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.past.hand_record import HandLine, hand_lines
from studio.journal import BetStatus, Reader
from studio.journal.extract.played import bets_after, corrected_at, place_at

BETTORS_KEPT: Final = 10_000
HANDS_A_LOOK: Final = 50


@dataclass(frozen=True, slots=True)
class PlaySession:
    """`won`: by currency, what he has won since then, of his own money and of rounds that are over; below zero lost.

    `test`: his is a test account.
    """

    since_ms: int
    won: Mapping[str, int]
    test: bool = False


@dataclass(slots=True)
class _Count:
    """What is known of one bettor. `over`: won in bets and hands up to these places, which are looked at no more.

    `late_bets`, `late_hands`: won in what came after them, added up anew each time.
    """

    since_ms: int
    corrected: int
    bet_seq: int
    hand_seq: int = -1
    over: Counter[str] = field(default_factory=Counter)
    late_bets: Counter[str] = field(default_factory=Counter)
    late_hands: Counter[str] = field(default_factory=Counter)

    def won(self) -> Mapping[str, int]:
        sums = Counter(self.over)
        sums.update(self.late_bets)
        sums.update(self.late_hands)
        return sums


class PlaySessions:
    """Thread-safe; one bettor's count is brought up to date at a time."""

    def __init__(self, floor: OperatorsFloor) -> None:
        self._floor = floor
        self._counts: OrderedDict[tuple[str, str], _Count] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, ticket: Ticket) -> PlaySession:
        reader = self._floor.reader()
        with self._lock:
            count = self._count(reader, ticket)
            _add_bets(reader, ticket, count)
            if count.hand_seq < 0 or self._floor.view(ticket.table).room is not None:
                self._add_hands(reader, ticket, count)
            test = self._floor.operators.is_test(ticket.operator)
            return PlaySession(ticket.since_ms, count.won(), test)

    def _count(self, reader: Reader, ticket: Ticket) -> _Count:
        """What was counted, where nothing was corrected since; else a count from the beginning."""
        whose, corrected = (ticket.operator, ticket.bettor), corrected_at(reader)
        count = self._counts.get(whose)
        if count is None or (count.since_ms, count.corrected) != (ticket.since_ms, corrected):
            count = _Count(ticket.since_ms, corrected, place_at(reader, ticket.since_ms))
            self._counts[whose] = count
        self._counts.move_to_end(whose)
        if len(self._counts) > BETTORS_KEPT:
            self._counts.popitem(last=False)
        return count

    def _add_hands(self, reader: Reader, ticket: Ticket, count: _Count) -> None:
        count.late_hands.clear()
        count.hand_seq, into = max(count.hand_seq, 0), count.over
        for hand in reversed(list(_hands_after(reader, ticket, count.hand_seq))):
            if hand.status == "open":
                into = count.late_hands
            elif into is count.over:
                count.hand_seq = hand.dealt.seq
            if hand.status == "settled" and hand.table in self._floor.tables:
                currency = self._floor.view(hand.table).bets.currency
                into[currency] += (hand.takes_minor or 0) - (hand.paid_minor or 0)


def _add_bets(reader: Reader, ticket: Ticket, count: _Count) -> None:
    found = bets_after(reader, ticket.operator, ticket.bettor, count.bet_seq)
    newest = {one.bet.table: one.bet.round for _, one in found}
    count.late_bets.clear()
    into = count.over
    for seq, one in found:
        if one.status == "pending" or one.bet.round == newest[one.bet.table]:
            into = count.late_bets
        if into is count.over:
            count.bet_seq = seq
        into[one.bet.currency] += _won_minor(one)


def _won_minor(one: BetStatus) -> int:
    """What a bet has brought him beyond his own money in it; nothing while it waits."""
    if one.status == "pending":
        return 0
    return one.returned_minor - (0 if one.bet.free else one.bet.stake_minor)


def _hands_after(reader: Reader, ticket: Ticket, seq: int) -> Iterator[HandLine]:
    """His hands after that place, the newest first."""
    before: int | None = None
    while True:
        page, before = hand_lines(reader, ticket.operator, ticket.bettor, HANDS_A_LOOK, before)
        for hand in page:
            if hand.dealt.seq <= seq or hand.dealt.at_ms < ticket.since_ms:
                return
            yield hand
        if before is None:
            return
