"""What the second opinions on the hold'em games against the house share: both hands, and who has the better one."""

from __future__ import annotations

from fractions import Fraction

from dealer_ui.rehearsal.opinions.dealt import Dealt
from dealer_ui.rehearsal.opinions.rank import Worth, best_five


def sides(dealt: Dealt) -> tuple[Worth, Worth]:
    board = dealt.hands["board"]
    return best_five((*dealt.hands["player"], *board)), best_five((*dealt.hands["dealer"], *board))


def paid_even(player: Worth, dealer: Worth) -> Fraction:
    return Fraction(2 if player > dealer else 1 if player == dealer else 0)
