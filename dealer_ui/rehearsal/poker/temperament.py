"""How simulated players differ, what a hand is worth to one of them, and what he chooses at his turn."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal.poker.sight import PlayerSight
from studio.cards import DECK, Card
from studio.games.plo import PLO
from studio.games.short_deck import SHORT_DECK
from studio.hands.evaluator import Evaluator, evaluator_of
from studio.hands.poker import SHORT_DECK as SHORT_DECK_ORDER
from studio.hands.poker import STANDARD

TRIALS: Final = 16

Choice = tuple[str, int]
"""An option, and what it bets or raises to in minor units: 0 where it names no amount."""


@dataclass(frozen=True, slots=True)
class Temperament:
    """How one kind of player plays. Chances are in thousandths, a hand's worth in thousandths of a fair share.

    He calls from the worth `calls_at` on and raises from `raises_at` on; with `counts` he also weighs what a call
    costs. Chances: `bluffs` of betting whatever he holds, `all_in` of betting all he has, `silent` of letting the time
    run out, `away` of getting up after a hand, `back` of sitting down again before one.
    """

    name: str
    calls_at: int
    raises_at: int
    counts: bool = False
    bluffs: int = 0
    all_in: int = 0
    silent: int = 0
    away: int = 0
    back: int = 0


ROCK: Final = Temperament("rock", calls_at=1_300, raises_at=1_900)
STATION: Final = Temperament("station", calls_at=0, raises_at=99_999)
MANIAC: Final = Temperament("maniac", calls_at=500, raises_at=1_000, bluffs=500, all_in=250)
SOLID: Final = Temperament("solid", calls_at=900, raises_at=1_400, counts=True, bluffs=60, all_in=40)
SLEEPER: Final = Temperament("sleeper", calls_at=900, raises_at=1_600, silent=500)
RESTLESS: Final = Temperament("restless", calls_at=800, raises_at=1_500, away=200, back=400)

TEMPERAMENTS: Final[Mapping[str, Temperament]] = {
    one.name: one for one in (ROCK, STATION, MANIAC, SOLID, SLEEPER, RESTLESS)
}


def choose(temperament: Temperament, sight: PlayerSight, chance: random.Random, trials: int = TRIALS) -> Choice | None:
    """What he does at this turn; None where he lets the time run out."""
    if happens(temperament.silent, chance):
        return None
    if "muck" in sight.options:
        return ("muck" if _beaten(sight) else "show"), 0
    worth = share_of(sight.game, sight.hole, sight.board, sight.opponents, chance, trials)
    if sight.to_minor is not None and (worth >= temperament.raises_at or happens(temperament.bluffs, chance)):
        staking = "raise" if "raise" in sight.options else "bet"
        return staking, _amount(temperament, sight, sight.to_minor, chance)
    if "check" in sight.options:
        return "check", 0
    least = max(temperament.calls_at, _price(sight)) if temperament.counts else temperament.calls_at
    return ("call" if worth >= least else "fold"), 0


def happens(thousandths: int, chance: random.Random) -> bool:
    """A thing of that chance."""
    return chance.randrange(THOUSAND) < thousandths


def _beaten(sight: PlayerSight) -> bool:
    """Whether a hand that was turned is better than his own."""
    if len(sight.board) < BOARD_CARDS:
        return False
    board = [card.index for card in sight.board]
    mine, *shown = (value_of(sight.game, [card.index for card in hole], board) for hole in (sight.hole, *sight.shown))
    return any(value > mine for value in shown)


def _price(sight: PlayerSight) -> int:
    """What a call must be worth: his part of the pot that it makes, in thousandths of a fair share."""
    return sight.owed_minor * (sight.opponents + 1) * THOUSAND // max(1, sight.pot_minor + sight.owed_minor)


def _amount(temperament: Temperament, sight: PlayerSight, to_minor: tuple[int, int], chance: random.Random) -> int:
    """The least there is, half the pot or all of it; or whatever he has."""
    least, most = to_minor
    if happens(temperament.all_in, chance):
        return most
    added = chance.choice((0, sight.pot_minor // 2, sight.pot_minor))
    return min(most, max(least, sight.owed_minor + added))


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
    """How much of the pot the hand wins on the average, in thousandths of a fair share: 1000 is as good as any.

    So is a hand of a fouled deck, of which a card lies there twice: nobody can say what it is worth.
    """
    mine, lying = [card.index for card in hole], [card.index for card in board]
    if len({*mine, *lying}) < len(mine) + len(lying):
        return THOUSAND
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
