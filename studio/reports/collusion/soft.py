"""Who does not attack one partner when they two are left, though each attacks everybody else.

The null: whether a player bets or raises once two are left has nothing to do with who the other is. Of each of the two
the exact chance is taken (Fisher), and the larger of both counts: a player who never attacks is no lead, nor is one
whom somebody gives no time to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from studio.reports.collusion.hand import RoomHand
from studio.reports.collusion.lead import SOFT, Bettor, Looked, largest
from studio.reports.statistic import no_more_than


def look(hands: Sequence[RoomHand]) -> Iterator[Looked]:
    duels: defaultdict[tuple[Bettor, Bettor], list[RoomHand]] = defaultdict(list)
    played: Counter[Bettor] = Counter()
    attacked: Counter[Bettor] = Counter()
    for hand in hands:
        if len(hand.duel) == 2:
            one, other = sorted(hand.duel)
            duels[one, other].append(hand)
            played.update(hand.duel.keys())
            attacked.update(bettor for bettor, did in hand.duel.items() if did)
    for (one, other), own in sorted(duels.items()):
        if len(own) >= SOFT.least:
            yield _weighed(one, other, own, played, attacked)


def _weighed(
    one: Bettor, other: Bettor, own: Sequence[RoomHand], played: Counter[Bettor], attacked: Counter[Bettor]
) -> Looked:
    chances, expected = [], 0.0
    for bettor in (one, other):
        seen = sum(hand.duel[bettor] for hand in own)
        chances.append(no_more_than(seen, len(own), attacked[bettor], played[bettor]))
        apart, meant = played[bettor] - len(own), attacked[bettor] - seen
        expected += len(own) * meant / apart if apart else float(seen)
    sums: Counter[str] = Counter()
    for hand in own:
        sums[hand.currency] += hand.won_minor
    seen = sum(did for hand in own for did in hand.duel.values())
    quiet = largest((hand.won_minor, hand.round) for hand in own if not any(hand.duel.values()))
    where = ", ".join(sorted({hand.table for hand in own}))
    return Looked(SOFT, one, other, where, len(own), seen, expected, max(chances), sums, quiet)
