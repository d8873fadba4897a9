"""The second opinion on Ultimate Texas Hold'em."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Stakes
from dealer_ui.rehearsal.opinions.holdem import paid_even, sides
from dealer_ui.rehearsal.opinions.rank import FIVE

_BLIND: Final = {
    "royal": "501", "straight_flush": "51", "quads": "11", "full_house": "4", "flush": "2.5", "straight": "2",
}  # fmt: skip


_TRIPS: Final = {
    "royal": 51, "straight_flush": 41, "quads": 31, "full_house": 9, "flush": 8, "straight": 5, "trips": 4,
}  # fmt: skip


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    player, dealer = sides(dealt)
    name = FIVE[player[0]]
    trips = {"trips": Fraction(_TRIPS.get(name, 0))}
    if "play" not in stakes:
        return {**trips, "ante": Fraction(0), "blind": Fraction(0)}
    even, qualified = paid_even(player, dealer), dealer[0] >= FIVE.index("pair")
    ante = even if qualified else Fraction(1)
    blind = Fraction(_BLIND.get(name, "1")) if player > dealer else Fraction(player == dealer)
    return {**trips, "ante": ante, "blind": blind, "play": even}
