"""The second opinion on Baccarat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt, Stakes
from studio.cards import Card

_BY: Final = {9: 31, 8: 11, 7: 7, 6: 5, 5: 3, 4: 2}


def _points(cards: Sequence[Card]) -> int:
    return sum(1 if card.rank == "A" else int(card.rank) if card.rank.isdigit() else 0 for card in cards) % 10


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    hands = {box: dealt.hands[box] for box in ("player", "banker")}
    own, bank = (_points(cards) for cards in hands.values())
    cards = sum(map(len, hands.values()))
    ranks = {box: cards[0].rank == cards[1].rank for box, cards in hands.items()}
    perfect = sum(str(cards[0]) == str(cards[1]) for cards in hands.values())
    back = {
        "player": 1 if own == bank else 2 * (own > bank),
        "banker": 1 if own == bank else Fraction(39, 20) * (bank > own),
        "tie": 9 * (own == bank),
        "player_pair": 12 * ranks["player"],
        "banker_pair": 12 * ranks["banker"],
        "either_pair": 6 * any(ranks.values()),
        "perfect_pair": {0: 0, 1: 26, 2: 201}[perfect],
        "player_bonus": _bonus(hands["player"], hands["banker"]),
        "banker_bonus": _bonus(hands["banker"], hands["player"]),
        "small": Fraction("2.5") * (cards == 4),
        "big": Fraction("1.54") * (cards > 4),
        "super_six": 16 * (bank == 6 > own),
    }
    return {bet: Fraction(returned) for bet, returned in back.items()}


def _bonus(cards: Cards, other: Cards) -> int:
    above = _points(cards) - _points(other)
    natural = len(cards) == 2 and _points(cards) >= 8
    if above == 0:
        return int(natural)
    return 0 if above < 0 else 2 if natural else _BY.get(above, 0)
