"""The terms of a progressive pot: what each stake adds to it, and how a win is shared. [THB-16]"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec


class PotTerms(msgspec.Struct, frozen=True, kw_only=True):
    """One pot as configured; `share_percent` of each stake goes into it, in whole minor units, rounded down.

    It begins with `seed_minor` and, once won, again with `reset_minor`.
    """

    key: str
    currency: str
    seed_minor: int
    reset_minor: int
    share_percent: int = 38


@dataclass(frozen=True, slots=True)
class Taken:
    """What made up a round's prize: of the pot, and of the house where the pot had less; and the pot's new start."""

    from_pot_minor: int
    made_up_minor: int
    reset_minor: int


def taken_late(terms: PotTerms, prize_minor: int, pot_minor: int) -> Taken:
    """The prize a pot owed once, from what lies in it today: the house makes up the rest.

    >>> taken_late(PotTerms(key="main", currency="EUR", seed_minor=0, reset_minor=50), 1000, 300)
    Taken(from_pot_minor=300, made_up_minor=700, reset_minor=50)
    """
    from_pot_minor = min(prize_minor, pot_minor)
    return Taken(from_pot_minor, prize_minor - from_pot_minor, terms.reset_minor)


def contribution_minor(terms: PotTerms, stake_minor: int) -> int:
    """What one stake adds to the pot: each is rounded down by itself.

    >>> terms = PotTerms(key="main", currency="EUR", seed_minor=0, reset_minor=0)
    >>> contribution_minor(terms, 101)
    38
    """
    return stake_minor * terms.share_percent // 100


def divide(pot_minor: int, sharers: int) -> tuple[int, int]:
    """What each sharer gets, and what cannot be shared alike.

    >>> divide(1000, 3)
    (333, 1)
    """
    return divmod(pot_minor, sharers)
