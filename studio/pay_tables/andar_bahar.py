"""The pay table of Andar Bahar: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import andar_bahar as game
from studio.pay_tables.case import Case
from studio.pay_tables.line import Lines, line
from studio.pay_tables.odds import Pays, odds_of
from studio.pay_tables.worst import Group, end
from studio.rulebook.odds import odds
from studio.rulebook.script import Rules

METHOD: Final = (
    "After the joker 51 cards are left, three of them of its rank. All 20,825 sets of places these three may have are "
    "counted by the first of them, from the first card to the 49th: it decides who wins and how many were dealt.",
)

CASES: Final[tuple[Case, ...]] = ()


def lines(rules: Rules) -> Lines:
    for side in game.SIDES:
        yield line(side, "the first card of the joker's rank comes to that side", Fraction(rules[side]))
    for bet, (first, last) in game.COUNTS.items():
        yield line(bet, f"{first} to {last} cards are dealt to both sides", Fraction(rules[bet]))


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    return {bet: (Pays("", odds_of(odds(paid))),) for bet, paid in game.check_rules(rules).items()}


def worst(rules: Rules) -> Iterator[Group]:
    """Every number of cards is won by either side: each of them has an odd and an even number. [AB-8]"""
    won = {bet: odds(paid) for bet, paid in rules.items()}
    yield tuple(end(game.BETS, {side: won[side], count: won[count]}) for side in game.SIDES for count in game.COUNTS)
