"""Whose chips go to one partner more than they would go to whoever wins as he does.

The null: what a player loses in a hand goes to one of those who were dealt in, and to each with the odds of how much he
wins of everybody else; a partner's odds are taken twice as high, so that styles which suit each other are no
lead. A loss counts for no more than five times the average one. The bound is Chernoff's and holds however unlike the
hands are. Where two alone were dealt in, a loss has one way to go and tells nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from studio.reports.collusion.chance import bounded
from studio.reports.collusion.hand import RoomHand
from studio.reports.collusion.lead import FLOW, Bettor, Looked, largest

ODDS: Final = 2.0
CAP: Final = 5.0
SMOOTH: Final = 5.0
"""So many average hands everybody is believed to have played besides: who was dealt in twice is no great winner."""


@dataclass(slots=True)
class _Book:
    """What everybody won of whom, and in how many hands."""

    taken: defaultdict[Bettor, Counter[Bettor]] = field(default_factory=lambda: defaultdict(Counter))
    won: Counter[Bettor] = field(default_factory=Counter)
    hands: Counter[Bettor] = field(default_factory=Counter)
    rest: float = 1.0

    def strength(self, bettor: Bettor, beside: Bettor) -> float:
        """What he wins a hand of others than this one."""
        others = self.won[bettor] - self.taken[bettor][beside]
        return (others + self.rest * SMOOTH) / (self.hands[bettor] + SMOOTH)


def look(hands: Sequence[RoomHand]) -> Iterator[Looked]:
    """Every player who lost to another often enough, with that other."""
    book = _filled(hands)
    lost: defaultdict[Bettor, list[RoomHand]] = defaultdict(list)
    for hand in hands:
        if len(hand.net) > 2:
            for loser, minor in hand.net.items():
                if minor < 0:
                    lost[loser].append(hand)
    for loser, own in sorted(lost.items()):
        met = Counter(partner for hand in own for partner in hand.net if partner != loser)
        for partner, times in sorted(met.items()):
            if times >= FLOW.least:
                yield _weighed(loser, partner, [hand for hand in own if partner in hand.net], book)


def _filled(hands: Sequence[RoomHand]) -> _Book:
    book = _Book()
    for hand in hands:
        book.hands.update(hand.net.keys())
        for loser in hand.net:
            for winner, minor in hand.flow(loser).items():
                book.taken[winner][loser] += round(minor)
                book.won[winner] += round(minor)
    if total := book.hands.total():
        book.rest = max(1.0, book.won.total() / total)
    return book


def _weighed(loser: Bettor, partner: Bettor, hands: Sequence[RoomHand], book: _Book) -> Looked:
    cap = CAP * sum(-hand.net[loser] for hand in hands) / len(hands)
    seen, parts, evidence = 0.0, [], []
    sums: Counter[str] = Counter()
    for hand in hands:
        minor, weight = hand.flow(loser).get(partner, 0.0), min(cap, -hand.net[loser])
        seen += weight * minor / -hand.net[loser]
        parts.append((weight, _chance(loser, partner, hand, book)))
        sums[hand.currency] += round(minor)
        evidence.append((minor, hand.round))
    whole, expected = sum(weight for weight, _ in parts), sum(weight * chance for weight, chance in parts)
    where = ", ".join(sorted({hand.table for hand in hands}))
    return Looked(
        FLOW, loser, partner, where, len(hands), seen / whole, expected / whole, bounded(parts, seen), sums,
        largest(evidence),
    )  # fmt: skip


def _chance(loser: Bettor, partner: Bettor, hand: RoomHand, book: _Book) -> float:
    """That the loss of this hand goes to the partner, his odds taken twice as high."""
    strengths = {one: book.strength(one, loser) for one in hand.net if one != loser}
    fair = strengths[partner] / sum(strengths.values())
    return ODDS * fair / (1 + (ODDS - 1) * fair)
