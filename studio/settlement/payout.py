"""The only place where a stake meets its odds: what each bet of a finished round gives back, in minor units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from studio.errors import InvariantError
from studio.games.script import Game, Rules


class PlacedBet(msgspec.Struct, frozen=True, gc=False):
    """A bet that stands. `bet` is the game's key for it, `account` the ledger account it came from.

    `conduct` says how the bettor decided, in the game's words; empty where a game asks for no decision.
    """

    id: str
    bet: str
    account: str
    stake_minor: int
    conduct: str = ""


class Payout(msgspec.Struct, frozen=True, gc=False):
    """What a bet gave back, its stake included; 0 when it lost."""

    id: str
    bet: str
    account: str
    stake_minor: int
    returns_minor: int


def payout_minor(stake_minor: int, ret: Fraction) -> int:
    """The return of a stake: multiplied first, then rounded down, once. [3K-16]

    >>> payout_minor(101, Fraction(3, 2))
    151
    """
    if stake_minor <= 0 or ret < 0:
        raise InvariantError(f"A stake of {stake_minor} cannot return {ret} times itself.")
    return stake_minor * ret.numerator // ret.denominator


def settle_bets(game: Game, rules: Rules, outcome: Any, bets: Iterable[PlacedBet]) -> Iterator[Payout]:
    """The payout of each bet, in the order given; the odds are worked out once for each conduct, not for each bet."""
    tables: dict[str, dict[str, tuple[int, int]]] = {}
    for bet in bets:
        table = tables.get(bet.conduct)
        if table is None:
            returns = game.returns(rules, outcome, bet.conduct)
            table = tables[bet.conduct] = {key: ret.as_integer_ratio() for key, ret in returns.items()}
        ratio = table.get(bet.bet)
        if ratio is None or bet.stake_minor <= 0 or ratio[0] < 0:
            raise InvariantError(f"The bet {bet.id} ({bet.bet}, stake {bet.stake_minor}) cannot be settled.")
        yield Payout(bet.id, bet.bet, bet.account, bet.stake_minor, bet.stake_minor * ratio[0] // ratio[1])
