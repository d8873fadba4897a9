"""What each bet of a finished round gives back, in minor units: its stake times its odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

import msgspec

from studio.errors import InvariantError
from studio.rulebook.game import Game
from studio.rulebook.script import Rules

NO_SHARES: Final[Mapping[str, int]] = MappingProxyType({})
UNMERGED: Final[Mapping[str, int]] = MappingProxyType({})
PUSHED: Final = (1, 1)


class PlacedBet(msgspec.Struct, frozen=True, gc=False):
    """A bet that stands. `bet` is the game's key for it, `account` the ledger account it came from.

    `conduct` says how the bettor decided, in the game's words; empty where a game asks for no decision. `currency` is
    empty where it is the table's own.
    """

    id: str
    bet: str
    account: str
    stake_minor: int
    conduct: str = ""
    currency: str = ""


class Payout(msgspec.Struct, frozen=True, gc=False):
    """What a bet gave back, its stake included; 0 when it lost. `share_minor` of it is a share of a pot."""

    id: str
    bet: str
    account: str
    stake_minor: int
    returns_minor: int
    share_minor: int = 0
    currency: str = ""


def payout_minor(stake_minor: int, ret: Fraction) -> int:
    """The return of a stake: multiplied first, then rounded down, once. [3K-16]

    >>> payout_minor(101, Fraction(3, 2))
    151
    """
    if stake_minor <= 0 or ret < 0:
        raise InvariantError(f"A stake of {stake_minor} cannot return {ret} times itself.")
    return stake_minor * ret.numerator // ret.denominator


def pot_shares(
    game: Game, rules: Rules, outcome: Any, bets: Sequence[PlacedBet], pot_minor: int | None = None
) -> Mapping[str, int]:
    """What each bettor gets of the pots that this outcome empties, by bet id, in minor units; mostly nothing.

    `bets` are all bets of the round. Bettors share alike whatever they staked, each once, on his first bet on that
    key; what cannot be shared alike stays in the pot. `pot_minor`: what lay in the table's pot when it was won, where
    it has one; otherwise the house options say what the prize is. [THB-16]
    """
    shares: dict[str, int] = {}
    for key, fixed_minor in game.pot.pots(rules, outcome).items():
        prize_minor = fixed_minor if pot_minor is None else pot_minor
        first: dict[str, str] = {}
        for bet in bets:
            if bet.bet == key:
                first.setdefault(bet.account, bet.id)
        shares.update((id, prize_minor // len(first)) for id in first.values())
    return shares


def merged_stakes(game: Game, bets: Iterable[PlacedBet]) -> Mapping[str, int]:
    """What each bet's return is counted on, by bet id, in a game whose decisions add to a stake; else nothing. [BJ-25]

    `bets` are all bets of the round. What one bettor has on one key is one stake, put out in parts: it is multiplied
    and rounded down once, and lies on the first of these bets; the others count nothing.
    """
    if game.payment.put_out is None:
        return UNMERGED
    first: dict[tuple[str, str], str] = {}
    merged: dict[str, int] = {}
    for bet in bets:
        leader = first.setdefault((bet.account, bet.bet), bet.id)
        merged[bet.id] = 0
        merged[leader] += bet.stake_minor
    return merged


def settle_bets(
    game: Game,
    rules: Rules,
    outcome: Any,
    bets: Iterable[PlacedBet],
    shares: Mapping[str, int] = NO_SHARES,
    *,
    merged: Mapping[str, int] = UNMERGED,
) -> Iterator[Payout]:
    """The payout of each bet, in the order given; the odds are worked out once for each conduct, not for each bet.

    `shares` are the `pot_shares` and `merged` the `merged_stakes` of the whole round, also where only some of its
    bets are settled. A bet of the game that this outcome does not decide comes back. [BJ-20]
    """
    tables: dict[str, dict[str, tuple[int, int]]] = {}
    for bet in bets:
        table = tables.get(bet.conduct)
        if table is None:
            returns = game.payment.returns(rules, outcome, bet.conduct)
            table = tables[bet.conduct] = {key: ret.as_integer_ratio() for key, ret in returns.items()}
        ratio = table.get(bet.bet) or (PUSHED if bet.bet in game.betting.bets else None)
        if ratio is None or bet.stake_minor <= 0 or ratio[0] < 0:
            raise InvariantError(f"The bet {bet.id} ({bet.bet}, stake {bet.stake_minor}) cannot be settled.")
        counted_minor = merged[bet.id] if merged else bet.stake_minor
        returns_minor = counted_minor * ratio[0] // ratio[1]
        share_minor = shares.get(bet.id, 0) if shares else 0
        back_minor = returns_minor + share_minor
        yield Payout(bet.id, bet.bet, bet.account, bet.stake_minor, back_minor, share_minor, bet.currency)
