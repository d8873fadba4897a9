"""What a prize lost with a voided round would have been, and what a decision makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from studio.settlement.payout import PlacedBet


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One bet that lost its prize. `prize_minor` is the prize it would have won, had the round been settled.

    `currency` is empty for the table's own.
    """

    bet_id: str
    account: str
    stake_minor: int
    prize_minor: int
    currency: str = ""


Change = Callable[[int, str], int]
"""An amount of the pot's currency, or of the table's own, in the currency of a bettor."""


def unchanged(amount_minor: int, currency: str) -> int:
    """The amount as it is: the conversion where there is only one currency."""
    return amount_minor


def lost_prizes(
    bets: Iterable[PlacedBet],
    bet: str,
    ret: Fraction,
    pot_minor: int,
    change: Change = unchanged,
) -> Iterator[Claim]:
    """The claims of a whole round, in its order. Where the prize is the pot (`ret` 0) bettors share it alike."""
    concerned = [one for one in bets if one.bet == bet]
    first: dict[str, str] = {}
    for one in concerned:
        first.setdefault(one.account, one.id)
    share_minor = pot_minor // len(first) if first and not ret else 0
    for one in concerned:
        prize_minor = one.stake_minor * ret.numerator // ret.denominator
        if first[one.account] == one.id:
            prize_minor += change(share_minor, one.currency)
        yield Claim(
            bet_id=one.id, account=one.account, stake_minor=one.stake_minor, prize_minor=prize_minor,
            currency=one.currency,
        )  # fmt: skip


def compensations(claims: Sequence[Claim], pays: str, each_minor: int, change: Change = unchanged) -> Iterator[int]:
    """What each claim is paid: `full` its prize, `each` so much for every bettor, once, `none` nothing.

    >>> claim = Claim(bet_id="b", account="ann", stake_minor=5, prize_minor=250)
    >>> list(compensations((claim, claim), "each", 100)), list(compensations((claim,), "full", 0))
    ([100, 0], [250])
    """
    paid: set[str] = set()
    for claim in claims:
        if pays == "full":
            yield claim.prize_minor
        else:
            yield change(each_minor, claim.currency) if pays == "each" and claim.account not in paid else 0
        paid.add(claim.account)
