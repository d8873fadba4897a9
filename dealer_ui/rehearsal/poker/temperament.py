"""How simulated players differ, and what one of them chooses at his turn."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal.poker.sight import Sight
from dealer_ui.rehearsal.poker.strength import BOARD_CARDS, THOUSAND, share_of, value_of

TRIALS: Final = 16

Choice = tuple[str, int]
"""An option, and what it bets or raises to in minor units: 0 where it names no amount."""


@dataclass(frozen=True, slots=True)
class Temperament:
    """Chances are in thousandths. Of a hand he asks what it is worth in thousandths of a fair share.

    `calls_at` and `raises_at`: from what worth on he does; `counts`: he asks what a call costs too. `bluffs`: how often
    he bets whatever he holds; `all_in`: how often he bets all he has; `silent`: how often he lets the time run out;
    `away`: how often he gets up after a hand; `back`: how often he sits down again before one.
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


def choose(temperament: Temperament, sight: Sight, chance: random.Random, trials: int = TRIALS) -> Choice | None:
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


def _beaten(sight: Sight) -> bool:
    """Whether a hand that was turned is better than his own."""
    if len(sight.board) < BOARD_CARDS:
        return False
    board = [card.index for card in sight.board]
    mine, *shown = (value_of(sight.game, [card.index for card in hole], board) for hole in (sight.hole, *sight.shown))
    return any(value > mine for value in shown)


def _price(sight: Sight) -> int:
    """What a call must be worth: his part of the pot that it makes, in thousandths of a fair share."""
    return sight.owed_minor * (sight.opponents + 1) * THOUSAND // max(1, sight.pot_minor + sight.owed_minor)


def _amount(temperament: Temperament, sight: Sight, to_minor: tuple[int, int], chance: random.Random) -> int:
    """The least there is, half the pot or all of it; or whatever he has."""
    least, most = to_minor
    if happens(temperament.all_in, chance):
        return most
    added = chance.choice((0, sight.pot_minor // 2, sight.pot_minor))
    return min(most, max(least, sight.owed_minor + added))
