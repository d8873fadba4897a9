"""What can have happened to a progressive pot, and to prizes lost with a voided round.

Amounts are minor units of the pot's currency where no other is named.
"""

from __future__ import annotations

import msgspec

from studio.money import Rates
from studio.settlement import Claim


class PotEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class PotSeeded(PotEvent, frozen=True, kw_only=True, tag=True):
    """A pot that was never used has its first money, from the house."""

    pot: str
    currency: str
    amount_minor: int


class PotFed(PotEvent, frozen=True, kw_only=True, tag=True):
    """Betting is over: the part of the round's stakes that belongs to the pot lies in it, once for the round.

    `parts`: of stakes in other currencies, what was given in each and what that fed of the pot's own.
    """

    pot: str
    currency: str
    amount_minor: int
    parts: dict[str, tuple[int, int]] = {}


class PotWon(PotEvent, frozen=True, kw_only=True, tag=True):
    """The round won the whole pot: `amount_minor` as it stood then, shared equally by `sharers` bettors.

    `left_minor` could not be shared alike and lies in the pot again, beside the `reset_minor` it begins anew with.
    """

    pot: str
    currency: str
    amount_minor: int
    sharers: int
    share_minor: int
    left_minor: int
    reset_minor: int


class PotReturned(PotEvent, frozen=True, kw_only=True, tag=True):
    """The round is void: its contribution has left the pot, in which `pot_minor` had lain.

    What the pot, won meanwhile by another round, did not cover is `short_minor`: the house bears it.
    """

    pot: str
    currency: str
    pot_minor: int
    amount_minor: int
    short_minor: int = 0


class CompensationOpened(PotEvent, frozen=True, kw_only=True, tag=True):
    """A round was voided that held a prize of `bet` [HG20]: what comes of it is decided by a person.

    `case` is the round; `line` the prize its open cards showed, empty where a person says so and the cards do not.
    `bets` of the round lay on it. `ratio`: what a stake of 1 would have come back as, 0 where the prize is the pot.
    """

    case: str
    incident: str
    bet: str
    line: str
    ratio: str
    bets: int
    rates: Rates | None = None


class CompensationAssessed(PotEvent, frozen=True, kw_only=True, tag=True):
    """The bettors concerned, with what each would have had; told chunk by chunk, with their stakes going back."""

    case: str
    claims: tuple[Claim, ...]


class CompensationDecided(PotEvent, frozen=True, kw_only=True, tag=True):
    """The provider's decision. `pays`: full, each (so much for every bettor, `amount_minor`), none."""

    case: str
    pays: str
    amount_minor: int
    by: str
    by_name: str
    reason_code: str
    words: str


class CompensationPaid(PotEvent, frozen=True, kw_only=True, tag=True):
    """`cursor` claims are paid so far, `amount_minor` in all; `over` with the last of them, and the case is closed."""

    case: str
    cursor: int
    amount_minor: int
    over: bool
