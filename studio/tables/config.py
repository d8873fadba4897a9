"""What a table is configured with; resolved once, then frozen."""

from __future__ import annotations

from typing import Final

import msgspec

from studio.jackpot import PotTerms
from studio.money import Rates
from studio.procedures.record import Records


class Limit(msgspec.Struct, frozen=True, kw_only=True):
    """The lowest and the highest stake of one bettor on one bet of a round, in minor units."""

    least_minor: int
    most_minor: int


class OperatorLimit(msgspec.Struct, frozen=True, kw_only=True):
    """What one operator's bettors may have on one round: how many bets, and how much they could win. 0: no limit."""

    bets_most: int = 0
    exposure_most_minor: int = 0


class PayProof(msgspec.Struct, frozen=True, kw_only=True):
    """What was proved of a table's pay table: the digest of the certificate, the bet that returns most of its stake,
    and the bets that return more than all of it.
    """

    certificate: str
    highest_bet: str
    highest_percent: float
    over: tuple[str, ...] = ()


NO_LIMIT: Final = OperatorLimit()


class TableConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`limits` by bet key; `*` stands for every bet without a line of its own. Times in seconds.

    `expected_errors` are the shoe's error keys that are told and journalled but do not hold the table.
    `shoe_results`: the byte by which the shoe calls each side, where somebody found out; else its calls are not judged.
    `proof`: None where the pay table was never proved.
    `pot`: what the game's progressive bet feeds; a bet of that kind at a table without one has no pot to win.
    `currencies`: what bettors may bring beside the table's own `currency`, at these `rates`.
    `claw_back`: the policy of each operator on money that a correction takes back and a purse does not cover.
    `exposure_most_minor`: the most the house may lose on one round, 0 without limit; what a pot pays is no loss.
    `operator_limits`: by operator; `*` stands for every operator without a line of his own.
    `own_rows`: the studio's own rows of procedures, tried before those that ship.
    `unsure_after_s`: how long the camera has before the dealer is asked to square the card [HG21].
    """

    key: str
    title: str
    game: str
    currency: str = "EUR"
    rules: dict[str, str | int | bool] = {}
    limits: dict[str, Limit] = msgspec.field(default_factory=lambda: {"*": Limit(least_minor=100, most_minor=100_000)})
    window_s: float = 15
    shoe: str = "shoe"
    shuffler: str = "shuffler"
    camera: str = "camera"
    expected_errors: tuple[str, ...] = ()
    shoe_results: dict[str, int] = {}
    unsure_after_s: float = 3.0
    max_bets_per_round: int = 200_000
    proof: PayProof | None = None
    pot: PotTerms | None = None
    currencies: tuple[str, ...] = ()
    rates: Rates | None = None
    claw_back: dict[str, str] = {}
    own_rows: Records = ()
    exposure_most_minor: int = 0
    operator_limits: dict[str, OperatorLimit] = {}

    def limit(self, bet: str) -> Limit:
        return self.limits.get(bet) or self.limits["*"]

    def operator_limit(self, operator: str) -> OperatorLimit:
        return self.operator_limits.get(operator) or self.operator_limits.get("*") or NO_LIMIT

    def same_pay_table(self, other: TableConfig) -> bool:
        """Whether an allowance to deal on the other configuration's pay table holds for this one: same game, options
        and proof.
        """
        return (self.game, self.rules, self.proof) == (other.game, other.rules, other.proof)

    @property
    def devices(self) -> tuple[str, ...]:
        return tuple(id for id in (self.shoe, self.shuffler, self.camera) if id)
