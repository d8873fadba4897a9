"""A bettor's session as his page tells it all the time: when it began, and what he has won or lost in it.

A page is drawn many times a round, so what is over is added up once: of each bettor only the bets of his last rounds
are looked at again, and everything where a round was corrected. Meanwhile no other bettor's page waits.
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
from studio.journal import Reader
from studio.journal.extract.played import (
    HandSpan,
    bet_sums_after,
    corrected_at,
    newest_rounds,
    place_at,
    sat_since,
)

BETTORS_KEPT: Final = 10_000
BETS_A_LOOK: Final = 500
HANDS_A_LOOK: Final = 50
_LOCKS: Final = 64


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
    sat_since: int = 0
    """No sitting that began before this place in the journal has hands that are not added up yet."""
    over: Counter[str] = field(default_factory=Counter)
    late_bets: Counter[str] = field(default_factory=Counter)
    late_hands: Counter[str] = field(default_factory=Counter)

    def won(self) -> Mapping[str, int]:
        sums = Counter(self.over)
        sums.update(self.late_bets)
        sums.update(self.late_hands)
        return sums


class PlaySessions:
    """Thread-safe; a bettor's count is brought up to date by one page at a time."""

    def __init__(self, floor: OperatorsFloor) -> None:
        self._floor = floor
        self._counts: OrderedDict[tuple[str, str], _Count] = OrderedDict()
        self._lock = threading.Lock()
        self._of_bettors = tuple(threading.Lock() for _ in range(_LOCKS))

    def of(self, ticket: Ticket) -> PlaySession:
        reader = self._floor.reader()
        with self._of_bettors[hash((ticket.operator, ticket.bettor)) % _LOCKS]:
            count = self._count(reader, ticket)
            _add_bets(reader, ticket, count)
            if count.hand_seq < 0 or self._floor.view(ticket.table).room is not None:
                self._add_hands(reader, ticket, count)
            test = self._floor.operators.is_test(ticket.operator)
            return PlaySession(ticket.since_ms, count.won(), test)

    def _count(self, reader: Reader, ticket: Ticket) -> _Count:
        """What was counted, where nothing was corrected since; else a count from the beginning."""
        whose, corrected = (ticket.operator, ticket.bettor), corrected_at(reader)
        with self._lock:
            count = self._counts.get(whose)
        if count is None or (count.since_ms, count.corrected) != (ticket.since_ms, corrected):
            count = _Count(ticket.since_ms, corrected, place_at(reader, ticket.since_ms))
        with self._lock:
            self._counts[whose] = count
            self._counts.move_to_end(whose)
            if len(self._counts) > BETTORS_KEPT:
                self._counts.popitem(last=False)
        return count

    def _add_hands(self, reader: Reader, ticket: Ticket, count: _Count) -> None:
        count.late_hands.clear()
        count.hand_seq, into = max(count.hand_seq, 0), count.over
        span = HandSpan(count.hand_seq, count.sat_since)
        for hand in reversed(list(_hands_of(reader, ticket, span))):
            if hand.status == "open":
                into = count.late_hands
            elif into is count.over:
                count.hand_seq = hand.dealt.seq
            if hand.status == "settled" and hand.table in self._floor.tables:
                currency = self._floor.view(hand.table).bets.currency
                into[currency] += (hand.takes_minor or 0) - (hand.paid_minor or 0)
        span = HandSpan(count.hand_seq, count.sat_since)
        count.sat_since = sat_since(reader, ticket.operator, ticket.bettor, span)


def _add_bets(reader: Reader, ticket: Ticket, count: _Count) -> None:
    newest = newest_rounds(reader, ticket.operator, ticket.bettor, count.bet_seq)
    count.late_bets.clear()
    into, seq = count.over, count.bet_seq
    while page := bet_sums_after(reader, ticket.operator, ticket.bettor, seq, BETS_A_LOOK):
        for one in page:
            if not one.ended or one.round == newest.get(one.table):
                into = count.late_bets
            if into is count.over:
                count.bet_seq = one.seq
            into[one.currency] += one.won_minor
        seq = page[-1].seq
        if len(page) < BETS_A_LOOK:
            return


def _hands_of(reader: Reader, ticket: Ticket, span: HandSpan) -> Iterator[HandLine]:
    """His hands of this session, the newest first."""
    before: int | None = None
    while True:
        page, before = hand_lines(reader, ticket.operator, ticket.bettor, HANDS_A_LOOK, before, span)
        for hand in page:
            if hand.dealt.at_ms < ticket.since_ms:
                return
            yield hand
        if before is None:
            return
