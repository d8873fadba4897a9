"""Who bets against each other at a game against the house, round after round: the stake comes back whoever wins.

Two rules. `opposite`, the null: which side of two a bettor takes has nothing to do with which side the other takes,
each as often as he does by himself. `cover`, the null: whether a bettor is there in a round has nothing to do with the
free bets of the other; he covers one where he puts his own money on the other side, as much to a tenth. Both are exact.

Two who always take one side each look the same as two who have a habit: without a free bet that is no lead.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from studio.reports.collusion.lead import COVER, OPPOSITE, Bettor, Looked, largest
from studio.reports.record.choice import ReportAsked
from studio.reports.statistic import no_more_than, or_more

COUPLES: Final = (
    ("player", "banker"), ("small", "big"), ("dragon", "tiger"), ("dragon_odd", "dragon_even"),
    ("dragon_small", "dragon_big"), ("tiger_odd", "tiger_even"), ("tiger_small", "tiger_big"), ("andar", "bahar"),
    ("shark", "king"), *((f"player{one}_win", f"player{one}_lose") for one in (1, 2, 3)),
)  # fmt: skip
"""Bets of one game of which a round pays one, or gives both back but for a little."""
CROWD: Final = 40
"""Where more bettors are on a couple, some are always against each other, and no pair is looked at."""
_ALIKE: Final = 0.1
_SIDE: Final = {bet: (couple, at) for couple in COUPLES for at, bet in enumerate(couple)}
_MARKS: Final = ", ".join("?" * len(_SIDE))
_BETS: Final = f"""
SELECT round, "table", operator, bettor, bet, currency, sum(stake), sum(CASE WHEN free <> '' THEN stake ELSE 0 END)
FROM bet WHERE seq > ? AND seq <= ? AND bet IN ({_MARKS})
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1
"""  # noqa: S608 - our own expressions

_REGULARS: Final = f"""
SELECT "table", operator, bettor FROM bet WHERE seq > ? AND seq <= ? AND bet IN ({_MARKS})
GROUP BY 1, 2, 3 HAVING count(DISTINCT round) >= ?
"""  # noqa: S608 - our own expressions

Couple = tuple[str, str]
Place = tuple[str, Couple]
"""A couple of bets at a table."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What one bettor has on one side of a couple; `free_minor` of it is his operator's."""

    bettor: Bettor
    side: int
    minor: int
    free_minor: int
    currency: str


@dataclass(slots=True)
class _Pair:
    together: int = 0
    against: int = 0
    sums: Counter[str] = field(default_factory=Counter)
    rounds: list[tuple[float, str]] = field(default_factory=list)

    def add(self, minor: int, currency: str, round: str) -> None:
        self.against += 1
        self.sums[currency] += minor
        self.rounds.append((minor, round))


@dataclass(slots=True)
class Opposites:
    """What the rounds come to. `crowds`: so many couples of a round had too many bettors to look at pairs."""

    crowds: int = 0
    rounds: Counter[Place] = field(default_factory=Counter)
    there: Counter[tuple[Place, Bettor]] = field(default_factory=Counter)
    first: Counter[tuple[Place, Bettor]] = field(default_factory=Counter)
    free: Counter[tuple[Place, Bettor]] = field(default_factory=Counter)
    pairs: defaultdict[tuple[Place, Bettor, Bettor], _Pair] = field(default_factory=lambda: defaultdict(_Pair))
    covers: defaultdict[tuple[Place, Bettor, Bettor], _Pair] = field(default_factory=lambda: defaultdict(_Pair))

    def take(self, round: str, place: Place, stakes: list[Stake]) -> None:
        """One couple of one round; who has both sides takes none."""
        both = {bettor for bettor, times in Counter(one.bettor for one in stakes).items() if times > 1}
        stakes = sorted((one for one in stakes if one.bettor not in both), key=lambda one: one.bettor)
        self.rounds[place] += 1
        for one in stakes:
            self.there[place, one.bettor] += 1
            self.first[place, one.bettor] += one.side == 0
            self.free[place, one.bettor] += one.free_minor > 0
        if len(stakes) > CROWD:
            self.crowds += 1
            return
        for one, other in itertools.combinations(stakes, 2):
            pair = self.pairs[place, one.bettor, other.bettor]
            pair.together += 1
            if one.side != other.side:
                pair.add(one.minor + other.minor, one.currency, round)
            for granted, own in ((one, other), (other, one)):
                self._cover(round, place, granted, own)

    def _cover(self, round: str, place: Place, granted: Stake, own: Stake) -> None:
        if not granted.free_minor or own.free_minor:
            return
        cover = self.covers[place, granted.bettor, own.bettor]
        cover.together += 1
        alike = abs(own.minor - granted.minor) <= _ALIKE * granted.minor and own.currency == granted.currency
        if own.side != granted.side and alike:
            cover.add(granted.minor, granted.currency, round)

    def look(self) -> Iterator[Looked]:
        yield from self._against()
        yield from self._covered()

    def _against(self) -> Iterator[Looked]:
        for (place, one, other), pair in sorted(self.pairs.items()):
            if pair.together >= OPPOSITE.least:
                a, b = (self.first[place, name] / self.there[place, name] for name in (one, other))
                likely = a * (1 - b) + b * (1 - a)
                chance = or_more(pair.against, pair.together, likely)
                yield Looked(
                    OPPOSITE, one, other, _named(place), pair.together, pair.against, likely * pair.together, chance,
                    pair.sums, largest(pair.rounds),
                )  # fmt: skip

    def _covered(self) -> Iterator[Looked]:
        for (place, granted, own), cover in sorted(self.covers.items()):
            free = self.free[place, granted]
            if free >= COVER.least:
                elsewhere = self.rounds[place] - free
                there = self.there[place, own] - cover.together
                missed, absent = free - cover.against, max(0, elsewhere - there)
                chance = no_more_than(missed, free, missed + absent, free + elsewhere)
                expected = free * there / elsewhere if elsewhere else float(cover.against)
                yield Looked(
                    COVER, granted, own, _named(place), free, cover.against, expected, chance, cover.sums,
                    largest(cover.rounds),
                )  # fmt: skip


def look(asked: ReportAsked) -> Opposites:
    """Of those who came often enough; a round counts whoever was in it."""
    found, given = Opposites(), (asked.period.ledger_after, asked.period.ledger_upto, *_SIDE)
    often = min(OPPOSITE.least, COVER.least)
    regulars = {
        (table, f"{operator}/{bettor}") for table, operator, bettor in asked.reader.read(_REGULARS, (*given, often))
    }
    for round, rows in itertools.groupby(asked.reader.stream(_BETS, given), key=lambda row: row[0]):
        for place, stakes in _placed(asked, rows).items():
            found.take(round, place, [one for one in stakes if (place[0], one.bettor) in regulars])
    return found


def _placed(asked: ReportAsked, rows: Iterable[Any]) -> dict[Place, list[Stake]]:
    placed: defaultdict[Place, list[Stake]] = defaultdict(list)
    for _, table, operator, bettor, bet, currency, minor, free_minor in rows:
        if asked.wants(table):
            couple, side = _SIDE[bet]
            placed[table, couple].append(Stake(f"{operator}/{bettor}", side, minor, free_minor, currency))
    return placed


def _named(place: Place) -> str:
    table, (one, other) = place
    return f"{table} {one}/{other}"
