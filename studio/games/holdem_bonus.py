"""The rulebook of Texas Hold'em Bonus Poker: docs/games/holdem_bonus.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from studio.cards import RANKS, Card
from studio.errors import BadInputError
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD, Category
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
    PotRules,
)
from studio.rulebook.holdem import BOARD, BOXES, CARDS, DEALER, FLOP, PLAYER, Outcome, deal_board, deal_holes
from studio.rulebook.pay_ladder import check_ladders, read_ladder
from studio.rulebook.script import Decide, Hands, OpenBets, Reveal, Rules, Script

TITLE: Final = "Texas Hold'em Bonus Poker"
OPENING_BETS: Final = ("ante", "bonus", "first5")
BETS: Final = ("ante", "flop", "turn", "river", "bonus", "first5")
RAISES: Final[Mapping[str, int]] = MappingProxyType({"flop": 2, "turn": 1, "river": 1})
WINDOW_S: Final = 15

FIRST_FIVE: Final = 5
A_STRAIGHT: Final = 0x400000

LADDERS: Final[Rules] = MappingProxyType(
    {
        "bonus": "aces_both 1001, aces 31, ace_king_suited 26, ace_queen_jack_suited 21, ace_king 16, "
        "kings_to_jacks 11, ace_queen_jack 6, tens_to_deuces 4",  # [THB-13]
        "first5": "straight_flush 2500, four_of_a_kind 300, full_house 50, flush 40, straight 30, "
        "three_of_a_kind 3",  # [THB-15]
    }
)
DEFAULT_RULES: Final[Rules] = MappingProxyType({**LADDERS, "first5_pot": 0})  # [THB-16]

LOST: Final = Fraction(0)
PUSHED: Final = Fraction(1)
EVEN_MONEY: Final = Fraction(2)


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    yield OpenBets(OPENING_BETS, WINDOW_S)  # [THB-2]
    player = yield from deal_holes()  # [THB-3]
    yield Decide(WINDOW_S, ("flop", "fold"))  # [THB-4]
    board = yield from deal_board(FLOP)
    yield Decide(WINDOW_S, ("turn", "check"))  # [THB-5]
    board += yield from deal_board(1)
    yield Decide(WINDOW_S, ("river", "check"))  # [THB-6]
    board += yield from deal_board(1)
    dealer = yield Reveal(DEALER)  # [THB-7]
    return Outcome.of({PLAYER: tuple(player), DEALER: tuple(dealer), BOARD: tuple(board)})


def raise_of(option: str, bets: Mapping[str, int]) -> tuple[str, int] | None:
    """The flop costs twice the ante, the turn and the river as much as the ante. [THB-4] [THB-5] [THB-6]"""
    return (option, RAISES[option] * bets["ante"]) if option in RAISES and "ante" in bets else None


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when it is none."""
    return Outcome.of(holdem.read_deal(TITLE, hands))


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each bet comes back as; what First 5 pays out of the pot is in `pots`."""
    line = bonus_line(outcome.hands[PLAYER], outcome.hands[DEALER])
    return {
        **_main(outcome, conduct),
        "bonus": read_ladder(rules["bonus"]).get(line, LOST),  # [THB-12] [THB-13]
        "first5": read_ladder(rules["first5"]).get(first_five(outcome), LOST),  # [THB-14] [THB-15]
    }


def _main(outcome: Outcome, conduct: str) -> Mapping[str, Fraction]:
    if conduct == "fold":
        return dict.fromkeys(("ante", *RAISES), LOST)  # [THB-4]
    if conduct:
        raise BadInputError(f"A bettor of {TITLE} plays or folds: '{conduct}' cannot be told of one.")
    raised = {"win": EVEN_MONEY, "tie": PUSHED, "lose": LOST}[outcome.result]  # [THB-8] [THB-10] [THB-11]
    ante = PUSHED if outcome.result == "win" and outcome.player < A_STRAIGHT else raised  # [THB-9]
    return {"ante": ante, **dict.fromkeys(RAISES, raised)}


def bonus_line(player: Sequence[Card], dealer: Sequence[Card]) -> str:
    """The best line of the Bonus that the player's two cards make, empty where they make none. [THB-13]"""
    high, low = sorted((card.rank for card in player), key=RANKS.index, reverse=True)
    suited = player[0].suit == player[1].suit
    if high == low == "A":
        return "aces_both" if all(card.rank == "A" for card in dealer) else "aces"
    if high == low:
        return "kings_to_jacks" if high in "KQJ" else "tens_to_deuces"
    if high == "A" and low in "KQJ":
        line = "ace_king" if low == "K" else "ace_queen_jack"
        return f"{line}_suited" if suited else line
    return ""


def first_five(outcome: Outcome) -> Category:
    """What the player's two cards and the flop are; turn and river do not count. [THB-14]"""
    return _category((*outcome.hands[PLAYER], *outcome.hands[BOARD][:FLOP]))


def _category(five: Sequence[Card]) -> Category:
    return STANDARD.category(evaluator_of(STANDARD).of_cards(five))


def prize_in(rules: Rules, hands: Hands) -> tuple[str, Fraction] | None:
    """The prize of First 5 that the open cards of an unfinished deal show, and what it returns. [THB-14]"""
    five = (*hands.get(PLAYER, ()), *hands.get(BOARD, ())[:FLOP])
    if len(five) != FIRST_FIVE:
        return None
    found = _category(five)
    if found is Category.ROYAL_FLUSH:
        return found.value, LOST
    ret = read_ladder(rules["first5"]).get(found)
    return (found.value, ret) if ret else None


def pots(rules: Rules, outcome: Outcome) -> Mapping[str, int]:
    """A royal flush empties the pot; every First 5 bettor of the round shares it. [THB-16]"""
    return {"first5": rules["first5_pot"]} if first_five(outcome) is Category.ROYAL_FLUSH else {}


def check_rules(rules: Rules) -> Rules:
    """The rules with every option filled in; `BadInputError` names the option and what it may be.

    `first5_pot` is what lies in the pot when the round is settled, in minor units.
    """
    given = dict(rules)
    pot_minor = given.pop("first5_pot", 0)
    if isinstance(pot_minor, bool) or not isinstance(pot_minor, int) or pot_minor < 0:
        raise BadInputError(
            f"The house option first5_pot cannot be {pot_minor!r}: write the pot in whole minor units, 0 or more."
        )
    return MappingProxyType({**check_ladders(TITLE, LADDERS, given), "first5_pot": pot_minor})


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values; of the player also his line of the Bonus, and his first five cards."""
    said = holdem.describe(outcome)
    said[PLAYER]["bonus"] = bonus_line(outcome.hands[PLAYER], outcome.hands[DEALER])
    said[PLAYER]["first5"] = first_five(outcome).value
    return said


HOLDEM_BONUS: Final = Game(
    key="holdem_bonus",
    title=TITLE,
    edition=Edition(version=1),
    felt=FeltPlan(BOXES),
    shoe=FullShoe(decks=1, cards_per_round=CARDS, rounds_per_shuffle=1),  # [THB-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(BETS, needs=MappingProxyType({"bonus": "ante", "first5": "ante"})),  # [THB-2]
    decisions=DecisionRules(raise_of, MappingProxyType({bet: (bet,) for bet in RAISES})),  # [THB-4] [THB-5] [THB-6]
    payment=PaymentRules(
        returns,
        published_percent=MappingProxyType(
            {"main_initial": 97.96, "main_total": 99.47, "bonus": 91.46, "first5": 81.84}
        ),
    ),
    pot=PotRules("first5", pots, prize_in),
)
