"""How the bets of one group can end together, at worst for the house.

Bets that exclude each other stand in one group, with every end the group can have that is worst for some stakes; bets
of different groups are taken to end at their worst all at once. What a bettor may still have to put in later counts
with the bet it follows from, so a raise, a double or a split never adds to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

LOST: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class End:
    """One way in which a group of bets may end: by bet, what a stake of 1 takes from the house beyond the stake itself.

    `prize_minor` is paid once on top of that, whatever was staked, if anything lies on `prize_bet`.
    """

    takes: Mapping[str, Fraction]
    prize_bet: str = ""
    prize_minor: int = 0


Group = Sequence[End]


def end(bets: Iterable[str], returns: Mapping[str, Fraction]) -> End:
    return End({bet: returns.get(bet, LOST) - 1 for bet in bets})


def alone(bet: str, returns: Iterable[Fraction]) -> Group:
    return (end((bet,), {bet: max(returns)}),)
