"""Second opinions: what every bet gives back, counted from the printed pay tables and by nothing of the rulebooks.

Slow and plain on purpose. `OPINIONS` maps a game to the function that gives, for the cards of a finished round and
what one bettor staked, the return of a stake of 1 on each of his bets; `STANDING` the same of a void round's cards,
for the bets that are paid all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.blackjack import blackjack, naturals
from dealer_ui.rehearsal.opinions.dealt import Dealt, Opinion
from dealer_ui.rehearsal.opinions.holdem import holdem_bonus, ultimate_holdem
from dealer_ui.rehearsal.opinions.kkclash import kkclash
from dealer_ui.rehearsal.opinions.three_card_poker import pair_plus, three_card_poker
from dealer_ui.rehearsal.opinions.three_knights import three_knights

OPINIONS: Final[Mapping[str, Opinion]] = {
    "three_knights": three_knights,
    "holdem_bonus": holdem_bonus,
    "ultimate_holdem": ultimate_holdem,
    "three_card_poker": three_card_poker,
    "kkclash": kkclash,
    "blackjack": blackjack,
}

STANDING: Final[Mapping[str, Callable[[Dealt], Mapping[str, Fraction]]]] = {
    "three_card_poker": lambda dealt: {"pair_plus": pair_plus(dealt)},
    "blackjack": naturals,
}

__all__ = ["OPINIONS", "STANDING", "Dealt", "Opinion"]
