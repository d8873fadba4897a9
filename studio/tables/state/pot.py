"""How a round stands to the pot its side bet feeds: what it owes, gave, won and took back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from studio.errors import IllegalEventError
from studio.jackpot import PotTerms, TakenFromPot, contribution_minor
from studio.money import Rates, convert_minor
from studio.tables.event.correction import PotClaimedLate, PotClaimUndone
from studio.tables.event.pot import PotEvent, PotFed, PotReturned, PotWon
from studio.value import replace


class PotStanding(msgspec.Struct, frozen=True):
    """`due`: what the stakes so far owe the pot, by their own currency. It is `fed` once for the round, however often
    that is dealt.

    `then_minor`: what lay in the pot for this round when it was settled, where that is known; it stays what a
    correction pays. `taken`: what the round has out of the pot now.
    """

    terms: PotTerms
    due: Mapping[str, int] = msgspec.field(default_factory=dict)
    fed: PotFed | None = None
    won: PotWon | None = None
    returned: PotReturned | None = None
    then_minor: int | None = None
    taken: TakenFromPot | None = None

    def with_stakes(self, stakes: Iterable[tuple[str, int]]) -> PotStanding:
        """These stakes, with their currencies, lie on the bet that feeds the pot."""
        due = dict(self.due)
        for currency, stake_minor in stakes:
            due[currency] = due.get(currency, 0) + contribution_minor(self.terms, stake_minor)
        return replace(self, due=due)

    def contribution(self, rates: Rates | None) -> PotFed | None:
        """What the end of betting feeds the pot; None where it has been fed, or nothing is due."""
        own = self.terms.currency
        parts = {
            currency: (due_minor, fed_minor)
            for currency, due_minor in sorted(self.due.items())
            if currency != own and (fed_minor := convert_minor(due_minor, currency, own, rates))
        }
        amount_minor = self.due.get(own, 0) + sum(fed_minor for _, fed_minor in parts.values())
        if self.fed is not None or not amount_minor:
            return None
        return PotFed(pot=self.terms.key, currency=own, amount_minor=amount_minor, parts=parts)

    def after(self, event: PotEvent | PotClaimedLate | PotClaimUndone) -> PotStanding:
        match event:
            case PotFed():
                return replace(self, fed=event)
            case PotWon():
                taken = TakenFromPot(event.amount_minor - event.left_minor, 0, event.reset_minor)
                return replace(self, won=event, then_minor=event.amount_minor, taken=taken)
            case PotClaimedLate(from_pot_minor=from_pot, made_up_minor=made_up, reset_minor=reset):
                return replace(self, taken=TakenFromPot(from_pot, made_up, reset))
            case PotClaimUndone():
                return replace(self, taken=None)
            case PotReturned():
                return replace(self, returned=event)
        raise IllegalEventError(f"{type(event).__name__} is no event of a round's pot.")
