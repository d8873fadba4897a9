"""The rulebook of Andar Bahar: docs/games/andar_bahar.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from types import MappingProxyType
from typing import Any, Final

from studio.cards import Card
from studio.errors import BadInputError
from studio.rulebook.game import BettingRules, DealRules, Edition, FeltPlan, FullShoe, Game, HouseOptions, PaymentRules
from studio.rulebook.odds import check_odds, odds
from studio.rulebook.script import Deal, Hands, OpenBets, Rules, Script

JOKER: Final = "joker"
ANDAR: Final = "andar"
BAHAR: Final = "bahar"
SIDES: Final = (ANDAR, BAHAR)
MOST: Final = 49
"""So many cards at most: the joker and two of its rank left in the deck."""
BOXES: Final[Mapping[str, int]] = MappingProxyType({JOKER: 1, ANDAR: (MOST + 1) // 2, BAHAR: MOST // 2})

COUNTS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(  # [AB-8]
    {
        f"cards_{first}_{last}": (first, last)
        for first, last in ((1, 5), (6, 10), (11, 15), (16, 25), (26, 30), (31, 35), (36, 40), (41, MOST))
    }
)
BETS: Final = (*SIDES, *COUNTS)

DEFAULT_RULES: Final[Rules] = MappingProxyType(  # what a stake of 1 returns
    {
        "andar": "1.9",  # [AB-6]
        "bahar": "2",  # [AB-7]
        "cards_1_5": "3.5", "cards_6_10": "4.5", "cards_11_15": "5.5", "cards_16_25": "4.5",  # [AB-8]
        "cards_26_30": "16", "cards_31_35": "26", "cards_36_40": "51", "cards_41_49": "121",
    }
)  # fmt: skip
LOST: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal: the joker, and the cards of either side in the order dealt."""

    hands: Hands

    @property
    def cards(self) -> int:
        """How many were dealt to both sides; the joker is none of them. [AB-8]"""
        return sum(len(self.hands[side]) for side in SIDES)

    @property
    def winner(self) -> str:
        """The side of the last card, the first of the joker's rank. [AB-5]"""
        return SIDES[(self.cards - 1) % len(SIDES)]


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    joker = yield Deal(JOKER)  # [AB-2]
    yield OpenBets(BETS)  # [AB-3]
    hands: dict[str, list[Card]] = {side: [] for side in SIDES}
    for side in cycle(SIDES):  # [AB-4]
        hands[side].append((yield Deal(side)))
        if hands[side][-1].rank == joker.rank:
            break
    return Outcome({JOKER: (joker,), **{side: tuple(cards) for side, cards in hands.items()}})


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when a box is unknown, or has not the cards it is due."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"Andar Bahar has no box '{min(unknown)}': give the cards of {', '.join(BOXES)}.")
    if len(hands.get(JOKER, ())) != 1:
        raise BadInputError(f"The box joker has {len(hands.get(JOKER, ()))} cards: give it 1.")
    (joker,) = hands[JOKER]
    dealt: dict[str, tuple[Card, ...]] = dict.fromkeys(SIDES, ())
    for side in cycle(SIDES):
        given = hands.get(side, ())[len(dealt[side]) :]
        if not given:
            raise BadInputError(f"No card of the joker's rank has come, and {side} is due card {len(dealt[side]) + 1}.")
        dealt[side] = (*dealt[side], given[0])
        if given[0].rank == joker.rank:
            break
    for side, cards in dealt.items():
        if len(hands.get(side, ())) > len(cards):
            raise BadInputError(f"The deal is over with the first card of the joker's rank: {side} is due no more.")
    return Outcome({JOKER: (joker,), **dealt})


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each of the ten bets comes back as."""
    if conduct:
        raise BadInputError(f"Andar Bahar asks no bettor for a decision: '{conduct}' cannot be told of one.")
    won = {outcome.winner, count_of(outcome.cards)}
    return {bet: odds(rules[bet]) if bet in won else LOST for bet in BETS}


def count_of(cards: int) -> str:
    """The bet that is won when so many cards were dealt. [AB-8]

    >>> count_of(1), count_of(25), count_of(26), count_of(49)
    ('cards_1_5', 'cards_16_25', 'cards_26_30', 'cards_41_49')
    """
    return next(bet for bet, (first, last) in COUNTS.items() if first <= cards <= last)


def check_rules(rules: Rules) -> Rules:
    """The rules with every return filled in; `BadInputError` names the option and what it may be. [AB-9]"""
    return check_odds("Andar Bahar", DEFAULT_RULES, rules)


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values: the joker, either side and how it stands, who won, and with which card."""
    winner = outcome.winner
    said: dict[str, Any] = {
        side: {
            "cards": [str(card) for card in outcome.hands[side]],
            "result": "win" if winner == side else "lose",
        }
        for side in SIDES
    }
    return {JOKER: {"cards": [str(outcome.hands[JOKER][0])]}, **said, "winner": winner, "cards": outcome.cards}


ANDAR_BAHAR: Final = Game(
    key="andar_bahar",
    title="Andar Bahar",
    edition=Edition(version=1),
    felt=FeltPlan(BOXES),
    shoe=FullShoe(decks=1, cards_per_round=sum(BOXES.values()), rounds_per_shuffle=1),  # [AB-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe, ties=False),
    betting=BettingRules(BETS),
    payment=PaymentRules(returns),
)
