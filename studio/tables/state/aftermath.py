"""What is left to do about rounds that are over: prizes lost, corrections, sealed cards that people open."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from studio.money import Rates, convert_minor
from studio.settlement import Claim
from studio.tables.event.correction import CorrectionApproved, CorrectionAsked, UnsealingAsked


class Case(msgspec.Struct, frozen=True):
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


class Correction(msgspec.Struct, frozen=True):
    """`asked` until its minute is over; once `approved` it is carried out, and `moved` of its differences are done.

    `pot_moved`: what it does to the round's pot before any bet is done.
    """

    asked: CorrectionAsked
    approved: CorrectionApproved | None = None
    moved: int = 0
    pot_moved: bool = False

    @property
    def id(self) -> str:
        return self.asked.id

    @property
    def round(self) -> str:
        return self.asked.round

    @property
    def owes(self) -> bool:
        """Whether money of this correction is still to be moved: it is approved, and stands here only until all is
        moved.
        """
        return self.approved is not None

    @property
    def claw_back(self) -> Mapping[str, str]:
        return self.approved.claw_back if self.approved else {}


class Corrections(msgspec.Struct, frozen=True):
    """`current`: of a settled round, from the asking until all is moved. `count` of the askings; `revisions` says how
    often which round was corrected.
    """

    current: Correction | None = None
    count: int = 0
    revisions: Mapping[str, int] = msgspec.field(default_factory=dict)


class Unsealings(msgspec.Struct, frozen=True):
    """Sealed cards that people open: the one that is `asked` for, those that were `opened`, and a `count` of the
    requests.
    """

    asked: UnsealingAsked | None = None
    count: int = 0
    opened: frozenset[str] = frozenset()


class Aftermath(msgspec.Struct, frozen=True):
    """`cases`: prizes lost with voided rounds, until they are decided and paid."""

    cases: tuple[Case, ...] = ()
    corrections: Corrections = msgspec.field(default_factory=Corrections)
    unsealings: Unsealings = msgspec.field(default_factory=Unsealings)
