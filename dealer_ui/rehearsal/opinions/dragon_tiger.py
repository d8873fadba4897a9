"""The second opinion on Dragon Tiger."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Stakes

_NUMBER: Final = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}


def opinion(dealt: Dealt, stakes: Stakes) -> Mapping[str, Fraction]:
    (dragon,), (tiger,) = dealt.hands["dragon"], dealt.hands["tiger"]
    above = _number(dragon.rank) - _number(tiger.rank)
    back = {
        "dragon": Fraction(2 if above > 0 else 0) if above else Fraction(1, 2),
        "tiger": Fraction(2 if above < 0 else 0) if above else Fraction(1, 2),
        "tie": Fraction(0 if above else 12),
        "suited_tie": Fraction(0 if above or dragon.suit != tiger.suit else 51),
    }
    for box, number in (("dragon", _number(dragon.rank)), ("tiger", _number(tiger.rank))):
        back[f"{box}_odd"] = Fraction(2 if number in (1, 3, 5, 9, 11, 13) else 0)
        back[f"{box}_even"] = Fraction(2 if number in (2, 4, 6, 8, 10, 12) else 0)
        back[f"{box}_small"] = Fraction(2 if number < 7 else 0)
        back[f"{box}_big"] = Fraction(2 if number > 7 else 0)
    return back


def _number(rank: str) -> int:
    return _NUMBER.get(rank) or int(rank)
