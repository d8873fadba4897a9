"""The rulebook of Three Card Poker: docs/games/three_card_poker.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from studio.errors import BadInputError
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD, THREE_CARD, Category
from studio.ports import CardFace
from studio.rulebook.game import (
    BettingRules,
    DealRules,
    DecisionRules,
    Edition,
    FeltPlan,
    FullShoe,
    Game,
    HouseOptions,
    PaymentRules,
)
from studio.rulebook.pay_ladder import check_ladders, read_ladder
from studio.rulebook.script import Deal, Decide, Hands, OpenBets, Reveal, Rules, Script

PLAYER: Final = "player"
DEALER: Final = "dealer"
BOXES: Final = (PLAYER, DEALER)
CARDS_A_BOX: Final = 3

OPENING_BETS: Final = ("ante", "pair_plus", "six_card")
BETS: Final = ("ante", "play", "pair_plus", "six_card")

WINDOW_S: Final = 15
QUEEN_HIGH: Final = 0x0C0000

DEFAULT_RULES: Final[Rules] = MappingProxyType(
    {
        "ante_bonus": "mini_royal 5, straight_flush 5, three_of_a_kind 4, straight 1",  # [3P-11]
        "pair_plus": "mini_royal 101, straight_flush 41, three_of_a_kind 31, straight 6, flush 5, pair 2",  # [3P-12]
        "six_card": "royal_flush 1001, straight_flush 201, four_of_a_kind 101, full_house 21, flush 16, straight 11, "
        "three_of_a_kind 8",  # [3P-13]
    }
)

LOST: Final = Fraction(0)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal, and what its hands are worth: the two of three cards, and the best five of all six."""

    hands: Hands
    player: int
    dealer: int
    six: int

    @classmethod
    def of(cls, hands: Hands) -> Outcome:
        three = evaluator_of(THREE_CARD)
        return cls(
            hands=hands,
            player=three.of_cards(hands[PLAYER]),
            dealer=three.of_cards(hands[DEALER]),
            six=evaluator_of(STANDARD).of_cards([*hands[PLAYER], *hands[DEALER]]),
        )

    @property
    def result(self) -> Literal["win", "lose", "tie"]:
        """How the player's hand stands against the dealer's, qualified or not."""
        return "tie" if self.player == self.dealer else "win" if self.player > self.dealer else "lose"

    @property
    def qualifies(self) -> bool:
        return self.dealer >= QUEEN_HIGH  # [3P-8]

    @property
    def category(self) -> Category:
        return THREE_CARD.category(self.player)


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    yield OpenBets(OPENING_BETS, WINDOW_S)  # [3P-2]
    player = []
    for _ in range(CARDS_A_BOX):  # [3P-3]
        player.append((yield Deal(PLAYER)))
        yield Deal(DEALER, CardFace.DOWN)
    yield Decide(WINDOW_S, ("play", "fold"))  # [3P-4]
    dealer = yield Reveal(DEALER)  # [3P-5]
    return Outcome.of({PLAYER: tuple(player), DEALER: tuple(dealer)})


def raise_of(option: str, bets: Mapping[str, int]) -> tuple[str, int] | None:
    """Playing costs as much as the ante; folding nothing. [3P-4]"""
    return ("play", bets["ante"]) if option == "play" and "ante" in bets else None


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when a box is missing, unknown or has not three cards."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"Three Card Poker has no box '{min(unknown)}': give the cards of {' and '.join(BOXES)}.")
    for box in BOXES:
        if len(hands.get(box, ())) != CARDS_A_BOX:
            raise BadInputError(f"The box {box} has {len(hands.get(box, ()))} cards: give it {CARDS_A_BOX}.")
    return Outcome.of({box: tuple(hands[box]) for box in BOXES})


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each bet comes back as; the ante bonus is part of the ante."""
    ante, play = _main(rules, outcome, conduct)
    pair_plus, six_card = read_ladder(rules["pair_plus"]), read_ladder(rules["six_card"])
    return {
        "ante": ante,
        "play": play,
        "pair_plus": pair_plus.get(outcome.category, LOST),  # [3P-12]
        "six_card": six_card.get(STANDARD.category(outcome.six), LOST),  # [3P-13]
    }


def _main(rules: Rules, outcome: Outcome, conduct: str) -> tuple[Fraction, Fraction]:
    if conduct == "fold":
        return LOST, LOST  # [3P-4]
    if conduct:
        raise BadInputError(f"A bettor of Three Card Poker plays or folds: '{conduct}' cannot be told of one.")
    bonus = read_ladder(rules["ante_bonus"]).get(outcome.category, LOST)  # [3P-11]
    if not outcome.qualifies:
        return EVEN_MONEY + bonus, PUSHED  # [3P-9]
    paid = {"win": EVEN_MONEY, "tie": PUSHED, "lose": LOST}[outcome.result]  # [3P-10]
    return paid + bonus, paid


def qualified_pair_plus(rules: Rules, hands: Hands) -> Mapping[str, Fraction]:
    """A Pair Plus that its three cards have won, whatever becomes of the round. [3P-12]"""
    own = hands.get(PLAYER, ())
    if len(own) != CARDS_A_BOX:
        return {}
    category = THREE_CARD.category(evaluator_of(THREE_CARD).of_cards(own))
    won = read_ladder(rules["pair_plus"]).get(category)
    return {"pair_plus": won} if won else {}


def check_rules(rules: Rules) -> Rules:
    """The rules with every pay table written out; `BadInputError` names the option and what it may be."""
    return MappingProxyType(check_ladders("Three Card Poker", DEFAULT_RULES, rules))


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values: both hands, and the best five of the six cards."""
    said = {
        box: {
            "cards": [str(card) for card in outcome.hands[box]],
            "class": THREE_CARD.category(value).value,
            "name": THREE_CARD.describe(value),
        }
        for box, value in ((PLAYER, outcome.player), (DEALER, outcome.dealer))
    }
    six = {"class": STANDARD.category(outcome.six).value, "name": STANDARD.describe(outcome.six)}
    return {
        PLAYER: {**said[PLAYER], "result": outcome.result},
        DEALER: {**said[DEALER], "qualifies": outcome.qualifies},
        "six_card": six,
    }


THREE_CARD_POKER: Final = Game(
    key="three_card_poker",
    title="Three Card Poker",
    edition=Edition(version=1),
    felt=FeltPlan(MappingProxyType(dict.fromkeys(BOXES, CARDS_A_BOX))),
    shoe=FullShoe(decks=1, cards_per_round=6, rounds_per_shuffle=1),  # [3P-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(BETS, needs=MappingProxyType({"pair_plus": "ante", "six_card": "ante"})),  # [3P-2]
    decisions=DecisionRules(raise_of, MappingProxyType({"play": ("play",)})),  # [3P-4]
    payment=PaymentRules(returns, paid_though_void=MappingProxyType({"pay_qualified": qualified_pair_plus})),
)
