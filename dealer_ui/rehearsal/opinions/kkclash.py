"""The second opinion on KKClash."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt, Stakes
from dealer_ui.rehearsal.opinions.rank import FIVE, best_five, height

_KING: Final = 13
_WON: Final = {
    "shark": "2.02", "king": "2.02", "draw": "24", "suited_connectors": "1.66", "pocket_pair": "8.5",
    "pocket_kings": "100", "high_card_pair": "2.2", "two_pair": "3.1", "trips_straight_flush": "4.7",
    "full_house_plus": "19", "k_high_pair": "19", "k_full_quads": "242",
}  # fmt: skip


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    shark, king, board = (dealt.hands[box] for box in ("shark", "king", "board"))
    ours, theirs = best_five((*shark, *board)), best_five((*king, *board))
    won = {"draw" if ours == theirs else "shark" if ours > theirs else "king"}
    number, ranks = max(ours, theirs)
    won |= _by_class(FIVE[number], ranks)
    for hole in (shark, king):
        won |= _by_hole(hole)
    return {bet: Fraction(odds) if bet in won else Fraction(0) for bet, odds in _WON.items()}


def _by_class(name: str, ranks: tuple[int, ...]) -> set[str]:
    if name in ("high_card", "pair"):
        return {"high_card_pair", *(["k_high_pair"] if ranks[0] == _KING else [])}
    if name == "two_pair":
        return {"two_pair"}
    if name in ("trips", "straight", "flush"):
        return {"trips_straight_flush"}
    of_kings = name in ("full_house", "quads") and ranks[0] == _KING
    return {"full_house_plus", *(["k_full_quads"] if of_kings else [])}


def _by_hole(hole: Cards) -> set[str]:
    high, low = sorted((height(card) for card in hole), reverse=True)
    if high == low:
        return {"pocket_pair", "pocket_kings"} if high == _KING else {"pocket_pair"}
    beside = high - low == 1 or (high, low) == (14, 2)
    return {"suited_connectors"} if beside or hole[0].suit == hole[1].suit else set()
