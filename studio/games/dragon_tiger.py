"""The rulebook of Dragon Tiger: docs/games/dragon_tiger.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from studio.cards import Card
from studio.errors import BadInputError
from studio.rulebook.game import (
    BettingRules,
    DealRules,
    Edition,
    FeltPlan,
    FullShoe,
    Game,
    HouseOptions,
    PaymentRules,
    RoadRules,
)
from studio.rulebook.odds import check_odds, odds
from studio.rulebook.script import Burn, Deal, Hands, OpenBets, Rules, Script
from studio.rulebook.shoe_terms import is_new_shoe

DRAGON: Final = "dragon"
TIGER: Final = "tiger"
BOXES: Final = (DRAGON, TIGER)
DECKS: Final = 8
BURNED: Final = 1

HEIGHT: Final = "A23456789TJQK"  # [DT-6]
NEITHER: Final = "7"  # [DT-11]
SIDES: Final = ("odd", "even", "small", "big")
BETS: Final = (DRAGON, TIGER, "tie", "suited_tie", *(f"{box}_{side}" for box in BOXES for side in SIDES))

Winner = Literal["dragon", "tiger", "tie"]

DEFAULT_RULES: Final[Rules] = MappingProxyType(  # what a stake of 1 returns
    {
        "win": "2",  # [DT-7]
        "win_on_tie": "0.5",  # [DT-7]
        "tie": "12",  # [DT-8]
        "suited_tie": "51",  # [DT-9]
        "side": "2",  # [DT-10]
    }
)
LOST: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal: the one card of either box."""

    hands: Hands

    @property
    def winner(self) -> Winner:
        """The box of the higher rank; suits never count. [DT-6]"""
        dragon, tiger = (HEIGHT.index(self.card(box).rank) for box in BOXES)
        return "tie" if dragon == tiger else "dragon" if dragon > tiger else "tiger"

    @property
    def suited(self) -> bool:
        """Whether both cards are of one rank and of one suit. [DT-9]"""
        return self.card(DRAGON) == self.card(TIGER)

    def card(self, box: str) -> Card:
        (card,) = self.hands[box]
        return card


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    if is_new_shoe(rules):
        yield Burn(BURNED)  # [DT-2]
    yield OpenBets(BETS)  # [DT-4]
    dragon = yield Deal(DRAGON)  # [DT-5]
    tiger = yield Deal(TIGER)
    return Outcome({DRAGON: (dragon,), TIGER: (tiger,)})


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when a box is missing, unknown or has not one card."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"Dragon Tiger has no box '{min(unknown)}': give the cards of {', '.join(BOXES)}.")
    for box in BOXES:
        if len(hands.get(box, ())) != 1:
            raise BadInputError(f"The box {box} has {len(hands.get(box, ()))} cards: give it 1.")
    return Outcome({box: tuple(hands[box]) for box in BOXES})


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each of the twelve bets comes back as."""
    if conduct:
        raise BadInputError(f"Dragon Tiger asks no bettor for a decision: '{conduct}' cannot be told of one.")
    winner = outcome.winner
    table = {box: odds(rules["win"]) if box == winner else LOST for box in BOXES}
    if winner == "tie":
        table = dict.fromkeys(BOXES, odds(rules["win_on_tie"]))  # [DT-7]
    table["tie"] = odds(rules["tie"]) if winner == "tie" else LOST
    table["suited_tie"] = odds(rules["suited_tie"]) if outcome.suited else LOST
    for box in BOXES:
        won = sides_of(outcome.card(box))
        table |= {f"{box}_{side}": odds(rules["side"]) if side in won else LOST for side in SIDES}
    return table


def sides_of(card: Card) -> frozenset[str]:
    """Which of the four side bets on its box a card wins. [DT-10] [DT-11]

    >>> sorted(sides_of(Card("K", "s"))), sides_of(Card("7", "s"))
    (['big', 'odd'], frozenset())
    """
    if card.rank == NEITHER:
        return frozenset()
    number = HEIGHT.index(card.rank) + 1
    return frozenset({"odd" if number % 2 else "even", "small" if number < HEIGHT.index(NEITHER) + 1 else "big"})


def check_rules(rules: Rules) -> Rules:
    """The rules with every return filled in; `BadInputError` names the option and what it may be. [DT-12]"""
    return check_odds("Dragon Tiger", DEFAULT_RULES, rules)


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values: either card and how its box stands, the winner, and whether a tie is suited."""
    winner = outcome.winner
    said: dict[str, Any] = {
        box: {
            "cards": [str(outcome.card(box))],
            "result": "tie" if winner == "tie" else "win" if winner == box else "lose",
        }
        for box in BOXES
    }
    return {**said, "winner": winner, "suited": outcome.suited}


DRAGON_TIGER: Final = Game(
    key="dragon_tiger",
    title="Dragon Tiger",
    edition=Edition(version=1),
    felt=FeltPlan(MappingProxyType(dict.fromkeys(BOXES, 1)), burns=BURNED, opening=frozenset({"burn"})),
    shoe=FullShoe(decks=DECKS, cards_per_round=len(BOXES), rounds_per_shuffle=None, opened=True),  # [DT-1] [DT-2]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(BETS),
    payment=PaymentRules(returns),
    roads=RoadRules(BOXES, pairs=False),  # [DT-14]
)
