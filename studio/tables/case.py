"""The only place for a case of compensation as its table knows it: a prize lost with a voided round [HG20]."""

from __future__ import annotations

from dataclasses import dataclass

from studio.settlement import Claim


@dataclass(frozen=True, slots=True)
class Case:
    """`id` is the round. `claims` grow while its stakes go back; `paid` of them have what was decided."""

    id: str
    incident: str
    bet: str
    line: str
    ratio: str
    bets: int
    opened_at_ms: int
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

    @property
    def prizes_minor(self) -> int:
        return sum(claim.prize_minor for claim in self.claims)

    @property
    def bettors(self) -> int:
        return len({claim.account for claim in self.claims})
