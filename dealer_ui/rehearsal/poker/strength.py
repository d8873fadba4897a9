"""What a poker hand is worth to who holds it: played out against unknown hands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from studio.cards import DECK, Card
from studio.games.poker_room import PLO, SHORT_DECK
from studio.hands.evaluator import Evaluator, evaluator_of
from studio.hands.poker import SHORT_DECK as SHORT_DECK_ORDER
from studio.hands.poker import STANDARD

BOARD_CARDS: Final = 5
THOUSAND: Final = 1_000
OPPONENTS_MAX: Final = 3
"""Against more he is reckoned as against three: what a cheap look can tell apart."""


def value_of(game: str, hole: Sequence[int], board: Sequence[int]) -> int:
    """The best hand of these cards (`Card.index`) and a whole board, higher is better."""
    best = _evaluator(game)
    return best.of_two_and_three(hole, board) if game == PLO.key else best.of_seven((*hole, *board))


def share_of(
    game: str, hole: Sequence[Card], board: Sequence[Card], opponents: int, chance: random.Random, trials: int
) -> int:
    """How much of the pot the hand wins on the average, in thousandths of a fair share: 1000 is as good as any."""
    mine, lying = [card.index for card in hole], [card.index for card in board]
    rest = [card for card in _deck(game) if card not in mine and card not in lying]
    others, owed = min(max(opponents, 1), OPPONENTS_MAX), BOARD_CARDS - len(lying)
    won = 0
    for _ in range(trials):
        drawn = chance.sample(rest, owed + others * len(mine))
        whole = [*lying, *drawn[:owed]]
        hands = [drawn[owed + at * len(mine) :][: len(mine)] for at in range(others)]
        won += _won(value_of(game, mine, whole), [value_of(game, hand, whole) for hand in hands])
    return won * (others + 1) // trials


def _won(mine: int, others: Sequence[int]) -> int:
    """Thousandths of the pot."""
    if mine < max(others):
        return 0
    return THOUSAND // (1 + others.count(mine))


def _evaluator(game: str) -> Evaluator:
    return evaluator_of(SHORT_DECK_ORDER if game == SHORT_DECK.key else STANDARD)


def _deck(game: str) -> Sequence[int]:
    order = SHORT_DECK_ORDER if game == SHORT_DECK.key else STANDARD
    return [card.index for card in DECK if card.rank in order.ranks]
