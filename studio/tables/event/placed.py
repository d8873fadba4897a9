"""What a bettor did at a table, as its events carry it: the bets that stand, and the choices."""

from __future__ import annotations

import msgspec


class PlacedBet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`worth_minor`: what the stake is worth in the table's own currency, at the round's rates, where it is another."""

    bet_id: str
    operator: str
    client_id: str
    bettor: str
    bet: str
    stake_minor: int
    currency: str
    worth_minor: int | None = None

    @property
    def worth(self) -> int:
        """In the table's own currency: what sums are made of."""
        return self.stake_minor if self.worth_minor is None else self.worth_minor


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One bettor's choice; what it stakes is a bet of its own, placed under the same client id.

    `box`: which of his boxes, or rows of a split box, chooses, in a game played by boxes, or the seat that acts;
    `to_minor`: what a seat bets or raises to; `rows`: where each card of its street goes, in the order dealt.
    """

    operator: str
    bettor: str
    option: str
    client_id: str
    box: str = ""
    to_minor: int = 0
    rows: tuple[str, ...] = ()
