"""Stakes that bettors' own wallets have given before their bets are placed, and how a bet meets its stake.

A bet of an operator with a wallet is weighed first, then its stake is asked for beside the table, and then it is placed
with the stake that was taken. Which stakes are in play, and which are not after all, is told in the same commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from studio.journal import Entry
from studio.money import Offer
from studio.value import replace
from studio.wallets.answer import Word
from studio.wallets.record import End, WalletAnswered, write_wallet


@dataclass(frozen=True, slots=True)
class Weighed:
    """A bet or a decision that would stand now: the stakes it needs, none where it needs none, and until when."""

    offers: tuple[Offer, ...]
    closes_at_ms: int


class TakenStakes:
    """What a wallet has given for the bets of one request: offers that carry the id of their stake in `taken`.

    `words` are what it said, by that id; `booked`, the ids whose end has been committed together with bets.
    """

    __slots__ = ("_offers", "_operator", "_words", "booked")

    def __init__(
        self, operator: str = "", offers: Iterable[Offer] = (), words: Mapping[str, Word] | None = None
    ) -> None:
        self._operator = operator
        self._offers = {offer.bet_id: offer for offer in offers}
        self._words = words or {}
        self.booked: set[str] = set()

    def give(self, offer: Offer) -> Offer:
        """The offer with the stake that was taken for it, where it is still the same bet of the same round."""
        given = self._offers.get(offer.bet_id)
        if given is None or _what(given) != _what(offer):
            return offer
        return replace(offer, taken=given.taken)

    def ends(self, reached: Sequence[Offer], accepted: Sequence[Offer], at_ms: int) -> tuple[Entry, ...]:
        """The row that tells what became of the stakes of these offers; none where nothing was taken."""
        in_play = {offer.taken for offer in accepted}
        ends = tuple(
            End(id=offer.taken, word=self._words[offer.taken], in_play=offer.taken in in_play)
            for offer in reached
            if offer.taken
        )
        if not ends:
            return ()
        told = WalletAnswered(operator=self._operator, at_ms=at_ms, ends=ends)
        return (Entry("WalletAnswered", at_ms, write_wallet(told)),)

    def book(self, reached: Iterable[Offer]) -> None:
        """Their ends are committed."""
        self.booked.update(offer.taken for offer in reached if offer.taken)


def nothing_taken() -> TakenStakes:
    """Bettors whose purses lie in the studio."""
    return TakenStakes()


def _what(offer: Offer) -> tuple[str, str, str, int, str]:
    return offer.round, offer.bettor, offer.bet, offer.stake_minor, offer.currency
