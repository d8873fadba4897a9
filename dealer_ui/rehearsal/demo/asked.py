"""What is asked of a demo: its games, its shoe, its house options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from devices.sim.wire.shoe_voice import SHOES
from studio.errors import BadInputError
from studio.games import GAMES, find_game

EVERY_GAME: Final = "all"


def games_named(names: Sequence[str]) -> tuple[str, ...]:
    """The games of a demo's tables, each once: Three Knights where none is named, and every one for `all`."""
    every = tuple(game.key for game in GAMES)
    return every if EVERY_GAME in names else tuple(dict.fromkeys(names)) or every[:1]


def shoe_named(name: str) -> str:
    """The driver of that name; `BadInputError` with the list for any other."""
    if name not in SHOES:
        raise BadInputError(f"There is no simulated shoe '{name}'; choose one of {', '.join(SHOES)}.")
    return name


def rules_of(game: str, told: Sequence[tuple[str, str]]) -> dict[str, str | int | bool]:
    """Those of the house options told that this game has."""
    known = find_game(game).options.defaults
    return {name: value for name, value in told if name in known}


def rules_named(games: Sequence[str], told: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """House options written NAME=VALUE; `BadInputError` where none of the games has one of them, or not so.

    >>> rules_named(("dragon_tiger", "baccarat"), ("squeeze=on",))
    (('squeeze', 'on'),)
    """
    rules = tuple((name, value) for name, _, value in (one.partition("=") for one in told))
    for name, _ in rules:
        if not any(rules_of(game, [(name, "")]) for game in games):
            raise BadInputError(f"No game of this demo has a house option '{name}'.")
    for game in games:
        find_game(game).options.check(rules_of(game, rules))
    return rules
