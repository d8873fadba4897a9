"""The rulebook of KKClash: docs/games/kkclash.md, rule by rule, version 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal

from studio.cards import RANKS, Card
from studio.errors import BadInputError
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD, Category
from studio.ports import CardFace
from studio.rulebook.game import BettingRules, DealRules, Edition, FeltPlan, FullShoe, Game, HouseOptions, PaymentRules
from studio.rulebook.odds import check_odds, odds
from studio.rulebook.script import Deal, Hands, OpenBets, Reveal, Rules, Script

SHARK: Final = "shark"
KING: Final = "king"
BOARD: Final = "board"
HANDS: Final = (SHARK, KING)
BOXES: Final[Mapping[str, int]] = MappingProxyType({SHARK: 2, KING: 2, BOARD: 5})

Winner = Literal["shark", "king", "draw"]

DEFAULT_RULES: Final[Rules] = MappingProxyType(  # what a stake of 1 returns when the bet is won
    {
        "shark": "2.02",  # [KK-8]
        "king": "2.02",  # [KK-8]
        "draw": "24",  # [KK-9]
        "suited_connectors": "1.66",  # [KK-11]
        "pocket_pair": "8.5",  # [KK-12]
        "pocket_kings": "100",  # [KK-13]
        "high_card_pair": "2.2",  # [KK-15]
        "two_pair": "3.1",  # [KK-15]
        "trips_straight_flush": "4.7",  # [KK-15]
        "full_house_plus": "19",  # [KK-15]
        "k_high_pair": "19",  # [KK-16]
        "k_full_quads": "242",  # [KK-17]
    }
)
BETS: Final = tuple(DEFAULT_RULES)
LOST: Final = Fraction(0)

BY_CATEGORY: Final[Mapping[Category, str]] = MappingProxyType(  # [KK-15]
    {
        Category.HIGH_CARD: "high_card_pair",
        Category.PAIR: "high_card_pair",
        Category.TWO_PAIR: "two_pair",
        Category.THREE_OF_A_KIND: "trips_straight_flush",
        Category.STRAIGHT: "trips_straight_flush",
        Category.FLUSH: "trips_straight_flush",
        Category.FULL_HOUSE: "full_house_plus",
        Category.FOUR_OF_A_KIND: "full_house_plus",
        Category.STRAIGHT_FLUSH: "full_house_plus",
        Category.ROYAL_FLUSH: "full_house_plus",
    }
)
OF_KINGS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.HIGH_CARD: "k_high_pair",  # [KK-16]
        Category.PAIR: "k_high_pair",  # [KK-16]
        Category.FULL_HOUSE: "k_full_quads",  # [KK-17]
        Category.FOUR_OF_A_KIND: "k_full_quads",  # [KK-17]
    }
)
_RUNS: Final = (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished deal: the cards of every box, and the value of either hand with the board."""

    hands: Hands
    values: Mapping[str, int]

    @classmethod
    def of(cls, hands: Hands) -> Outcome:
        read = evaluator_of(STANDARD).of_cards
        return cls(hands, {hand: read((*hands[hand], *hands[BOARD])) for hand in HANDS})  # [KK-5]

    @property
    def winner(self) -> Winner:
        shark, king = self.values[SHARK], self.values[KING]
        return "draw" if shark == king else "shark" if shark > king else "king"  # [KK-6]

    @property
    def winning(self) -> int:
        """The value of the winning hand; on a draw, of both. [KK-14]"""
        return max(self.values.values())


def script(rules: Rules) -> Script:
    """The deal, as the dealer deals it."""
    for _ in range(BOXES[SHARK]):
        for hand in HANDS:
            yield Deal(hand, CardFace.DOWN)  # [KK-2]
    yield OpenBets(BETS, 15)  # [KK-3]
    board: list[Card] = []
    for _ in range(BOXES[BOARD]):
        board.append((yield Deal(BOARD)))  # [KK-4]
    shark = yield Reveal(SHARK)  # [KK-4]
    king = yield Reveal(KING)
    return Outcome.of({SHARK: tuple(shark), KING: tuple(king), BOARD: tuple(board)})


def outcome(rules: Rules, hands: Hands) -> Outcome:
    """Read a deal given whole; `BadInputError` when a box is missing, unknown or has not its number of cards."""
    if unknown := set(hands) - set(BOXES):
        raise BadInputError(f"KKClash has no box '{min(unknown)}': give the cards of {', '.join(BOXES)}.")
    for box, count in BOXES.items():
        if len(hands.get(box, ())) != count:
            raise BadInputError(f"The box {box} has {len(hands.get(box, ()))} cards: give it {count}.")
    return Outcome.of({box: tuple(hands[box]) for box in BOXES})


def returns(rules: Rules, outcome: Outcome, conduct: str = "") -> Mapping[str, Fraction]:
    """What a stake of 1 on each of the twelve bets comes back as."""
    if conduct:
        raise BadInputError(f"KKClash asks no bettor for a decision: '{conduct}' cannot be told of one.")
    won = won_bets(outcome)
    return {bet: odds(rules[bet]) if bet in won else LOST for bet in BETS}


def won_bets(outcome: Outcome) -> frozenset[str]:
    """The bets this deal wins: the winner's, those of the holes, those of the winning hand."""
    category = STANDARD.category(outcome.winning)
    won = {outcome.winner, BY_CATEGORY[category]}  # [KK-8] [KK-9] [KK-15]
    if STANDARD.telling(outcome.winning).startswith("K") and category in OF_KINGS:
        won.add(OF_KINGS[category])
    for hand in HANDS:  # [KK-10]
        won |= hole_bets(outcome.hands[hand])
    return frozenset(won)


def hole_bets(hole: tuple[Card, ...]) -> frozenset[str]:
    """The bets that two hole cards win by themselves.

    >>> sorted(hole_bets((Card("K", "s"), Card("K", "h"))))
    ['pocket_kings', 'pocket_pair']
    """
    first, second = hole
    apart = abs(RANKS.index(first.rank) - RANKS.index(second.rank))
    if apart == 0:
        return frozenset({"pocket_pair", "pocket_kings"} if first.rank == "K" else {"pocket_pair"})  # [KK-12] [KK-13]
    consecutive = apart in (1, len(RANKS) - 1)  # the ace stands beside the king and beside the two
    return frozenset({"suited_connectors"} if consecutive or first.suit == second.suit else ())  # [KK-11]


def has_king(value: int) -> bool:
    """Whether a king is among the five cards of a hand of that value. [KK-20]"""
    telling = STANDARD.telling(value)
    return telling in ("A", "K") if STANDARD.category(value) in _RUNS else "K" in telling


def check_rules(rules: Rules) -> Rules:
    """The rules with every return filled in; `BadInputError` names the bet and what its return may be. [KK-18]"""
    return check_odds("KKClash", DEFAULT_RULES, rules)


def describe(outcome: Outcome) -> dict[str, Any]:
    """The outcome in plain values: either hand, the board, the winner, the winning hand, and every bet that won."""
    said: dict[str, Any] = {hand: _hand(outcome, hand) for hand in HANDS}
    won = won_bets(outcome)
    return {
        **said,
        BOARD: {"cards": [str(card) for card in outcome.hands[BOARD]]},
        "winner": outcome.winner,
        "winning_hand": {**_words(outcome.winning), "king_mark": has_king(outcome.winning)},
        "won": [bet for bet in BETS if bet in won],
    }


def _hand(outcome: Outcome, hand: str) -> dict[str, Any]:
    """One hand; `result` is in the words every game has for how a hand stands: win, lose, tie."""
    stands = "tie" if outcome.winner == "draw" else "win" if outcome.winner == hand else "lose"
    cards = [str(card) for card in outcome.hands[hand]]
    return {"cards": cards, **_words(outcome.values[hand]), "result": stands}


def _words(value: int) -> dict[str, str]:
    return {"class": STANDARD.category(value).value, "name": STANDARD.describe(value)}


PUBLISHED_PERCENT: Final[Mapping[str, float]] = MappingProxyType(
    {
        "shark": 96.90,
        "king": 96.90,
        "draw": 97.62,
        "suited_connectors": 96.47,
        "pocket_pair": 97.02,
        "pocket_kings": 90.46,
        "high_card_pair": 94.71,
        "two_pair": 97.40,
        "trips_straight_flush": 96.13,
        "full_house_plus": 96.43,
        "k_high_pair": 94.23,
        "k_full_quads": 95.93,
    }
)

KKCLASH: Final = Game(
    key="kkclash",
    title="KKClash",
    edition=Edition(version=1),
    felt=FeltPlan(BOXES),  # [KK-1]
    shoe=FullShoe(decks=1, cards_per_round=sum(BOXES.values()), rounds_per_shuffle=1),  # [KK-1]
    options=HouseOptions(DEFAULT_RULES, check_rules),
    deal=DealRules(script, outcome, describe),
    betting=BettingRules(BETS, exclusive=(frozenset(HANDS),)),  # [KK-7]
    payment=PaymentRules(
        returns,
        rakeback=Fraction(2, 100),  # [KK-19]
        published_percent=PUBLISHED_PERCENT,
    ),
)
