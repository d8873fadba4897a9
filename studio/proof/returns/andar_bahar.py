"""How often the first card of the joker's rank is dealt as which: all places the three of that rank may have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from math import comb

from studio.cards import DECK, SUITS, Card
from studio.games.andar_bahar import BETS, JOKER, MOST, SIDES
from studio.proof.returns.figure import DealGroups, Figure, Report, WeighedDeal, of_deals
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules


def weighed_deals() -> DealGroups:
    """One group: every bet is decided by which card of the deal is the first of the joker's rank."""
    yield BETS, _lengths()


def _lengths() -> Iterator[WeighedDeal]:
    """Of the 51 cards after the joker three are of its rank; where the first is the card `cards`, two lie after it."""
    for cards in range(1, MOST + 1):
        yield comb(len(DECK) - 1 - cards, len(SUITS) - 2), deal_of(cards)


def deal_of(cards: int) -> Hands:
    """A deal that is over with that card."""
    joker, last, *_ = (card for card in DECK if card.rank == DECK[0].rank)
    others = (card for card in DECK if card.rank != joker.rank)
    hands: dict[str, tuple[Card, ...]] = {JOKER: (joker,), **dict.fromkeys(SIDES, ())}
    for number, side in zip(range(1, cards + 1), cycle(SIDES), strict=False):
        hands[side] = (*hands[side], last if number == cards else next(others))
    return hands


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    """Nobody decides anything: the deals say it all."""
    return of_deals(game, rules, weighed_deals())
