"""How often each pair of Three Knights hands is dealt: counted over kinds of card, not over deals.

A class depends only on how many cards of each of eleven kinds a hand holds (the ace, 2 to 10, any picture), so
286 patterns stand for all hands, and the ways to deal two of them from one deck are a product of binomials.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final

from studio.cards import DECK, Card
from studio.games.three_knights import BANKER, BOXES, CARDS_A_BOX, PLAYERS
from studio.hands.three_card import read_three_card
from studio.hands.three_knights import PICTURES, read_knights
from studio.proof.returns.figure import Figure, Report, of_deals
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules

KINDS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", PICTURES)
SIZES: Final = tuple(4 * len(kind) for kind in KINDS)

Pattern = tuple[int, int, int]
"""The kinds of three cards, as indices into `KINDS`, ascending."""

WeighedDeal = tuple[int, Hands]
"""How many deals are alike, and one of them."""


def weighed_deals() -> Iterator[tuple[tuple[str, ...], Iterable[WeighedDeal]]]:
    """Groups of bets, each with the deals that decide them, told apart only as far as those bets can tell."""
    for player in PLAYERS:
        bets = tuple(f"{player}_{bet}" for bet in ("win", "lose", "tie", "three_knights"))
        yield bets, [(ways, _filled({player: own, BANKER: banker})) for ways, own, banker in _meetings()]
    for box in BOXES:
        yield (f"{box}_pair_plus",), [(ways, _filled({box: hand})) for ways, hand in _poker_hands()]


@cache
def _meetings() -> tuple[tuple[int, tuple[Card, ...], tuple[Card, ...]], ...]:
    """Every pair of classes two hands of one deck can meet in: how many ways, and one such pair of hands."""
    patterns = [
        (pattern, Counter(pattern)) for pattern in combinations_with_replacement(range(len(KINDS)), CARDS_A_BOX)
    ]
    ranks = {pattern: read_knights(_laid(pattern, {})[0]).rank for pattern, _ in patterns}
    ways: Counter[tuple[int, int]] = Counter()
    seen: dict[tuple[int, int], tuple[Pattern, Pattern]] = {}
    for own, own_kinds in patterns:
        for banker, banker_kinds in patterns:
            if count := _ways(own_kinds, banker_kinds):
                pair = ranks[own], ranks[banker]
                ways[pair] += count
                seen.setdefault(pair, (own, banker))
    return tuple((ways[pair], *_pair_laid(*patterns)) for pair, patterns in seen.items())


def _ways(own: Mapping[int, int], banker: Mapping[int, int]) -> int:
    """The ways to deal the one pattern, then the other from what is left."""
    first = prod(comb(SIZES[kind], count) for kind, count in own.items())
    return first * prod(comb(SIZES[kind] - own.get(kind, 0), count) for kind, count in banker.items())


def _pair_laid(own: Pattern, banker: Pattern) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    hand, used = _laid(own, {})
    return hand, _laid(banker, used)[0]


def _laid(pattern: Pattern, used: Mapping[int, int]) -> tuple[tuple[Card, ...], dict[int, int]]:
    """Real cards of that pattern, the first of each kind not yet `used`; and what is used then."""
    taken = dict(used)
    cards: list[Card] = []
    for kind in pattern:
        of_kind = [card for card in DECK if card.rank in KINDS[kind]]
        cards.append(of_kind[taken.get(kind, 0)])
        taken[kind] = taken.get(kind, 0) + 1
    return tuple(cards), taken


@cache
def _poker_hands() -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """Every poker class of three cards: how many hands are in it, and one of them."""
    hands = {read_three_card(hand): hand for hand in combinations(DECK, CARDS_A_BOX)}
    ways = Counter(read_three_card(hand) for hand in combinations(DECK, CARDS_A_BOX))
    return tuple((ways[poker], hand) for poker, hand in hands.items())


def _filled(given: Hands) -> Hands:
    """A whole deal: the other boxes get cards that are left in the deck."""
    gone = {card for hand in given.values() for card in hand}
    rest = iter(card for card in DECK if card not in gone)
    return {box: given[box] if box in given else tuple(next(rest) for _ in range(CARDS_A_BOX)) for box in BOXES}


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    """Nobody decides anything: the deals, told apart, say it all."""
    return of_deals(game, rules, weighed_deals())
