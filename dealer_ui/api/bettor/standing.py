"""An operator says how his bettor stands: under which terms he plays, that he is blocked, that he has gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field, StringConstraints

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.standing import Dismissed, StandingTold
from dealer_ui.desk.ticket import Tickets
from dealer_ui.floor.bet_offer import STRICT, Currency, Minor
from dealer_ui.floor.dismissal import leave_seats
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.operators import BettorTerms

_Key = Annotated[str, StringConstraints(min_length=1, max_length=64)]
KEYS_MAX: Final = 64
CHECK_MIN_MAX: Final = 24 * 60


@dataclass(frozen=True, slots=True)
class Terms:
    """What you lay down for a bettor. It holds until another launch brings terms: what is left out then is lifted."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    currency: Currency | None = None
    """He plays in it alone; left out, in any, and where `least` or `most` are given, in that of the table."""
    jurisdiction: Annotated[
        str, StringConstraints(pattern=r"^([A-Z]{2}(-[A-Z0-9]{1,3})?)?$"), Field(examples=["MT"])
    ] = ""
    """Where he plays from, as ISO 3166 has it; kept on record."""
    least: Minor | None = None
    """The least of one bet, in minor units."""
    most: Minor | None = None
    """The most of all his stakes on one bet of a round, in minor units."""
    bets: Annotated[tuple[_Key, ...], Field(max_length=KEYS_MAX, examples=[["player1_win"]])] = ()
    """The bets he may make, by their keys; left out, all. `main` is that bet on every box."""
    decisions: Annotated[tuple[_Key, ...], Field(max_length=KEYS_MAX, examples=[["play", "fold"]])] = ()
    """The decisions he may make; left out, all."""
    check_min: Annotated[int, Field(ge=0, le=CHECK_MIN_MAX, examples=[60])] = 0
    """After so many minutes his page tells him how long he has played and what he won, and asks whether he goes on;
    0: never."""
    person: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{64})?$"), Field(examples=["9f86d081…"])] = ""
    """Who he is, as a hash all operators make alike: 64 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class StandingDesk:
    floor: OperatorsFloor
    tickets: Tickets

    def standing(self, operator: str, bettor: str) -> StandingTold:
        """How a bettor stands with you: the terms he plays under, and whether he may stake anything."""
        return self._told(operator, check_id("bettor", bettor))

    def block(self, operator: str, bettor: str) -> Dismissed:
        """Keep a bettor from playing, at once and until you lift it. His pages end, what he has in play is settled."""
        self.floor.bettors.block(operator, check_id("bettor", bettor))
        return self._dismiss(operator, bettor)

    def unblock(self, operator: str, bettor: str) -> StandingTold:
        """Let a bettor be launched again."""
        self.floor.bettors.unblock(operator, check_id("bettor", bettor))
        return self._told(operator, bettor)

    def log_out(self, operator: str, bettor: str) -> Dismissed:
        """End a bettor's play, at once and until you launch him again. His pages end, what he has in play is
        settled."""
        self.floor.bettors.log_out(operator, check_id("bettor", bettor))
        return self._dismiss(operator, bettor)

    def _dismiss(self, operator: str, bettor: str) -> Dismissed:
        pages = self.tickets.revoke(operator, bettor)
        return {
            **self._told(operator, bettor),
            "pages": pages,
            "seats": list(leave_seats(self.floor, operator, bettor)),
        }

    def _told(self, operator: str, bettor: str) -> StandingTold:
        standing = self.floor.bettors.of(operator, bettor)
        terms = standing.terms
        return {
            "bettor": bettor,
            "blocked": standing.blocked,
            "logged_out": standing.gone,
            "terms": {
                "currency": terms.currency or None,
                "jurisdiction": terms.jurisdiction or None,
                "least": terms.least_minor or None,
                "most": terms.most_minor or None,
                "bets": list(terms.bets),
                "decisions": list(terms.decisions),
                "check_min": terms.check_min,
                "person": terms.person or None,
            },
        }


def terms_of(said: Terms | None, floor: OperatorsFloor, table: str) -> BettorTerms | None:
    """The terms as they are kept; `AnswerError` where they contradict themselves or the studio."""
    if said is None:
        return None
    least_minor, most_minor = said.least or 0, said.most or 0
    if most_minor and least_minor > most_minor:
        raise AnswerError(409, "terms_contradict", "The bettor's least is more than his most: mend one of them.")
    known = floor.config.currencies
    if said.currency is not None and said.currency not in known:
        sentence = f"Bettors play in {' or '.join(known)} here: leave the currency out, or change it."
        raise AnswerError(409, "terms_contradict", sentence)
    own = floor.view(table).bets.currency if least_minor or most_minor else ""
    return BettorTerms(
        currency=said.currency or own, jurisdiction=said.jurisdiction, least_minor=least_minor, most_minor=most_minor,
        bets=said.bets, decisions=said.decisions, check_min=said.check_min, person=said.person,
    )  # fmt: skip
