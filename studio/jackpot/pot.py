"""The only place for the terms of a progressive pot: what each stake adds to it, and how a win is shared. [THB-16]"""

from __future__ import annotations

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
