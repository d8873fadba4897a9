"""The second opinion on Three Knights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Stakes
from dealer_ui.rehearsal.opinions.rank import three_name
from studio.cards import Card

_PAIR_PLUS: Final = {"straight_flush": 41, "mini_royal": 41, "trips": 31, "straight": 7, "flush": 4, "pair": 2}


def _knights(cards: Sequence[Card]) -> tuple[int, int]:
    """The points, and of hands alike how many pictures; three pictures are above all."""
    pictures = sum(card.rank in "JQK" for card in cards)
    points = sum(1 if card.rank == "A" else int(card.rank) if card.rank.isdigit() else 0 for card in cards) % 10
    return (10, 3) if pictures == 3 else (points, pictures)


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    hands = dealt.hands
    bank = _knights(hands["banker"])
    back: dict[str, Fraction] = {"banker_pair_plus": Fraction(_PAIR_PLUS.get(three_name(hands["banker"]), 0))}
    for player in ("player1", "player2", "player3"):
        own = _knights(hands[player])
        six = max(own, bank)[0] == 6
        even = Fraction(3, 2) if six else Fraction(2)
        back[f"{player}_win"] = Fraction(1) if own == bank else even if own > bank else Fraction(0)
        back[f"{player}_lose"] = Fraction(1) if own == bank else even if own < bank else Fraction(0)
        back[f"{player}_tie"] = Fraction(9 if own == bank else 0)
        back[f"{player}_three_knights"] = Fraction(17 if own == (10, 3) else 0)
        back[f"{player}_pair_plus"] = Fraction(_PAIR_PLUS.get(three_name(hands[player]), 0))
    return back
