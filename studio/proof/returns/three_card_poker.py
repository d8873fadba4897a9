"""The best play of Three Card Poker, and what it gives back.

For each class of player's hands every hand the dealer may have is counted: play is better than fold, or it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final

import numpy as np

from studio.cards import DECK, Card
from studio.games.three_card_poker import BOXES, CARDS_A_BOX, DEALER, PLAYER, QUEEN_HIGH
from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.poker import DIGITS, STANDARD, THREE_CARD
from studio.proof.returns.figure import Count, Figure, Report, WeighedDeal, dealt_out, of_deals, of_main
from studio.proof.returns.suit_class import DECK_CARDS, Cards, Numbers, boards_of
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules

MAIN_BETS: Final = ("ante", "play")
PLACES: Final = dict.fromkeys(BOXES, CARDS_A_BOX)
DEALER_HANDS: Final = comb(DECK_CARDS - CARDS_A_BOX, CARDS_A_BOX)
PLAYER_HANDS: Final = comb(DECK_CARDS, CARDS_A_BOX)

REPORTED: Final = 64
"""Classes of hands between two reports."""


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    yield from _main(game, rules, report)
    yield from of_deals(game, rules, [(("pair_plus",), _pair_plus_deals()), (("six_card",), _six_card_deals())])


def _main(game: Game, rules: Rules, report: Report) -> tuple[Figure, Figure]:
    won = bet = Fraction(0)
    classes = 0
    hands = boards_of(CARDS_A_BOX)
    for place, (alike, deals) in enumerate(zip(hands.alike.tolist(), deals_met(hands.cards), strict=True)):
        played, folded = worth(game, rules, deals)
        won += alike * max(played, folded)
        bet += alike * (played > folded)
        classes += len(deals)
        if place % REPORTED == 0:
            report(place / len(hands))
    count = Count(classes, PLAYER_HANDS * DEALER_HANDS)
    return of_main(won / PLAYER_HANDS, 1 + bet / PLAYER_HANDS, MAIN_BETS, count)


def worth(game: Game, rules: Rules, deals: Sequence[WeighedDeal]) -> tuple[Fraction, Fraction]:
    """What an ante of 1 wins on average over these deals: with as much on play, and when the bettor folds."""
    played = folded = Fraction(0)
    for ways, deal in deals:
        outcome = game.deal.outcome(rules, deal)
        returns = game.payment.returns(rules, outcome, "")
        played += ways * (returns["ante"] + returns["play"] - 2)
        folded += ways * (game.payment.returns(rules, outcome, "fold")["ante"] - 1)
    return played / DEALER_HANDS, folded / DEALER_HANDS


def deals_met(players: Cards) -> Iterator[list[WeighedDeal]]:
    """For each hand of the player, the hands of the dealer: told apart by which is better and by who qualifies."""
    every = np.array(list(combinations(range(DECK_CARDS), CARDS_A_BOX)), np.uint8)
    values, players_values = (array_evaluator_of(THREE_CARD).of(hands) for hands in (every, players))
    sets, players_sets = (_as_sets(hands) for hands in (every, players))
    qualified = (values >= QUEEN_HIGH).astype(np.int64)
    for cards, own, value in zip(players, players_sets, players_values, strict=True):
        met = np.flatnonzero(sets & own == 0)
        stands = np.sign(values[met].astype(np.int64) - int(value)) * 2 + qualified[met]
        _, first, ways = np.unique(stands, return_index=True, return_counts=True)
        yield [
            (count, {PLAYER: _cards(cards), DEALER: _cards(every[met[at]])})
            for at, count in zip(first.tolist(), ways.tolist(), strict=True)
        ]


def _as_sets(hands: Cards) -> Numbers:
    """Each hand as a number, a bit a card."""
    bits: Numbers = np.left_shift(1, hands.astype(np.int64)).sum(axis=1)
    return bits


def _cards(numbers: Cards) -> tuple[Card, ...]:
    return tuple(DECK[number] for number in numbers)


def _pair_plus_deals() -> Iterator[WeighedDeal]:
    """Every category of the player's three cards: how often, and one such deal."""
    three = boards_of(CARDS_A_BOX)
    categories = array_evaluator_of(THREE_CARD).of(three.cards) >> 4 * DIGITS
    for category in np.unique(categories):
        alike = categories == category
        yield int(three.alike[alike].sum()), dealt_out(PLACES, {PLAYER: _cards(three.cards[alike.argmax()])})


def _six_card_deals() -> Iterator[WeighedDeal]:
    """Every category of all six cards: how often they are five and a sixth that make it, and one such deal."""
    five = boards_of(2 * CARDS_A_BOX - 1)
    ways = np.zeros(len(STANDARD.categories), np.int64)
    seen: dict[int, Hands] = {}
    for sixth in range(DECK_CARDS):
        others = np.flatnonzero((five.cards != sixth).all(axis=1))
        columns = [*five.cards[others].T, sixth]
        categories = array_evaluator_of(STANDARD).of_columns(columns) >> 4 * DIGITS
        for category in set(np.unique(categories).tolist()):
            alike = categories == category
            ways[category] += five.alike[others[alike]].sum()
            cards = (*_cards(five.cards[others[alike.argmax()]]), DECK[sixth])
            seen.setdefault(category, {PLAYER: cards[:CARDS_A_BOX], DEALER: cards[CARDS_A_BOX:]})
    yield from ((int(ways[category]), deal) for category, deal in seen.items())
