"""The tests of a shuffle on what was seen of it. How they allow for the unseen stands in `cards`."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from studio.reports.record.seen import FULL, Pass
from studio.reports.statistic import beyond_chi2, beyond_normal, binomial, rank_correlation

_PLACE: Final = {face: place for place, face in enumerate(FULL)}
_SUITS: Final = 4
"""The deck counts rank by rank: the next card of the suit is four on."""
LEAST_OF_EACH: Final = 5
LEAST_DUE: Final = 5.0
LEAST_ORDERS: Final = 10


@dataclass(frozen=True, slots=True)
class Test:
    """`key`: first_card same_rank new_deck rising order. `found` and `due` are counts, or means."""

    key: str
    trials: int
    found: float
    due: float
    chance: float | None


@dataclass(slots=True)
class ShuffleSample:
    """What was seen of all shuffles of one deck, which holds these `faces`."""

    faces: tuple[str, ...] = FULL
    first: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    same_rank: int = 0
    same_due: float = 0.0
    follow: int = 0
    follow_due: float = 0.0
    orders: int = 0
    descents: int = 0
    descents_due: float = 0.0
    descents_spread: float = 0.0
    correlated: list[float] = field(default_factory=list)

    def add(self, one: Pass, before: Pass | None) -> None:
        """Count in one pass, and how it differs from `before`, the previous pass of the same deck."""
        seen = one.seen
        self.first[seen[0][1].face[0]] += 1
        for (place, card), (next_place, next_card) in itertools.pairwise(seen):
            if next_place == place + 1:
                self._pair(card.face, next_card.face, one.decks, one.size)
        if before is not None and one.decks == before.decks == 1:
            self._order([card.face for _, card in before.seen], [card.face for _, card in seen])

    def _pair(self, card: str, after: str, decks: int, cards: int) -> None:
        self.pairs += 1
        self.same_rank += card[0] == after[0]
        self.same_due += (_SUITS * decks - 1) / (cards - 1)
        self.follow += abs(_PLACE[card] - _PLACE[after]) == _SUITS
        self.follow_due += decks * 2 * (len(self.faces) - _SUITS) / len(self.faces) / (cards - 1)

    def _order(self, then: list[str], now: list[str]) -> None:
        """Add how the order changed of the cards seen in both passes. Fewer than three cards, or a card seen twice, add
        nothing.
        """
        was = {face: place for place, face in enumerate(then)}
        common = [was[face] for face in now if face in was]
        m = len(common)
        if m < 3 or len(set(common)) < m:
            return
        rank = {place: at for at, place in enumerate(sorted(common))}
        now_at = [0] * m
        for at, place in enumerate(common):
            now_at[rank[place]] = at
        self.orders += 1
        self.descents += sum(a > b for a, b in itertools.pairwise(now_at))
        self.descents_due += (m - 1) / 2
        self.descents_spread += (m + 1) / 12
        self.correlated.append(rank_correlation(now_at) * sqrt(m - 1))

    def tests(self) -> Iterator[Test]:
        yield self._first_card()
        for key, found, expected in (
            ("same_rank", self.same_rank, self.same_due), ("new_deck", self.follow, self.follow_due),
        ):  # fmt: skip
            sound = expected >= LEAST_DUE
            yield Test(key, self.pairs, found, expected, binomial(found, self.pairs, expected) if sound else None)
        yield from self._kept()

    def _first_card(self) -> Test:
        ranks = tuple(dict.fromkeys(face[0] for face in self.faces))
        firsts, freedom = self.first.total(), len(ranks) - 1
        due = firsts / len(ranks)
        strayed = sum((self.first[rank] - due) ** 2 / due for rank in ranks) if due else 0.0
        chance = beyond_chi2(strayed, freedom) if due >= LEAST_OF_EACH else None
        return Test("first_card", firsts, strayed, float(freedom), chance)

    def _kept(self) -> Iterator[Test]:
        """Rising sequences are one more than the descents; an unmixed deck has few."""
        enough = self.orders >= LEAST_ORDERS
        z = (self.descents - self.descents_due) / sqrt(self.descents_spread) if self.descents_spread else 0.0
        found, due = self.descents + self.orders, self.descents_due + self.orders
        yield Test("rising", self.orders, found, due, beyond_normal(z) if enough else None)
        whole = sum(self.correlated) / sqrt(self.orders) if self.orders else 0.0
        yield Test("order", self.orders, whole, 0.0, beyond_normal(whole) if enough else None)
