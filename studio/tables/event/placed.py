"""What a bettor did at a table, as its events carry it: the bets that stand, and the choices."""

from __future__ import annotations

import msgspec

from studio.money import Offer, stake_account


class PlacedBet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A bet that stands: what the writer took of an offer, without its table and round, which its row names.

    `worth_minor`: what the stake is worth in the table's own currency, at the round's rates, where it is another.
    `free`: the grant of free bets its stake comes from.
    """

    bet_id: str
    operator: str
    client_id: str
    bettor: str
    bet: str
    stake_minor: int
    currency: str
    worth_minor: int | None = None
    free: str = ""

    @classmethod
    def of(cls, offer: Offer) -> PlacedBet:
        return cls(
            bet_id=offer.bet_id, operator=offer.operator, client_id=offer.client_id, bettor=offer.bettor, bet=offer.bet,
            stake_minor=offer.stake_minor, currency=offer.currency, worth_minor=offer.worth_minor,
            free=offer.free,
        )  # fmt: skip

    def offer(self, table: str, round: str) -> Offer:
        """The bet as an `Offer`, which is the form the journal's writer takes."""
        return Offer(
            self.bet_id, self.operator, self.client_id, self.bettor, table, round, self.bet, self.stake_minor,
            self.currency, self.free, worth_minor=self.worth_minor,
        )  # fmt: skip

    @property
    def account(self) -> str:
        """Where its stake came from."""
        return stake_account(self.operator, self.bettor, self.free)

    @property
    def worth(self) -> int:
        """In the table's own currency: what sums are made of."""
        return self.stake_minor if self.worth_minor is None else self.worth_minor


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One bettor's choice. Where the choice stakes something, that is a bet of its own, placed under the same client
    id.

    `box` is the box that chooses, the row of a split box, or the seat that acts; `to_minor` is what a seat bets or
    raises to; `rows` say where each card of its street goes, in the order dealt.
    """

    operator: str
    bettor: str
    option: str
    client_id: str
    box: str = ""
    to_minor: int = 0
    rows: tuple[str, ...] = ()
