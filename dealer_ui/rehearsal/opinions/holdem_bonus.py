"""The second opinion on Texas Hold'em Bonus Poker."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt, Stakes
from dealer_ui.rehearsal.opinions.holdem import paid_even, sides
from dealer_ui.rehearsal.opinions.rank import FIVE, five_name, height

_FIRST5: Final = {"straight_flush": 2500, "quads": 300, "full_house": 50, "flush": 40, "straight": 30, "trips": 3}


_RAISES: Final = ("flop", "turn", "river")


_STRAIGHT: Final = FIVE.index("straight")


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    player, dealer = sides(dealt)
    hole, flop = dealt.hands["player"], dealt.hands["board"][:3]
    first5 = Fraction(_FIRST5.get(five_name((*hole, *flop)), 0))  # a royal's pot is its own account
    side = {"bonus": Fraction(_bonus(hole, dealt.hands["dealer"])), "first5": first5}
    if "flop" not in stakes:
        return {**side, "ante": Fraction(0)}
    even = paid_even(player, dealer)
    ante = Fraction(1) if player > dealer and player[0] < _STRAIGHT else even
    return {**side, "ante": ante, **dict.fromkeys(_RAISES, even)}


def _bonus(hole: Cards, dealers: Cards) -> int:
    high, low = sorted((height(card) for card in hole), reverse=True)
    if (high, low) == (14, 14):
        return 1001 if all(card.rank == "A" for card in dealers) else 31
    if high == low:
        return 11 if high >= 11 else 4
    suited = hole[0].suit == hole[1].suit
    if (high, low) == (14, 13):
        return 26 if suited else 16
    if high == 14 and low in (12, 11):
        return 21 if suited else 6
    return 0
