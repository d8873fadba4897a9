"""Stakes that bettors' own wallets have given before their bets are placed, and how a bet meets its stake.

A bet of an operator with a wallet is weighed first, then its stake is asked for beside the table, and then it is placed
with the stake that was taken. Which stakes are in play, and which are not after all, is told in the same commit.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
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

    `words` are what it said, by that id. Each stake is given once. Its table's thread gives and books, whoever asked
    takes back what was not given: both under one lock. `booked`: what was committed together with bets. `in_use`: the
    table is at it now, and what was given may yet be booked.
    """

    __slots__ = ("_given", "_lock", "_offers", "_operator", "_words", "booked", "in_use")

    def __init__(
        self, operator: str = "", offers: Iterable[Offer] = (), words: Mapping[str, Word] | None = None
    ) -> None:
        self._operator = operator
        self._offers = {offer.bet_id: offer for offer in offers}
        self._words = words or {}
        self._given: set[str] = set()
        self._lock = threading.Lock()
        self.booked: list[WalletAnswered] = []
        self.in_use = False

    def give(self, offer: Offer) -> Offer:
        """The offer with the stake that was taken for it, where it is still the same bet of the same round; where not,
        one that no purse here pays for.
        """
        with self._lock:
            given = self._offers.get(offer.bet_id)
            if given is None or _what(given) != _what(offer):
                return replace(offer, outside=True) if self._operator else offer
            del self._offers[offer.bet_id]
            self._given.add(given.taken)
        return replace(offer, taken=given.taken)

    @contextlib.contextmanager
    def at_table(self) -> Iterator[None]:
        """While the table takes bets with these stakes."""
        self.in_use = True
        try:
            yield
        finally:
            self.in_use = False

    def take_back(self) -> frozenset[str]:
        """The ids of the stakes that nobody was given; nobody is from now on."""
        with self._lock:
            left, self._offers = self._offers, {}
        return frozenset(offer.taken for offer in left.values())

    @property
    def doubtful(self) -> frozenset[str]:
        """The stakes that were given and whose end is not committed."""
        with self._lock:
            return frozenset(self._given)

    def ends(self, reached: Sequence[Offer], accepted: Sequence[Offer], at_ms: int) -> WalletAnswered | None:
        """What became of the stakes of these offers; None where nothing was taken."""
        in_play = {offer.taken for offer in accepted}
        ends = tuple(
            End(id=offer.taken, word=self._words[offer.taken], in_play=offer.taken in in_play)
            for offer in reached
            if offer.taken
        )
        return WalletAnswered(operator=self._operator, at_ms=at_ms, ends=ends) if ends else None

    def book(self, told: WalletAnswered | None) -> None:
        """Note that this answer to a wallet has been committed."""
        if told is not None:
            with self._lock:
                self.booked.append(told)
                self._given -= {end.id for end in told.ends}


def nothing_taken() -> TakenStakes:
    """Bettors whose purses lie in the studio."""
    return TakenStakes()


def entry_of(told: WalletAnswered | None) -> tuple[Entry, ...]:
    """The journal row that says what became of a wallet's stakes; no row for None."""
    return () if told is None else (Entry("WalletAnswered", told.at_ms, write_wallet(told)),)


def _what(offer: Offer) -> tuple[str, str, str, int, str, str]:
    return offer.round, offer.bettor, offer.bet, offer.stake_minor, offer.currency, offer.free
