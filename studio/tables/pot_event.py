"""The only place for what can have happened to a progressive pot, and to prizes lost with a voided round.

Amounts are minor units of the pot's currency where no other is named.
"""

from __future__ import annotations

import msgspec


class PotEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class PotSeeded(PotEvent, frozen=True, kw_only=True, tag=True):
    """A pot that was never used has its first money, from the house."""

    pot: str
    currency: str
    amount_minor: int


class PotFed(PotEvent, frozen=True, kw_only=True, tag=True):
    """Betting is over: the part of the round's stakes that belongs to the pot lies in it, once for the round."""

    pot: str
    currency: str
    amount_minor: int


class PotWon(PotEvent, frozen=True, kw_only=True, tag=True):
    """The round took the whole pot, `amount_minor` at that instant, to be shared alike by so many `sharers`.

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
