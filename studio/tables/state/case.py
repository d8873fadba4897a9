"""A case of compensation as its table knows it: a prize lost with a voided round [HG20]."""

from __future__ import annotations

from dataclasses import dataclass

from studio.money import Rates, convert_minor
from studio.settlement import Claim


@dataclass(frozen=True, slots=True)
class Case:
    """A case for compensation; `id` is the round. `claims` are added while stakes go back, and `paid` of them have been
    paid as decided.
    """

    id: str
    incident: str
    bet: str
    line: str
    ratio: str
    bets: int
    opened_at_ms: int
    rates: Rates | None = None
    claims: tuple[Claim, ...] = ()
    pays: str = ""
    amount_minor: int = 0
    paid: int = 0
    paid_minor: int = 0

    @property
    def assessed(self) -> bool:
        """Every bettor concerned is known."""
        return len(self.claims) == self.bets

    @property
    def owes(self) -> bool:
        return self.pays != ""

    def prizes_minor(self, currency: str) -> int:
        """All of them, in the table's own currency."""
        return sum(
            convert_minor(claim.prize_minor, claim.currency or currency, currency, self.rates) for claim in self.claims
        )

    @property
    def bettors(self) -> int:
        return len({claim.account for claim in self.claims})
