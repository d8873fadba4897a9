"""The money of a void round: every stake goes back, but for a bet that is paid all the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from studio.money import Transfer
from studio.rulebook.game import Game
from studio.settlement.payout import Payout, PlacedBet, merged_stakes
from studio.settlement.transfers import Purse, settling_transfers, voiding_transfers


def void_transfers(
    game: Game,
    bets: Sequence[PlacedBet],
    paid: Mapping[str, Fraction],
    every: Sequence[PlacedBet],
    purse: Purse,
    revision: int = 0,
) -> tuple[Transfer, ...]:
    """The transfers of these bets, of `every` bet of the round; `paid` says what a bet returns that stands."""
    if not paid:
        return voiding_transfers(bets, purse, revision)
    merged = merged_stakes(game, every)
    made: list[Transfer] = []
    for bet in bets:
        if (ret := paid.get(bet.bet)) is None:
            made.extend(voiding_transfers((bet,), purse, revision))
        else:
            returns_minor = merged.get(bet.id, bet.stake_minor) * ret.numerator // ret.denominator
            payout = Payout(bet.id, bet.bet, bet.account, bet.stake_minor, returns_minor, currency=bet.currency)
            made.extend(settling_transfers((payout,), purse, revision))
    return tuple(made)
