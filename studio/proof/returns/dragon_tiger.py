"""How often each pair of faces is dealt at Dragon Tiger: all of them, out of a shoe of several decks."""

from __future__ import annotations

from collections.abc import Iterator

from studio.cards import DECK
from studio.games.dragon_tiger import BETS, DECKS, DRAGON, TIGER
from studio.proof.returns.figure import DealGroups, Figure, Report, WeighedDeal, of_deals
from studio.rulebook.game import Game
from studio.rulebook.script import Rules


def weighed_deals() -> DealGroups:
    """One group: every bet is decided by the same two cards."""
    yield BETS, _meetings()


def _meetings() -> Iterator[WeighedDeal]:
    for dragon in DECK:
        for tiger in DECK:
            left = DECKS - 1 if tiger == dragon else DECKS
            yield DECKS * left, {DRAGON: (dragon,), TIGER: (tiger,)}


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    """Nobody decides anything: the deals say it all."""
    return of_deals(game, rules, weighed_deals())
