"""The rulebook of Casino Hold'em: docs/games/casino_holdem.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from studio.errors import BadInputError
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD
from studio.rulebook import holdem
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
from studio.rulebook.holdem import BOARD, BOXES, CARDS, DEALER, FLOP, PLAYER, Outcome, deal_board, deal_holes
from studio.rulebook.pay_ladder import check_ladders, read_ladder
from studio.rulebook.script import Decide, Hands, OpenBets, Reveal, Rules, Script

TITLE: Final = "Casino Hold'em"
OPENING_BETS: Final = ("ante", "aa_bonus")
BETS: Final = ("ante", "call", "aa_bonus")
WINDOW_S: Final = 15

CALL: Final = 2
"""Antes that a call costs."""
CHOICES: Final = ("call", "fold")  # [CH-4]

A_PAIR_OF_FOURS: Final = 0x140000
A_PAIR_OF_ACES: Final = 0x1E0000
ACES: Final = "aces_to_straight"
"""The lowest rung of the AA bonus: from a pair of aces up to a straight."""

DEFAULT_RULES: Final[Rules] = MappingProxyType(
    {
        "ante": "royal_flush 101, straight_flush 21, four_of_a_kind 11, full_house 4, flush 3",  # [CH-9]
        "aa_bonus": "royal_flush 101, straight_flush 51, four_of_a_kind 41, full_house 31, flush 21, "
        f"{ACES} 8",  # [CH-13]
    }
)

LOST: Final = Fraction(0)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    yield OpenBets(OPENING_BETS, WINDOW_S)  # [CH-2]
    player = yield from deal_holes()  # [CH-3]
    board = yield from deal_board(FLOP)
    yield Decide(WINDOW_S, CHOICES)  # [CH-4]
    board += yield from deal_board(BOXES[BOARD] - FLOP)  # [CH-5]
    dealer = yield Reveal(DEALER)  # [CH-6]
    return Outcome.of({PLAYER: tuple(player), DEALER: tuple(dealer), BOARD: tuple(board)})


def raise_of(option: str, bets: Mapping[str, int]) -> tuple[str, int] | None:
    """A call costs twice the ante. [CH-4]"""
    return ("call", CALL * bets["ante"]) if option == "call" and "ante" in bets else None


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when it is none."""
    return Outcome.of(holdem.read_deal(TITLE, hands))


def qualifies(outcome: Outcome) -> bool:
    """Whether the dealer has a pair of fours or better. [CH-7]"""
    return outcome.dealer >= A_PAIR_OF_FOURS


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each bet comes back as."""
    ante, call = _main(rules, outcome, conduct)
    aa_bonus = read_ladder(rules["aa_bonus"]).get(aa_line(outcome), LOST)  # [CH-12] [CH-13]
    return {"ante": ante, "call": call, "aa_bonus": aa_bonus}


def _main(rules: Rules, outcome: Outcome, conduct: str) -> tuple[Fraction, Fraction]:
    if conduct == "fold":
        return LOST, LOST  # [CH-4]
    if conduct:
        raise BadInputError(f"A bettor of {TITLE} calls or folds: '{conduct}' cannot be told of one.")
    won = read_ladder(rules["ante"]).get(outcome.category, EVEN_MONEY)  # [CH-9]
    if not qualifies(outcome):
        return won, PUSHED  # [CH-8]
    match outcome.result:
        case "win":
            return won, EVEN_MONEY  # [CH-10]
        case "tie":
            return PUSHED, PUSHED  # [CH-11]
        case "lose":
            return LOST, LOST  # [CH-11]


def aa_line(outcome: Outcome) -> str:
    """The line of the AA bonus that the player's two cards and the flop make, empty where they make none. [CH-12]"""
    value = evaluator_of(STANDARD).of_cards((*outcome.hands[PLAYER], *outcome.hands[BOARD][:FLOP]))
    category = STANDARD.category(value).value
    if category in read_ladder(DEFAULT_RULES["aa_bonus"]):
        return category
    return ACES if value >= A_PAIR_OF_ACES else ""


def check_rules(rules: Rules) -> Rules:
    """The rules with every pay table written out; `BadInputError` names the option and what it may be. [CH-15]"""
    return MappingProxyType(check_ladders(TITLE, DEFAULT_RULES, rules))


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values; of the dealer also whether he qualifies, of the player his line of the AA bonus."""
    said = holdem.describe(outcome)
    said[DEALER]["qualifies"] = qualifies(outcome)
    said[PLAYER]["aa_bonus"] = aa_line(outcome)
    return said


CASINO_HOLDEM: Final = Game(
    key="casino_holdem",
    title=TITLE,
    edition=Edition(version=1),
    felt=FeltPlan(BOXES),
    shoe=FullShoe(decks=1, cards_per_round=CARDS, rounds_per_shuffle=1),  # [CH-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(BETS, needs=MappingProxyType({"aa_bonus": "ante"})),  # [CH-2]
    decisions=DecisionRules(raise_of, MappingProxyType({"call": ("call",)})),  # [CH-4]
    payment=PaymentRules(returns, published_percent=MappingProxyType({"main_initial": 97.84, "aa_bonus": 93.74})),
)
