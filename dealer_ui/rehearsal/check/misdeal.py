"""Holds a hand dealt again against the hand as it began: the same seats, the same blinds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from studio.rounds import CardDealt
from studio.rulebook.hand_terms import BOARD, HAND
from studio.tables.event import table as e

_SEATS: Final = "seats"


class MisdealCheck:
    """Follows the seats that are dealt to and the bets that lie; of games of the house it says nothing."""

    def __init__(self) -> None:
        self._seats: tuple[str, ...] = ()
        self._dealt: list[str] = []
        """The seats in the order of their first cards, in the deal at hand."""
        self._posted: dict[str, int] | None = None
        """By bet, what lay before the first card of the hand; None until it came."""
        self._lies: dict[str, int] = {}
        self._deals = 0

    def take(self, event: e.AnyEvent) -> Iterator[str]:
        """Follow one event; gives a sentence for each thing that is not as in the deal before."""
        match event:
            case e.RoundStarted(rules=rules):
                self._seats = tuple(rules.get(HAND, {}).get(_SEATS, ()))
                self._posted, self._lies, self._dealt, self._deals = None, {}, [], 1
            case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
                self._lies |= {bet.bet_id: bet.stake_minor for bet in bets}
            case e.BetsReturned(bets=ids):
                self._lies = {id: stake for id, stake in self._lies.items() if id not in ids}
            case e.RedealOrdered():
                self._dealt, self._deals = [], self._deals + 1
            case e.FactStood(fact=CardDealt(box=box)) if box in self._seats and box != BOARD:
                yield from self._dealt_to(box)

    def _dealt_to(self, seat: str) -> Iterator[str]:
        if not self._dealt:
            yield from self._begins()
        if seat in self._dealt:
            return
        self._dealt.append(seat)
        if self._deals > 1 and tuple(self._dealt) != self._seats[: len(self._dealt)]:
            yield f"Deal {self._deals} of the hand goes to {self._dealt}; the hand began with {list(self._seats)}."

    def _begins(self) -> Iterator[str]:
        if self._posted is None:
            self._posted = dict(self._lies)
        elif self._lies != self._posted:
            lies, posted = sum(self._lies.values()), sum(self._posted.values())
            yield f"Deal {self._deals} of the hand begins with {lies} in the pot; it began with {posted}."
