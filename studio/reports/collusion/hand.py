"""The hands of the poker room as this report looks at them: who was dealt in, what each won or lost, who attacked whom
when two were left. No card is read, open or not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from studio.reports.chips import SEATS
from studio.reports.collusion.lead import Bettor
from studio.reports.record.choice import ReportAsked
from studio.reports.record.source import events
from studio.rounds import Chose
from studio.rulebook.hand_terms import HAND
from studio.tables.event import table as e

_KINDS: Final = ("RoundStarted", "Chose", "RoundSettled", "RoundRefunded")
_GIVES_UP: Final = ("fold", "muck")
_ATTACKS: Final = ("bet", "raise")
_NET: Final = """
SELECT b.round, b.operator, b.bettor, b.bet, b.currency,
       sum(CASE WHEN l.kind = 'return' THEN l.amount WHEN l.kind = 'reverse_return' THEN -l.amount
                WHEN l.kind = 'post' THEN -l.amount ELSE l.amount END)
FROM ledger l JOIN bet b ON b.id = l.bet
WHERE l.seq > ? AND l.seq <= ? AND l.kind IN ('post', 'reverse_post', 'return', 'reverse_return')
GROUP BY 1, 2, 3, 4, 5
"""


@dataclass(slots=True)
class RoomHand:
    """`net`: what each who was dealt in won, below nothing what he lost; `duel`: of the two who were left whether each
    bet or raised from then on, those alone who could choose.
    """

    round: str
    table: str
    game: str
    currency: str = ""
    net: dict[Bettor, int] = field(default_factory=dict)
    duel: dict[Bettor, bool] = field(default_factory=dict)

    @property
    def won_minor(self) -> int:
        return sum(one for one in self.net.values() if one > 0)

    def flow(self, loser: Bettor) -> dict[Bettor, float]:
        """What he lost, as it went to those who won: to each in the measure of his own winnings, the rake with them."""
        lost_minor, won_minor = -self.net[loser], self.won_minor
        if lost_minor <= 0 or not won_minor:
            return {}
        return {winner: lost_minor * one / won_minor for winner, one in self.net.items() if one > 0}


@dataclass(slots=True)
class _Open:
    """A hand at work: by whom each seat is held, and which seats are still in."""

    hand: RoomHand
    seats: dict[str, Bettor]
    still: list[str]

    def take(self, chose: Chose) -> None:
        if chose.box not in self.still:
            return
        if len(self.still) == 2 and not chose.by_default:
            own = self.seats[chose.box]
            self.hand.duel[own] = self.hand.duel.get(own, False) or chose.option in _ATTACKS
        if chose.option in _GIVES_UP:
            self.still.remove(chose.box)


def hands(asked: ReportAsked) -> Iterator[RoomHand]:
    """The hands that began and ended in the period and were not void, in the order they ended."""
    nets = _nets(asked)
    at_work: dict[str, _Open] = {}
    for one in events(asked.reader, asked.period, _KINDS, asked.choice.table):
        match one.event:
            case e.RoundStarted(round=round, game=game, rules=rules) if HAND in rules:
                seats = {seat: "/".join(player) for seat, player in rules[HAND]["players"].items()}
                at_work[round] = _Open(RoomHand(round, one.table, game), seats, list(rules[HAND]["seats"]))
            case e.FactStood(fact=Chose() as chose) if one.round in at_work:
                at_work[one.round].take(chose)
            case e.RoundSettled() if one.round in at_work:
                hand = at_work.pop(one.round)
                yield _paid(hand, nets.get(one.round, {}))
            case e.RoundRefunded():
                at_work.pop(one.round, None)


def _paid(one: _Open, nets: dict[tuple[Bettor, str], int]) -> RoomHand:
    one.hand.net = dict.fromkeys(one.seats.values(), 0)
    for (bettor, currency), minor in nets.items():
        one.hand.currency = currency
        one.hand.net[bettor] = minor
    return one.hand


def _nets(asked: ReportAsked) -> dict[str, dict[tuple[Bettor, str], int]]:
    found: defaultdict[str, Counter[tuple[Bettor, str]]] = defaultdict(Counter)
    period = asked.period
    for round, operator, bettor, bet, currency, minor in asked.reader.stream(
        _NET, (period.ledger_after, period.ledger_upto)
    ):
        if bet in SEATS:
            found[round][f"{operator}/{bettor.partition('/')[0]}", currency] += minor
    return {round: dict(one) for round, one in found.items()}
