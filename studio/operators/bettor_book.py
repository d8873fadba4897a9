"""How each bettor stands with his operator: his terms, whether he is blocked, whether he has gone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from studio.errors import IllegalEventError
from studio.operators.bettor_event import (
    AnyBettorEvent,
    BettorBlocked,
    BettorLaunched,
    BettorLoggedOut,
    BettorTerms,
    BettorUnblocked,
)

NO_TERMS: Final = BettorTerms()


@dataclass(frozen=True, slots=True)
class Standing:
    """`gone`: logged out, and not launched since."""

    terms: BettorTerms = NO_TERMS
    blocked: bool = False
    gone: bool = False

    @property
    def stakes(self) -> bool:
        """Whether he may stake anything."""
        return not self.blocked and not self.gone


UNKNOWN: Final = Standing()
"""Of whoever's operator has never said anything."""


class BettorBook:
    """What operators have said of their bettors, by bettor. There are very many, so the book is changed in place."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], Standing] = {}

    def of(self, operator: str, bettor: str) -> Standing:
        return self._of.get((operator, bettor), UNKNOWN)

    def knows(self, operator: str, bettor: str) -> bool:
        return (operator, bettor) in self._of

    def take(self, event: AnyBettorEvent) -> None:
        """Follow what happened; `IllegalEventError` where it cannot have."""
        whose = (event.operator, event.bettor)
        was = self._of.get(whose, UNKNOWN)
        match event:
            case BettorLaunched(terms=terms):
                if was.blocked:
                    raise IllegalEventError(f"{event.operator}/{event.bettor} was launched while he was blocked")
                self._of[whose] = replace(was, terms=terms, gone=False)
            case BettorBlocked():
                self._of[whose] = replace(was, blocked=True, gone=True)
            case BettorUnblocked():
                self._of[whose] = replace(was, blocked=False)
            case BettorLoggedOut():
                self._of[whose] = replace(was, gone=True)
