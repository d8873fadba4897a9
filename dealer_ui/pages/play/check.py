"""Whether a bettor goes on: asked on his page after as long a time of play as his operator laid down.

He is told how long he has played and what he staked, got back and won in that time. Until he has answered he places no
bet here, takes no seat and buys no chips; what he has in play goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dealer_ui.desk.ticket import Ticket, Tickets
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.past.hand_record import hand_lines
from studio.journal.extract.played import rounds_played

MINUTE_MS = 60_000
ROUNDS_MOST = 2_000
"""So many rounds are added up at the most; more are not played in a page's time."""


@dataclass(frozen=True, slots=True)
class PlaySum:
    """What came of it in one currency."""

    staked_minor: int
    returned_minor: int

    @property
    def won_minor(self) -> int:
        """Below zero where he lost."""
        return self.returned_minor - self.staked_minor


@dataclass(frozen=True, slots=True)
class Check:
    """`rounds`: those that are over, and hands of the poker room. `sums`: by currency."""

    minutes: int
    rounds: int
    sums: Mapping[str, PlaySum]


def due_in_ms(floor: OperatorsFloor, tickets: Tickets, ticket: Ticket) -> int | None:
    """How long until he is asked, 0 while he is; None where his operator wants no such thing."""
    every_min = floor.bettors.of(ticket.operator, ticket.bettor).terms.check_min
    if not every_min:
        return None
    return max(0, tickets.went_on_ms(ticket) + every_min * MINUTE_MS - floor.now_ms())


def is_asked(floor: OperatorsFloor, tickets: Tickets, ticket: Ticket) -> bool:
    """Whether he has still to say that he goes on."""
    return due_in_ms(floor, tickets, ticket) == 0


def check_of(floor: OperatorsFloor, ticket: Ticket) -> Check:
    """What he has played since he came."""
    staked, returned, rounds = Counter[str](), Counter[str](), 0
    for currency, staked_minor, returned_minor in _played(floor, ticket):
        rounds += 1
        staked[currency] += staked_minor
        returned[currency] += returned_minor
    sums = {currency: PlaySum(staked[currency], returned[currency]) for currency in staked}
    return Check((floor.now_ms() - ticket.since_ms) // MINUTE_MS, rounds, sums)


def _played(floor: OperatorsFloor, ticket: Ticket) -> Iterator[tuple[str, int, int]]:
    """Of each round and hand that is over: its currency, what he staked, what came back."""
    reader, operator, bettor = floor.reader(), ticket.operator, ticket.bettor
    for one in rounds_played(reader, operator, bettor, ROUNDS_MOST, tables=len(floor.tables)):
        over = [bet for bet in one.bets if bet.status == "posted"]
        if one.at_ms >= ticket.since_ms and over:
            yield (
                one.currency,
                sum(bet.bet.stake_minor for bet in over if not bet.bet.free),
                sum(bet.returned_minor for bet in over),
            )
    hands, _ = hand_lines(reader, operator, bettor, ROUNDS_MOST, None)
    for hand in hands:
        if hand.dealt.at_ms >= ticket.since_ms and hand.status == "settled" and hand.table in floor.tables:
            yield floor.view(hand.table).bets.currency, hand.paid_minor or 0, hand.takes_minor or 0
