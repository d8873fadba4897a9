"""The second opinion on Andar Bahar."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Stakes

_UP_TO: Final = {5: "3.5", 10: "4.5", 15: "5.5", 25: "4.5", 30: "16", 35: "26", 40: "51", 49: "121"}


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    (joker,) = dealt.hands["joker"]
    andar, bahar = (dealt.hands.get(side, ()) for side in ("andar", "bahar"))
    to_andar = any(card.rank == joker.rank for card in andar)
    back = {"andar": Fraction("1.9") if to_andar else Fraction(0), "bahar": Fraction(0 if to_andar else 2)}
    first, count = 1, len(andar) + len(bahar)
    for last, paid in _UP_TO.items():
        back[f"cards_{first}_{last}"] = Fraction(paid) if first <= count <= last else Fraction(0)
        first = last + 1
    return back
