"""The rulebook of Ultimate Texas Hold'em: docs/games/ultimate_holdem.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from studio.errors import BadInputError
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

TITLE: Final = "Ultimate Texas Hold'em"
OPENING_BETS: Final = ("ante", "trips")
BETS: Final = ("ante", "blind", "play", "trips")
WINDOW_S: Final = 15

RAISES: Final[Mapping[str, int]] = MappingProxyType({"play_4x": 4, "play_3x": 3, "play_2x": 2, "play_1x": 1})
BEFORE_THE_FLOP: Final = ("play_4x", "play_3x", "check")  # [UTH-5]
AFTER_THE_FLOP: Final = ("play_2x", "check")  # [UTH-6]
AFTER_THE_RIVER: Final = ("play_1x", "fold")  # [UTH-7]

A_PAIR: Final = 0x100000

DEFAULT_RULES: Final[Rules] = MappingProxyType(
    {
        "blind": "royal_flush 501, straight_flush 51, four_of_a_kind 11, full_house 4, flush 2.5, "
        "straight 2",  # [UTH-13]
        "trips": "royal_flush 51, straight_flush 41, four_of_a_kind 31, full_house 9, flush 8, straight 5, "
        "three_of_a_kind 4",  # [UTH-16]
    }
)

LOST: Final = Fraction(0)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    yield OpenBets(OPENING_BETS, WINDOW_S)  # [UTH-2]
    player = yield from deal_holes()  # [UTH-4]
    yield Decide(WINDOW_S, BEFORE_THE_FLOP)  # [UTH-5]
    board = yield from deal_board(FLOP)
    yield Decide(WINDOW_S, AFTER_THE_FLOP)  # [UTH-6]
    board += yield from deal_board(BOXES[BOARD] - FLOP)
    yield Decide(WINDOW_S, AFTER_THE_RIVER)  # [UTH-7]
    dealer = yield Reveal(DEALER)  # [UTH-8]
    return Outcome.of({PLAYER: tuple(player), DEALER: tuple(dealer), BOARD: tuple(board)})


def raise_of(option: str, bets: Mapping[str, int]) -> tuple[str, int] | None:
    """The raise is a multiple of the ante, and there is one only. [UTH-9]"""
    return ("play", RAISES[option] * bets["ante"]) if option in RAISES and "ante" in bets else None


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when it is none."""
    return Outcome.of(holdem.read_deal(TITLE, hands))


def qualifies(outcome: Outcome) -> bool:
    """Whether the dealer has a pair or better. [UTH-10]"""
    return outcome.dealer >= A_PAIR


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each bet comes back as."""
    ante, blind, play = _main(rules, outcome, conduct)
    trips = read_ladder(rules["trips"]).get(outcome.category, LOST)  # [UTH-16]
    return {"ante": ante, "blind": blind, "play": play, "trips": trips}


def _main(rules: Rules, outcome: Outcome, conduct: str) -> tuple[Fraction, Fraction, Fraction]:
    if conduct == "fold":
        return LOST, LOST, LOST  # [UTH-7]
    if conduct:
        raise BadInputError(f"A bettor of {TITLE} plays or folds: '{conduct}' cannot be told of one.")
    qualified = qualifies(outcome)
    match outcome.result:
        case "win":
            blind = read_ladder(rules["blind"]).get(outcome.category, PUSHED)  # [UTH-13]
            return EVEN_MONEY if qualified else PUSHED, blind, EVEN_MONEY  # [UTH-11] [UTH-12]
        case "tie":
            return PUSHED, PUSHED, PUSHED  # [UTH-14]
        case "lose":
            return LOST if qualified else PUSHED, LOST, LOST  # [UTH-15]


def check_rules(rules: Rules) -> Rules:
    """The rules with every pay table written out; `BadInputError` names the option and what it may be."""
    return MappingProxyType(check_ladders(TITLE, DEFAULT_RULES, rules))


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values; of the dealer's hand also whether it qualifies."""
    said = holdem.describe(outcome)
    said[DEALER]["qualifies"] = qualifies(outcome)
    return said


ULTIMATE_HOLDEM: Final = Game(
    key="ultimate_holdem",
    title=TITLE,
    edition=Edition(version=1),
    felt=FeltPlan(BOXES),
    shoe=FullShoe(decks=1, cards_per_round=CARDS, rounds_per_shuffle=1),  # [UTH-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(
        BETS,
        needs=MappingProxyType({"trips": "ante"}),  # [UTH-2]
        automatic=MappingProxyType({"blind": "ante"}),  # [UTH-3]
    ),
    decisions=DecisionRules(raise_of, MappingProxyType({"play": tuple(RAISES)})),  # [UTH-9]
    payment=PaymentRules(returns, published_percent=MappingProxyType({"main_initial": 97.82, "main_total": 99.47})),
)
