"""The only place for how a round stands to the pot its side bet feeds: what it owes, gave, won and took back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from studio.errors import IllegalEventError
from studio.jackpot import PotTerms, contribution_minor
from studio.tables.pot_event import PotEvent, PotFed, PotReturned, PotWon


@dataclass(frozen=True, slots=True)
class PotStanding:
    """`due_minor`: what the stakes so far owe the pot. It is `fed` once for the round, however often that is dealt."""

    terms: PotTerms
    due_minor: int = 0
    fed: PotFed | None = None
    won: PotWon | None = None
    returned: PotReturned | None = None

    def with_stakes(self, stakes_minor: Iterable[int]) -> PotStanding:
        added_minor = sum(contribution_minor(self.terms, stake_minor) for stake_minor in stakes_minor)
        return replace(self, due_minor=self.due_minor + added_minor) if added_minor else self

    def contribution(self) -> PotFed | None:
        """What the end of betting feeds the pot; None where it has been fed, or nothing is due."""
        if self.fed is not None or not self.due_minor:
            return None
        return PotFed(pot=self.terms.key, currency=self.terms.currency, amount_minor=self.due_minor)

    def after(self, event: PotEvent) -> PotStanding:
        match event:
            case PotFed():
                return replace(self, fed=event)
            case PotWon():
                return replace(self, won=event)
            case PotReturned():
                return replace(self, returned=event)
        raise IllegalEventError(f"{type(event).__name__} is no event of a round's pot.")
