"""The rulebook of Three Knights: docs/games/three_knights.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from studio.cards import Card
from studio.errors import BadInputError
from studio.hands.three_card import ThreeCard, read_three_card
from studio.hands.three_knights import KnightsClass, read_knights
from studio.rulebook.game import BettingRules, DealRules, Edition, FeltPlan, FullShoe, Game, HouseOptions, PaymentRules
from studio.rulebook.script import Burn, Deal, Hands, OpenBets, Rules, Script

PLAYERS: Final = ("player1", "player2", "player3")
BANKER: Final = "banker"
BOXES: Final = (*PLAYERS, BANKER)
CARDS_A_BOX: Final = 3

Result = Literal["win", "lose", "tie"]

BETS: Final = (
    *(f"{player}_{bet}" for player in PLAYERS for bet in ("win", "lose", "tie", "three_knights", "pair_plus")),
    f"{BANKER}_pair_plus",
)

SIX_OPTIONS: Final = ("six_pays_half", "commission", "even")  # [3K-12]
DEFAULT_RULES: Final[Rules] = MappingProxyType({"six": "six_pays_half"})

LOST: Final = Fraction(0)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)
LESS_COMMISSION: Final = Fraction(195, 100)
HALF_PAID: Final = Fraction(3, 2)
TIE_PAID: Final = Fraction(9)
THREE_KNIGHTS_PAID: Final = Fraction(17)
PAIR_PLUS: Final = {  # [3K-15]
    ThreeCard.STRAIGHT_FLUSH: Fraction(41),
    ThreeCard.THREE_OF_A_KIND: Fraction(31),
    ThreeCard.STRAIGHT: Fraction(7),
    ThreeCard.FLUSH: Fraction(4),
    ThreeCard.PAIR: Fraction(2),
    ThreeCard.HIGH_CARD: LOST,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal: the cards of every box, and what they are as knights and as a poker hand."""

    hands: Hands
    knights: Mapping[str, KnightsClass]
    poker: Mapping[str, ThreeCard]

    @classmethod
    def of(cls, hands: Hands) -> Outcome:
        return cls(
            hands=hands,
            knights={box: read_knights(hands[box]) for box in BOXES},
            poker={box: read_three_card(hands[box]) for box in BOXES},
        )

    def result(self, player: str) -> Result:
        """`win`, `lose` or `tie`, for that Player hand against the Banker's. [3K-8]"""
        own, banker = self.knights[player], self.knights[BANKER]
        return "tie" if own == banker else "win" if own > banker else "lose"


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    yield Burn(4)  # [3K-1]
    yield OpenBets(BETS, 15)  # [3K-2]
    hands: dict[str, list[Card]] = {box: [] for box in BOXES}
    for _ in range(CARDS_A_BOX):
        for box in BOXES:
            hands[box].append((yield Deal(box)))
    return Outcome.of({box: tuple(cards) for box, cards in hands.items()})


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when a box is missing, unknown or has not three cards."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"Three Knights has no box '{min(unknown)}': give the cards of {', '.join(BOXES)}.")
    for box in BOXES:
        if len(hands.get(box, ())) != CARDS_A_BOX:
            raise BadInputError(f"The box {box} has {len(hands.get(box, ()))} cards: give it {CARDS_A_BOX}.")
    return Outcome.of({box: tuple(hands[box]) for box in BOXES})


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each of the sixteen bets comes back as."""
    if conduct:
        raise BadInputError(f"Three Knights asks no bettor for a decision: '{conduct}' cannot be told of one.")
    table: dict[str, Fraction] = {}
    for player in PLAYERS:
        won = _won(rules, outcome, player)
        result = outcome.result(player)
        table[f"{player}_win"] = {"win": won, "tie": PUSHED, "lose": LOST}[result]  # [3K-9] [3K-11]
        table[f"{player}_lose"] = {"lose": won, "tie": PUSHED, "win": LOST}[result]  # [3K-10] [3K-11]
        table[f"{player}_tie"] = TIE_PAID if result == "tie" else LOST  # [3K-13]
        knights = outcome.knights[player].is_three_knights
        table[f"{player}_three_knights"] = THREE_KNIGHTS_PAID if knights else LOST  # [3K-14]
        table[f"{player}_pair_plus"] = PAIR_PLUS[outcome.poker[player]]
    table[f"{BANKER}_pair_plus"] = PAIR_PLUS[outcome.poker[BANKER]]
    return table


def _won(rules: Rules, outcome: Outcome, player: str) -> Fraction:
    """What a win by the better of the two hands returns, under the house option. [3K-12]"""
    match rules["six"]:
        case "six_pays_half":
            better = max(outcome.knights[player], outcome.knights[BANKER])
            return HALF_PAID if better.is_six else EVEN_MONEY
        case "commission":
            return LESS_COMMISSION
        case "even":
            return EVEN_MONEY
        case other:
            raise _bad_six(other)


def check_rules(rules: Rules) -> Rules:
    """The rules with every option filled in; `BadInputError` names the option and what it may be."""
    for key in rules:
        if key not in DEFAULT_RULES:
            raise BadInputError(f"Three Knights has no house option '{key}': it has {', '.join(DEFAULT_RULES)}.")
    checked = {**DEFAULT_RULES, **rules}
    if checked["six"] not in SIX_OPTIONS:
        raise _bad_six(checked["six"])
    return MappingProxyType(checked)


def _bad_six(value: object) -> BadInputError:
    return BadInputError(f"The house option six cannot be {value!r}: write one of {', '.join(SIX_OPTIONS)}.")


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values, box by box; a Player hand also says how it stands against the Banker's."""
    said: dict[str, Any] = {}
    for box in BOXES:
        knights = outcome.knights[box]
        said[box] = {
            "cards": [str(card) for card in outcome.hands[box]],
            "class": knights.key,
            "name": knights.name,
            "points": knights.points,
            "pictures": knights.pictures,
            "pair_plus": outcome.poker[box].value,
        }
        if box != BANKER:
            said[box]["result"] = outcome.result(box)
    return said


THREE_KNIGHTS: Final = Game(
    key="three_knights",
    title="Three Knights",
    edition=Edition(version=1),
    felt=FeltPlan(MappingProxyType(dict.fromkeys(BOXES, CARDS_A_BOX)), burns=4),
    shoe=FullShoe(decks=1, cards_per_round=16, rounds_per_shuffle=3),  # [3K-3]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(BETS),
    payment=PaymentRules(returns),
)
