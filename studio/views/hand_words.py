"""A poker hand that lies open in the words a dealer says: `two pair, kings and tens`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from studio.games.hand_rank import HandRank
from studio.hands.poker import Category
from studio.views.words import Words

_SINGLE: Final = frozenset({Category.HIGH_CARD, Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH})
"""Of these one card is named: `king high`; of all others the cards that are there more than once: `kings`."""

_NAMED: Final = {Category.TWO_PAIR: 2, Category.FULL_HOUSE: 2, Category.ROYAL_FLUSH: 0}


def hand_words(rank: HandRank, rivals: Collection[HandRank] = ()) -> Words:
    """The hand as it is read aloud; its kicker only where one of the `rivals` has the same hand but for that.

    >>> hand_words(HandRank(0x6DA000, Category.FULL_HOUSE, "KT")).values
    {'first': 'ranks.K', 'second': 'ranks.T'}
    """
    family = "rank" if rank.category in _SINGLE else "ranks"
    named = rank.telling[: _named(rank)]
    values = dict(zip(("first", "second"), (f"{family}.{one}" for one in named), strict=False))
    hand = Words(f"shown.{rank.category.value}", values)
    kicker = _kicker(rank, rivals)
    return Words("shown.with_kicker", {"kicker": f"rank.{kicker}"}, {"hand": hand}) if kicker else hand


def _named(rank: HandRank) -> int:
    return _NAMED.get(rank.category, 1)


def _kicker(rank: HandRank, rivals: Collection[HandRank]) -> str:
    """The first card by which it differs from the rival that is most like it."""
    alike = [one.telling for one in rivals if one.category is rank.category and one.value != rank.value]
    differs = [
        next(at for at, (mine, other) in enumerate(zip(rank.telling, telling, strict=True)) if mine != other)
        for telling in alike
    ]
    at = max(differs, default=-1)
    return rank.telling[at] if at >= _named(rank) else ""
