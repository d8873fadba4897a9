"""The second opinion on Three Card Poker."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Stakes
from dealer_ui.rehearsal.opinions.rank import five_name, three, three_name

_PAIR_PLUS: Final = {"mini_royal": 101, "straight_flush": 41, "trips": 31, "straight": 6, "flush": 5, "pair": 2}
_SIX_CARD: Final = {
    "royal": 1001, "straight_flush": 201, "quads": 101, "full_house": 21, "flush": 16, "straight": 11, "trips": 8,
}  # fmt: skip
_ANTE_BONUS: Final = {"mini_royal": 5, "straight_flush": 5, "trips": 4, "straight": 1}


def pair_plus(dealt: Dealt) -> Fraction:
    return Fraction(_PAIR_PLUS.get(three_name(dealt.hands["player"]), 0))


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    player, dealer = dealt.hands["player"], dealt.hands["dealer"]
    side = {
        "pair_plus": pair_plus(dealt),
        "six_card": Fraction(_SIX_CARD.get(five_name((*player, *dealer)), 0)),
    }
    if "play" not in stakes:
        return {**side, "ante": Fraction(0)}
    bonus = Fraction(_ANTE_BONUS.get(three_name(player), 0))
    if three(dealer) < (0, (12,)):
        return {**side, "ante": 2 + bonus, "play": Fraction(1)}
    main = Fraction((three(player) > three(dealer)) * 2 or three(player) == three(dealer))
    return {**side, "ante": main + bonus, "play": main}


def standing(dealt: Dealt) -> Mapping[str, Fraction]:
    """Pair Plus is paid by the cards of a void round all the same."""
    return {"pair_plus": pair_plus(dealt)}
