"""How often each deal of Baccarat comes out of a shoe of several decks: counted over what cards count, not over cards.

Who wins, by how many points and with how many cards depends only on what each card counts, from 0 to 9. Four cards and
the third ones that are due are told apart by that, and their ways multiplied out of what is left in the shoe. Pairs
depend on the first two cards of either hand alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import Final

from studio.cards import DECK, Card
from studio.games.baccarat import BANKER, BOXES, PLAYER, Outcome, counts, decks, due
from studio.proof.returns.figure import DealGroups, Figure, Report, WeighedDeal, of_deals
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules

BY_POINTS: Final = (PLAYER, BANKER, "tie", "player_bonus", "banker_bonus", "small", "big", "super_six")
BY_PAIRS: Final = ("player_pair", "banker_pair", "either_pair", "perfect_pair")

_OF_COUNT: Final = {counts(card): card for card in DECK}
"""A card of each count; what else it is tells the bets by points nothing."""


def weighed_deals(decks: int) -> DealGroups:
    """Two groups: bets on points and on how many cards it takes, and bets on pairs."""
    yield BY_POINTS, _by_points(decks)
    yield BY_PAIRS, _by_pairs(decks)


def _by_points(decks: int) -> Iterator[WeighedDeal]:
    """One deal of each class of points, naturals and cards, and how many are in it."""
    ways: Counter[tuple[object, ...]] = Counter()
    seen: dict[tuple[object, ...], Hands] = {}
    for alike, player, banker in _first_four(decks):
        shoe = _shoe_less(decks, (*player, *banker))
        for more, hands in _drawn({PLAYER: player, BANKER: banker}, shoe):
            dealt = Outcome(hands)
            kind = tuple((dealt.points(box), len(hands[box])) for box in BOXES)
            ways[kind] += alike * more
            seen.setdefault(kind, hands)
    return ((ways[kind], hands) for kind, hands in seen.items())


def _first_four(decks: int) -> Iterator[tuple[int, tuple[Card, ...], tuple[Card, ...]]]:
    """Every first two of either hand, told apart by what they count: how many ways, and the cards."""
    pairs = list(combinations_with_replacement(_OF_COUNT.values(), 2))
    for player, banker in product(pairs, pairs):
        orders = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        yield orders * _ways(decks, (*player, *banker)), player, banker


def _drawn(hands: Hands, shoe: Counter[Card]) -> Iterator[tuple[int, Hands]]:
    """Each way the third cards may come, and how many cards of the shoe make it."""
    box = due(hands[PLAYER], hands[BANKER])
    if box is None:
        left = shoe.total()
        behind = sum(len(cards) for cards in hands.values())
        yield (left * (left - 1) if behind == 4 else left if behind == 5 else 1), hands
        return
    for card in _OF_COUNT.values():
        number = shoe[card]
        shoe[card] -= 1
        for more, whole in _drawn({**hands, box: (*hands[box], card)}, shoe):
            yield number * more, whole
        shoe[card] += 1


def _by_pairs(decks: int) -> Iterator[WeighedDeal]:
    """One deal of each class of pairs of either hand, and how many are in it.

    The Player's two cards are told apart by their pair alone: whichever they are, as many of the rest make one.
    """
    ways: Counter[tuple[str, str]] = Counter()
    seen: dict[tuple[str, str], Hands] = {}
    for number, player in _player_pairs(decks):
        for banker in product(DECK, repeat=2):
            hands = {PLAYER: player, BANKER: banker}
            dealt = Outcome(hands)
            kind = dealt.pair(PLAYER), dealt.pair(BANKER)
            ways[kind] += number * _faces(decks, (*player, *banker), after=2)
            seen.setdefault(kind, hands)
    return ((ways[kind], _completed(hands)) for kind, hands in seen.items())


def _player_pairs(decks: int) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """A perfect pair, a pair, and two cards that are none, with how many ways each kind is dealt."""
    kinds: Counter[str] = Counter()
    seen: dict[str, tuple[Card, ...]] = {}
    for cards in product(DECK, repeat=2):
        kind = Outcome({PLAYER: cards}).pair(PLAYER)
        kinds[kind] += _faces(decks, cards)
        seen.setdefault(kind, cards)
    return ((kinds[kind], cards) for kind, cards in seen.items())


def _completed(hands: Hands) -> Hands:
    """The deal dealt to its end, with whichever cards."""
    dealt = dict(hands)
    while box := due(dealt[PLAYER], dealt[BANKER]):
        dealt[box] = (*dealt[box], DECK[0])
    return dealt


def _shoe_less(decks: int, cards: Sequence[Card]) -> Counter[Card]:
    """How many cards of each count are left in a full shoe that lost these."""
    shoe = Counter({_OF_COUNT[count]: decks * number for count, number in Counter(map(counts, DECK)).items()})
    shoe.subtract(cards)
    return shoe


def _ways(decks: int, cards: Sequence[Card]) -> int:
    """How many ways cards that count as these do come out of a full shoe in this order."""
    shoe, ways = _shoe_less(decks, ()), 1
    for card in cards:
        ways *= shoe[card]
        shoe[card] -= 1
    return ways


def _faces(decks: int, cards: Sequence[Card], after: int = 0) -> int:
    """How many ways these very faces come out of a full shoe in this order, once the first `after` are out."""
    ways = 1
    for at in range(after, len(cards)):
        ways *= decks - cards[:at].count(cards[at])
    return ways


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    """Nobody decides anything: the deals, told apart, say it all."""
    return of_deals(game, rules, weighed_deals(decks(rules)))
