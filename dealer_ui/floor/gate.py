"""Asks what a bettor's operator allows him, before his table is asked; each refusal concerns one item alone.

This runs on the table's thread, so that the table cannot change meanwhile. An item that was sent before passes: the
table knows its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from studio.money import Answer, Offer, format_minor
from studio.operators import Seat, Standing
from studio.tables.books.taken import Weighed
from studio.tables.event.table import Decision
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.room import SeatRequest

Why = tuple[str, str]
"""Key and sentence of a refusal."""
Standings = Callable[[str, str], Standing]
"""How an operator's bettor stands."""
FreeBets = Callable[[Offer, Seat, int], Why | None]
"""Why this bet, placed there at that time, is none of the free bets it names."""


@dataclass(frozen=True, slots=True)
class OperatorsWord:
    """What operators have said of their bettors."""

    standing: Standings
    free_bet: FreeBets
    is_test: Callable[[str], bool]
    """Whether an operator's bettors are test accounts."""


_BLOCKED: Final = ("bettor_blocked", "The bettor's operator has closed him to play: what he has in play is settled.")
_GONE: Final = ("logged_out", "The bettor has been logged out: his operator launches him again.")
SAME_PERSON: Final = (
    "same_person", "The same person sits at this table already, under another name: one person has one seat.",
)  # fmt: skip
_TEST_SEAT: Final = (
    "test_seat", "A test account takes no seat at a poker table: there it would play for other bettors' chips.",
)  # fmt: skip
_TEST_POT: Final = (
    "test_pot", "A test account makes no bet that may win a pot: what lies there is for bettors. Choose another bet.",
)  # fmt: skip
STAKING: Final = frozenset({"sit", "buy", "post", "back"})
"""What a seat asks that puts more money in play."""


class Asked(Protocol):
    @property
    def client_id(self) -> str: ...


A = TypeVar("A", bound=Asked)
T = TypeVar("T")


def let_in(
    items: Sequence[A], why: Callable[[A], Why | None], take: Callable[[Sequence[A]], Sequence[T]]
) -> list[Answer | T]:
    """One answer an item, in their order: the refusal of those that are kept out, and what `take` makes of the rest."""
    refused = {
        at: Answer(item.client_id, "", "refused", *reason)
        for at, item in enumerate(items)
        if (reason := why(item)) is not None
    }
    rest = [item for at, item in enumerate(items) if at not in refused]
    told = iter(take(rest) if rest else ())
    return [refused[at] if at in refused else next(told) for at in range(len(items))]


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate of one table, for one batch."""

    runtime: TableRuntime
    word: OperatorsWord
    now_ms: int

    def standing(self, operator: str, bettor: str) -> Standing:
        return self.word.standing(operator, bettor)

    def bets(self) -> Callable[[Offer], Why | None]:
        """Asked of a batch in its order: what passes counts for what comes after it."""
        passed: dict[tuple[str, str], int] = {}

        def why(offer: Offer) -> Why | None:
            book = self.runtime.book
            if book.again(offer) is not None:
                return None
            whose = (offer.bettor, offer.bet)
            found = self._bet(offer, book.stake_minor(offer) + passed.get(whose, 0))
            if found is None:
                passed[whose] = passed.get(whose, 0) + offer.stake_minor
            return found

        return why

    def decision(self, choice: Decision) -> Why | None:
        standing = self.standing(choice.operator, choice.bettor)
        if self.runtime.book.decided(choice) is not None:
            return None
        if standing.terms.decisions and choice.option not in standing.terms.decisions:
            return "decision_not_allowed", "The bettor's operator does not let him decide so; choose something else."
        if standing.stakes:
            return None
        [weighed] = self.runtime.weigh_decisions((choice,), self.now_ms)
        stakes = isinstance(weighed, Weighed) and weighed.offers
        return _kept_out(standing) if stakes else None

    def seat(self, request: SeatRequest) -> Why | None:
        standing, room = self.standing(request.operator, request.bettor), self.runtime.state.room
        if room.known(request.operator, request.client_id) is not None or request.act not in STAKING:
            return None
        person, beside = standing.terms.person, (request.operator, request.bettor)
        if self.word.is_test(request.operator):
            return _TEST_SEAT
        if request.act == "sit" and person and self.sits(person, beside=beside):
            return SAME_PERSON
        if (kept_out := _kept_out(standing)) is not None:
            return kept_out
        own, currency = standing.terms.currency, self.runtime.state.config.currency
        if own and own != currency:
            return "bettor_currency", f"The bettor plays in {own}, and the chips of this table are {currency}."
        return None

    def sits(self, person: str, *, beside: tuple[str, str]) -> bool:
        """Whether this person sits at the table under any other name than `beside` (operator, bettor), with whichever
        operator.
        """
        others = {(one.operator, one.bettor) for one in self.runtime.state.room.players.values()} - {beside}
        return any(self.standing(*other).terms.person == person for other in others)

    def _free(self, offer: Offer) -> Why | None:
        state = self.runtime.state
        if state.game.peers is not None:
            return _POKER_ROOM
        return self.word.free_bet(offer, Seat(self.runtime.key, state.game.key), self.now_ms)

    def _feeds_pot(self, offer: Offer) -> bool:
        state = self.runtime.state
        return state.config.pot is not None and offer.bet == state.game.pot.bet

    def _bet(self, offer: Offer, out_minor: int) -> Why | None:
        standing = self.standing(offer.operator, offer.bettor)
        terms = standing.terms
        if offer.free and (why := self._free(offer)) is not None:
            return why
        if (kept_out := _kept_out(standing)) is not None:
            return kept_out
        if self._feeds_pot(offer) and self.word.is_test(offer.operator):
            return _TEST_POT
        if terms.currency and offer.currency != terms.currency:
            return "bettor_currency", f"The bettor plays in {terms.currency}: send his bets in that currency."
        if terms.bets and not {offer.bet, offer.bet.rpartition(":")[2]} & set(terms.bets):
            return "bet_not_allowed", "The bettor's operator does not let him make this bet; choose another."
        if offer.stake_minor < terms.least_minor:
            least = format_minor(terms.least_minor, offer.currency)
            return "below_own_limit", f"The bettor stakes {least} at the least; raise it."
        if terms.most_minor and out_minor + offer.stake_minor > terms.most_minor:
            most = format_minor(terms.most_minor, offer.currency)
            return "over_own_limit", f"With this stake the bettor has more than his own {most} on the bet; lower it."
        return None


_POKER_ROOM: Final = (
    "free_bet_not_here",
    "At a table of the poker room bettors play for each other's chips: free bets are for tables against the house.",
)


def _kept_out(standing: Standing) -> Why | None:
    return None if standing.stakes else _BLOCKED if standing.blocked else _GONE
