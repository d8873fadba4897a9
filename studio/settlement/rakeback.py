"""The fee of a round: the part of each bettor's total bet that a rakeback is counted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from studio.rulebook.game import Game
from studio.settlement.payout import Payout, PlacedBet


def rakeback_fees(game: Game, bets: Iterable[PlacedBet | Payout]) -> Mapping[str, int]:
    """Account to its fee in minor units, for bets of one round and one currency that stood. [KK-19]

    A figure to report, not money that moves. The bets of an account are added up first, then rounded down once.
    """
    staked: Counter[str] = Counter()
    for bet in bets:
        staked[bet.account] += bet.stake_minor
    return {account: fee_minor(game.payment.rakeback, total) for account, total in staked.items()}


def fee_minor(rate: Fraction, total_bet_minor: int) -> int:
    """
    >>> fee_minor(Fraction(2, 100), 1_299)
    25
    """
    return total_bet_minor * rate.numerator // rate.denominator
