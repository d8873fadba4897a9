"""The pay table of KKClash: in words, in odds, at its worst for the house; and how its figures are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from studio.games import kkclash
from studio.hands.poker import Category
from studio.pay_tables.case import Case
from studio.pay_tables.line import Lines, line
from studio.pay_tables.odds import Pays
from studio.pay_tables.worst import Group, alone, end
from studio.rulebook.odds import odds
from studio.rulebook.script import Rules

METHOD: Final = (
    "Only a suit with three cards on the board can make a flush, so every card is told apart by its rank and by "
    "whether it is of that suit. Over each kind of board the hole cards are counted by the hand they make, and the "
    "pairs of hands that share no card follow from how many hold each card.",
    "Bets on hole cards are counted over every two of the 169 kinds of hole.",
)

_WHEN: Final[Mapping[str, str]] = {
    "shark": "the Shark's hand is the better one",
    "king": "the King's hand is the better one",
    "draw": "both hands are worth the same",
    "suited_connectors": "two hole cards of either hand are of one suit, or their ranks follow one another",
    "pocket_pair": "two hole cards of either hand are of one rank",
    "pocket_kings": "two hole cards of either hand are kings",
    "high_card_pair": "the winning hand is a high card or a pair",
    "two_pair": "the winning hand is two pair",
    "trips_straight_flush": "the winning hand is three of a kind, a straight or a flush",
    "full_house_plus": "the winning hand is a full house or better",
    "k_high_pair": "the winning hand is king high or a pair of kings",
    "k_full_quads": "the winning hand is a full house with three kings, or four kings",
}

CASES: Final[tuple[Case, ...]] = ()


def lines(rules: Rules) -> Lines:
    for bet in kkclash.BETS:
        yield line(bet, _WHEN[bet], Fraction(rules[bet]))


def pays(rules: Mapping[str, Any]) -> Mapping[str, tuple[Pays, ...]]:
    """The game shows what comes back, the stake included."""
    return {bet: (Pays("", f"x{returned}"),) for bet, returned in kkclash.check_rules(rules).items()}


def worst(rules: Rules) -> Iterator[Group]:
    won = {bet: odds(rules[bet]) for bet in kkclash.BETS}
    winners = (*kkclash.HANDS, "draw")
    yield tuple(end(winners, {bet: won[bet]}) for bet in winners)
    made = frozenset(_made(category, king) for category in kkclash.BY_CATEGORY for king in (False, True))
    bets = frozenset().union(*made)
    yield tuple(end(bets, {bet: won[bet] for bet in those}) for those in sorted(made, key=sorted))
    for bet in kkclash.BETS:
        if bet not in winners and bet not in bets:
            yield alone(bet, (won[bet],))


def _made(category: Category, king: bool) -> frozenset[str]:
    """The bets that a winning hand of that category wins, with a king first or without."""
    of_kings = {kkclash.OF_KINGS[category]} if king and category in kkclash.OF_KINGS else set()
    return frozenset({kkclash.BY_CATEGORY[category], *of_kings})
