"""How bets are asked of a table, whoever brings them: an operator, or a bettor on his own page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.process.throttle import TooOftenError
from studio.errors import RefusedError
from studio.journal import Reader
from studio.money import Answer, answer_of, sent_again


class TakesBets(Protocol):
    def place_bets(
        self, table: str, operator: str, offers: Sequence[BetOffer], currency: str = ""
    ) -> tuple[Answer, ...]: ...

    def reader(self) -> Reader: ...


def ask_bets(
    floor: TakesBets, table: str, operator: str, offers: Sequence[BetOffer], currency: str
) -> tuple[Answer, ...]:
    """Place bets and return one answer for each, in their order, durable by then; `TooOftenError` when none was looked
    at.
    """
    if not offers:
        return ()
    try:
        answers = floor.place_bets(table, operator, offers, currency)
    except TooOftenError:
        raise
    except RefusedError as error:
        answers = tuple(answer_of(error, offer.client_id) for offer in offers)
    return tuple(
        (known_bet(floor, table, operator, offer, currency) if answer.status == "refused" else None) or answer
        for offer, answer in zip(offers, answers, strict=True)
    )


def known_bet(floor: TakesBets, table: str, operator: str, offer: BetOffer, currency: str) -> Answer | None:
    """A bet sent again after its window is a duplicate still, and not refused for being late."""
    found = floor.reader().bet_status(operator, offer.client_id)
    if found is None:
        return None
    again = sent_again(offer.whole(operator, table, currency), found.bet)
    return again if again.status == "duplicate" else None
