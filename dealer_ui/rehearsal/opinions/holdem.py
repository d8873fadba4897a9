"""The second opinions on the hold'em games against the house."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt, Stakes
from dealer_ui.rehearsal.opinions.rank import FIVE, Worth, best_five, five_name, height

_BLIND: Final = {
    "royal": "501", "straight_flush": "51", "quads": "11", "full_house": "4", "flush": "2.5", "straight": "2",
}  # fmt: skip
_TRIPS: Final = {
    "royal": 51, "straight_flush": 41, "quads": 31, "full_house": 9, "flush": 8, "straight": 5, "trips": 4,
}  # fmt: skip
_FIRST5: Final = {"straight_flush": 2500, "quads": 300, "full_house": 50, "flush": 40, "straight": 30, "trips": 3}
_RAISES: Final = ("flop", "turn", "river")
_STRAIGHT: Final = FIVE.index("straight")


def _sides(dealt: Dealt) -> tuple[Worth, Worth]:
    board = dealt.hands["board"]
    return best_five((*dealt.hands["player"], *board)), best_five((*dealt.hands["dealer"], *board))


def _even(player: Worth, dealer: Worth) -> Fraction:
    return Fraction(2 if player > dealer else 1 if player == dealer else 0)


def ultimate_holdem(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    player, dealer = _sides(dealt)
    name = FIVE[player[0]]
    trips = {"trips": Fraction(_TRIPS.get(name, 0))}
    if "play" not in stakes:
        return {**trips, "ante": Fraction(0), "blind": Fraction(0)}
    even, qualified = _even(player, dealer), dealer[0] >= FIVE.index("pair")
    ante = even if qualified else Fraction(1)
    blind = Fraction(_BLIND.get(name, "1")) if player > dealer else Fraction(player == dealer)
    return {**trips, "ante": ante, "blind": blind, "play": even}


def holdem_bonus(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    player, dealer = _sides(dealt)
    hole, flop = dealt.hands["player"], dealt.hands["board"][:3]
    first5 = Fraction(_FIRST5.get(five_name((*hole, *flop)), 0))  # a royal's pot is its own account
    side = {"bonus": Fraction(_bonus(hole, dealt.hands["dealer"])), "first5": first5}
    if "flop" not in stakes:
        return {**side, "ante": Fraction(0)}
    even = _even(player, dealer)
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
