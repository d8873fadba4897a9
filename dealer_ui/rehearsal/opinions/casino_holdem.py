"""The second opinion on Casino Hold'em."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Stakes
from dealer_ui.rehearsal.opinions.holdem import paid_even, sides
from dealer_ui.rehearsal.opinions.rank import FIVE, best_five

_ANTE: Final = {"royal": 101, "straight_flush": 21, "quads": 11, "full_house": 4, "flush": 3}
_AA: Final = {"royal": 101, "straight_flush": 51, "quads": 41, "full_house": 31, "flush": 21}
_FOURS: Final = (FIVE.index("pair"), (4,))
_ACES: Final = (FIVE.index("pair"), (14,))


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    player, dealer = sides(dealt)
    five = best_five((*dealt.hands["player"], *dealt.hands["board"][:3]))
    side = {"aa_bonus": Fraction(_AA.get(FIVE[five[0]], 8 if five >= _ACES else 0))}
    if "call" not in stakes:
        return {**side, "ante": Fraction(0)}
    won = Fraction(_ANTE.get(FIVE[player[0]], 2))
    if dealer < _FOURS:
        return {**side, "ante": won, "call": Fraction(1)}
    even = paid_even(player, dealer)
    return {**side, "ante": won if player > dealer else even, "call": even}
