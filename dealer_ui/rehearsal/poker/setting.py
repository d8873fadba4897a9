"""How a simulated player sets a street of Open-Face Chinese: carefully, greedily, or anyhow."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final

from dealer_ui.rehearsal.hand.street import any_rows
from dealer_ui.rehearsal.poker.temperament import Temperament, happens
from studio.cards import RANKS, Card
from studio.rulebook.open_face import ROWS, row_value
from studio.rulebook.placing import MUCK, Placing

Board = Mapping[str, Sequence[Card]]

_GREEDY: Final = {"top": 3, "middle": 1, "bottom": 2}
_CAREFUL: Final = {"top": 1, "middle": 2, "bottom": 4}
_FOUL: Final = 10_000
_STREET_MAX: Final = 5


def set_street(
    mind: Temperament, cards: Sequence[Card], board: Board, placing: Placing, chance: random.Random
) -> tuple[str, ...] | None:
    """Where each of his cards goes; None where he lets the time run out."""
    if happens(mind.silent, chance):
        return None
    if mind.calls_at == 0 or not cards:  # the station, or one who has not looked
        return any_rows(placing, chance)
    if placing.cards > _STREET_MAX:
        return _at_once(cards)
    weights = _GREEDY if mind.bluffs > mind.calls_at // 2 else _CAREFUL
    return max(_ways(placing), key=lambda rows: _worth(rows, cards, board, weights))


def _ways(placing: Placing) -> Iterator[tuple[str, ...]]:
    """Every way this street may be set."""
    words = (*placing.room, MUCK) if placing.give_up else tuple(placing.room)
    for rows in product(words, repeat=placing.cards):
        if placing.refusal(rows) is None:
            yield rows


def _worth(rows: Sequence[str], cards: Sequence[Card], board: Board, weights: Mapping[str, int]) -> int:
    """How good the board would look with these cards set so: points for pairs and high cards by row, and a large
    deduction for each row that beats the row below it.
    """
    after = {row: [*board[row], *(card for card, to in zip(cards, rows, strict=True) if to == row)] for row in ROWS}
    looks = {row: _looks(held) for row, held in after.items()}
    fouls = (looks["top"] > looks["middle"]) + (looks["middle"] > looks["bottom"])
    if all(len(after[row]) == most for row, most in ROWS.items()):
        values = [row_value(after[row]) for row in ROWS]
        fouls = 5 * (values != sorted(values))
    return sum(weights[row] * look for row, look in looks.items()) - fouls * _FOUL // weights["top"]


def _looks(cards: Sequence[Card]) -> int:
    groups = Counter(RANKS.index(card.rank) for card in cards)
    suits = Counter(card.suit for card in cards)
    flush = 4 ** max(suits.values(), default=0) if len(suits) == 1 else 0
    return sum(rank + 40 * (count - 1) ** 2 * (rank + 5) for rank, count in groups.items()) + flush


def _at_once(cards: Sequence[Card]) -> tuple[str, ...]:
    """A whole board out of the cards of fantasy: the best five, the best five of the rest, the best three of theirs."""
    left, rows = list(enumerate(cards)), [MUCK] * len(cards)
    for row in ("bottom", "middle", "top"):
        best = max(combinations(left, ROWS[row]), key=lambda chosen: row_value([card for _, card in chosen]))
        for place, _ in best:
            rows[place] = row
        left = [one for one in left if one not in best]
    return tuple(rows)
