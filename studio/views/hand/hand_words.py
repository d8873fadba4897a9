"""An open hand in the words a dealer says: `two pair, kings and tens`, or its points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from studio.cards import Card
from studio.hands.poker import Category
from studio.rounds import CardDealt
from studio.rulebook.hand_rank import HandRank
from studio.tables.state.round import Stage
from studio.tables.state.table import TableState
from studio.views.shape import Words

_VOID: Final = (Stage.VOIDING, Stage.VOIDED)


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


def points_shown(state: TableState) -> Mapping[str, Words]:
    """The points of each box with open cards; none in a round that is void, or in a game that does not count them."""
    round, points = state.round, state.game.deal.points
    if round is None or points is None or round.stage in _VOID:
        return {}
    hands: defaultdict[str, list[Card]] = defaultdict(list)
    for fact in round.deal.cards.values():
        if isinstance(fact, CardDealt) and fact.face is not None and fact.box not in state.game.felt.opening:
            hands[fact.box].append(fact.face)
    return {box: Words("felt.points", {"n": points(cards)}) for box, cards in hands.items()}
