"""Second opinions: what every bet gives back, counted from the printed pay tables without the rulebooks' code.

Slow and plain on purpose. Each house game has a file named by its key. Its `opinion` takes the cards of a finished
round and what one bettor staked, and gives for each of his bets the return of a stake of 1. Its `standing`, where it
has one, does so for a void round, for the bets that are paid all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Dealt, Opinion
from studio.games import HOUSE_GAMES

_FILES: Final = {game.key: import_module(f"{__name__}.{game.key}") for game in HOUSE_GAMES}

OPINIONS: Final[Mapping[str, Opinion]] = {key: file.opinion for key, file in _FILES.items()}

STANDING: Final[Mapping[str, Callable[[Dealt], Mapping[str, Fraction]]]] = {
    key: file.standing for key, file in _FILES.items() if hasattr(file, "standing")
}

__all__ = ["OPINIONS", "STANDING", "Dealt", "Opinion"]
